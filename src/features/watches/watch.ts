import { z } from 'zod';
import { actorSchema } from '../../platform/slack/ids.ts';
import { slackId } from '../../core/outbox/addressee.ts';
import { TROUBLES } from './states.ts';

/**
 * One watch: a channel that hears of changes to some instances which nobody asked for here. Its record is written in one step with
 * what was seen, and with the messages that report it. Times are Redis' clock, Unix ms.
 */

/** One instance in one trouble, on a card. */
const memberSchema = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string().optional(),
  what: z.enum([...TROUBLES, 'created']),
  since: z.number(),
  /** How often it began, where it came and went. */
  times: z.number(),
  ended: z.object({ at: z.number(), now: z.enum([...TROUBLES, 'running', 'left']) }).optional(),
});
export type Member = z.infer<typeof memberSchema>;

/** One message about an incident, or about many that came at once. */
const cardSchema = z.object({
  /** Also the id of its message. */
  id: z.string(),
  /** hello: that the watch begins · paused: that it rests. */
  kind: z.enum(['hello', 'incident', 'paused']),
  at: z.number(),
  /** Takes in more of what comes in the same minutes. */
  isGroup: z.boolean(),
  members: z.array(memberSchema),
  /** `isCalled`: they were called in its thread once it was over, and are not again where it comes back. */
  onIt: z.object({ by: slackId, at: z.number(), isCalled: z.literal(true).optional() }).optional(),
  snoozed: z.object({ by: slackId, until: z.number() }).optional(),
  /** How many instances the watch began with, for `hello`. */
  count: z.number().optional(),
  /** Grows with each change of what it shows. */
  revision: z.number(),
  changedAt: z.number(),
});
export type Card = z.infer<typeof cardSchema>;

export const watchSchema = z.object({
  id: z.string(),
  /** Filters as they were typed; none where `instances` are named. */
  filters: z.array(z.string()),
  instances: z.array(z.object({ id: z.string(), name: z.string() })),
  channelId: slackId,
  setBy: actorSchema,
  setAt: z.number(),
  /** The look that was made last: the mark of what it saw, which is kept beside the record. */
  base: z
    .object({ mark: z.string(), at: z.number(), isWhole: z.boolean(), newestAt: z.number().optional() })
    .optional(),
  nextPollAt: z.number(),
  cards: z.array(cardSchema),
  /** How many cards there were, for their ids. */
  count: z.number(),
  /** Who set it may not see instances any more: nothing is looked at until they may. */
  pausedAt: z.number().optional(),
  ended: z
    .object({ at: z.number(), why: z.enum(['unwatched', 'no channel']), by: slackId.optional() })
    .optional(),
});
export type Watch = z.infer<typeof watchSchema>;

/** What was typed to set it, in one line. */
export function wordsOf({ filters, instances }: Pick<Watch, 'filters' | 'instances'>): string {
  return [...filters, ...instances.map(({ name }) => name)].join(' ');
}

/** When it is looked next for the watch; `closed` for never. */
export function dueAt({ ended, nextPollAt }: Watch): number | 'closed' {
  return ended ? 'closed' : nextPollAt;
}

/** Whether something is wrong still. What was created is only reported. */
export function isOpen({ what, ended }: Member): boolean {
  return what !== 'created' && ended === undefined;
}

/** Whether nothing of a card is wrong any more. What was deleted stays so. */
export function isOver({ members }: Card): boolean {
  return members.length > 0 && !members.some(isOpen);
}

/** Ids of instances that nobody wants to hear of now. Pure. */
export function snoozedIds({ cards }: Watch, now: number): ReadonlySet<string> {
  const snoozed = cards.filter((card) => card.snoozed && now < card.snoozed.until);
  return new Set(snoozed.flatMap(({ members }) => members.map(({ id }) => id)));
}
