import type { ComponentChildren, JSX } from 'preact';
import { useActing } from '../acting.ts';
import { SlackDate } from '../time.tsx';
import type { Block } from '../../wire.ts';
import type { BlockProps } from './block-props.ts';
import { record, records, textOf } from './json.ts';
import { Channel, Group, Link, Mention } from './mention.tsx';
import { Undrawn } from './undrawn.tsx';

/** Text whose parts are named, in which nothing is parsed. */
export function RichText({ block }: BlockProps): JSX.Element {
  return (
    <div class="rich-text">
      {records(block['elements']).map((part, index) => (
        <Part key={index} part={part} />
      ))}
    </div>
  );
}

function Part({ part }: { part: Block }): JSX.Element {
  switch (part['type']) {
    case 'rich_text_section':
      return (
        <p>
          <Leaves part={part} />
        </p>
      );
    case 'rich_text_list':
      return (
        <ul>
          {records(part['elements']).map((item, index) => (
            <li key={index}>
              <Leaves part={item} />
            </li>
          ))}
        </ul>
      );
    default:
      return <Undrawn what={part['type']} />;
  }
}

function Leaves({ part }: { part: Block }): JSX.Element {
  return (
    <>
      {records(part['elements']).map((leaf, index) => (
        <Styled key={index} style={record(leaf['style'])}>
          <Leaf leaf={leaf} />
        </Styled>
      ))}
    </>
  );
}

function Styled({ style, children }: { style: Block; children: ComponentChildren }): JSX.Element {
  if (style['code'] === true) return <code>{children}</code>;
  return style['bold'] === true ? <b>{children}</b> : <>{children}</>;
}

function Leaf({ leaf }: { leaf: Block }): JSX.Element {
  const { workspace } = useActing();
  switch (leaf['type']) {
    case 'text':
      return <>{textOf(leaf, 'text')}</>;
    case 'link':
      return <Link url={textOf(leaf, 'url')} label={textOf(leaf, 'text')} />;
    case 'user':
      return <Mention id={textOf(leaf, 'user_id')} />;
    case 'usergroup':
      return <Group handle={workspace.groups[textOf(leaf, 'usergroup_id')]} />;
    case 'channel':
      return <Channel id={textOf(leaf, 'channel_id')} />;
    case 'date':
      return (
        <SlackDate
          seconds={Number(leaf['timestamp'])}
          format={textOf(leaf, 'format')}
          fallback={textOf(leaf, 'fallback')}
        />
      );
    default:
      return <Undrawn what={leaf['type']} />;
  }
}
