import type { Ask } from '../../core/routing/route.ts';

/** One page of the list: where it begins, counted from 0, and the filters as typed. */
export interface ListPage {
  readonly from: number;
  readonly words: readonly string[];
}

export const FIRST_PAGE: ListPage = { from: 0, words: [] };
/** Longer filters than this fit into no button. */
const MAX_VALUE_CHARACTERS = 300;

/** What was typed, or the page that a button asks for. */
export function pageOf({ words, value }: Pick<Ask, 'words' | 'value'>): ListPage {
  if (value === undefined) return { from: 0, words };
  const [from = '', ...filters] = value.split(' ');
  return { from: /^\d{1,6}$/.test(from) ? Number(from) : 0, words: filters.map(decoded) };
}

/** A page as a button's value; undefined where its filters are too long for one. */
export function valueOf({ from, words }: ListPage): string | undefined {
  const value = [String(from), ...words.map(encodeURIComponent)].join(' ');
  return value.length <= MAX_VALUE_CHARACTERS ? value : undefined;
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
