import { plain } from '../../platform/slack/phrase.ts';
import { isFilter, matcherOf, namesOfLabels, partsOf } from './filter.ts';

/** What is known of an instance by what it has cost, even once it is gone. */
export interface Costed {
  readonly name: string;
  /** Undefined where nobody has seen it. */
  readonly tier: string | undefined;
  /** Undefined where the service doesn't tell them, or nobody has seen it. */
  readonly labels: readonly string[] | undefined;
}

type CostFilter = (instance: Costed) => boolean;

/** Undefined for what isn't known: that fails a filter and its opposite. */
const FIELDS: Readonly<Record<string, (instance: Costed) => readonly (string | undefined)[] | undefined>> = {
  name: ({ name }) => [name],
  tier: ({ tier }) => [tier],
  label: ({ labels }) => labels && namesOfLabels(labels),
};
const HOW = 'use name:, tier: and label:';

/**
 * Filters as lists of instances have them, of what is known of costs: `name:web-*,api-* -tier:pro label:team=web`. Words are AND, comma is OR, a leading
 * `-` is NOT. Gives the filter, or why it can't be read as the end of a sentence. Pure.
 */
export function readCostFilter(text: string): { readonly filter: CostFilter } | { readonly why: string } {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return { why: 'must have a filter like name:web-*' };
  const filters: CostFilter[] = [];
  for (const word of words) {
    const { isNot, field, values: typed } = partsOf(word);
    const read = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined;
    const matchers = typed.split(',').flatMap((value) => (value === '' ? [] : [matcherOf(value)]));
    if (!read && isFilter(word))
      return {
        why: `can't have "${plain(word, 60)}": of what was charged, only the name, the tier and the labels of an instance are known, so ${HOW}`,
      };
    if (!read || matchers.length === 0)
      return { why: `has "${plain(word, 60)}", which is no filter; ${HOW}, as in name:web-*` };
    filters.push((instance) => {
      const values = read(instance);
      if (!values) return false;
      return (
        values.some((one) => one !== undefined && matchers.some((isMatched) => isMatched(one))) !== isNot
      );
    });
  }
  return { filter: (instance) => filters.every((filter) => filter(instance)) };
}
