import { Refusal } from '../refusal.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { Addon } from '../../platform/hosting/service.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { type AddonList, isAttached, isOf, readAddons } from './addon.ts';
import { expandFavorite, favoriteWords } from './expand.ts';
import type { Favorites } from './favorites.ts';
import { type AddonsOf, type Filter, needsAddons, parseFilters } from '../instances/filter.ts';
import { incompleteWords } from '../instances/messages.ts';
import type { Sight } from './sight.ts';
import type { Base } from '../base.ts';

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
