import { type Job, jobOf } from '../../core/records/job.ts';
import { isOutOfCalls, HostingError } from '../../platform/hosting/hosting-error.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { newId } from '../../platform/id.ts';
import { asError } from '../../platform/log/log.ts';
import type { JobHandler } from '../../platform/queue/run-job.ts';
import { explainedBy, readDone } from './asked-for.ts';
import { type AskedFor, type Before, type Change, changesBetween, listedOf, type Now } from './changes.ts';
import { confirmed, type Listed, viewOf } from './in-view.ts';
import { withChanges, isUnanswered, withEscalation } from './judge.ts';
import { type Night, nightOf, withoutHeld } from './night.ts';
import { paused, resumed } from './react.ts';
import { mayShow } from './scope.ts';
import { isSameStates, type States } from './states.ts';
import { statesWrite, WATCHES, type Watching } from './watch-store.ts';
import { isSnoozed, type Watch } from './watch.ts';

/** One job looks for all watches. */
export const WATCH_POLL_ID = 'all';

/** The job is put back where any look is overdue. */
export function watchPollJob(deps: Watching): Job {
  const listDue = async (before: number): Promise<string[]> =>
    (await deps.watches.listDue(before)).length > 0 ? [WATCH_POLL_ID] : [];
  return jobOf(WATCHES, { listDue }, createPoll(deps));
}

/** A list that was read longer ago says nothing of now. */
const MAX_LIST_AGE_MS = 5 * 60_000;

/**
 * The poll for all watches: one reading of the list for those that are due. What each makes of it is its look, written down in
 * one step with what is to be reported. Gives when the next poll is due.
 */
function createPoll(deps: Watching): JobHandler {
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

/**
 * The list; undefined where it can't be read. People and what is under way are served before it; a reading of a moment ago serves
 * as well.
 */
async function readList({ hosting, clock, timings, log }: Watching): Promise<Listed | undefined> {
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

async function putOff(
  { watches, clock, timings }: Watching,
  { id, cards }: Watch,
  night?: Night,
): Promise<void> {
  const at = clock.now();
  const stepsOf = cards.some(isUnanswered) ? await night?.escalation() : undefined;
  const nextPollAt = at + timings.watchEveryMs;
  await watches.change(id, (watch) => {
    if (watch.ended) return undefined;
    const looked = { ...watch, nextPollAt };
    return stepsOf ? withEscalation(looked, stepsOf, at) : looked;
  });
}

async function pollFor(deps: Watching, watch: Watch, listed: Listed | undefined): Promise<void> {
  const { access, watches, clock, timings } = deps;
  const may = await mayShow(access, watch);
  if (may === 'no') {
    await watches.change(watch.id, (one) => paused(one, clock.now(), clock.now() + timings.watchEveryMs));
    return;
  }
  const before = await beforeOf(deps, watch);
  const isOld = listed?.list.readAtMs !== undefined && watch.base !== undefined && listed.at <= watch.base.at;
  const view = may === 'unknown' || !listed || isOld ? undefined : await viewOf(watch, listed, may, before);
  const night = await nightOf(deps, watch);
  if (!listed || !view) return putOff(deps, watch, night);
  const now = await confirmed(before, view, listed, timings);
  const askedFor = await askedForOf(deps, watch, before, now, night);
  const { changes, seen } = changesBetween(before, now, askedFor, timings);
  const { untold } = now;
  const base = { ...listedOf(listed.list, before), ...(untold > 0 ? { untold } : {}) };
  await write(deps, watch, { before, now, changes, seen, night, listed: base });
}

/** What the look before saw; undefined for a base line. */
async function beforeOf({ watches }: Watching, watch: Watch): Promise<Before | undefined> {
  const { base, pausedAt } = watch;
  const seen = pausedAt === undefined ? await watches.findStates(watch) : undefined;
  return base && seen && { ...base, seen };
}

/** Whether changes were asked for here: read only where something is different. */
async function askedForOf(
  deps: Watching,
  watch: Watch,
  before: Before | undefined,
  now: Now,
  { isHeardOf }: Night,
): Promise<AskedFor> {
  const { timings, clock } = deps;
  const none: AskedFor = () => 'no';
  if (!before) return none;
  const began = changesBetween(before, now, none, timings).changes.filter(({ what }) => what === 'began');
  if (began.length === 0) return none;
  const between = { from: before.at, to: now.at, listMayLagMs: timings.listMayLagMs };
  const done = await readDone(deps, new Set(began.map(({ id }) => id)), between);
  const explained = explainedBy(done, between);
  const at = clock.now();
  const names = new Map(now.instances.map(({ id, name }) => [id, name]));
  return (id, trouble) => {
    const verdict = explained(id, trouble);
    const one = { id, name: names.get(id) ?? before.seen.get(id)?.name ?? '', what: trouble };
    return verdict === 'no' && (isSnoozed(watch, one, at) || !isHeardOf(one)) ? 'wait' : verdict;
  };
}

/** Writes down what was seen with what is to be reported of it, unless somebody else has looked meanwhile. */
async function write(
  deps: Watching,
  watch: Watch,
  {
    before,
    now,
    changes,
    seen,
    night,
    listed,
  }: {
    readonly before: Before | undefined;
    readonly now: Now;
    readonly changes: readonly Change[];
    readonly seen: States;
    readonly night: Night;
    readonly listed: Omit<NonNullable<Watch['base']>, 'mark' | 'at'>;
  },
): Promise<void> {
  const { watches, clock, timings } = deps;
  const isSame = before !== undefined && isSameStates(before.seen, seen);
  const mark = isSame && watch.base ? watch.base.mark : newId();
  const mayTell = changes.length > 0 || watch.cards.some(isUnanswered);
  const stepsOf = mayTell ? await night.escalation() : () => undefined;
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
      const { heard, after } = withoutHeld(looked, changes, now, night);
      return withEscalation(withChanges(after, heard, at, timings), stepsOf, at);
    },
    isSame ? {} : { write: [statesWrite(watch, seen)] },
  );
}
