import { Refusal } from '../refusal.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { Addon, Instance } from '../../platform/hosting/service.ts';
import { type Phrase, say, person } from '../../platform/slack/phrase.ts';
import { type AddonList, isAttached, isOf, readAddons } from './addon.ts';
import type { Favorites, Favorite } from './favorites.ts';
import { type AddonsOf, type Filter, needsAddons, parseFilters, isFilter } from '../instances/filter.ts';
import { incompleteWords } from '../instances/messages.ts';
import type { Sight } from './sight.ts';
import type { Base } from '../base.ts';
import { asTyped } from '../ask/words.ts';
import { findExactly } from './find.ts';

/** Words in which a favorite stands for its filters. */
export interface Expanded {
  /** Filters, and words that are neither a filter nor a favorite. */
  readonly words: readonly string[];
  /** The favorite that was among them. */
  readonly favorite: Favorite | undefined;
}

/**
 * Words with the filters of a favorite in its place: the one way in which a favorite is understood, whatever it is typed
 * after. One that would tell its reader a name is not there for them. Throws a Refusal for two of them, which could mean both or
 * what both match. `findVisible`: asked where words name instances as well as filters. Among names alone, the exact name or id
 * of an instance that they give is that instance: nobody's favorite stands between a person and what they name.
 */
export async function expandFavorite(
  favorites: Favorites,
  words: readonly string[],
  mayKnow: Sight['mayKnow'],
  findVisible?: () => Promise<readonly Instance[]>,
): Promise<Expanded> {
  const none = { words, favorite: undefined };
  const others = words.filter((word) => !isFilter(word));
  if (others.length === 0) return none;
  const known = new Map((await favorites.list()).filter(mayKnow).map((one) => [one.name, one]));
  const called = others.filter((word) => known.has(word.toLowerCase()));
  const areNames = called.length > 0 && others.length === words.length;
  const visible = areNames ? ((await findVisible?.()) ?? []) : [];
  const meant = called.filter((word) => findExactly(word, visible).found === 'none');
  const [typed] = meant;
  const favorite = typed === undefined ? undefined : known.get(typed.toLowerCase());
  if (!favorite || typed === undefined) return none;
  if (meant.length > 1) {
    throw new Refusal(
      'one-at-a-time',
      say`I take one favorite at a time, so nothing was done. You can add filters to it, as in /instances ${favorite.name} status:running.`,
    );
  }
  return {
    words: words.flatMap((word) => (word === typed ? favorite.words : [word])),
    favorite,
  };
}

/** What a favorite stands for, and whose it is. */
export function favoriteWords({ name, words, savedBy }: Favorite): Phrase {
  return say`${name} is ${asTyped(words)}, saved by ${person(savedBy)}.`;
}

/** Filters, ready to be asked of instances. */
interface Matching {
  readonly passes: Filter;
  /** The filters, those of a favorite among them. */
  readonly words: readonly string[];
  /** What is to be said with whatever passes. */
  readonly remarks: readonly Phrase[];
}

/**
 * What filters and a favorite match. `isStrict`: something is done with what passes, so that a list of add-ons that may
 * lack some is not enough. `now`: Unix ms. Throws a Refusal for words that are neither, and where add-ons can't be read.
 */
export async function matchingOf(
  deps: Pick<Base, 'hosting'> & { readonly favorites: Favorites },
  typed: readonly string[],
  {
    maySeeAddons,
    mayKnow,
    now,
    isStrict = false,
  }: Pick<Sight, 'maySeeAddons' | 'mayKnow'> & { now: number; isStrict?: boolean },
): Promise<Matching> {
  const { words, favorite } = await expandFavorite(deps.favorites, typed, mayKnow);
  const remarks = favorite ? [favoriteWords(favorite)] : [];
  // What can't be read as a filter is said before anything is asked of the service.
  const plain = parseFilters(words, now);
  if (!needsAddons(words)) return { passes: plain, words, remarks };
  const { name, offers } = deps.hosting.about;
  // Of a balance, its usage may name them.
  if (!offers.addons && offers.billing !== 'prepaid')
    throw new Refusal(
      'bad-filter',
      say`${name} has no add-ons that I can list, so I can't filter by them. Leave addon: out.`,
    );
  const [may, { addons, incomplete }] = await Promise.all([
    maySeeAddons(),
    addonsFor(deps.hosting, isStrict),
  ]);
  if (incomplete && isStrict) {
    throw new Refusal(
      'incomplete',
      say`${incompleteWords(incomplete, 'add-ons')} So I can't tell which instances match, and nothing was done. Leave addon: out, or give me names.`,
    );
  }
  const addonsOf = indexed(addons);
  return {
    passes: parseFilters(words, now, (instance) => (may(instance) ? addonsOf(instance) : undefined)),
    words,
    remarks: incomplete ? [...remarks, incompleteWords(incomplete, 'add-ons')] : remarks,
  };
}

async function addonsFor(hosting: Base['hosting'], isStrict: boolean): Promise<AddonList> {
  try {
    return await readAddons(hosting, isStrict ? { freshMs: 0 } : {});
  } catch (error) {
    if (!(error instanceof HostingError) && !(error instanceof Refusal)) throw error;
    throw new Refusal(
      'addons-unreadable',
      say`I can't filter by add-on, because the hosting service gave me no list of add-ons just now. Leave addon: out, or try again in a minute.`,
    );
  }
}

/** Looked up by instance once, since thousands are asked about. */
function indexed(addons: readonly Addon[]): AddonsOf {
  const attached = addons.filter(isAttached);
  const byKey = new Map<string, Addon[]>();
  for (const addon of attached) {
    const known = byKey.get(keyOf(addon));
    if (known) known.push(addon);
    else byKey.set(keyOf(addon), [addon]);
  }
  return (instance) =>
    [...(byKey.get(`id ${instance.id}`) ?? []), ...(byKey.get(`name ${instance.name}`) ?? [])]
      .filter((addon) => isOf(addon, instance))
      .map(({ type }) => type);
}

function keyOf({ instanceId, instanceName }: Addon): string {
  return instanceId === undefined ? `name ${instanceName ?? ''}` : `id ${instanceId}`;
}
