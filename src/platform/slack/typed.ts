import { channel, group, join, person, type Phrase, say } from './phrase.ts';

/** What was typed for a verb that takes mentions: they arrive as ids, and are shown as mentions again. Pure. */
export function typed(words: string): Phrase {
  const shown = words.split(' ').map((word): Phrase => {
    if (/^[UW][A-Z0-9]{8,}$/.test(word)) return [person(word)];
    if (/^S[A-Z0-9]{8,}$/.test(word)) return [group(word)];
    if (/^C[A-Z0-9]{8,}$/.test(word)) return [channel(word)];
    return say`${word}`;
  });
  return join(shown, ' ');
}
