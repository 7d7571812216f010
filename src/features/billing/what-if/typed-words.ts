import type { Ask } from '../../../core/ask/ask.ts';

/** The words of an ask with the commas behind them, which are no part of a word elsewhere. Pure. */
export function typedWords({ words, letters }: Pick<Ask, 'words' | 'letters'>): readonly string[] {
  return words.map((word, at) =>
    /[,;]$/.test(letters?.[at] ?? '') && !/[,;]$/.test(word) ? `${word},` : word,
  );
}
