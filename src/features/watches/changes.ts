import type { Instance, InstanceList } from '../../platform/hosting/service.ts';
import { type Patience, type States, type State, stateOf, type Trouble } from './states.ts';

/** What the look before saw, and of what. */
export interface Before {
  readonly seen: States;
  /** No later than the list was read, Unix ms. */
  readonly at: number;
  /** Whether that list was all there is. */
  readonly isWhole: boolean;
  /** When the newest of all on that list was created, by the service's own clock, Unix ms. */
  readonly newestAt?: number;
}

/** What a look sees. */
export interface Now {
  /** No later than the list was read, Unix ms. */
  readonly at: number;
  /** Those that are watched and may be shown. */
  readonly instances: readonly Instance[];
  /** Ids that are there, and no longer watched: renamed, or out of what may be shown. */
  readonly left: ReadonlySet<string>;
  /** Ids that a whole list lacks, and that the service no longer knows when asked for each. */
  readonly gone: ReadonlySet<string>;
}

/**
 * Whether a change was asked for here: `yes`; `no`; or `wait` where that is not known yet, because something is under way
 * or nobody wants to hear of it now. Then it is judged at a later look against what was seen before.
 */
export type AskedFor = (id: string, trouble: Trouble) => 'yes' | 'no' | 'wait';

/** One thing that is different from the look before. */
export type Change = { readonly id: string; readonly name: string; readonly createdAt?: string } & (
  | { readonly what: 'began'; readonly trouble: Trouble }
  | { readonly what: 'created' }
  /** `now`: running again, in other trouble, or no longer watched. */
  | { readonly what: 'ended'; readonly trouble: Trouble; readonly now: Trouble | 'running' | 'left' }
);

/** What is gone is known for so long, should it come back after all. */
const GONE_KEPT_MS = 24 * 3_600_000;

/** So much earlier than the look before, by its own date, an instance may have been created and be new: lists lag, clocks differ. */
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
  for (const instance of now.instances) {
    const { id } = instance;
    const was = before?.seen.get(id);
    const is = stateOf(instance, was, now.at, patience);
    if (!before) seen.set(id, is);
    else if (was) seen.set(id, compare(id, was, is, askedFor, changes));
    else if (isCreatedSince(before, instance)) {
      changes.push({ what: 'created', id, ...namesOf(is) });
      seen.set(id, withoutTrouble(is));
    } else seen.set(id, is);
  }
  for (const [id, was] of before?.seen ?? []) {
    if (seen.has(id)) continue;
    if (was.trouble === 'deleted') {
      if (now.at - (was.since ?? 0) < GONE_KEPT_MS) seen.set(id, was);
    } else if (now.gone.has(id))
      seen.set(id, compare(id, was, { ...was, trouble: 'deleted', since: now.at }, askedFor, changes));
    else if (now.left.has(id)) {
      if (was.trouble !== undefined)
        changes.push({ what: 'ended', id, ...namesOf(was), trouble: was.trouble, now: 'left' });
    } else seen.set(id, was);
  }
  return { changes, seen };
}

/** What is kept of an instance that was there before; what came of it is added to `changes`. */
function compare(id: string, was: State, is: State, askedFor: AskedFor, changes: Change[]): State {
  if (was.trouble === is.trouble) return is;
  const verdict = is.trouble === undefined ? 'yes' : askedFor(id, is.trouble);
  if (verdict === 'wait') return was;
  const of = { id, ...namesOf(is) };
  if (was.trouble !== undefined)
    changes.push({ what: 'ended', ...of, trouble: was.trouble, now: is.trouble ?? 'running' });
  if (is.trouble !== undefined && verdict === 'no')
    changes.push({ what: 'began', ...of, trouble: is.trouble });
  return is;
}

function namesOf({ name, createdAt }: State): Pick<Change, 'name' | 'createdAt'> {
  return { name, createdAt };
}

/**
 * What a look keeps of its list besides what it saw, so that the next one knows what is new. Pure. The date of the newest
 * says nothing where a part of the list was missing, or where the service has no dates.
 */
export function listedOf({
  instances,
  incomplete,
}: Pick<InstanceList, 'instances' | 'incomplete'>): Pick<Before, 'isWhole' | 'newestAt'> {
  if (incomplete) return { isWhole: false };
  const newestAt = instances.map(createdMsOf).reduce((one, other) => Math.max(one, other), 0);
  return { isWhole: true, ...(Number.isFinite(newestAt) ? { newestAt } : {}) };
}

/**
 * Whether an instance that was not seen before is new, and not only in view: renamed, or on a page that was missing. What is
 * newer than all that were there is new by the service's own clock, however wrong that is.
 */
function isCreatedSince({ at, isWhole, newestAt }: Before, instance: Instance): boolean {
  const createdMs = createdMsOf(instance);
  if (!Number.isFinite(createdMs)) return isWhole;
  return createdMs >= at - CLOCKS_DIFFER_MS || (newestAt !== undefined && createdMs > newestAt);
}

/** Unix ms; NaN where the service doesn't say. */
function createdMsOf({ createdAt }: Instance): number {
  return Date.parse(createdAt ?? '');
}

/** What is new and broken is reported as both: the second at the next look. */
function withoutTrouble({ trouble, ...state }: State): State {
  const isToldStill = trouble === 'error' || trouble === 'unhealthy';
  return trouble === undefined || isToldStill ? state : { ...state, trouble };
}
