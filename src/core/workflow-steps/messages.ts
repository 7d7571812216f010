import type { Message } from '../../platform/slack/message.ts';
import { person, type Phrase, say, strong, toPlainText, toText } from '../../platform/slack/phrase.ts';
import { reason } from '../ask/messages.ts';
import type { Step } from './step.ts';

type Asked = NonNullable<Step['asked']>;

/** What the named person reads, and all others in the channel. `end`: how it ended; it asks nobody any more then. */
export function askedMessage(step: Step, restartRoute: string, end?: Phrase): Message {
  const { actor, asked, ...why } = step;
  if (!asked) throw new Error('a step that asks nobody has no message');
  if (end) return { lines: [say`${end} A workflow had asked for it.`] };
  return {
    lines: [
      say`${person(actor.userId)}, a workflow asks you to restart ${instanceOf(asked)}.`,
      ...reason(why),
    ],
    buttons: [{ label: 'Restart', routeId: restartRoute, value: asked.tokenId }],
  };
}

/** The button may have asked for an approval or an exception, by which it is done later: so this says no more than is known. */
export function nobodyRestarted(asked: Asked): Phrase {
  return say`Nobody restarted ${instanceOf(asked)} with the button within a day, so the workflow waits no longer.`;
}

export function endUnknown(asked: Asked): Phrase {
  return say`I no longer know how the restart of ${instanceOf(asked)} ended.`;
}

export function notPosted(): Phrase {
  return say`I can't post in that channel, so nobody was asked and nothing was done.`;
}

export function notRead(): Phrase {
  return say`I couldn't read the instances for a day, so nobody was asked and nothing was done.`;
}

/** One sentence for all reasons: whoever builds a workflow learns nothing by it of what the named person may see. */
export function notFound(typed: string): Phrase {
  return typed === ''
    ? say`The workflow names no instance, so nobody was asked and nothing was done. With several accounts, name the account before the instance, like acme:web-1.`
    : say`The person to ask sees no instance that is exactly "${typed}", so nobody was asked and nothing was done.`;
}

const MAX_TOLD = 1_000;

/** A phrase as Slack is told it: a workflow may post it, and it must mention nobody there. */
export function toldText(phrase: Phrase): string {
  const told = phrase.map((piece): Phrase => {
    if (piece.type === 'text') return [{ type: 'text', text: piece.text }];
    if (piece.type === 'user') return say`somebody`;
    if (piece.type === 'channel') return say`a channel`;
    if (piece.type === 'group') return say`a group`;
    return [{ type: 'text', text: toPlainText([piece]) }];
  });
  return toText(told.flat()).slice(0, MAX_TOLD);
}

function instanceOf({ instance }: Asked): Phrase {
  return say`${strong(instance.name)} (${instance.id})`;
}
