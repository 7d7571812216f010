import type { Begun, BegunAction } from '../../platform/hosting/service.ts';

/**
 * Which action a call whose answer was lost has begun, by the list of the service. A list says what was begun and when,
 * and not for whom: only one action of the right kind since the call was sent can be that of the call.
 */

/** The call, in Redis' time (Unix ms). */
interface UnansweredCall {
  readonly sentAt: number;
  /** When the list was asked for and when its answer had come. */
  readonly listAskedAt: number;
  readonly listReadAt: number;
}

/** When the call may have been taken, by the service's clock (Unix ms). */
interface Window {
  readonly from: number;
  /** What began before `from` but after this may be that of the call all the same, if a clock was read badly. */
  readonly doubtfulFrom: number;
  /** How much earlier that may be than the call left, in Redis' time: what began then may be from before it. */
  readonly earlierMs: number;
}

/** The service writes times in whole seconds. */
const SECOND_MS = 1_000;
/** A process may be wrong by so much about Redis' time … */
const CLOCK_MARGIN_MS = 1_000;
/** … and by so much where it hardly gets to run. */
const CLOCK_DOUBT_MS = 10_000;
/** A list that took longer to come says too little of when the service answered. */
const MAX_LIST_MS = 3_000;

/** Undefined where the clocks can't be compared well enough. Pure. */
export function windowOf({ servedAt }: Begun, call: UnansweredCall): Window | undefined {
  const { sentAt, listAskedAt, listReadAt } = call;
  if (servedAt === undefined || listReadAt - listAskedAt > MAX_LIST_MS) return undefined;
  // The service's clock was at `servedAt`, or less than a second past that, when the list was on its way.
  const leftAt = sentAt + (servedAt - listReadAt) - SECOND_MS;
  const earlierMs = CLOCK_DOUBT_MS + 2 * SECOND_MS + (listReadAt - listAskedAt);
  return { from: leftAt - CLOCK_MARGIN_MS, doubtfulFrom: leftAt - CLOCK_DOUBT_MS, earlierMs };
}

/**
 * The one action that the call began, `none` where it certainly began none, undefined where that is unknown. `known`:
 * the actions of other calls of the bot. Pure.
 */
export function findBegun(
  begun: Begun,
  does: BegunAction['does'],
  { from, doubtfulFrom }: Window,
  known: ReadonlySet<string>,
): BegunAction | 'none' | undefined {
  if (!reachesBack(begun, doubtfulFrom)) return undefined;
  const [first, second] = begun.actions.filter(
    (one) => one.does === does && one.startedAt > doubtfulFrom && !known.has(one.id),
  );
  if (first === undefined) return 'none';
  return second === undefined && first.startedAt > from ? first : undefined;
}

/** Whether the list has all that was begun since then: it is whole, or its newest come first and go back that far. */
function reachesBack({ actions, hasMore, reachesBackTo }: Begun, from: number): boolean {
  if (!hasMore) return true;
  if (reachesBackTo !== undefined) return reachesBackTo < from;
  const [newest, oldest] = [actions[0], actions.at(-1)];
  if (!newest || !oldest) return false;
  return newest.startedAt > oldest.startedAt && oldest.startedAt < from;
}
