import { z } from 'zod';
import { asTyped } from '../../core/ask/words.ts';
import type { PolicyTarget } from '../../core/policy/pattern.ts';
import { actorSchema } from '../../platform/slack/ids.ts';
import { slackId } from '../../core/outbox/message-source.ts';
import { isWorse, TROUBLES, marksSchema } from './states.ts';

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
  /** What it was marked with last, where it is gone. */
  marks: marksSchema.optional(),
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
  /** Since when nobody has been on it; without it, since `at`. */
  unacknowledgedSince: z.number().optional(),
  /** For how long nobody was to be told since then, and since when nobody is: in quiet hours and while it is snoozed. */
  quietMs: z.number().optional(),
  quietSince: z.number().optional(),
  /**
   * Who has been told since then that nobody is on it: people, with the ids of the members that they may see, and the channel
   * where none of them is reached, with why.
   */
  told: z
    .array(
      z.object({ to: slackId, of: z.array(z.string()), unreached: z.enum(['away', 'nobody']).optional() }),
    )
    .optional(),
  /** How many instances the watch began with, for `hello`, where that was known. */
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
  /**
   * The look that was made last: the mark of what it saw, which is kept beside the record. `untold`: of so many the service doesn't
   * say any more whether they are meant.
   */
  base: z
    .object({
      mark: z.string(),
      at: z.number(),
      isWhole: z.boolean(),
      newestAt: z.number().optional(),
      untold: z.number().optional(),
    })
    .optional(),
  nextPollAt: z.number(),
  /** What was created in the quiet hours, to be said after them. */
  held: z.array(memberSchema.pick({ id: true, name: true, createdAt: true })).optional(),
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

/** What was typed to set it. */
export function watchWords({ filters, instances }: Pick<Watch, 'filters' | 'instances'>): readonly string[] {
  return [...filters, ...instances.map(({ name }) => name)];
}

/** The same in one line. */
export function lineOf(watch: Pick<Watch, 'filters' | 'instances'>): string {
  return asTyped(watchWords(watch));
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

/**
 * What a right is asked for of something on a card: what is gone as it was marked last, and anything else without, so that what it is
 * marked with now is looked up. Pure.
 */
export function targetOf({ id, name, what, ended, marks }: Member): PolicyTarget {
  const isGone = what === 'deleted' ? ended === undefined : ended?.now === 'deleted';
  return isGone ? { id, name, ...marks } : { id, name };
}

/** Whether nobody wants to hear now that an instance has this trouble: it is snoozed, and that is no worse. Pure. */
export function isSnoozed({ cards }: Watch, { id, what }: Pick<Member, 'id' | 'what'>, now: number): boolean {
  const quiet = cards.filter((card) => card.snoozed && now < card.snoozed.until);
  const its = quiet.flatMap(({ members }) => members.filter((one) => one.id === id));
  return its.length > 0 && its.every((one) => !isWorse(what, one.what));
}
