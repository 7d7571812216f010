import { CANNOT, CANNOT_AFTER } from './cannot.ts';
import { type Spot, targetOf } from './change-for.ts';
import { rightly } from './orders.ts';
import { type Pattern, patternOf, type Slot } from './pattern.ts';
import type { Entry, Phrasebook } from './phrasebook.ts';
import { sentenceOf, type Sentence } from './read.ts';
import { render } from './render.ts';
import type { SpokenTarget } from './target.ts';
import { unreadIn } from './unread.ts';
import type { Understood } from './understood.ts';

const cannot: readonly { readonly pattern: Pattern; readonly words: string }[] = CANNOT.map(
  ([pattern, words]) => ({
    pattern: patternOf(pattern, false),
    words,
  }),
);

const cannotAfter = CANNOT_AFTER.map(([pattern, words]) => ({ pattern: patternOf(pattern, true), words }));

/** What is answered at once. Pure. */
export function shown(book: Phrasebook, sentence: Sentence, spot: Spot): Understood | undefined {
  let best = cannot
    .filter(({ pattern }) => pattern.match(sentence.text))
    .toSorted((one, other) => other.pattern.weight - one.pattern.weight)[0];
  const words = sentence.clauses.flatMap((one) => one.words);
  const [asTyped, text] = [sentenceOf(words), sentenceOf(words.map((word) => rightly(book, word)))];
  for (const entry of book.asks) {
    const found = entry.pattern.match(text);
    if (!found) continue;
    const { at, isWhole } = found;
    if (best && best.pattern.weight + 1 >= entry.pattern.weight) break;
    const isMended = entry.pattern.match(asTyped) === undefined;
    const read = answered(book, entry, { at, isWhole, isMended }, sentence, spot);
    if (read) return read;
  }
  best ??= cannotAfter.find(({ pattern }) => pattern.match(sentence.clauses[0]?.text ?? ''));
  return (
    best && { what: 'cannot', cannot: best.words, about: firstTarget(sentence, spot)?.called.flat() ?? [] }
  );
}

/** What a route that changes nothing is asked, with the words of the line that nothing explains. Pure. */
export function answered(
  book: Phrasebook,
  { route, words, text }: Entry,
  {
    at,
    isWhole,
    isMended,
  }: { readonly at: ReadonlyMap<Slot, number>; readonly isWhole: boolean; readonly isMended: boolean },
  sentence: Sentence,
  spot: Spot,
): Understood | undefined {
  const first = at.get('x') ?? firstNamed(sentence);
  const target = first === undefined ? undefined : targetOf(new Map([['x', first]]), sentence, spot);
  const rendered = render(words, sentence.slots, at, target);
  if (!rendered) return undefined;
  const { about } = rendered;
  const named = about.length > 0 || words.includes('{as}') ? first : undefined;
  const read = {
    ...rendered,
    at: new Set([...at.values(), ...(named === undefined ? [] : [named])]),
    isMended,
    asked: text,
    isFiltered: words.includes('{as}'),
  };
  return {
    what: 'read',
    routeId: route.id,
    words: rendered.words,
    about,
    isWhole,
    unread: unreadIn(book, sentence, read),
  };
}

/** Which slot says what a sentence is about, wherever it does. */
function firstNamed({ slots }: Sentence): number | undefined {
  const named = slots.findIndex((one) => one.slot === 'x' && !one.target.isThat);
  const index = named >= 0 ? named : slots.findIndex((one) => one.slot === 'x');
  return index < 0 ? undefined : index;
}

/** What a sentence is about, wherever it says so. */
function firstTarget(sentence: Sentence, spot: Spot): SpokenTarget | undefined {
  const index = firstNamed(sentence);
  return index === undefined ? undefined : targetOf(new Map([['x', index]]), sentence, spot);
}
