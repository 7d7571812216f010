import type { Instance, InstanceList } from '../../../platform/hosting/service.ts';
import { join, type Phrase, say, time } from '../../../platform/slack/phrase.ts';
import { nameOf } from '../../../core/lookup/messages.ts';
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
  /** What it has paused already. */
  readonly paused: Group | undefined;
  /** The list is older than the balance beside it. */
  readonly isOld?: boolean | undefined;
  /** There is no instance at all. */
  readonly hasNone?: boolean | undefined;
  /** How many of them are paused for want of money, where that is known. */
  readonly outOfMoney?: number | undefined;
  /** There is more money since they were paused. */
  readonly hasRisen?: boolean | undefined;
  /** Since when nothing is left, Unix ms, as far as is known. */
  readonly emptyAt?: number | undefined;
}

/**
 * What is at stake by a list of instances; `list`: undefined where it couldn't be read. One that is or may be incomplete
 * says no more: nothing that it lacks is known not to run, and no count of it is the count.
 */
export function atStake(list: InstanceList | undefined): AtStake {
  const whole = list?.incomplete ? undefined : list;
  const groupOf = (wanted: Instance['status']): Group | undefined => {
    const named = whole?.instances.filter(({ status }) => status === wanted);
    return named && { named, count: named.length };
  };
  return { running: groupOf('running'), paused: groupOf('paused'), hasNone: whole?.instances.length === 0 };
}

/**
 * Why nothing costs anything: the host has paused all that did, nobody knows whether it has, or nothing runs. Undefined
 * where something costs, and where what runs is free. Pure.
 */
export function whyFree(
  { runway }: Pick<Reading, 'runway'>,
  { running, paused, isOld = false }: AtStake,
): 'paused' | 'unknown' | 'nothing runs' | undefined {
  if (runway.lasts !== 'free') return undefined;
  if (running?.count === 0 && (paused?.count ?? 0) > 0) return 'paused';
  if (!running || isOld) return 'unknown';
  return running.count === 0 ? 'nothing runs' : undefined;
}

/** What the host pauses and deletes, and when as far as is known, in the host's own rules; and what helps at zero. */
export function stakeLines(
  { runway }: Pick<Reading, 'runway'>,
  { running, paused, emptyAt, hasNone = false, outOfMoney = 0, hasRisen = false }: AtStake,
): Phrase[] {
  const isEmpty = runway.lasts === 'empty';
  const [runs, pauses] = [running?.count ?? 0, paused?.count ?? 0];
  return [
    ...(isEmpty && emptyAt !== undefined ? [say`At zero since ${time(emptyAt)}.`] : []),
    ...(running && runs > 0 ? [runningWords(running, isEmpty)] : []),
    ...(paused && pauses > 0
      ? [say`Paused by the host, and deleted after some days if they stay so: ${namesOf(paused)}.`]
      : []),
    ...(isEmpty && running && paused && runs + pauses === 0
      ? [hasNone ? say`There are no instances yet.` : say`Nothing runs and nothing is paused.`]
      : []),
    ...(running ? [] : [unknownWords(isEmpty)]),
    ...(isEmpty || outOfMoney > 0 || (runs === 0 && pauses > 0)
      ? [helpWords({ hasRisen, isPaused: !running || pauses > 0, runs })]
      : []),
  ];
}

/** What helps now. */
function helpWords(now: { hasRisen: boolean; isPaused: boolean; runs: number }): Phrase {
  if (now.hasRisen)
    return say`If it stays paused, ask your hosting service: there is credit again. Until then it counts as an outage.`;
  if (now.isPaused)
    return say`A top-up at the hosting service is what helps now: then what is paused comes back.`;
  return now.runs > 0
    ? say`A top-up at the hosting service is what helps now.`
    : say`Top up at the hosting service before you start anything.`;
}

/** Whether stopping something brings days: something runs, and something is left. */
export function canBuyTime({ runway }: Pick<Reading, 'runway'>, { running }: AtStake): boolean {
  return runway.lasts !== 'empty' && running !== undefined && running.count > 0;
}

function runningWords(running: Group, isEmpty: boolean): Phrase {
  const when = isEmpty ? 'Now that it is empty, the host pauses' : 'At zero the host pauses';
  return say`${when} what runs, and after some days deletes what is paused: ${namesOf(running)}.`;
}

function unknownWords(isEmpty: boolean): Phrase {
  const what = isEmpty
    ? say`The host pauses what ran, and after some days deletes what is paused.`
    : say`At zero the host pauses what runs, and after some days deletes what is paused.`;
  return say`${what} I couldn't read the whole list of instances, so I can't say which.`;
}

/** The first few by name and id. */
export function namesOf({ named, count }: Group): Phrase {
  const first = named.slice(0, MAX_NAMED).map(nameOf);
  const left = count - first.length;
  return left > 0 ? say`${join(first, ', ')} and ${left} more` : join(first, ', ');
}
