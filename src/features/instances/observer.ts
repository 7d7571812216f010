import type { Action, BegunAction, HostingService, Instance } from '../../platform/hosting/service.ts';
import { findInList } from '../../core/operations/find-surely.ts';
import { forced } from '../../core/policy/forced.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import { findBegun, windowOf } from './begun-rules.ts';
import { FORCE_ROUTES, RESTART, START, STOP } from './route-ids.ts';
import type { Operation, ObservedState } from '../../core/operations/operation.ts';
import type { Observer } from '../../core/operations/kind.ts';
import type { PastStore } from '../../core/operations/recent-store.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';

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
