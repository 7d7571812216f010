import { choicesOf } from '../../core/lookup/choices.ts';
import { expandFavorite } from '../../core/lookup/matching.ts';
import { isFilter, parseFilters, partsOf } from '../../core/instances/filter.ts';
import { refuseUnknownValues } from '../../core/lookup/filter-values.ts';
import { amongTheirs, asSeen, type Sight, sightOf } from '../../core/lookup/sight.ts';
import { resolveNow } from '../../core/lookup/resolve.ts';
import { resolveSeveral } from '../../core/lookup/several.ts';
import type { AccessRule } from '../../core/policy/decide.ts';
import type { Choice, Places } from '../../core/policy/places.ts';
import { forChannel } from '../../core/ask/for-channel.ts';
import { oneOf, inWords } from '../../core/ask/mend-words.ts';
import { type Commit, together } from '../../core/records/commit.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask, Reply } from '../../core/ask/ask.ts';
import type { Route } from '../../core/intake/route.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { ago, channel, person, say } from '../../platform/slack/phrase.ts';
import { withCard } from './judge.ts';
import { WATCH_POLL_ID } from './poll.ts';
import { ended } from './react.ts';
import { WATCH_ROUTES } from './card-buttons.ts';
import { SPOKEN } from './list.ts';
import { asKnown, mayManage, WATCHED_FIELDS } from './scope.ts';
import { lineOf, type Watch, watchWords } from './watch.ts';
import { onlyAmong, WATCHES, type Watching } from './watch-store.ts';

const VERB = { verb: 'watch', routeId: WATCH_ROUTES.watch };
const MAX_WATCHES = 100;
const MAX_IN_CHANNEL = 10;
/** So often it is looked again what there is, where somebody else set a watch meanwhile. */
const MAX_TRIES = 20;

type Meant = Pick<Watch, 'filters' | 'instances'>;

/** `/instances watch name:prod-*`: this channel hears of changes that nobody asked for here. */
export function watchRoute(deps: Watching, places: Places): Route {
  return {
    id: WATCH_ROUTES.watch,
    verb: VERB.verb,
    spoken: SPOKEN.watch,
    permission: 'instances:watch',
    writes: true,
    namesInstances: true,
    usage: '<filter or names>',
    summary: 'this channel hears of changes that nobody asked for here',
    outlastsOnce: true,
    choices: (words, mayPick) => choicesOf(deps.hosting, words, mayPick),
    handle: async (asked, _audit, by) => {
      const heard = asked.picked === undefined ? asked : { ...asked, words: [asked.picked] };
      if (heard.words.length === 0) refuseUnclear(heard.words, deps.clock.now());
      const typed = forChannel(heard, 'hear of them');
      await deps.access.require(typed.actor, 'instances:watch', 'any', typed.place);
      const sight = await sightOf(deps.access, typed.actor, typed.place.channelId);
      const { words } = await expandFavorite(deps.favorites, typed.words, sight.mayKnow, async () =>
        (await deps.hosting.listInstances()).instances.filter(sight.maySee),
      );
      const ask = { ...typed, words: [...words] };
      refuseUnclear(ask.words, deps.clock.now());
      const choice = await places.allow(ask, by);
      const { meant, count } = await findMeant(deps, ask, sight);
      const { channelId } = ask.place;
      await requireTheirs(deps, ask, meant);
      const now = deps.clock.now();
      const set: Watch = {
        id: ask.id,
        ...meant,
        channelId,
        setBy: ask.actor,
        setAt: now,
        nextPollAt: now,
        cards: [],
        count: 0,
      };
      await create(deps, withCard(set, { kind: 'hello', count }, now), () =>
        choice ? choice.choosing() : deps.access.using([by], ask.id),
      );
      await wakePoll(deps);
      const where = channelId === asked.place.channelId ? say`here` : say`in ${channel(channelId)}`;
      return { lines: [say`I'll post changes to ${lineOf(set)} ${where} from now on.`] };
    },
  };
}

/** Writes a watch down, where there are not enough yet and none is the same. Throws a Refusal. */
async function create({ watches }: Watching, set: Watch, allowing: Choice['choosing']): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    // The id is the request's, so that a request carried out twice sets one watch.
    if (await watches.find(set.id)) return;
    const all = await watches.listAll();
    refuseTooMany(
      all.filter((one) => !one.ended),
      set,
    );
    const alone: Commit<'another' | 'moved'> = { if: [onlyAmong(all, 'another')] };
    const beside = together(alone, await allowing());
    const { result } = await watches.create(set.id, set, beside);
    if (result === 'written') return;
  }
  throw new Error(`watch ${set.id}: others are set all the time`);
}

async function wakePoll({ queue }: Pick<Watching, 'queue'>): Promise<void> {
  // What could not be woken is found by the sweep.
  await queue.wake(WATCHES.job, WATCH_POLL_ID).catch(() => undefined);
}

/** Throws a Refusal where words can't say what to watch, whatever there is. */
function refuseUnclear(words: readonly string[], now: number): void {
  if (words.length === 0)
    throw new Refusal(
      'no-name',
      say`What do you want to watch? name:* is all of them.`,
      oneOf(['name:*'], [inWords('Names or filters', 'name:prod-* label:team=web')]),
    );
  const filters = words.filter(isFilter);
  parseFilters(filters, now);
  const isSteady = (word: string): boolean => WATCHED_FIELDS.includes(partsOf(word).field);
  const unsteady = filters.find((word) => !isSteady(word));
  if (unsteady === undefined) return;
  const why = WHY_NOT[partsOf(unsteady).field] ?? 'that can change by itself';
  throw new Refusal(
    'bad-filter',
    say`I can't watch by "${unsteady}", because ${why}. Filters for a watch are name:, tier:, region: and label:, as in name:prod-* label:team=web.`,
    (typed) => {
      const steady = typed.filter((word) => !isFilter(word) || isSteady(word));
      return steady.length > 0 && steady.length < typed.length ? [steady] : [];
    },
  );
}

const WHY_NOT: Readonly<Record<string, string>> = {
  status: 'a watch tells you when that changes',
  health: 'a watch tells you when that changes',
  addon: "a watch doesn't read add-ons",
};

/**
 * What words mean to watch, and how many of those the actor may see in this channel; undefined where that isn't known. Throws a
 * Refusal.
 */
async function findMeant(
  { hosting, access, favorites, clock }: Watching,
  { words }: Ask,
  sight: Sight,
): Promise<{ readonly meant: Meant; readonly count: number | undefined }> {
  const now = clock.now();
  if (words.every(isFilter)) {
    const passes = parseFilters(words, now);
    const { instances, incomplete } = await hosting.listInstances({ freshMs: 0 });
    const theirs = instances.filter(sight.maySee);
    refuseUnknownValues(words, theirs, false, incomplete !== undefined);
    const count = incomplete ? undefined : theirs.filter(passes).length;
    return { meant: { filters: [...words], instances: [] }, count };
  }
  const several = await resolveSeveral({ hosting, favorites }, words, sight, now);
  const typed = words.join(' ');
  const one = async (): Promise<Instance> => resolveNow(asSeen(hosting, sight), VERB, typed);
  const named = several
    ? several.instances
    : [await amongTheirs(access, sight, 'instances:read', typed, one())];
  const instances = named.map(({ id, name }: Instance) => ({ id, name }));
  return { meant: { filters: [], instances }, count: instances.length };
}

/** Throws a Refusal where one is named that its setter may not watch; of what filters find, only theirs is ever shown. */
async function requireTheirs(
  { access }: Watching,
  { id, actor, place: { channelId } }: Ask,
  meant: Meant,
): Promise<void> {
  const at = { channelId, operationId: id };
  for (const target of meant.instances) await access.require(actor, 'instances:watch', target, at);
}

/** Throws a Refusal where there are enough, or the same is watched there already. */
function refuseTooMany(open: readonly Watch[], set: Watch): void {
  const inChannel = open.filter(({ channelId }) => channelId === set.channelId);
  const same = inChannel.find((one) => isSame(one, set));
  if (same)
    throw new Refusal(
      'watched-already',
      say`${lineOf(same)} is watched here already, set by ${person(same.setBy.userId)} ${ago(same.setAt)}. Nothing was changed.`,
    );
  if (inChannel.length >= MAX_IN_CHANNEL || open.length >= MAX_WATCHES)
    throw new Refusal(
      'too-many-watches',
      inChannel.length >= MAX_IN_CHANNEL
        ? say`There are ${MAX_IN_CHANNEL} watches in this channel, which is the most. Unwatch one with /instances unwatch, or widen a filter.`
        : say`There are ${MAX_WATCHES} watches, which is the most. Unwatch one with /instances unwatch, or widen a filter.`,
    );
}

function isSame(one: Meant, other: Meant): boolean {
  const keyOf = ({ filters, instances }: Meant): string =>
    JSON.stringify([
      filters.map((word) => word.toLowerCase()).toSorted(),
      instances.map(({ id }) => id).toSorted(),
    ]);
  return keyOf(one) === keyOf(other);
}

/** `/instances unwatch name:prod-*`: this channel no longer hears of it. */
export function unwatchRoute(deps: Watching): Route {
  return {
    id: WATCH_ROUTES.unwatch,
    verb: 'unwatch',
    spoken: SPOKEN.unwatch,
    permission: 'instances:watch',
    writes: true,
    namesInstances: true,
    usage: '[<filter or names>]',
    summary: 'this channel hears of it no longer',
    handle: async (ask, _audit, by) => {
      const sight = await sightOf(deps.access, ask.actor, ask.place.channelId);
      const all = (await deps.watches.listAll()).filter((one) => !one.ended);
      const here = all
        .filter(({ channelId }) => channelId === ask.place.channelId)
        .flatMap((one) => asKnown(one, ask.actor, sight) ?? []);
      const isBare = ask.words.length === 0;
      const meant = isBare && here.length === 1 ? here : here.filter((one) => isTyped(one, ask.words));
      const [watch] = meant;
      if (!watch)
        throw new Refusal(
          'no-watch',
          {
            lines: [
              !isBare || here.length === 0
                ? say`That isn't watched in this channel, so nothing was changed.`
                : say`What do you want to unwatch in this channel?`,
            ],
            bullets: here.map((one) => say`${lineOf(one)}`),
          },
          oneOf(...here.slice(0, MOST_OFFERED).map((one) => watchWords(one))),
        );
      return endWatch(deps, ask, watch, by);
    },
  };
}

/** So many buttons stand on one line, beside Cancel. */
const MOST_OFFERED = 4;

/** The words in any case and order, or the ids of the instances. */
function isTyped(watch: Watch, typed: readonly string[]): boolean {
  const inOrder = (words: readonly string[]): string =>
    words.join(' ').toLowerCase().split(' ').toSorted().join(' ');
  const ids = watch.instances.map(({ id }) => id);
  return inOrder(watchWords(watch)) === inOrder(typed) || (ids.length > 0 && inOrder(ids) === inOrder(typed));
}

/** The button Unwatch of that list. */
export function removeRoute(deps: Watching): Route {
  return {
    id: WATCH_ROUTES.remove,
    verb: 'unwatch that',
    permission: 'instances:watch',
    writes: true,
    summary: 'stop watching',
    handle: async (ask, _audit, by) => {
      const watch = await deps.watches.find(ask.value ?? '');
      const isTheirs = watch?.channelId === ask.place.channelId || watch?.setBy.userId === ask.actor.userId;
      if (!watch || watch.ended || !isTheirs)
        throw new Refusal('no-watch', say`That watch has ended already. Nothing was changed.`);
      return endWatch(deps, ask, watch, by);
    },
  };
}

/** Throws a Refusal where somebody else set it and it is about more than this person may watch. */
async function endWatch(deps: Watching, ask: Ask, known: Watch, by?: AccessRule): Promise<Reply> {
  const { watches, clock, access } = deps;
  // What is known of it may be less than all.
  const watch = (await watches.find(known.id)) ?? known;
  const isTheirs =
    watch.setBy.userId === ask.actor.userId ||
    (await mayManage(access, ask.actor, ask.place.channelId, watch));
  if (!isTheirs)
    throw new Refusal(
      'no-right',
      say`That watch is about more than the instances that your role covers, so nothing was changed. ${person(watch.setBy.userId)} set it and can end it.`,
    );
  await watches.change(
    watch.id,
    (one) => ended(one, 'unwatched', clock.now(), ask.actor.userId),
    () => access.using([by], ask.id),
  );
  return { lines: [say`${lineOf(known)} isn't watched any more.`] };
}
