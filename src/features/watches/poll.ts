import type { Access } from '../../core/policy/access.ts';
import type { SweptKind } from '../../core/sweep.ts';
import type { Timings } from '../../core/timings.ts';
import { isOutOfCalls, HostingError } from '../../platform/hosting/hosting-error.ts';
import type { HostingService, Instance, InstanceList } from '../../platform/hosting/service.ts';
import { newId } from '../../platform/id.ts';
import { asError } from '../../platform/log/as-error.ts';
import type { Log } from '../../platform/log/log.ts';
import type { JobHandler } from '../../platform/queue/run-job.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { type AskedForDeps, explainedBy, readDone } from './asked-for.ts';
import { type AskedFor, type Before, type Change, changesBetween, listedOf, type Now } from './changes.ts';
import { withChanges } from './judge.ts';
import { paused, resumed } from './react.ts';
import { watchKeys } from './keys.ts';
import { isNamedBy, mayShow } from './scope.ts';
import { isSameStates, type States, type State } from './states.ts';
import { statesWrite, type WatchStore } from './watch-store.ts';
import { snoozedIds, type Watch } from './watch.ts';

export interface PollDeps extends AskedForDeps {
  readonly watches: WatchStore;
  readonly hosting: Pick<HostingService, 'listInstances' | 'findInstance'>;
  readonly access: Access;
  readonly clock: RedisClock;
  readonly timings: Timings;
  readonly log: Log;
}

export const WATCH_POLL_JOB = 'watches.poll';
/** One job looks for all watches. */
export const WATCH_POLL_ID = 'all';

/** The job is put back where any look is overdue. */
export function sweptPoll(watches: WatchStore): SweptKind {
  return {
    job: WATCH_POLL_JOB,
    index: watchKeys.open,
    listDue: async (before) => ((await watches.listDue(before)).length > 0 ? [WATCH_POLL_ID] : []),
  };
}

/** So many ids are read alone in one look, to see whether they are gone, or as an old list says. */
const MAX_READ_ALONE = 20;
/** A list that was read longer ago says nothing of now. */
const MAX_LIST_AGE_MS = 5 * 60_000;

/**
 * The poll for all watches: one reading of the list for those that are due. What each makes of it is its look, written down in
 * one step with what is to be reported. Gives when the next poll is due.
 */
export function createPoll(deps: PollDeps): JobHandler {
  const { watches, clock, timings, log } = deps;
  return async (_id, signal) => {
    const all = (await watches.listAll()).filter(({ ended }) => ended === undefined);
    const now = clock.now();
    const due = all.filter(({ nextPollAt }) => nextPollAt <= now);
    if (due.length > 0) {
      const list = await readList(deps);
      for (const watch of due) {
        if (signal.aborted) return undefined;
        try {
          await pollFor(deps, watch, list);
        } catch (error) {
          log.limited('looking at what is watched', asError(error));
          await putOff(deps, watch);
        }
      }
    }
    const later = all.filter((one) => !due.includes(one)).map(({ nextPollAt }) => nextPollAt);
    const next = Math.min(...later, ...(due.length > 0 ? [now + timings.watchEveryMs] : []));
    return Number.isFinite(next) ? Math.max(0, Math.ceil(next - clock.now())) : undefined;
  };
}

/** The list, and the latest moment that it is certainly not older than; undefined where it can't be read. */
interface Listed {
  readonly list: InstanceList;
  readonly at: number;
  readonly byId: ReadonlyMap<string, Instance>;
  /** One read of an id serves all watches. */
  readonly read: (id: string) => Promise<Instance | undefined>;
}

/** People and what is under way are served before it; a reading of a moment ago serves as well. */
async function readList({ hosting, clock, timings, log }: PollDeps): Promise<Listed | undefined> {
  const freshMs = timings.watchEveryMs / 2;
  const askedAt = clock.now();
  try {
    const list = await hosting.listInstances({ freshMs, priority: 'refresh' });
    const at = list.readAtMs ?? askedAt - freshMs;
    if (askedAt - at > MAX_LIST_AGE_MS) return undefined;
    const reads = new Map<string, Promise<Instance | undefined>>();
    const read = (id: string): Promise<Instance | undefined> => {
      const known = reads.get(id) ?? hosting.findInstance(id, { priority: 'refresh' });
      reads.set(id, known);
      return known;
    };
    return { list, at, read, byId: new Map(list.instances.map((one) => [one.id, one])) };
  } catch (error) {
    if (!(error instanceof HostingError)) throw error;
    if (!isOutOfCalls(error)) log.limited('reading the list for what is watched', error);
    return undefined;
  }
}

async function putOff({ watches, clock, timings }: PollDeps, { id }: Watch): Promise<void> {
  const nextPollAt = clock.now() + timings.watchEveryMs;
  await watches.change(id, (watch) => (watch.ended ? undefined : { ...watch, nextPollAt }));
}

async function pollFor(deps: PollDeps, watch: Watch, listed: Listed | undefined): Promise<void> {
  const { access, watches, clock, timings } = deps;
  const may = await mayShow(access, watch);
  if (may === 'no') {
    await watches.change(watch.id, (one) => paused(one, clock.now(), clock.now() + timings.watchEveryMs));
    return;
  }
  const before = await beforeOf(deps, watch);
  const isOld = listed?.list.readAtMs !== undefined && watch.base !== undefined && listed.at <= watch.base.at;
  const scope = may === 'unknown' || !listed || isOld ? undefined : await scopeOf(watch, listed, may, before);
  if (!listed || !scope) return putOff(deps, watch);
  const now = await confirmed(deps, before, scope, listed);
  const askedFor = await askedForOf(deps, watch, before, now);
  const { changes, seen } = changesBetween(before, now, askedFor, timings);
  await write(deps, watch, { before, now, changes, seen, listed: listedOf(listed.list) });
}

/** What the look before saw; undefined for a base line. */
async function beforeOf({ watches }: PollDeps, watch: Watch): Promise<Before | undefined> {
  const { base, pausedAt } = watch;
  const seen = pausedAt === undefined ? await watches.findStates(watch) : undefined;
  return base && seen && { ...base, seen };
}

/** What of the list is watched and may be shown; undefined where nobody can tell. */
async function scopeOf(
  watch: Watch,
  { list, at, byId, read }: Listed,
  may: (target: Instance | { readonly id: string; readonly name: string }) => boolean | 'unknown',
  before: Before | undefined,
): Promise<Now | undefined> {
  const isNamed = isNamedBy(watch, at);
  const named = list.instances.filter(isNamed);
  if (named.some((instance) => may(instance) === 'unknown')) return undefined;
  const instances = named.filter((instance) => may(instance) === true);
  const shown = new Set(instances.map(({ id }) => id));
  const known = [...(before?.seen ?? [])].filter(([id]) => !shown.has(id));
  const left = new Set(known.map(([id]) => id).filter((id) => byId.has(id)));
  const gone = new Set<string>();
  // Only a whole list that lacks an id is a sign that it is gone, and only the id itself is certain.
  const isMissing = ([id, { trouble }]: [string, State]): boolean => !byId.has(id) && trouble !== 'deleted';
  const missing = list.incomplete ? [] : known.filter(isMissing).slice(0, MAX_READ_ALONE);
  for (const [id, { name }] of missing) {
    const mayStill = may({ id, name });
    if (mayStill === 'unknown') return undefined;
    if (!mayStill) {
      left.add(id);
      continue;
    }
    const found = await readAlone(read, id);
    if (found === 'gone') gone.add(id);
    else if (found !== 'unread' && isNamed(found) && may(found) === true) instances.push(found);
    else if (found !== 'unread') left.add(id);
  }
  return { at, instances, left, gone };
}

async function readAlone(read: Listed['read'], id: string): Promise<Instance | 'gone' | 'unread'> {
  try {
    return (await read(id)) ?? 'gone';
  } catch (error) {
    if (error instanceof HostingError) return 'unread';
    throw error;
  }
}

/** What a list that was read a while ago says is different is read by its id before it is reported, as far as that are few. */
async function confirmed(
  { timings }: PollDeps,
  before: Before | undefined,
  now: Now,
  { list, read }: Listed,
): Promise<Now> {
  if (list.readAtMs === undefined || !before) return now;
  const { changes } = changesBetween(before, now, () => 'no', timings);
  const ids = new Set(changes.filter(({ what }) => what !== 'created').map(({ id }) => id));
  if (ids.size === 0 || ids.size > MAX_READ_ALONE) return now;
  const fresh = await Promise.all(
    now.instances.map(async (instance) =>
      ids.has(instance.id) ? await readAlone(read, instance.id) : instance,
    ),
  );
  // What can't be read now, or is gone, is judged at the next look.
  const instances = fresh.flatMap((one) => (one === 'gone' || one === 'unread' ? [] : [one]));
  return { ...now, instances };
}

/** Whether changes were asked for here: read only where something is different. */
async function askedForOf(
  deps: PollDeps,
  watch: Watch,
  before: Before | undefined,
  now: Now,
): Promise<AskedFor> {
  const { timings, clock } = deps;
  const none: AskedFor = () => 'no';
  if (!before) return none;
  const began = changesBetween(before, now, none, timings).changes.filter(({ what }) => what === 'began');
  if (began.length === 0) return none;
  const between = { from: before.at, to: now.at, listMayLagMs: timings.listMayLagMs };
  const done = await readDone(deps, new Set(began.map(({ id }) => id)), between);
  const explained = explainedBy(done, between);
  const quiet = snoozedIds(watch, clock.now());
  return (id, trouble) => {
    const verdict = explained(id, trouble);
    return verdict === 'no' && quiet.has(id) ? 'wait' : verdict;
  };
}

/** Writes down what was seen with what is to be reported of it, unless somebody else has looked meanwhile. */
async function write(
  deps: PollDeps,
  watch: Watch,
  {
    before,
    now,
    changes,
    seen,
    listed,
  }: {
    readonly before: Before | undefined;
    readonly now: Now;
    readonly changes: readonly Change[];
    readonly seen: States;
    readonly listed: ReturnType<typeof listedOf>;
  },
): Promise<void> {
  const { watches, clock, timings } = deps;
  const isSame = before !== undefined && isSameStates(before.seen, seen);
  const mark = isSame && watch.base ? watch.base.mark : newId();
  await watches.change(
    watch.id,
    (one) => {
      const isOfThem = one.base?.mark === watch.base?.mark && one.pausedAt === watch.pausedAt;
      if (one.ended || !isOfThem) return undefined;
      const at = clock.now();
      const looked = {
        ...resumed(one, at),
        base: { mark, at: now.at, ...listed },
        nextPollAt: at + timings.watchEveryMs,
      };
      return withChanges(looked, changes, at, timings);
    },
    isSame ? {} : { write: [statesWrite(watch, seen)] },
  );
}
