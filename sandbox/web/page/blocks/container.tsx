import type { ComponentChildren, JSX } from 'preact';
import type { BlockProps } from './block-props.ts';
import { labelOf, record } from './json.ts';
import { Mrkdwn } from './mrkdwn.tsx';

/** Its blocks under their title, folded up where the bot says so. */
export function Container({
  block,
  children,
}: Pick<BlockProps, 'block'> & { readonly children: ComponentChildren }): JSX.Element {
  const title = <Title block={block} />;
  if (block['is_collapsible'] !== true) {
    return (
      <section class="container" aria-label={labelOf(block['title'])}>
        {title}
        {children}
      </section>
    );
  }
  return (
    <details class="container" open={block['default_collapsed'] !== true}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

function Title({ block }: Pick<BlockProps, 'block'>): JSX.Element {
  const subtitle = record(block['subtitle']);
  return (
    <>
      <b>{labelOf(block['title'])}</b>
      {labelOf(subtitle) !== '' && (
        <span class="quiet">
          {subtitle['type'] === 'mrkdwn' ? <Mrkdwn text={labelOf(subtitle)} /> : labelOf(subtitle)}
        </span>
      )}
    </>
  );
}
