import { inWords, oneOf } from '../../core/ask/mend-words.ts';
import { askedPage } from '../../core/lists/asked-page.ts';
import { pageMessage } from '../../core/lists/page.ts';
import { WHOLE_LIST } from '../../core/lists/shown-list.ts';
import type { Offers } from '../../core/offers/offers.ts';
import type { Favourite, Favourites, MayReplace } from '../../core/lookup/favourites.ts';
import { listOrLast } from '../../core/lookup/find-or-last.ts';
import { findExactly } from '../../core/lookup/find.ts';
import { sightOf } from '../../core/lookup/sight.ts';
import type { Access } from '../../core/policy/access.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Feature } from '../../core/intake/feature.ts';
import type { Ask, Reply } from '../../core/ask/ask.ts';
import type { Route } from '../../core/intake/route.ts';
import type { HostingService } from '../../platform/hosting/service.ts';
import { newId } from '../../platform/id.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import {
  favouriteLine,
  favouritesHead,
  forgotten,
  nameTaken,
  noFavourites,
  noSuchFavourite,
  savedWords,
} from './favourite-messages.ts';
import { parseFavourite, reservedWords } from './favourite-words.ts';
import { say } from '../../platform/slack/phrase.ts';
import { FAVOURITES, FORGET, SOME_FAVOURITES } from './route-ids.ts';

export interface FavouriteDeps {
  readonly favourites: Favourites;
  readonly offers: Offers;
  readonly access: Access;
  readonly hosting: HostingService;
  readonly clock: Pick<RedisClock, 'now'>;
  /** Every feature, whose words no favourite may be called; asked at the first question. */
  readonly features: () => readonly Feature[];
}

/** As many as Slack shows in one menu. */
const PER_PAGE = 5;

/** `/instances save nightly = name:staging-*`, `/instances favourites`, `/instances forget nightly`. */
export function favouriteRoutes(deps: FavouriteDeps): readonly Route[] {
  return [saveRoute(deps), listFavouritesRoute(deps), someFavouritesRoute(deps), forgetRoute(deps)];
}

function saveRoute(deps: FavouriteDeps): Route {
  const { favourites, clock } = deps;
  let reserved: ReadonlySet<string> | undefined;
  return {
    id: 'instances.save',
    verb: 'save',
    permission: 'instances:read',
    writes: true,
    usage: '<name> = <filters>',
    summary: 'give filters a name, as in save nightly = name:staging-*, for everybody here',
    isAskable: false,
    handle: async (ask, audit) => {
      reserved ??= reservedWords(deps.features());
      const { name, words } = parseFavourite(ask.words, reserved, ask.askedAt);
      audit({ args: { favourite: name, words } });
      const { instances } = (await listOrLast(deps.hosting)).list;
      // Else a name that people type to act on an instance would mean two things from now on.
      const { maySee } = await sightOf(deps.access, ask.actor, ask.place.channelId);
      if (findExactly(name, instances.filter(maySee)).found !== 'none') throw nameTaken(name);
      const favourite = {
        id: newId(),
        name,
        words: [...words],
        savedBy: ask.actor.userId,
        savedAt: clock.now(),
      };
      await favourites.save(favourite, await mayReplace(deps, ask));
      return { lines: savedWords(favourite) };
    },
  };
}

function listFavouritesRoute(deps: FavouriteDeps): Route {
  return {
    id: FAVOURITES,
    verb: 'favourites',
    aliases: ['favorites'],
    spoken: {
      asks: [
        '(which|what|list|show) * (filters|favourites|favorites) * (save|saved)',
        '(saved filters|favourites|favorites)',
        '(which|what) * filters',
      ],
    },
    permission: 'instances:read',
    writes: false,
    usage: '',
    summary: 'the filters that have a name',
    handle: (ask) => showFavourites(deps, ask),
  };
}

/** The part of the Home that shows the first of them. It keeps no place in the list, since it is drawn again and again. */
function someFavouritesRoute(deps: FavouriteDeps): Route {
  return {
    id: SOME_FAVOURITES,
    verb: 'some favourites',
    permission: 'instances:read',
    writes: false,
    summary: 'the first filters that have a name',
    handle: async (ask) => {
      const all = await listKnown(deps, ask);
      const rest = all.length - PER_PAGE;
      return {
        lines: [favouritesHead(all.length, 0, all.length)],
        bullets: all.slice(0, PER_PAGE).map(favouriteLine),
        ...(rest > 0 ? { moreBullets: rest } : {}),
        ...(all.length > 0 ? { buttons: [{ label: 'Favourites', routeId: FAVOURITES, value: 'all' }] } : {}),
      };
    },
  };
}

/** Those that tell the person no name of what isn't theirs to see. */
async function listKnown({ access, favourites }: FavouriteDeps, ask: Ask): Promise<readonly Favourite[]> {
  const { mayKnow } = await sightOf(access, ask.actor, ask.place.channelId);
  return (await favourites.list()).filter(mayKnow);
}

async function showFavourites(deps: FavouriteDeps, ask: Ask): Promise<Reply> {
  const page = await askedPage(deps, ask, 'instances favourites');
  const [all, may] = await Promise.all([listKnown(deps, ask), mayReplace(deps, ask)]);
  if (all.length === 0) return { lines: [noFavourites()] };
  const listId = all.length > PER_PAGE ? WHOLE_LIST : undefined;
  const paged = { count: all.length, from: page.from, perPage: PER_PAGE, routeId: FAVOURITES, listId };
  return pageMessage(paged, (from, shown) => {
    const some = all.slice(from, from + shown);
    const menu = some
      .filter(may)
      .map(({ id, name }) => ({ label: `Remove ${name}`, routeId: FORGET, value: id }));
    return {
      lines: [favouritesHead(all.length, from, shown)],
      bullets: some.map(favouriteLine),
      ...(menu.length > 0 ? { menu } : {}),
    };
  });
}

/** So many buttons stand on one line, beside that of a field and Cancel. */
const MOST_OFFERED = 3;

/** Asks which one is meant, of those that the person may remove. */
async function whichFavourite(deps: FavouriteDeps, ask: Ask): Promise<Refusal> {
  const [all, may] = await Promise.all([listKnown(deps, ask), mayReplace(deps, ask)]);
  const theirs = all.filter(may);
  if (theirs.length === 0)
    return new Refusal('bad-favourite', say`There is no favourite that you can remove.`);
  const buttons = theirs.slice(0, MOST_OFFERED).map(({ name }) => [name]);
  const more = theirs.length > MOST_OFFERED ? [[inWords('Name', theirs.at(-1)?.name ?? '')]] : [];
  return new Refusal(
    'bad-favourite',
    say`Which favourite do you want to remove?`,
    oneOf(...buttons, ...more),
  );
}

function forgetRoute(deps: FavouriteDeps): Route {
  return {
    id: FORGET,
    verb: 'forget',
    permission: 'instances:read',
    writes: true,
    usage: '<name of a favourite>',
    summary: 'forget filters that have a name',
    isAskable: false,
    handle: async (ask, audit) => {
      const { words, value } = ask;
      const name = words.join(' ').toLowerCase();
      const isMeant = (one: Favourite): boolean =>
        value === undefined ? one.name === name : one.id === value;
      if (value === undefined && name === '') throw await whichFavourite(deps, ask);
      const { mayKnow } = await sightOf(deps.access, ask.actor, ask.place.channelId);
      const mayForget = await mayReplace(deps, ask);
      const gone = await deps.favourites.forget((one) => isMeant(one) && mayKnow(one), mayForget);
      if (!gone)
        throw new Refusal('no-such-favourite', noSuchFavourite(value === undefined ? name : undefined));
      audit({ args: { favourite: gone.name, words: gone.words } });
      return { lines: forgotten(gone) };
    },
  };
}

/** The person who saved it may replace or forget it, and an admin any. */
async function mayReplace(
  { access }: FavouriteDeps,
  { actor, place: { channelId } }: Ask,
): Promise<MayReplace> {
  const { allowed } = await access.check(actor, 'access:grant', 'all', { channelId });
  return ({ savedBy }) => allowed || savedBy === actor.userId;
}
