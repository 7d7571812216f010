import type { StepNow } from '../../../core/on-call/escalation.ts';
import type { Quiet } from '../../../core/on-call/on-call.ts';
import type { Timings } from '../../../core/timings.ts';
import {
  type Alarm,
  type Ending,
  type Episode,
  findOpen,
  type Notice,
  openEpisode,
  withEpisode,
  withNotice,
  withoutDelay,
  withoutHeldWorse,
  type Says,
  weighed,
} from './alarm.ts';
import { type Level, rank } from './level.ts';
import type { MoneyRead, Seen } from './seen.ts';
import type { Measure } from './measure.ts';
import { escalated, quietUntilFor } from './escalate.ts';

/** What the alarm is judged by, beside the reading. */
export interface Rules {
  /** Undefined where nothing is set that a reading could be judged by. */
  readonly measure: Measure | undefined;
  readonly isOff: boolean;
  /** Where alerts go; undefined where nobody is to hear them. */
  readonly to: Notice['to'] | undefined;
  /** Who is told when nobody is on a critical balance, and may be: as far as is known at this look. */
  readonly steps: readonly StepNow[];
  /** When the channel is left in peace. */
  readonly quiet: Quiet | undefined;
  /** An id for an episode that may begin now. */
  readonly newId: string;
  readonly timings: Pick<Timings, 'unknownAfterMs' | 'stillOnItAfterMs' | 'handBackAfterMs' | 'alertFreshMs'>;
}

/** What one look at the account gave; undefined where it couldn't be read. */
export type Look = MoneyRead | 'not offered' | undefined;

/**
 * The alarm after one look at the account. The whole rule of alerts, pure: what is to be sent is in the record it gives,
 * and is sent once from there. A look that failed says at most that nothing can be seen.
 */
export function judge(alarm: Alarm, look: Look, rules: Rules, now: number): Alarm {
  const checked = { ...alarm, checkedAt: now };
  const { to, measure } = rules;
  if (rules.isOff || !to) return switchedOff(checked, 'off', now);
  if (!measure) return switchedOff(checked, 'no budget', now);
  // A service that had a balance before has a fault now.
  if (look === 'not offered' && !alarm.seen) return notOffered(checked, now);
  return judgeSight(checked, look === 'not offered' ? undefined : look, { ...rules, to, measure }, now);
}

/** There is no balance to watch, so nobody is warned that it can't be read. */
function notOffered(alarm: Alarm, now: number): Alarm {
  const { failingSince: _, ...rest } = alarm;
  const unknown = findOpen(rest, 'unknown');
  const known: Alarm = { ...rest, isNotOffered: true };
  return unknown ? withEpisode(known, close(unknown, { at: now, how: 'recovered' })) : known;
}

/** The alarm after a look that had no turn to be made: no sign of anything, until there was none for too long. Pure. */
export function judgeNoCall(alarm: Alarm, rules: Rules, now: number): Alarm {
  const { to, measure } = rules;
  if (rules.isOff || !to || !measure) return judge(alarm, undefined, rules, now);
  const failingSince = alarm.failingSince ?? alarm.seen?.at ?? now;
  const isTooLong = now - failingSince >= rules.timings.unknownAfterMs;
  if (alarm.seen && !isTooLong)
    return judgeTime({ ...alarm, checkedAt: now }, { ...rules, to, measure }, now);
  return judge({ ...alarm, failingSince }, undefined, rules, now);
}

type JudgeRules = Rules & { readonly to: Notice['to']; readonly measure: Measure };

function judgeSight(before: Alarm, read: MoneyRead | undefined, rules: JudgeRules, now: number): Alarm {
  // Somebody else has looked since.
  if (read && read.at < (before.seen?.at ?? 0)) return before;
  const { measure } = rules;
  const over = read && measure.overBy(read, before.seen);
  const alarm = over === undefined ? before : endedBy(before, over, rules, now);
  const seen = read && measure.following(read, alarm.seen ?? alarm.before, alarm.level);
  const level = seen && measure.levelOf(seen, alarm.level, alarm.seen);
  if (!seen || level === undefined) return judgeUnknown(alarm, rules, now);
  const isOtherThreshold = measure.isOtherThreshold(alarm.seen);
  const { isNotOffered: _, before: __, doubt, ...known } = alarm;
  // What nothing was known of, or is judged by another line now, contradicts nothing.
  const isSequel = over === undefined && alarm.seen !== undefined && !isOtherThreshold;
  const verdict = isSequel ? weighed(doubt, saysOf(seen, level, alarm, rules)) : 'counts';
  if (verdict === 'dropped') return judgeTime(known, rules, now);
  if (verdict !== 'counts') return judgeTime({ ...known, doubt: verdict }, rules, now);
  const clear = sightRegained({ ...known, seen }, rules, now);
  const how = isOtherThreshold ? 'other thresholds' : 'recovered';
  const judged = judgeLevel({ ...clear, level }, { was: alarm.level, seen, how }, rules, now);
  return judgeTime(judged, rules, now);
}

/** What a reading says against the last. More money while something is paused for want of it is said, too. */
function saysOf(seen: Seen, level: Level, alarm: Alarm, { measure }: JudgeRules): Says {
  const by = rank(level) - rank(alarm.level);
  const hasRisen = by === 0 && measure.hasRisen(seen, findOpen(alarm, 'low')?.toldOf);
  if (by > 0) return 'worse';
  return by < 0 || hasRisen ? 'better' : 'same';
}

/** What was judged before no longer counts: an open alert ends without a word but on its card. */
function endedBy(alarm: Alarm, how: Ending, rules: Rules, now: number): Alarm {
  const open = findOpen(alarm, 'low');
  const seen = lastSeen(alarm, rules);
  const calm: Alarm = { ...alarm, level: 'ok' };
  return open ? withEpisode(calm, close(open, { at: now, how, ...seen })) : calm;
}

/** How things stand is unknown: said once, when that has lasted. */
function judgeUnknown(alarm: Alarm, rules: JudgeRules, now: number): Alarm {
  if (alarm.isNotOffered) return alarm;
  const failingSince = alarm.failingSince ?? now;
  const unknown = { ...alarm, failingSince };
  if (now - failingSince < rules.timings.unknownAfterMs || findOpen(alarm, 'unknown')) return unknown;
  const episode = { ...openEpisode(rules.newId, 'unknown', alarm.level, now), openedAt: failingSince };
  const notice = { kind: 'unknown', to: rules.to, ...lastSeen(alarm, rules) } as const;
  return withEpisode(unknown, withNotice(episode, notice, now, quietUntilFor('warn', rules, now)));
}

function lastSeen({ seen }: Alarm, { measure }: Pick<Rules, 'measure'>): { seen?: Seen } {
  return seen === undefined ? {} : { seen: measure ? measure.toShow(seen) : seen };
}

/** The money can be read again, which is said where it was said that it couldn't be. */
function sightRegained(alarm: Alarm, rules: JudgeRules, now: number): Alarm {
  const { failingSince: _, ...rest } = alarm;
  const episode = findOpen(rest, 'unknown');
  if (!episode) return rest;
  const wasSaid = episode.notices.every(({ message }) => message.state !== 'waiting');
  const closed = close(episode, { at: now, how: 'recovered' });
  const notice = { kind: 'seen-again', to: rules.to, ...lastSeen(rest, rules) } as const;
  const dueAt = quietUntilFor('warn', rules, now);
  return withEpisode(rest, wasSaid ? withNotice(closed, notice, now, dueAt) : closed);
}

/** One crossing is one message: the card of a new episode, a post for a worse level, the recovery. */
function judgeLevel(
  alarm: Alarm,
  { was, seen: read, how }: { was: Level; seen: Seen; how: 'recovered' | 'other thresholds' },
  rules: JudgeRules,
  now: number,
): Alarm {
  const { level } = alarm;
  const seen = rules.measure.toShow(read);
  const open = findOpen(alarm, 'low');
  if (level === 'ok') {
    if (!open) return alarm;
    // Who moved the line knows, and nothing has become better.
    if (how === 'other thresholds') return withEpisode(alarm, close(open, { at: now, how, seen }));
    return withEpisode(alarm, recovered(open, seen, rules, now));
  }
  if (!open) {
    const episode = {
      ...openEpisode(rules.newId, 'low', level, now),
      shown: seen,
      ...lowestIn(seen, undefined, rules),
    };
    const notice = { kind: 'card', to: rules.to, level, seen } as const;
    return withEpisode(alarm, withNotice(episode, notice, now, quietUntilFor(level, rules, now)));
  }
  const isStale = seen.at - (open.shown?.at ?? 0) >= rules.timings.alertFreshMs;
  const isQuiet = quietUntilFor(level, rules, now) !== undefined;
  const episode: Episode = {
    ...(isQuiet ? withoutHeldWorse(open, level !== was, now) : withoutDelay(open, now)),
    level,
    ...lowestIn(seen, open.lowest, rules),
    ...(isStale || level !== was || rules.measure.isNews(seen, open.shown) ? { shown: seen } : {}),
  };
  if (rank(level) > rank(open.level)) return withEpisode(alarm, worse(episode, seen, rules, now));
  return withEpisode(alarm, ofOutage(episode, { was, seen }, rules, now));
}

/** What is said of an outage while the alert goes on: that there is more money, or that what was paused runs again. */
function ofOutage(
  episode: Episode,
  { was, seen }: { was: Level; seen: Seen },
  rules: JudgeRules,
  now: number,
): Episode {
  const { level } = episode;
  if (was !== 'paused' || !isSaid(episode)) return episode;
  if (level !== 'paused')
    return withNotice(episode, { kind: 'running-again', to: rules.to, level, seen }, now);
  if (!rules.measure.hasRisen(seen, episode.toldOf)) return episode;
  const toldOf = rules.measure.lowestOf(seen, undefined);
  const told = { ...episode, shown: seen, ...(toldOf === undefined ? {} : { toldOf }) };
  return withNotice(told, { kind: 'topped-up', to: rules.to, level, seen }, now);
}

function isSaid({ notices }: Episode): boolean {
  return notices.some(({ message }) => message.state !== 'waiting');
}

function lowestIn(seen: Seen, before: string | undefined, { measure }: JudgeRules): { lowest?: string } {
  const lowest = measure.lowestOf(seen, before);
  return lowest === undefined ? {} : { lowest };
}

/** A level worse: said once more, whatever was snoozed. The person on it is asked whether they still are. */
function worse(episode: Episode, seen: Seen, rules: JudgeRules, now: number): Episode {
  const { snooze: _, escalatedTo: __, ...rest } = episode;
  const ack = rest.ack && { ...rest.ack, askedAt: now };
  const asked = ack === undefined ? {} : { personId: ack.by };
  const after = { ...rest, ...(ack ? { ack } : {}), unacknowledgedSince: now };
  // Its card waits still: it says how bad it is once it is there.
  if (!isSaid(episode)) return after;
  const notice = { kind: 'worse', to: rules.to, level: rest.level, seen, ...asked } as const;
  return withNotice(after, notice, now, quietUntilFor(rest.level, rules, now));
}

/** Over. Where nobody has heard of it yet, there is nothing to take back. */
function recovered(episode: Episode, seen: Seen, rules: JudgeRules, now: number): Episode {
  const closed = close(episode, { at: now, how: 'recovered', seen });
  if (!isSaid(episode)) return closed;
  const dueAt = quietUntilFor(episode.level, rules, now);
  return withNotice(closed, { kind: 'recovered', to: rules.to, seen }, now, dueAt);
}

/** What time alone brings: a snooze ends, who is on it is asked, silence hands it back, nobody on it escalates. */
function judgeTime(alarm: Alarm, rules: JudgeRules, now: number): Alarm {
  const open = findOpen(alarm, 'low');
  if (!open) return alarm;
  if (open.snooze && open.snooze.until > now) return alarm;
  // Nobody is asked, called or told before the quiet hours are over.
  if (quietUntilFor(open.level, rules, now) !== undefined)
    return withEpisode(alarm, { ...open, unacknowledgedSince: now });
  const steps = [snoozeOver, stillOnIt, handedBack, escalated];
  const episode = steps.reduce((one, step) => step(one, rules, now), open);
  return episode === open ? alarm : withEpisode(alarm, episode);
}

function snoozeOver(episode: Episode, rules: JudgeRules, now: number): Episode {
  if (!episode.snooze) return episode;
  const { snooze, ...rest } = episode;
  const facts = { level: rest.level, personId: snooze.by, seen: rest.shown };
  return withNotice(
    { ...rest, unacknowledgedSince: now },
    { kind: 'snooze-over', to: rules.to, ...facts },
    now,
  );
}

function stillOnIt(episode: Episode, rules: JudgeRules, now: number): Episode {
  const { ack } = episode;
  if (!ack || ack.askedAt !== undefined || now - ack.at < rules.timings.stillOnItAfterMs) return episode;
  const asked = { ...episode, ack: { ...ack, askedAt: now } };
  const facts = { level: episode.level, personId: ack.by, seen: episode.shown };
  return withNotice(asked, { kind: 'still', to: rules.to, ...facts }, now);
}

function handedBack(episode: Episode, rules: JudgeRules, now: number): Episode {
  const { ack, escalatedTo: _, ...rest } = episode;
  if (ack?.askedAt === undefined || now - ack.askedAt < rules.timings.handBackAfterMs) return episode;
  return { ...rest, unacknowledgedSince: now, handedBack: { from: ack.by, at: now } };
}

/** Everything open ends without a word but on its card, and what was read no longer counts: nobody judges it meanwhile. */
function switchedOff(alarm: Alarm, how: Ending, now: number): Alarm {
  const { failingSince: _, seen, doubt: __, ...rest } = alarm;
  const episodes = rest.episodes.map((one) =>
    one.closed === undefined ? close(one, { at: now, how }) : one,
  );
  // Switched on again, it starts from what is then, and what was paused because the credit ran out is so still.
  return { ...rest, ...(seen ? { before: seen } : {}), level: 'ok', episodes };
}

/** The episode ended; what nobody has sent yet is not sent any more. */
function close(episode: Episode, how: NonNullable<Episode['closed']>): Episode {
  const notices = episode.notices.filter(({ message }) => message.state !== 'waiting');
  return { ...episode, closed: how, notices };
}
