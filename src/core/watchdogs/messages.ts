import { subject } from '../operations/messages.ts';
import type { OperationKind } from '../operations/kind.ts';
import type { Operation } from '../operations/operation.ts';
import type { Message } from '../../platform/slack/message.ts';
import { ago, person, say } from '../../platform/slack/phrase.ts';

/** For the admins, once: what is not followed any more because Redis lost it. */
export function redisLost(
  loss: 'empty' | 'older',
  forgotten: readonly { operation: Operation; kind: OperationKind }[],
): Message {
  const first =
    loss === 'empty'
      ? say`Redis came back empty: what was asked and not done yet is forgotten, and every button of mine is void.`
      : say`Redis came back older than it was: what was asked or pressed just before that may be forgotten.`;
  if (forgotten.length === 0) return { lines: [first, say`As far as I know, nothing was in progress.`] };
  return {
    lines: [
      first,
      say`This was in progress. I'll continue with what I still know about it, but please check it yourself:`,
    ],
    bullets: forgotten.map(
      ({ operation, kind }) =>
        say`${subject(operation)} is ${kind.doing}, asked by ${person(operation.actor.userId)} ${ago(operation.requestedAt)}`,
    ),
  };
}
