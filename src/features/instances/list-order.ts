import { byName } from '../../core/instances/facts.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { type Filter, parseFilters } from '../../core/instances/filter.ts';

type Is = (instance: Instance) => boolean;

/** What needs somebody comes first, the worst first. */
const TROUBLE: readonly Is[] = [
  ({ status }) => status === 'error' || status === 'deploy_failed',
  ({ health }) => health === 'unhealthy',
  ({ status }) => status === 'paused',
  ({ status }) => status === 'unknown' || status === 'pending_configuration',
];

/** Then what is being changed and what is off; what fits none of these runs. */
const RANKS: readonly Is[] = [
  ...TROUBLE,
  ({ status }) => status !== 'running' && !isOff(status),
  ({ status }) => isOff(status),
];

function isOff(status: Instance['status']): boolean {
  return status === 'stopped' || status === 'deleted';
}

/** Where an instance stands in the order of all lists. */
interface Standing {
  readonly rank: number;
  readonly name: string;
  readonly id: string;
}

function standingOf(instance: Instance): Standing {
  return { rank: rankOf(instance), name: instance.name, id: instance.id };
}

function byStanding(one: Standing, other: Standing): number {
  return one.rank - other.rank || byName(one.name, other.name) || byName(one.id, other.id);
}

/**
 * Instances in the order of a list: trouble first, the worst of it before the rest, then what is being changed, what is
 * stopped and what runs; by name within each. Pure.
 */
export function inListOrder(instances: readonly Instance[]): readonly Instance[] {
  return instances
    .map((instance) => ({ instance, standing: standingOf(instance) }))
    .toSorted((one, other) => byStanding(one.standing, other.standing))
    .map(({ instance }) => instance);
}

/** How far down an instance stands in a list, by how it is. */
export function rankOf(instance: Instance): number {
  const found = RANKS.findIndex((isSo) => isSo(instance));
  return found < 0 ? RANKS.length : found;
}

/** Whether somebody has to look at what stands there. */
export function isTrouble(rank: number): boolean {
  return rank < TROUBLE.length;
}

/** Whether somebody has to look at it. */
export function isInTrouble(instance: Instance): boolean {
  return isTrouble(rankOf(instance));
}

/** An instance as the one that a page begins with: `findStart` finds the page by it, however others have changed. */
export function startOf(instance: Instance): string {
  return `${rankOf(instance)}-${instance.id}`;
}

/**
 * Where a page begins in instances in list order, counted from 0: at the place that its first one, `start`, had when the page
 * was offered, and at `from` where that one is gone. Pure.
 */
export function findStart(
  inOrder: readonly Instance[],
  { start, from }: { readonly start?: string | undefined; readonly from: number },
): number {
  const [, rank, startId] = /^(\d)-(.+)$/.exec(start ?? '') ?? [];
  const first = startId === undefined ? undefined : inOrder.find(({ id }) => id === startId);
  if (!first) return from;
  const then = { rank: Number(rank), name: first.name, id: first.id };
  const at = inOrder.findIndex((instance) => byStanding(standingOf(instance), then) >= 0);
  return at < 0 ? inOrder.length : at;
}

/** A filter that a list offers as a button. */
export interface QuickFilter {
  readonly id: string;
  readonly label: string;
  /** The filter as it is typed. */
  readonly words: readonly string[];
}

const ALL: QuickFilter = { id: 'all', label: 'All', words: [] };
const NARROWER = [
  { id: 'error', label: 'In error', words: ['status:error,deploy_failed'] },
  { id: 'unhealthy', label: 'Unhealthy', words: ['health:unhealthy', '-status:error,deploy_failed'] },
  { id: 'paused', label: 'Paused', words: ['status:paused'] },
  { id: 'stopped', label: 'Stopped', words: ['status:stopped'] },
  { id: 'running', label: 'Running', words: ['status:running', '-health:unhealthy'] },
].map((quick) => ({ ...quick, passes: parseFilters(quick.words, 0) }));
const MAX_OFFERED = 5;

/** Words without those that a quick filter stands in place of. Pure. */
export function withoutQuick(words: readonly string[]): readonly string[] {
  return words.filter((word) => !/^-?(status|health):/i.test(word));
}

/** What a press on a quick filter asks for: its own words in place of those about the status. Pure. */
export function withQuick(words: readonly string[], id: string): readonly string[] {
  const quick = NARROWER.find((one) => one.id === id);
  return [...withoutQuick(words), ...(quick?.words ?? [])];
}

/** The quick filters that show something else than what is `shown`, with how many each has. Pure. */
export function offered(
  shown: readonly Instance[],
  unfiltered: readonly Instance[],
): readonly (QuickFilter & { readonly count: number })[] {
  const isShown = ({ passes, count }: { passes: Filter; count: number }): boolean =>
    count === shown.length && shown.every(passes);
  const narrower = NARROWER.map((quick) => ({ ...quick, count: unfiltered.filter(quick.passes).length }))
    .filter((quick) => quick.count > 0 && quick.count < unfiltered.length && !isShown(quick))
    .map(({ id, label, words, count }) => ({ id, label, words, count }));
  const all = shown.length < unfiltered.length ? [{ ...ALL, count: unfiltered.length }] : [];
  return [...all, ...narrower].slice(0, MAX_OFFERED);
}
