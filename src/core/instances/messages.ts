import { question } from '../ask/question.ts';
import type { Incomplete, Instance, PausedFor } from '../../platform/hosting/service.ts';
import type { Fingerprint } from './facts.ts';
import type { Message } from '../../platform/slack/message.ts';
import { type Phrase, ago, join, plain, say, strong, time } from '../../platform/slack/phrase.ts';

/** Name and id of an instance. */
export function nameOf(instance: Pick<Instance, 'id' | 'name'>): Phrase {
  return say`${strong(instance.name)} (${instance.id})`;
}

/** "web-1 (101), web-2 (102) and 3 more": the first so many of these. `count`: how many there are in all. */
export function namesUpTo(
  most: number,
  those: readonly Pick<Instance, 'id' | 'name'>[],
  count = those.length,
): Phrase {
  const names = join(those.slice(0, most).map(nameOf), ', ');
  return count > most ? say`${names} and ${count - most} more` : names;
}

/** A status in words: ours where we know it, else the service's own, as it came. */
export function statusWords(seen: { readonly status: string; readonly word: string }): string {
  if (seen.status === 'unknown') return `"${plain(seen.word.trim() || 'unknown', 60)}"`;
  return seen.status === 'gone' ? 'gone' : seen.status.replaceAll('_', ' ');
}

/** The status of an instance in words. */
export function statusOf(instance: Instance): string {
  return statusWords({ status: instance.status, word: instance.statusWord });
}

/** Why an instance is paused, after "it is", and what helps. */
const PAUSED_WORDS: Readonly<Record<PausedFor | 'unsaid', { readonly is: string; readonly next: string }>> = {
  'no-credit': { is: 'paused because the credit ran out', next: 'Top up' },
  suspended: { is: 'suspended by the hosting service', next: 'Ask the hosting service why' },
  'by-owner': { is: 'paused by its owner', next: 'Resume it at the hosting service' },
  'subscription-ended': {
    is: 'paused because the subscription ended',
    next: 'Renew it at the hosting service',
  },
  unsaid: {
    is: "paused, and the service doesn't say why",
    next: 'Look at it at the hosting service',
  },
};

/** The same of one that is paused. */
export function pausedWords({ pausedFor }: { readonly pausedFor?: PausedFor | undefined }): {
  readonly is: string;
  readonly next: string;
} {
  return PAUSED_WORDS[pausedFor ?? 'unsaid'];
}

/** Asks which instance is meant. */
export function whichInstance(verb: string, routeId: string, why: Phrase): Message {
  return question({ lines: [why], picker: { routeId, placeholder: `Pick an instance to ${verb}` } });
}

/** How an instance is called in a picker: enough to tell two of one name apart. */
export function choiceLabel(instance: Instance): string {
  const tier = instance.tier === undefined ? '' : ` · ${plain(instance.tier, 20)}`;
  return `${plain(instance.name, 30)} (${instance.id}) · ${plain(statusOf(instance), 20)}${tier}`;
}

/** That a list is not all there is, or may not be. `what`: its things, in the plural. */
export function incompleteWords({ read, total, isCertain, failed }: Incomplete, what: string): Phrase {
  if (failed)
    return say`This list is incomplete: the service gave me ${failed.of - failed.lists} of its ${failed.of} lists of ${what}. I could read ${read}.`;
  if (total !== undefined)
    return say`This list is incomplete: the service has ${total} ${what}, and I could read only ${read}.`;
  return isCertain
    ? say`This list is incomplete: the service has more ${what}, and I could read only ${read}.`
    : say`This list may be incomplete: exactly ${read} ${what} came, a full page, and the service doesn't say whether there are more.`;
}

/** The same over the choices of a picker, which has little room. */
export function incompleteHeading({ read, total, isCertain, failed }: Incomplete): string {
  if (failed) return `Only a part could be read; type an id for others`;
  if (total !== undefined) return `${read} of ${total} could be read; type an id for others`;
  return isCertain ? `There are more; type an id for others` : `There may be more; type an id for others`;
}

/** Over the choices of a picker that has more of them than it shows. */
export function cutHeading(shown: number): string {
  return `The first ${shown}; type a name or an id to find others`;
}

/** What was shown is not what is there now. */
export function changed(shown: Fingerprint): Phrase {
  return say`${nameOf(shown)} is no longer what you were shown, so nothing was done. Ask again to see it as it is now.`;
}

/** What was shown is no longer there. */
export function gone(shown: Fingerprint): Phrase {
  return say`${nameOf(shown)} is gone already, so nothing was done.`;
}

/** What was read last, while the service is down: that first, and nothing that changes any of it. `readAt`: Unix ms. Pure. */
export function fromBefore(shown: Message, readAt: number): Message {
  const { several: _, ...rest } = shown;
  const why = say`The hosting service doesn't answer. This is from ${time(readAt)}, ${ago(readAt)}.`;
  return { ...rest, lines: [why, ...shown.lines] };
}
