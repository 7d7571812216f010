import type { Action, BegunAction, HostingService, Instance, Begun } from '../../platform/hosting/service.ts';
import { findInList } from '../../core/operations/find-surely.ts';
import { forced } from '../../core/policy/permissions.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import { FORCE_ROUTES, RESTART, START, STOP } from './route-ids.ts';
import type { Operation, ObservedState } from '../../core/operations/operation.ts';
import type { Observer } from '../../core/operations/kind.ts';
import type { PastStore } from '../../core/operations/past.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';

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

/** What each kind of operation asks for, by the words of a list of actions. */
const DOES: Readonly<Record<string, BegunAction['does']>> = {
  [START]: 'start',
  [STOP]: 'stop',
  [RESTART]: 'restart',
  [FORCE_ROUTES.stop]: forced('stop'),
  [FORCE_ROUTES.restart]: forced('restart'),
};

/**
 * The action that an operation whose answer was lost has begun, or `none`; undefined where that is unknown: the service
 * lists nothing or its list can't be read, the clocks can't be compared, or more than one action may be it.
 */
function createFindBegun({
  hosting,
  past,
  clock,
}: {
  readonly hosting: Pick<HostingService, 'listBegun'>;
  readonly past: Pick<PastStore, 'actionsSince'>;
  readonly clock: Pick<RedisClock, 'now'>;
}): (operation: Operation) => Promise<BegunAction | 'none' | undefined> {
  return async ({ kind, subject, execution: { state, sentAt } }) => {
    const does = Object.hasOwn(DOES, kind) ? DOES[kind] : undefined;
    if (state !== 'unknown' || sentAt === undefined || does === undefined) return undefined;
    const listAskedAt = clock.now();
    const begun = await hosting.listBegun(subject.id, { priority: 'poll' }).catch((error: unknown) => {
      // The instance itself was seen: that the list can't be read must not hide it.
      if (error instanceof HostingError) return undefined;
      throw error;
    });
    const call = { sentAt, listAskedAt, listReadAt: clock.now() };
    const window = begun && windowOf(begun, call);
    const known = window && (await past.actionsSince(subject.id, sentAt - window.earlierMs));
    return begun && window && known && !known.hasUnknown
      ? findBegun(begun, does, window, known.actionIds)
      : undefined;
  };
}

/** A restart ends in the status in which it began: only the service's own action can tell. */
const RESTARTS: readonly string[] = [RESTART, FORCE_ROUTES.restart];

/** A list read for those who were due first serves who is due so soon after them, too. */
const TOGETHER_MS = 250;

/**
 * How the state of instances is read: alone by their id, or several in one list, whichever takes fewer calls. `past`: the actions
 * of earlier operations, which a call whose answer was lost did not begin.
 */
export function createInstanceObserver(
  hosting: HostingService,
  clock: RedisClock,
  past: Pick<PastStore, 'actionsSince'>,
): Observer {
  const lookAt = createLookAt(hosting, clock);
  const findAction = createFindBegun({ hosting, past, clock });
  /** Whether an action says anything of what was asked for: that its signal was sent says nothing. */
  const says = ({ kind }: Operation, { state }: Action): boolean => {
    const does = DOES[kind];
    return state !== 'done' || (does !== undefined && hosting.about.actionProves.includes(does));
  };
  /** The state that was read, with what became of the service's own action where the status can't tell. */
  const settled = async (
    operation: Operation,
    observed: ObservedState,
    actionOf: ActionOf,
  ): Promise<ObservedState> => {
    if (observed.status === 'gone') return observed;
    const { actionId } = operation.execution;
    // A status on its way tells by itself how it goes; a restart ends in the one in which it began.
    if (!RESTARTS.includes(operation.kind) && observed.status !== operation.subject.status) return observed;
    if (actionId !== undefined) {
      // That it is known nowhere may be the last that is asked of a restart: what is said once is no fact.
      const action = (await actionOf(actionId)) ?? (await hosting.findAction(actionId, { priority: 'poll' }));
      return action && says(operation, action) ? { ...observed, action } : observed;
    }
    const found = await findAction(operation);
    if (found === undefined || found === 'none') return found ? { ...observed, begun: found } : observed;
    const { id, state, said } = found;
    const action = { state, said };
    return {
      ...observed,
      begun: { actionId: id },
      ...(says(operation, action) ? { action } : {}),
    };
  };
  /** The last list, when its reading began, and whom it has served. */
  let last: List | undefined;
  const list = async (): Promise<List> => {
    const begunAt = clock.now();
    const { instances } = await hosting.listInstances({ freshMs: 0, priority: 'poll', isNew: true });
    const byId = new Map(instances.map((instance) => [instance.id, instance]));
    return (last = { begunAt, byId, served: new Set() });
  };
  /** Whether the last list shows what has become of an operation since it was asked for, and has not said so yet. */
  const isServed = ({ id, execution, requestedAt }: Operation): boolean => {
    const since = execution.acceptedAt ?? execution.sentAt ?? requestedAt;
    return last !== undefined && since < last.begunAt && isFresh(last, clock.now()) && !last.served.has(id);
  };

  return {
    isByList: true,
    observe: async (operations) => {
      const due = operations.filter((operation) => !isServed(operation));
      const pages = due.length > 1 ? await hosting.countListPages() : 1;
      const isListed = due.length > 1 && due.length >= pages;
      const given = isListed ? await list() : last;
      const inList = new Set(isListed ? operations : operations.filter(isServed));
      for (const { id } of inList) given?.served.add(id);
      const actionOf = hosting.findActions(
        operations.flatMap(({ execution: { actionId } }) => (actionId === undefined ? [] : [actionId])),
        { priority: 'poll' },
      );
      // What is not in the list is looked up by its id before it is called gone.
      return async (operation) => {
        const instance = inList.has(operation) ? given?.byId.get(operation.subject.id) : undefined;
        return settled(
          operation,
          instance ? stateOf(instance, clock.now()) : await lookAt(operation, inList.has(operation)),
          actionOf,
        );
      };
    },
  };
}

/** Reads one instance by its id; `isListed`: a list that was read now hasn't got it. */
function createLookAt(
  hosting: HostingService,
  clock: RedisClock,
): (operation: Operation, isListed: boolean) => Promise<ObservedState> {
  return async ({ subject, execution: { state, lastState } }, isListed) => {
    const instance = await hosting.findInstance(subject.id, { priority: 'poll' });
    const wasGone = lastState?.status === 'gone';
    // A poll that says it for the first time is followed by another; what is asked after a refusal isn't.
    if (instance || isListed || !(wasGone || state === 'sending')) return stateOf(instance, clock.now());
    const since = wasGone ? lastState.at : clock.now();
    return stateOf(await findInList(hosting, subject.id, since), clock.now());
  };
}

type ActionOf = ReturnType<HostingService['findActions']>;

interface List {
  /** Redis' clock, Unix ms. */
  readonly begunAt: number;
  readonly byId: ReadonlyMap<string, Instance>;
  readonly served: Set<string>;
}

function isFresh({ begunAt }: List, now: number): boolean {
  return now <= begunAt + TOGETHER_MS;
}

/** The state of an instance that was read at `at` (Redis' clock, Unix ms); undefined is gone. Pure. */
function stateOf(instance: Instance | undefined, at: number): ObservedState {
  if (!instance) return { status: 'gone', word: 'gone', at };
  const { status, statusWord: word, health, pausedFor, endsAt } = instance;
  return { status, word, health, pausedFor, endsAt, at };
}
