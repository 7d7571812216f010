import type { AtZero, Instance, InstanceList } from '../../../platform/hosting/service.ts';
import { type Phrase, say, time } from '../../../platform/slack/phrase.ts';
import { namesUpTo } from '../../../core/instances/messages.ts';
import type { Reading } from './reading.ts';

const MAX_NAMED = 5;

type Named = Pick<Instance, 'id' | 'name'>;

/** Instances in one state: the first of them, and how many there are. */
export interface Group {
  readonly named: readonly Named[];
  readonly count: number;
}

/** What an empty balance costs, by the last list of instances that could be read. */
export interface AtStake {
  /** What the host pauses at zero; undefined where no whole list could be read. */
  readonly running: Group | undefined;
  /** What it has paused for want of credit already. */
  readonly paused: Group | undefined;
  /** The list is older than the balance beside it. */
  readonly isOld?: boolean;
  /** Something runs that is paid in another way than from day to day. */
  readonly isApart?: boolean;
  /** There is no instance at all. */
  readonly hasNone?: boolean;
  /** How many of them are paused because the credit ran out, where that is known. */
  readonly outOfMoney?: number;
  /** There is more money since they were paused. */
  readonly hasRisen?: boolean;
  /** Since when nothing is left, Unix ms, as far as is known. */
  readonly emptyAt?: number;
}

type Paid = Pick<Instance, 'status' | 'isPaidByDay'>;

/** Whether the host pauses it at zero. Pure. */
export function stopsAtZero({ status, isPaidByDay }: Paid): boolean {
  return status === 'running' && isPaidByDay === true;
}

/** Whether it runs and is paid in another way. Pure. */
export function isPaidApart({ status, isPaidByDay }: Paid): boolean {
  return status === 'running' && isPaidByDay !== true;
}

/**
 * What is at stake by a list of instances; `list`: undefined where it couldn't be read. One that is or may be incomplete
 * says no more: nothing that it lacks is known not to run, and no count of it is the count.
 */
export function atStake(list: InstanceList | undefined): AtStake {
  const whole = list?.incomplete ? undefined : list;
  const groupOf = (isIn: (instance: Instance) => boolean): Group | undefined => {
    const named = whole?.instances.filter(isIn);
    return named && { named, count: named.length };
  };
  return {
    running: groupOf(stopsAtZero),
    paused: groupOf(({ pausedFor }) => pausedFor === 'no-credit'),
    hasNone: whole?.instances.length === 0,
    isApart: list?.instances.some(isPaidApart) ?? false,
  };
}

/**
 * Why nothing costs anything: the host has paused all that did, nobody knows whether it has, or nothing runs. Undefined
 * where something costs, and where what runs is free or paid in another way. Pure.
 */
export function whyFree(
  { runway }: Pick<Reading, 'runway'>,
  { running, paused, isOld = false, isApart = false, hasNone = false }: AtStake,
): 'paused' | 'unknown' | 'nothing runs' | undefined {
  if (runway.lasts !== 'free') return undefined;
  if (isApart) return undefined;
  if (running?.count === 0 && (paused?.count ?? 0) > 0) return 'paused';
  if (!running || isOld) return 'unknown';
  return hasNone ? 'nothing runs' : undefined;
}

/** What the balance has nothing to do with, as far as is known, as sentences: what is paid in another way, and what else is paused. */
export function apartLines(list: InstanceList | undefined): Phrase[] {
  const named = (isIn: (instance: Instance) => boolean): Group => {
    const those = list?.instances.filter(isIn) ?? [];
    return { named: those, count: those.length };
  };
  const otherwise = named(isPaidApart);
  const unsaid = named(({ status, pausedFor }) => status === 'paused' && pausedFor === undefined);
  return [
    ...(otherwise.count > 0 ? [say`Not paid by the day, so not counted here: ${namesOf(otherwise)}.`] : []),
    ...(unsaid.count > 0 ? [say`Paused, and the service doesn't say why: ${namesOf(unsaid)}.`] : []),
  ];
}

/** What an empty balance does to which instances, and what helps. `atZero`: the host's own rules, as far as it has any. */
export function stakeLines(
  { runway }: Pick<Reading, 'runway'>,
  atZero: AtZero | undefined,
  { running, paused, emptyAt, hasNone = false, outOfMoney = 0, hasRisen = false }: AtStake,
): Phrase[] {
  const isEmpty = runway.lasts === 'empty';
  const [runs, pauses] = [running?.count ?? 0, paused?.count ?? 0];
  return [
    ...(isEmpty && emptyAt !== undefined ? [say`At zero since ${time(emptyAt)}.`] : []),
    ...(running && runs > 0 ? [runningWords(running, isEmpty, atZero)] : []),
    ...(paused && pauses > 0 ? [say`Paused by the host${deletedWords(atZero)}: ${namesOf(paused)}.`] : []),
    ...(isEmpty && running && paused && runs + pauses === 0
      ? [
          hasNone
            ? say`There are no instances yet.`
            : say`Nothing that it pays for is running, and nothing is paused because of it.`,
        ]
      : []),
    ...(running ? [] : [unknownWords(isEmpty, atZero)]),
    ...(isEmpty || outOfMoney > 0 || (runs === 0 && pauses > 0)
      ? [helpWords({ hasRisen, isPaused: !running || pauses > 0, runs }, atZero)]
      : []),
  ];
}

/** What helps now. */
function helpWords(
  now: { hasRisen: boolean; isPaused: boolean; runs: number },
  atZero: AtZero | undefined,
): Phrase {
  if (now.hasRisen)
    return say`If it stays paused, ask your hosting service: there is credit again. Until then it counts as an outage.`;
  if (now.isPaused && atZero?.resumes)
    return say`Only a top-up at the hosting service helps now. Paused instances come back after it.`;
  return now.isPaused || now.runs > 0
    ? say`Only a top-up at the hosting service helps now.`
    : say`Top up at the hosting service before you start anything.`;
}

/** Whether stopping something brings days: something runs, and something is left. */
export function canBuyTime({ runway }: Pick<Reading, 'runway'>, { running }: AtStake): boolean {
  return runway.lasts !== 'empty' && running !== undefined && running.count > 0;
}

function runningWords(running: Group, isEmpty: boolean, atZero: AtZero | undefined): Phrase {
  if (!atZero) return say`Paid from the balance by the day: ${namesOf(running)}.`;
  const when = isEmpty ? 'Now that it is empty, the host' : 'At zero the host';
  const then = atZero.deletes === undefined ? '' : `, and ${atZero.deletes} deletes them`;
  return say`${when} ${atZero.does} these${then}: ${namesOf(running)}.`;
}

function deletedWords(atZero: AtZero | undefined): string {
  return atZero?.deletes === undefined ? '' : `, and deleted ${atZero.deletes} if they stay so`;
}

function unknownWords(isEmpty: boolean, atZero: AtZero | undefined): Phrase {
  if (!atZero)
    return say`I couldn't read the whole list of instances, so I can't say which are paid from the balance.`;
  const when = isEmpty ? 'The host' : 'At zero the host';
  const then = atZero.deletes === undefined ? '' : `, and ${atZero.deletes} deletes it`;
  return say`${when} ${atZero.does} what is paid by the day${then}. I couldn't read the whole list of instances, so I can't say which.`;
}

/** The first few by name and id. */
export function namesOf({ named, count }: Group): Phrase {
  return namesUpTo(Math.min(MAX_NAMED, named.length), named, count);
}
