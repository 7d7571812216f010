import { FILTER_FIELDS, isFilter, partsOf } from './filter.ts';

/**
 * Words in which a filter that was typed with spaces is one word: `label:team = web`, `label: team = web`, `region : fra1`. What
 * follows a reason stays as it is. Pure.
 */
export function withoutSpaces(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => /^(?:(?:--)?because|--override)$/i.test(word));
  const until = end < 0 ? words.length : end;
  const joined: string[] = [];
  for (const word of words.slice(0, until)) {
    const before = joined.at(-1);
    if (before !== undefined && isGoingOn(before, word)) joined[joined.length - 1] = `${before}${word}`;
    else joined.push(word);
  }
  return joined.length === until ? words : [...joined, ...words.slice(until)];
}

/** Whether a word goes on with the filter that the one before it begins. */
function isGoingOn(before: string, word: string): boolean {
  if (word.startsWith('--')) return false;
  // An emoji is no value.
  if (word.startsWith(':'))
    return !/^:[^:]+:$/.test(word) && FILTER_FIELDS.includes(before.replace(/^-/, '').toLowerCase());
  if (!isFilter(before) || isFilter(word)) return false;
  const { field, values } = partsOf(before);
  if (values === '') return !word.startsWith('=');
  return field === 'label' && (values.endsWith('=') || (word.startsWith('=') && !values.includes('=')));
}
