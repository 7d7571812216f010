import { type Filter, parseFilters } from '../../core/instances/filter.ts';
import type { Instance } from '../../platform/hosting/service.ts';

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
