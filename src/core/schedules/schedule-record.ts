import { z } from 'zod';
import { shownSchema } from '../batches/batch.ts';
import { POWERS } from '../../platform/hosting/service.ts';
import { actorSchema } from '../../platform/slack/ids.ts';
import { phraseSchema } from '../../platform/slack/phrase.ts';
import { whenSchema } from './when.ts';
import type { OfferKind } from '../offers/offers.ts';
import { toOneFields } from '../offers/confirmation.ts';
import type { WayBack } from '../operations/way-back.ts';

/**
 * What one person has the bot do at certain times, as it is written down. The record decides each run: what it says was
 * opened is opened, however often its job runs. All times are Redis' clock, Unix ms. See
 * docs/decisions/0031-a-schedule-opens-its-runs.md.
 */

const verb = z.enum(POWERS);

/** What it is about: the exact instances that were named, or filters, which are read again at each run. */
const targetSchema = z.union([
  z.object({ instances: z.array(shownSchema).min(1) }),
  z.object({ filters: z.array(z.string()).min(1) }),
]);
export type ScheduleTarget = z.infer<typeof targetSchema>;

/** A run that was opened and has not begun yet. */
const openSchema = z.object({
  verb,
  /** When it was due. */
  at: z.number(),
  /** When its rule puts it, which distinguishes runs: it may have been put off. */
  ruleAt: z.number(),
  /** When its channel was warned, if it was. */
  warnedAt: z.number().optional(),
  /** Nothing is tried before that. */
  nextTryAt: z.number(),
  tries: z.int(),
  /** Why the latest try came to nothing. */
  why: phraseSchema.optional(),
});
export type OpenRun = z.infer<typeof openSchema>;

export const scheduleSchema = z.object({
  id: z.string(),
  owner: actorSchema,
  channelId: z.string(),
  target: targetSchema,
  when: whenSchema,
  createdAt: z.number(),
  /** Set where it is the way back of an operation: of which, and what the card of that shows of it, as a text. */
  turns: z.object({ operationId: z.string(), shown: z.string() }).optional(),
  /** The run that comes next; undefined where there is none. `warnedAt`: when its channel was warned. */
  next: z
    .object({
      verb,
      at: z.number(),
      ruleAt: z.number(),
      warnedAt: z.number().optional(),
      /** Who put it off last, and when. */
      laterBy: z.string().optional(),
      laterAt: z.number().optional(),
      /** Who has it now, where it was handed over since. */
      heldBy: z.string().optional(),
      /** Set where no rule puts it there: it stops what was started since the last stop. */
      isAgain: z.literal(true).optional(),
    })
    .optional(),
  /** Set from a stop to the next start, where what is started meanwhile is stopped again: see keeping.ts. */
  keeping: z.object({ lookAt: z.number(), times: z.int() }).optional(),
  /**
   * Set while it is paused. `until`: when it goes on by itself; `by`: who paused it, or the bot itself; `heldBy`: who has that now, where
   * it was handed over since.
   */
  paused: z
    .object({
      at: z.number(),
      until: z.number().optional(),
      by: z.string().optional(),
      heldBy: z.string().optional(),
    })
    .optional(),
  /** The latest run that somebody skipped: when it was due, and when they did. */
  skipped: z.object({ at: z.number(), by: z.string(), doneAt: z.number().optional() }).optional(),
  open: openSchema.optional(),
  /** How the latest run went. */
  last: z
    .object({ verb, at: z.number(), result: z.enum(['begun', 'nothing', 'not run', 'no right']) })
    .optional(),
  closed: z
    .object({
      at: z.number(),
      /** `kept`: somebody leaves it as it is · `overtaken`: somebody did something else meanwhile · `not done`: there is nothing to turn. */
      why: z.enum(['removed', 'over', 'paused for long', 'kept', 'overtaken', 'not done']),
      by: z.string().optional(),
      /** What somebody did. */
      verb: verb.optional(),
    })
    .optional(),
});
export type Schedule = z.infer<typeof scheduleSchema>;

/** What one person was shown before a schedule is saved. */
const draftSchema = z.object({
  ...toOneFields,
  channelId: z.string(),
  target: targetSchema,
  when: whenSchema,
});
export type Draft = z.infer<typeof draftSchema>;

export const DRAFTS: OfferKind<Draft> = { name: 'draft', schema: draftSchema };

/** What the card of the operation that it turns around is to show of it now; undefined where it turns nothing around. Pure. */
export function wayBackOf(schedule: Schedule): WayBack | undefined {
  const { id: scheduleId, when, turns } = schedule;
  if (!turns || when.kind !== 'once') return undefined;
  const at = (schedule.next ?? schedule.open ?? schedule.last)?.at ?? when.at ?? schedule.createdAt;
  const over = overOf(schedule);
  const laterBy = schedule.next?.laterBy;
  return {
    scheduleId,
    verb: when.verb,
    at,
    ...(laterBy === undefined ? {} : { laterBy }),
    ...(over ? { over } : {}),
  };
}

/** What became of it; undefined while it waits, or runs. */
function overOf({ closed, last, next, open, paused }: Schedule): WayBack['over'] {
  if (next || open) return undefined;
  if (paused) return { how: 'no right', at: paused.at };
  if (!closed) return undefined;
  const { why, by, at } = closed;
  if (why === 'overtaken') return { how: 'overtaken', by, verb: closed.verb, at };
  if (why === 'over' && last) return { how: last.result === 'begun' ? 'begun' : 'not run', at };
  return { how: 'kept', by, at };
}

/** The same as a text, which says whether two show the same. */
export function shownOf(schedule: Schedule): string {
  return JSON.stringify(wayBackOf(schedule) ?? {});
}

/** Whether the card of what it turns around shows something else. */
export function isShownOtherwise(schedule: Schedule): boolean {
  return schedule.turns !== undefined && schedule.turns.shown !== shownOf(schedule);
}

/** The card shows this of it. */
export function shown(schedule: Schedule, text: string): Schedule | undefined {
  const { turns } = schedule;
  return turns && turns.shown !== text ? { ...schedule, turns: { ...turns, shown: text } } : undefined;
}
