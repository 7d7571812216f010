import { z } from 'zod';
import { Refusal } from '../refusal.ts';
import type { Commit } from '../records/commit.ts';
import { type End, endLabel } from '../sentences/end.ts';
import { POWERS, type Power } from '../../platform/hosting/service.ts';
import type { Actor, SlackPlace } from '../../platform/slack/ids.ts';
import type { Button } from '../../platform/slack/message.ts';
import { ago, person, type Phrase, say, time } from '../../platform/slack/phrase.ts';

/**
 * What was asked for until some time: the operation says when it is turned around, and a schedule that runs once does it. Times are
 * the calendar's, Unix ms. See docs/decisions/0048-a-way-back-is-a-schedule.md.
 */

/** Until when, as it is kept until something begins: how long from then, or a moment; `words` as they are typed in short. */
export const keptEndSchema = z.object({
  forMs: z.number().positive().optional(),
  until: z.number().optional(),
  zone: z.string(),
  words: z.array(z.string()),
});
export type KeptEnd = z.infer<typeof keptEndSchema>;

export const wayBackSchema = z.object({
  scheduleId: z.string(),
  verb: z.enum(POWERS),
  at: z.number(),
  /** Who put it off last. */
  laterBy: z.string().optional(),
  /**
   * What became of it. `kept`: somebody leaves it as it is · `overtaken`: somebody did something else with the instance meanwhile ·
   * `lost`: Redis lost it together with the beginning.
   */
  over: z
    .object({
      how: z.enum(['begun', 'not run', 'kept', 'overtaken', 'no right', 'lost']),
      by: z.string().optional(),
      verb: z.enum(POWERS).optional(),
      at: z.number(),
    })
    .optional(),
});
export type WayBack = z.infer<typeof wayBackSchema>;

/** A way back of which Redis knows nothing any more; one that is over stays so. `at`: Redis' clock, Unix ms. Pure. */
export function lostWayBack(wayBack: WayBack, at: number): WayBack {
  return wayBack.over ? wayBack : { ...wayBack, over: { how: 'lost', at } };
}

/** What is to be turned around, by whom and where. */
export interface ToTurn {
  readonly operationId: string;
  readonly verb: Power;
  readonly end: KeptEnd;
  readonly actor: Actor;
  readonly place: SlackPlace;
  readonly instance: {
    readonly id: string;
    readonly name: string;
    readonly createdAt?: string;
    readonly status: string;
  };
}

/** What one schedule is to turn around of several. */
type SeveralToTurn = Omit<ToTurn, 'operationId' | 'instance'> & {
  readonly batchId: string;
  readonly instances: readonly ToTurn['instance'][];
};

/** What several are turned around by, and until when they are asked for. */
export const backSchema = z.object({ verb: z.enum(POWERS), end: keptEndSchema });
export type Back = z.infer<typeof backSchema>;

/** Writes ways back down together with the beginning of what they turn around. */
export interface WaysBack {
  /** What the operation shows of it, and the part of the commit that writes it. Throws a Refusal where its time is over. */
  plan(wanted: ToTurn): { readonly wayBack: WayBack; readonly also: Commit<'full'> };
  /** The same of several, by one schedule; `at`: when, Unix ms. */
  planSeveral(wanted: SeveralToTurn): { readonly at: number; readonly also: Commit<'full'> };
}

/** The routes of the buttons of a way back: to put it off, and to call it off. */
export interface WayBackRoutes {
  readonly longerRoute: string;
  readonly keepRoute: string;
}

/** An end that was read at `now` as it is kept. Pure. */
export function keptEnd(
  { until, words }: End,
  { at: now, zone }: { readonly at: number; readonly zone: string },
): KeptEnd {
  const typed = [...words];
  return words[0] === 'for' ? { forMs: until - now, zone, words: typed } : { until, zone, words: typed };
}

/** The moment of an end of what begins at `now`; undefined where it is over. Pure. */
export function momentOfEnd({ forMs, until = 0 }: KeptEnd, now: number): number | undefined {
  const at = forMs === undefined ? until : now + forMs;
  return at > now ? at : undefined;
}

/** "for 4 hours", or "until" the moment. Pure. */
export function endWords({ until, words }: KeptEnd): Phrase {
  return until === undefined ? say`${endLabel(words)}` : say`until ${time(until)}`;
}

const AGAIN: Readonly<
  Record<Power, { readonly does: string; readonly done: string; readonly kept: string }>
> = {
  start: { does: 'starts', done: 'started', kept: 'off' },
  stop: { does: 'stops', done: 'stopped', kept: 'on' },
  restart: { does: 'restarts', done: 'restarted', kept: 'as it is' },
};

/** That several are turned around later: before they begin, and once they have (`at`, Unix ms). Pure. */
export function severalBackWords({ verb, end }: Back, at?: number): Phrase {
  const { done } = AGAIN[verb];
  return at === undefined
    ? say`This is ${endWords(end)}: they are ${done} again by themselves then.`
    : say`They are ${done} again by themselves ${time(at)}. /instances schedules shows that.`;
}

/** There is no room for what would turn it around. */
export function noRoomBack(): Refusal {
  return new Refusal(
    'too-many',
    say`There are as many schedules as I keep, so I couldn't turn that around later and did nothing. Remove one first: /instances schedules.`,
  );
}

/** What the card of an operation says of its way back: nothing where what it would turn around was not done. Pure. */
export function wayBackLines(wayBack: WayBack | undefined, isNotDone: boolean): readonly Phrase[] {
  if (!wayBack || isNotDone) return [];
  const { verb, at, over, laterBy } = wayBack;
  const { does, done, kept } = AGAIN[verb];
  const who = over?.by === undefined ? say`Somebody` : say`${person(over.by)}`;
  switch (over?.how) {
    case undefined:
      return [
        laterBy === undefined
          ? say`It ${does} again ${time(at)}.`
          : say`It ${does} again ${time(at)}: ${person(laterBy)} put that off.`,
      ];
    case 'begun':
      return [say`It was asked to ${verb} again ${ago(over.at)}.`];
    case 'kept':
      return [say`${who} keeps it ${kept}: this ${verb} was called off.`];
    case 'overtaken':
      return [say`${who} ${AGAIN[over.verb ?? verb].done} it since, so this ${verb} was called off.`];
    case 'no right':
      return [say`It was not ${done} again: the right to that was lost.`];
    case 'lost':
      return [
        say`It won't be ${done} again by itself: that was lost when my database lost what it had last. Ask again if you still want it.`,
      ];
    case 'not run':
      return [say`It was not ${done} again. A message here says why.`];
  }
}

/** What can be done about a way back that waits. Pure. */
export function wayBackButtons(
  wayBack: WayBack | undefined,
  isNotDone: boolean,
  { longerRoute, keepRoute }: WayBackRoutes,
): readonly Button[] {
  if (!wayBack || wayBack.over || isNotDone) return [];
  const value = `${wayBack.scheduleId} ${wayBack.at}`;
  return [
    { label: 'Longer…', routeId: longerRoute, value },
    { label: 'Keep it', routeId: keepRoute, value },
  ];
}
