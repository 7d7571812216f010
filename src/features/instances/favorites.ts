import { inWords, oneOf } from '../../core/ask/mend-words.ts';
import { askedPage } from '../../core/lists/asked-page.ts';
import { isWhole, type List, pageMessage, showList } from '../../core/lists/list.ts';
import type { Favorite, MayReplace } from '../../core/lookup/favorites.ts';
import { listOrLast } from '../../core/lookup/find-or-last.ts';
import { findExactly } from '../../core/lookup/find.ts';
import { sightOf } from '../../core/lookup/sight.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask, Reply } from '../../core/ask/ask.ts';
import type { Route } from '../../core/intake/route.ts';
import { withInstead } from '../../core/intake/typed-button.ts';
import { newId } from '../../platform/id.ts';
import {
  favoriteLine,
  favoritesHead,
  forgotten,
  nameTaken,
  noFavorites,
  noSuchFavorite,
  savedWords,
  parseFavorite,
  reservedWords,
} from './favorite-words.ts';
import type { Message } from '../../platform/slack/message.ts';
import { say } from '../../platform/slack/phrase.ts';
import { FAVORITES, FORGET, SOME_FAVORITES } from './route-ids.ts';
import type { Bot } from '../../core/bot/bot.ts';

/** As many as Slack shows in one menu. */
const PER_PAGE = 5;

/** `/instances save nightly = name:staging-*`, `/instances favorites`, `/instances forget nightly`. */
export function favoriteRoutes(deps: Bot): readonly Route[] {
  return [saveRoute(deps), listFavoritesRoute(deps), someFavoritesRoute(deps), forgetRoute(deps)];
}

const SAVE = { id: 'instances.save', verb: 'save' };

/** What leads to the list of them. */
const FAVORITES_BUTTON = { label: 'Favorites', routeId: FAVORITES, value: 'all' };

function saveRoute(deps: Bot): Route {
  const { favorites, clock } = deps;
  let reserved: ReadonlySet<string> | undefined;
  return {
    ...SAVE,
    permission: 'instances:read',
    writes: true,
    usage: '<name> = <filters>',
    summary: 'give filters a name, as in save nightly = name:staging-*, for everyone here',
    isAskable: false,
    handle: async (ask, audit) => {
      reserved ??= reservedWords(deps.features());
      const { name, words } = parseFavorite(ask.words, reserved, ask.askedAt);
      audit({ args: { favorite: name, words } });
      const { instances } = (await listOrLast(deps.hosting)).list;
      // Else a name that people type to act on an instance would mean two things from now on.
      const { maySee } = await sightOf(deps.access, ask.actor, ask.place.channelId);
      if (findExactly(name, instances.filter(maySee)).found !== 'none') throw nameTaken(name);
      const favorite = {
        id: newId(),
        name,
        words: [...words],
        savedBy: ask.actor.userId,
        savedAt: clock.now(),
      };
      await favorites.save(favorite, await mayReplace(deps, ask));
      return { lines: savedWords(favorite) };
    },
  };
}

function listFavoritesRoute(deps: Bot): Route {
  return {
    id: FAVORITES,
    verb: 'favorites',
    aliases: ['favourites'],
    spoken: {
      asks: [
        '(which|what|list|show) * (filters|favorites|favourites) * (save|saved)',
        '(saved filters|favorites|favourites)',
        '(which|what) * filters',
        '(delete|remove|drop|forget) (favorite|favourite|favorites|favourites|saved filter)',
      ],
    },
    permission: 'instances:read',
    writes: false,
    usage: '',
    summary: 'the filters that have a name',
    handle: (ask) => showFavorites(deps, ask),
  };
}

/** The part of the Home that shows the first of them. It keeps no place in the list, since it is drawn again and again. */
function someFavoritesRoute(deps: Bot): Route {
  return {
    id: SOME_FAVORITES,
    verb: 'some favorites',
    permission: 'instances:read',
    writes: false,
    summary: 'the first filters that have a name',
    handle: async (ask) => {
      const all = await listKnown(deps, ask);
      const head = favoritesHead(all.length);
      const buttons = all.length > 0 ? { buttons: [FAVORITES_BUTTON] } : {};
      const list = { ...favoriteList(all, { lines: [head] }), page: () => ({ lines: [head], ...buttons }) };
      return pageMessage(list, { from: 0, listId: undefined });
    },
  };
}

function favoriteList(rows: readonly Favorite[], none: Message, may?: MayReplace): List<Favorite> {
  return {
    routeId: FAVORITES,
    words: [],
    rows,
    none,
    perPage: PER_PAGE,
    bullet: favoriteLine,
    page: (part) => {
      const menu = part.rows
        .filter((one) => may?.(one))
        .map(({ id, name }) => ({ label: `Remove ${name}`, routeId: FORGET, value: id }));
      return {
        lines: [favoritesHead(rows.length, isWhole(part) ? undefined : part)],
        ...(menu.length > 0 ? { menu } : {}),
      };
    },
  };
}

/** Those that tell the person no name of what isn't theirs to see. */
async function listKnown({ access, favorites }: Bot, ask: Ask): Promise<readonly Favorite[]> {
  const { mayKnow } = await sightOf(access, ask.actor, ask.place.channelId);
  return (await favorites.list()).filter(mayKnow);
}

async function showFavorites(deps: Bot, ask: Ask): Promise<Reply> {
  const page = await askedPage(deps, ask, '/instances favorites');
  const [all, may] = await Promise.all([listKnown(deps, ask), mayReplace(deps, ask)]);
  if (all.length === 0) {
    const named = [[inWords('Name and filters', 'nightly = name:staging-*')]];
    return withInstead(deps.offers, SAVE, { lines: [noFavorites()] }, named, [], ask);
  }
  return showList(deps, ask, page, favoriteList(all, { lines: [] }, may));
}

/** So many buttons stand on one line, beside that of a field and Cancel. */
const MOST_OFFERED = 3;

/** Asks which one is meant, of those that the person may remove. */
async function whichFavorite(deps: Bot, ask: Ask): Promise<Refusal> {
  const [all, may] = await Promise.all([listKnown(deps, ask), mayReplace(deps, ask)]);
  const theirs = all.filter(may);
  if (theirs.length === 0) return new Refusal('bad-favorite', say`There is no favorite that you can remove.`);
  const buttons = theirs.slice(0, MOST_OFFERED).map(({ name }) => [name]);
  const more = theirs.length > MOST_OFFERED ? [[inWords('Name', theirs.at(-1)?.name ?? '')]] : [];
  return new Refusal('bad-favorite', say`Which favorite do you want to remove?`, oneOf(...buttons, ...more));
}

function forgetRoute(deps: Bot): Route {
  return {
    id: FORGET,
    verb: 'forget',
    permission: 'instances:read',
    writes: true,
    usage: '<name of a favorite>',
    summary: 'forget filters that have a name',
    isAskable: false,
    handle: async (ask, audit) => {
      const { words, value } = ask;
      const name = words.join(' ').toLowerCase();
      const isMeant = (one: Favorite): boolean =>
        value === undefined ? one.name === name : one.id === value;
      if (value === undefined && name === '') throw await whichFavorite(deps, ask);
      const { mayKnow } = await sightOf(deps.access, ask.actor, ask.place.channelId);
      const mayForget = await mayReplace(deps, ask);
      const gone = await deps.favorites.forget((one) => isMeant(one) && mayKnow(one), mayForget);
      if (!gone)
        throw new Refusal('no-such-favorite', {
          lines: [noSuchFavorite(value === undefined ? name : undefined)],
          buttons: [FAVORITES_BUTTON],
        });
      audit({ args: { favorite: gone.name, words: gone.words } });
      return withInstead(deps.offers, SAVE, { lines: forgotten(gone) }, [[gone.name, '=', ...gone.words]]);
    },
  };
}

/** The person who saved it may replace or forget it, and an admin any. */
async function mayReplace({ access }: Bot, { actor, place: { channelId } }: Ask): Promise<MayReplace> {
  const { allowed } = await access.check(actor, 'access:grant', 'all', { channelId });
  return ({ savedBy }) => allowed || savedBy === actor.userId;
}
