import { Refusal } from '../refusal.ts';
import type { HostingService, Instance, InstanceList } from '../../platform/hosting/service.ts';
import { ago, type Phrase, say } from '../../platform/slack/phrase.ts';
import { expandFavorite, favoriteWords, matchingOf } from './matching.ts';
import type { Favorites } from './favorites.ts';
import { isFilter } from '../instances/filter.ts';
import { refuseUnknownValues } from './filter-values.ts';
import { findExactly } from './find.ts';
import { nameOf } from '../instances/messages.ts';
import type { Sight } from './sight.ts';

/** The instances that words for several mean, each as it is now. */
export interface Several {
  readonly instances: readonly Instance[];
  /** How many there are in all. */
  readonly total: number;
  readonly incomplete?: InstanceList['incomplete'];
  /** What is to be said of how they were found. */
  readonly remarks: readonly Phrase[];
}

/** So many are read by their id, one call each, where the list is too long to be read for each question. */
const MAX_READ_EACH = 50;
const READ_AT_ONCE = 10;

/** Whether words are about several instances, or may be: `web-1 web-2`, `status:running`. */
function mayMeanSeveral(words: readonly string[]): boolean {
  return words.length > 1 || words.some(isFilter);
}

/** The same where one word may be a favorite. */
export async function isAboutSeveral(favorites: Favorites, words: readonly string[]): Promise<boolean> {
  const [word] = words;
  if (mayMeanSeveral(words)) return true;
  return word !== undefined && (await favorites.find(word)) !== undefined;
}

/**
 * What several exact names and ids mean, or filters, or a favorite. `sight`: what the person may know of. Undefined where
 * the words together are about one instance, as in `web-1 (101)`. Throws a Refusal where one of them means no instance, or
 * not one alone.
 */
export async function resolveSeveral(
  { hosting, favorites }: { readonly hosting: HostingService; readonly favorites: Favorites },
  words: readonly string[],
  { maySee, maySeeAddons, mayKnow }: Omit<Sight, 'ofAll'>,
  now: number,
): Promise<Several | undefined> {
  let reading: Promise<InstanceList> | undefined;
  const readList = (): Promise<InstanceList> => (reading ??= hosting.listInstances({ freshMs: 0 }));
  const { words: expanded, favorite } = await expandFavorite(favorites, words, mayKnow, async () =>
    (await readList()).instances.filter(maySee),
  );
  const filters = expanded.filter(isFilter);
  if (filters.length > 0 && filters.length < expanded.length) {
    throw new Refusal(
      'bad-filter',
      say`I take names or filters, not both at once, so nothing was done. A filter for names is name:web-*.`,
    );
  }
  const matching =
    filters.length > 0
      ? await matchingOf({ hosting, favorites }, filters, { maySeeAddons, mayKnow, now, isStrict: true })
      : undefined;
  const list = await readList();
  const all = list.instances.filter(maySee);
  const of = { total: all.length, incomplete: list.incomplete };
  if (matching) {
    refuseUnknownValues(matching.words, all, true, list.incomplete !== undefined);
    const remarks = [...(favorite ? [favoriteWords(favorite)] : []), ...matching.remarks];
    return { instances: await asNow(hosting, list, all.filter(matching.passes)), remarks, ...of };
  }
  if (findExactly(words.join(' '), all).found !== 'none') return undefined;
  const chosen = eachOf(words, all, list);
  return { instances: await asNow(hosting, list, [...new Set(chosen)]), remarks: [], ...of };
}

/** The instances of these ids as they are now; those that are gone are left out. */
export async function readSeveral(
  hosting: HostingService,
  ids: readonly string[],
): Promise<readonly Instance[]> {
  const list = await hosting.listInstances({ freshMs: 0 });
  const byId = new Map(list.instances.map((instance) => [instance.id, instance]));
  const isWhole = list.readAtMs === undefined && !list.incomplete;
  if (isWhole) return ids.flatMap((id) => byId.get(id) ?? []);
  // What an incomplete list lacks, or an old one says, is read by its id.
  return readEach(hosting, list.readAtMs === undefined ? ids.filter((id) => !byId.has(id)) : ids, byId, ids);
}

/** A word for one instance that isn't one for certain, and those that it may mean. */
interface Uncertain {
  readonly word: string;
  readonly may: readonly Instance[];
  readonly isNone: boolean;
}

/** The instance of each word. Throws a Refusal where one of them isn't certain, with what may have been meant by all of them. */
function eachOf(
  words: readonly string[],
  all: readonly Instance[],
  { readAtMs }: InstanceList,
): readonly Instance[] {
  const certain: Instance[] = [];
  const uncertain: Uncertain[] = [];
  for (const word of new Set(words)) {
    const found = findExactly(word, all);
    if (found.found === 'one') certain.push(found.instance);
    else if (found.found === 'none') uncertain.push({ word, may: found.near, isNone: true });
    else {
      const may = found.found === 'several' ? found.instances : [found.instance, ...found.named];
      uncertain.push({ word, may, isNone: false });
    }
  }
  const [first] = uncertain.toSorted((one, other) => Number(isJoin(one)) - Number(isJoin(other)));
  if (!first) return certain;
  const isOr = uncertain.some(saysOr);
  if (isOr && uncertain.every(isJoin)) {
    throw new Refusal(
      'no-such-name',
      {
        lines: [say`Which one do you mean? Nothing was done.`],
        about: { routeId: '', instances: certain },
      },
      (asked) => eachAlone(asked, certain, uncertain),
    );
  }
  const { word, may, isNone } = first;
  const about = {
    routeId: '',
    instances: [...new Set([...certain, ...uncertain.flatMap((one) => one.may)])],
  };
  const age = readAtMs === undefined ? say`` : say` I last read the list ${ago(readAtMs)}.`;
  const line = isNone
    ? say`No instance has exactly the name or id "${word}", so nothing was done.${age}`
    : say`More than one instance may be meant by "${word}", so nothing was done. Give me its id.`;
  throw new Refusal(
    isNone ? 'no-such-name' : 'several',
    { lines: [line], ...(may.length > 0 ? { bullets: may.map(nameOf) } : {}), about },
    (asked) => (isOr || !uncertain.every(mayBeName) ? [] : completed(asked, certain, uncertain)),
  );
}

/** Whether a word may be left out as a name that is none. Any other may say which of them are not meant. */
function mayBeName(one: Uncertain): boolean {
  return !one.isNone || isJoin(one) || /^(?=.*[\d_.:-])[\p{L}\p{N}](?:.*[\p{L}\p{N}])?$/u.test(one.word);
}

function saysOr({ word }: Uncertain): boolean {
  return /^(?:or|either)$/i.test(word);
}

/** The same words for each of those that are certain, without the others. */
function eachAlone(
  asked: readonly string[],
  certain: readonly Instance[],
  joins: readonly Uncertain[],
): readonly (readonly string[])[] {
  const dropped = new Set(joins.map(({ word }) => word));
  const meant = (word: string): Instance | undefined =>
    certain.find(({ id, name }) => id === word || name === word);
  return certain.slice(0, MOST_OFFERED).map((one) => {
    const kept = asked.filter((word) => !dropped.has(word) && (meant(word) ?? one) === one);
    return [...new Set(kept.map((word) => meant(word)?.id ?? word))];
  });
}

/** What stands between names in a sentence, and is none. */
function isJoin({ word }: Uncertain): boolean {
  return /^(?:and|or|either|plus|&|\+|,|please|pls|plz|thanks|thx)$/i.test(word);
}

const MOST_OFFERED = 3;

/** The same words with each of those that the one uncertain word may mean in its place, and without what is uncertain. */
function completed(
  asked: readonly string[],
  certain: readonly Instance[],
  uncertain: readonly Uncertain[],
): readonly (readonly string[])[] {
  if (certain.length === 0) return [];
  const inPlaceOf = (by: ReadonlyMap<string, string | undefined>): readonly string[] => [
    ...new Set(
      asked.flatMap((word) => {
        const named = certain.find(({ name, id }) => name === word || id === word);
        return by.has(word) ? (by.get(word) ?? []) : (named?.id ?? word);
      }),
    ),
  ];
  const [first, second] = uncertain.filter((one) => !isJoin(one));
  const joins = uncertain.filter(isJoin).map(({ word }) => [word, undefined] as const);
  const others = first && !second ? first.may.filter((one) => !certain.includes(one)) : [];
  const without = new Map(uncertain.map(({ word }) => [word, undefined]));
  return [
    ...others.slice(0, MOST_OFFERED).map(({ id }) => inPlaceOf(new Map([...joins, [first?.word ?? '', id]]))),
    inPlaceOf(without),
  ];
}

/** A list that was read a while ago only says which ids are meant. */
async function asNow(
  hosting: HostingService,
  { readAtMs }: InstanceList,
  chosen: readonly Instance[],
): Promise<readonly Instance[]> {
  if (readAtMs === undefined) return chosen;
  const ids = chosen.map(({ id }) => id);
  return readEach(hosting, ids, new Map(), ids);
}

/** Reads `toRead` by their ids, a few at a time, and gives `ids` with what is known of the others. */
async function readEach(
  hosting: HostingService,
  toRead: readonly string[],
  known: ReadonlyMap<string, Instance>,
  ids: readonly string[],
): Promise<readonly Instance[]> {
  if (toRead.length > MAX_READ_EACH) {
    throw new Refusal(
      'too-many-instances',
      say`The list of instances is so long that I read it only now and then, and each of these ${toRead.length} by its id. I do that for at most ${MAX_READ_EACH} at once, so nothing was done. Narrow it.`,
    );
  }
  const read = new Map(known);
  for (let at = 0; at < toRead.length; at += READ_AT_ONCE) {
    const some = toRead.slice(at, at + READ_AT_ONCE);
    const found = await Promise.all(some.map((id) => hosting.findInstance(id)));
    some.forEach((id, index) => {
      const instance = found[index];
      if (instance) read.set(id, instance);
      else read.delete(id);
    });
  }
  return ids.flatMap((id) => read.get(id) ?? []);
}
