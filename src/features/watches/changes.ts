import type { Instance, InstanceList } from '../../platform/hosting/service.ts';
import { type Patience, type States, type State, stateOf, type Trouble, type Marks } from './states.ts';

/** What the look before saw, and of what. */
export interface Before {
  readonly seen: States;
  /** No later than the list was read, Unix ms. */
  readonly at: number;
  /** Whether that list was all there is. */
  readonly isWhole: boolean;
  /** When the newest of all on that list and those before was created, by the service's own clock, Unix ms. */
  readonly newestAt?: number;
}

/** What a look sees. */
export interface Now {
  /** No later than the list was read, Unix ms. */
  readonly at: number;
  /** Those that are watched and may be shown. */
  readonly instances: readonly Instance[];
  /**
   * What is there and isn't watched, by its id, with when it was created: renamed, without its label by now, or out of what may
   * be shown. Only what was watched before or may be taken for new later; see `mayLookNew`.
   */
  readonly outside: ReadonlyMap<string, string | undefined>;
  /** Ids that a whole list lacks, and that the service no longer knows when asked for each. */
  readonly gone: ReadonlySet<string>;
}

/**
 * Whether a change was asked for here: `yes`; `no`; or `wait` where that is not known yet, because something is under way
 * or nobody wants to hear of it now. Then it is judged at a later look against what was seen before.
 */
export type AskedFor = (id: string, trouble: Trouble) => 'yes' | 'no' | 'wait';

/** One thing that is different from the look before. */
export type Change = {
  readonly id: string;
  readonly name: string;
  readonly createdAt?: string;
  readonly marks?: Marks;
} & (
  | { readonly what: 'began'; readonly trouble: Trouble }
  | { readonly what: 'created' }
  /** `now`: running again, in other trouble, or no longer watched. */
  | { readonly what: 'ended'; readonly trouble: Trouble; readonly now: Trouble | 'running' | 'left' }
);

/** What is gone is known for so long, should it come back after all. */
const GONE_KEPT_MS = 24 * 3_600_000;

/** So far a date of the service may be from the bot's: lists lag, clocks differ. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

/**
 * What nobody asked for here between two looks, and what is seen from now on. Pure. The trouble of an instance ends before
 * other trouble of it begins. Without `before` it is the base line, and nothing is different.
 */
export function changesBetween(
  before: Before | undefined,
  now: Now,
  askedFor: AskedFor,
  patience: Patience,
): { readonly changes: readonly Change[]; readonly seen: States } {
  const changes: Change[] = [];
  const seen = new Map<string, State>();
  const explained: Explained = (id, state, trouble) =>
    isOfItsEnd(state, trouble, now.at) ? 'yes' : askedFor(id, trouble);
  for (const instance of now.instances) {
    const { id } = instance;
    const known = before?.seen.get(id);
    const was = known?.isOutside ? undefined : known;
    const is = stateOf(instance, was, now.at, patience);
    if (!before || known?.isOutside) seen.set(id, is);
    else if (was) seen.set(id, compare(id, was, is, explained, changes));
    else if (isCreatedSince(before, instance)) {
      changes.push({ what: 'created', id, ...namesOf(is) });
      seen.set(id, withoutTrouble(is));
    } else seen.set(id, is);
  }
  for (const [id, was] of before?.seen ?? []) {
    if (seen.has(id)) continue;
    if (was.isOutside || was.trouble === 'deleted') {
      const kept = was.isOutside
        ? stillOutside(was, now.outside.has(id), now.at)
        : { ...was, since: was.since ?? now.at };
      if (kept && now.at - (kept.since ?? now.at) < GONE_KEPT_MS) seen.set(id, kept);
    } else if (now.gone.has(id))
      seen.set(id, compare(id, was, { ...was, trouble: 'deleted', since: now.at }, explained, changes));
    else if (now.outside.has(id)) {
      if (was.trouble !== undefined)
        changes.push({ what: 'ended', id, ...namesOf(was), trouble: was.trouble, now: 'left' });
    } else seen.set(id, was);
  }
  for (const [id, createdAt] of now.outside)
    if (!seen.has(id) && mayLookNew({ createdAt }, now.at))
      seen.set(id, { name: '', createdAt, isOutside: true });
  return { changes, seen };
}

type Explained = (id: string, state: State, trouble: Trouble) => ReturnType<AskedFor>;

/** What the end of a subscription does: somebody canceled it, and it is no trouble. */
const AT_ITS_END: ReadonlySet<Trouble> = new Set<Trouble>(['stopped', 'paused', 'deleted']);

function isOfItsEnd({ endsAt }: State, trouble: Trouble, at: number): boolean {
  return endsAt !== undefined && at >= endsAt - CLOCKS_DIFFER_MS && AT_ITS_END.has(trouble);
}

/** What is kept of an instance that was there before; what came of it is added to `changes`. */
function compare(id: string, was: State, is: State, explained: Explained, changes: Change[]): State {
  if (was.trouble === is.trouble) return is;
  // As it ends, a service may forget when that was to be.
  const ending = { ...is, endsAt: is.endsAt ?? was.endsAt };
  const verdict = is.trouble === undefined ? 'yes' : explained(id, ending, is.trouble);
  if (verdict === 'wait') return { ...was, marks: is.marks };
  const of = { id, ...namesOf(is) };
  if (was.trouble !== undefined)
    changes.push({ what: 'ended', ...of, trouble: was.trouble, now: is.trouble ?? 'running' });
  if (is.trouble !== undefined && verdict === 'no')
    changes.push({ what: 'began', ...of, trouble: is.trouble });
  return is;
}

/** What is kept of an instance that isn't watched: for a while also where a list lacks it. */
function stillOutside(was: State, isThere: boolean, at: number): State | undefined {
  if (!mayLookNew(was, at)) return undefined;
  const { since = at, ...rest } = was;
  return isThere ? rest : { ...rest, since };
}

function namesOf({ name, createdAt, marks }: State): Pick<Change, 'name' | 'createdAt' | 'marks'> {
  return { name, createdAt, marks };
}

/**
 * What a look keeps of its list besides what it saw, so that the next one knows what is new. Pure. A list may lack what the ones
 * `before` had, so the date of the newest is that of all of them.
 */
export function listedOf(
  { instances, incomplete }: Pick<InstanceList, 'instances' | 'incomplete'>,
  before: Pick<Before, 'newestAt'> | undefined,
): Pick<Before, 'isWhole' | 'newestAt'> {
  const newestAt = instances
    .map(createdMsOf)
    .filter(Number.isFinite)
    .reduce((one, other) => Math.max(one, other), before?.newestAt ?? 0);
  return { isWhole: !incomplete, newestAt };
}

/**
 * Whether an instance that was not seen before is new, and not only in view: renamed, or on a page that was missing. What is
 * newer than all that were there is new by the service's own clock, however wrong that is.
 */
function isCreatedSince({ at, isWhole, newestAt }: Before, instance: Instance): boolean {
  const createdMs = createdMsOf(instance);
  if (!Number.isFinite(createdMs)) return isWhole;
  return mayLookNew(instance, at) || (isWhole && newestAt !== undefined && createdMs > newestAt);
}

/**
 * Whether an instance that is there and isn't watched would be taken for new by the look after this one of `at` (Unix ms), were it
 * watched then: it is young, or the service doesn't say how old it is. Pure.
 */
export function mayLookNew(instance: Pick<Instance, 'createdAt'>, at: number): boolean {
  const createdMs = createdMsOf(instance);
  return !Number.isFinite(createdMs) || createdMs >= at - CLOCKS_DIFFER_MS;
}

/** Unix ms; NaN where the service doesn't say. */
function createdMsOf({ createdAt }: Pick<Instance, 'createdAt'>): number {
  return Date.parse(createdAt ?? '');
}

/** What is new and broken is reported as both: the second at the next look. */
function withoutTrouble({ trouble, ...state }: State): State {
  const isToldStill = trouble === 'error' || trouble === 'unhealthy';
  return trouble === undefined || isToldStill ? state : { ...state, trouble };
}
