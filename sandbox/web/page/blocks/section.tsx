import type { JSX } from 'preact';
import type { BlockProps } from './block-props.ts';
import { labelOf, record } from './json.ts';
import { Mrkdwn } from './mrkdwn.tsx';

/** A text object on its own. */
export function Section({ block }: BlockProps): JSX.Element {
  const text = record(block['text']);
  return <p class="section">{text['type'] === 'mrkdwn' ? <Mrkdwn text={labelOf(text)} /> : labelOf(text)}</p>;
}
