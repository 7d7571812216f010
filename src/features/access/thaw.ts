import { oneOf } from '../../core/ask/mend-words.ts';
import { entryOf } from '../../core/audit/entry.ts';
import { changeAsJudged, thawed, usedUpBy } from '../../core/policy/access-record.ts';
import { type Freeze, isFrozen } from '../../core/policy/freeze.ts';
import { asItStands, type Narrowing } from '../../core/policy/narrow.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask } from '../../core/ask/ask.ts';
import { saidHere } from '../../core/outbox/post.ts';
import { together } from '../../core/records/commit.ts';
import { withInstead } from '../../core/intake/typed-button.ts';
import type { Route } from '../../core/intake/route.ts';
import type { Message } from '../../platform/slack/message.ts';
import { person, type Phrase, say } from '../../platform/slack/phrase.ts';
import { parseThaw } from './parse-freeze.ts';
import type { Bot } from '../../core/bot/bot.ts';

/** How the route is shown by a button that ends a freeze. */
export const THAW = {
  id: 'lamplighter.thaw',
  verb: 'thaw',
  label: (words: readonly string[], named: (word: string) => string): string => {
    const on = parseThaw(words);
    return on ? `End the freeze of ${on.map(named).join(', ')}` : 'End the freeze';
  },
};
/** So many freezes have a button each. */
const MOST_ENDED = 4;

/** The words that end each of these freezes; one for those of the same. */
export function endings(freezes: readonly Freeze[]): readonly (readonly string[])[] {
  const all = [...new Set(freezes.map(({ on }) => on?.join(',')))];
  return all.slice(0, MOST_ENDED).map((on) => (on === undefined ? [] : ['on', on]));
}

/** `/lamplighter thaw`, `thaw on prod-*`: changes are possible again. */
export function thawRoute(deps: Bot): Route {
  const { accessStore, outbox, clock } = deps;
  return {
    ...THAW,
    spoken: {
      orders: ['(unfreeze|unlock|lift freeze|end freeze|remove freeze|thaw) (everything|all|things|<that>)?'],
    },
    permission: 'access:freeze',
    writes: true,
    mayNameAccount: () => true,
    serves: 'thaw',
    usage: '[on prod-*]',
    summary: 'end a freeze',
    mayOffer: async (ask) => {
      const on = parseThaw(ask.words)?.join();
      const { freezes } = await accessStore.get();
      const those = freezes.filter((one) => isFrozen(one, clock.now()) && one.on?.join() === on);
      await requireWithin(deps, ask, those.map(asItStands));
    },
    idle: async ({ words }) => {
      const { freezes } = await accessStore.get();
      const isAny = words.length > 0 || freezes.some((one) => isFrozen(one, clock.now()));
      return isAny ? undefined : nothingFrozen();
    },
    handle: async (ask, audit, by) => {
      const on = parseThaw(ask.words);
      const now = clock.now();
      let theirs: readonly Freeze[] = [];
      let left: readonly Freeze[] = [];
      await changeAsJudged(
        accessStore,
        async ({ freezes }) => {
          // Before it is said whether there is such a freeze; in a form that it may have been given in.
          const [as = { on }] = on ? await requireWithin(deps, ask, [{ on }]) : [];
          // A request that is carried out twice finds what it has ended itself.
          const mine = freezes.filter(
            (one) =>
              (isFrozen(one, now) || one.thawed?.requestId === ask.id) &&
              (on === undefined || one.on?.join() === on.join() || one.on?.join() === as.on?.join()),
          );
          const mayEnd = await deps.access.within(ask.actor, 'access:freeze', ask.place.channelId);
          const isTheirs = (one: Freeze): boolean =>
            mayEnd({ ...asItStands(one), in: [ask.place.channelId] }) !== undefined;
          const ending = freezes.filter((one) => isFrozen(one, now) && isTheirs(one));
          if (mine.length === 0)
            throw new Refusal(
              'not-frozen',
              on
                ? say`There is no freeze on exactly ${on.join(', ')}, so nothing was changed.`
                : nothingFrozen(),
              oneOf(...endings(ending)),
            );
          const within = on === undefined && mine.some(isTheirs) ? mine.filter(isTheirs) : mine;
          theirs = on === undefined ? meantByThaw(within, ask.id) : within;
          await requireWithin(deps, ask, theirs.map(asItStands));
          const ids = theirs.map(({ id }) => id);
          left = ending.filter(({ id }) => !ids.includes(id));
          const ended = { by: ask.actor.userId, at: now, requestId: ask.id };
          return (record) => usedUpBy(ask.id, [by], thawed(record, ids, ended));
        },
        async () =>
          together<'moved'>(
            { audit: entryOf(ask, 'set', now, { result: 'done' }) },
            await outbox.saying(saidHere(ask, { lines: thawedLines(theirs, left, ask) }), 'moved'),
          ),
      );
      audit('recorded');
      return withInstead(deps.offers, THAW, thawedReply(theirs, left, ask), endings(left));
    },
  };
}

/**
 * Which freezes `thaw` alone ends: what the same request has ended before, else that of everything, else the only one there is.
 * Throws a Refusal where it could be several. Pure.
 */
export function meantByThaw(freezes: readonly Freeze[], requestId: string): readonly Freeze[] {
  const ended = freezes.filter(({ thawed: how }) => how?.requestId === requestId);
  if (ended.length > 0) return ended;
  const ofAll = freezes.filter(({ on }) => on === undefined);
  if (ofAll.length > 0 || freezes.length === 1) return ofAll.length > 0 ? ofAll : freezes;
  throw new Refusal(
    'several',
    {
      lines: [
        say`Several freezes are set, and none of them is of everything, so nothing was done. Which one do you want to end?`,
      ],
      bullets: freezes.map(({ on = [], why }) => say`${on.join(', ')} ("${why}")`),
    },
    // One button ends all that are of the same.
    oneOf(...[...new Set(freezes.map(({ on = [] }) => on.join(',')))].map((on) => ['on', on])),
  );
}

/** What everybody reads of freezes that were ended. `left`: those that are not. */
function thawedLines(freezes: readonly Freeze[], left: readonly Freeze[], { actor }: Ask): readonly Phrase[] {
  return freezes.map(({ on, why }) => {
    const what = on ? on.join(', ') : left.length === 0 ? 'Everything' : 'Everything else';
    return say`☀️ ${what} can be changed again: ${person(actor.userId)} ended the freeze "${why}".`;
  });
}

function thawedReply(freezes: readonly Freeze[], left: readonly Freeze[], ask: Ask): Message {
  const lines = thawedLines(freezes, left, ask);
  return {
    lines: [
      ...(saidHere(ask, { lines }).length > 0 ? [say`☀️ Thawed. Posted here for everyone.`] : lines),
      ...left.map(({ on, why }) => say`🧊 ${on ? on.join(', ') : 'Everything'} is still frozen ("${why}").`),
    ],
  };
}

/** What the person may freeze or thaw of this. It is done from here, wherever they may do it. Throws a Refusal. */
export function requireWithin(
  { access }: Bot,
  { id, route, actor, place: { channelId } }: Ask,
  those: readonly Narrowing[],
): Promise<readonly Narrowing[]> {
  const wanted = those.map(({ on, until }) => ({ on, until, in: [channelId] }));
  const at = { channelId, route, operationId: id };
  return access.requireWithin(actor, 'access:freeze', at, wanted);
}

/** Said where nothing is frozen. */
export function nothingFrozen(): Phrase {
  return say`Nothing is frozen.`;
}
