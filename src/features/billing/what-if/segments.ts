import { isFilter } from '../../../core/instances/filter.ts';

const BETWEEN: ReadonlySet<string> = new Set(['and', 'then', '&', '+', 'plus']);
/** Digits with separators, which may be one amount. */
const NUMBER = /^\d[\d.,'’]*$/;

/**
 * What stands between commas, "and" and "then", each part with at least one word. A comma within a filter or a number is its
 * own, and a word with a space in it was quoted and stays as it is. Pure.
 */
export function segmentsOf(words: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  for (const word of words) {
    for (const piece of piecesOf(word.trim())) {
      if (piece === ',') parts.push([]);
      else parts.at(-1)?.push(piece);
    }
  }
  return parts.filter((part) => part.length > 0);
}

/** Whether a word was typed in one, without quotation marks. Pure. */
export function isJoint(word: string): boolean {
  return !/\s/.test(word);
}

/** A word as its pieces, with "," between two parts. */
function piecesOf(word: string): readonly string[] {
  if (!isJoint(word)) return [word];
  if (BETWEEN.has(word.toLowerCase())) return [','];
  const inner = word.replace(/[.,;?!]+$/, '');
  const ends = /[,;][.,;?!]*$/.test(word) ? [','] : [];
  if (inner === '') return ends;
  if (isFilter(inner) || NUMBER.test(inner)) return [inner, ...ends];
  return [...inner.split(/([,;]+)/).flatMap((part) => pieceOf(part)), ...ends];
}

function pieceOf(part: string): readonly string[] {
  if (part === '') return [];
  return /^[,;]+$/.test(part) ? [','] : [part];
}
