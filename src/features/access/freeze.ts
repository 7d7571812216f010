import { oneOf } from '../../core/ask/mend-words.ts';
import { entryOf } from '../../core/audit/entry-of.ts';
import type { Access } from '../../core/policy/access.ts';
import { type AccessStore, changeAsJudged, frozen, thawed } from '../../core/policy/access-record.ts';
import { type Freeze, isFrozen } from '../../core/policy/freeze.ts';
import { asItStands, type Narrowing } from '../../core/policy/narrow.ts';
import { momentOf } from '../../core/sentences/moment.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask } from '../../core/ask/ask.ts';
import { refuseUnknownNames } from '../../core/lookup/known-names.ts';
import type { Offers } from '../../core/offers/offers.ts';
import type { Outbox } from '../../core/outbox/outbox.ts';
import { saidHere } from '../../core/outbox/said-here.ts';
import { together } from '../../core/records/commit.ts';
import type { Route } from '../../core/intake/route.ts';
import { withInstead } from '../../core/intake/with-instead.ts';
import { idOf } from '../../platform/id.ts';
import type { HostingService } from '../../platform/hosting/service.ts';
import { parseWeekday } from '../../platform/time/clock-words.ts';
import { lengthWords } from '../../platform/time/duration.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { People } from '../../platform/slack/people.ts';
import type { Message } from '../../platform/slack/message.ts';
import { person, type Phrase, say, time } from '../../platform/slack/phrase.ts';
import { isBeforeReason, parseFreeze, parseThaw } from './parse-freeze.ts';

export interface FreezeDeps {
  readonly access: Access;
  readonly accessStore: AccessStore;
  readonly people: People;
  readonly hosting: Pick<HostingService, 'listInstances'>;
  readonly outbox: Pick<Outbox, 'saying'>;
  readonly offers: Offers;
  readonly clock: Pick<RedisClock, 'now'>;
}

/** "Freeze everything until Sat 09:00: release". */
function freezeLabel(words: readonly string[], named: (word: string) => string): string {
  const isOfSome = words[0]?.toLowerCase() === 'on';
  const rest = isOfSome
    ? words.slice(2)
    : words.filter((word, at) => at > 0 || word.toLowerCase() !== 'everything');
  const last = rest.findIndex((word) => /^(?:\d+[mhdw]|\d{1,2}:\d\d)$/i.test(word));
  const end = rest
    .slice(0, last + 1)
    .map((word) => (isWeekday(word) ? `${word.charAt(0).toUpperCase()}${word.slice(1)}` : lengthWords(word)));
  const why = rest.slice(last + 1).join(' ');
  const what = isOfSome ? (words[1] ?? '').split(',').map(named).join(', ') : 'everything';
  return `${['Freeze', what, ...end].join(' ')}${why === '' ? '' : `: ${why}`}`;
}

function isWeekday(word: string): boolean {
  return parseWeekday(word) !== undefined;
}

/** `/lamplighter freeze until mon 08:00 "release"`: nobody but an admin changes anything until then. */
export function freezeRoute(deps: FreezeDeps): Route {
  return {
    id: 'lamplighter.freeze',
    verb: 'freeze',
    spoken: {
      orders: [
        ['no (changes|deploys|restarts|touching) <when>', 'until {until} {why}'],
        ['(stop|hold|pause) all changes <when>', 'until {until} {why}'],
        ['freeze (everything|all|changes|things|all changes)? <when>', 'until {until} {why}'],
        ['freeze (everything|all|changes|things|all changes)? <span>', 'for {span} {why}'],
        ['freeze <x> <when>', 'on {names} until {until} {why}'],
        ['freeze <x> <span>', 'on {names} for {span} {why}'],
      ],
      asks: [
        '(freeze|frozen)',
        'how long does freeze last',
        'how long * freeze',
        '(freeze|frozen) * (last|over|end|ends)',
        'is (there|still|anything) * (freeze|frozen) *',
      ],
    },
    permission: 'instances:read',
    writePermission: 'access:freeze',
    writes: (words) => words.length > 0,
    mayNameAccount: (before) => isBeforeReason(before, { at: deps.clock.now(), zone: 'UTC' }),
    label: (words, named) => (words.length > 0 ? freezeLabel(words, named) : undefined),
    usage: '[on prod-*] [until mon 08:00 | for 4h] ["why"]',
    summary: 'see what is frozen; with words, which an admin can say, let nobody else change instances',
    handle: async (ask, audit) => {
      const { access, accessStore, outbox, clock } = deps;
      const now = clock.now();
      if (ask.words.length === 0) {
        const open = (await accessStore.get()).freezes.filter((one) => isFrozen(one, now));
        const isMine = await access.meets(ask.actor, 'instances:read', ask.place.channelId);
        const mayEnd = await access.within(ask.actor, 'access:freeze', ask.place.channelId);
        const theirs = open.filter((one) => mayEnd({ ...asItStands(one), in: [ask.place.channelId] }));
        return withInstead(
          deps.offers,
          THAW,
          shown(open.flatMap((one) => asFarAs(one, isMine))),
          endings(theirs),
        );
      }
      const { zone, why, ...wanted } = parseFreeze(
        ask.words,
        ask.line,
        await momentOf(deps, ask.actor.userId, now),
      );
      const [mine = wanted] = await requireWithin(deps, ask, [wanted]);
      const { on, until } = mine;
      const maySee = await access.which(ask.actor, 'instances:read', ask.place.channelId);
      await refuseUnknownNames(deps.hosting, wanted.on, maySee);
      const freeze: Freeze = {
        // The id follows from the request, so that a request carried out twice freezes once.
        id: idOf(`freeze ${ask.id}`),
        ...(on ? { on: [...on] } : {}),
        until,
        why,
        by: ask.actor.userId,
        at: now,
      };
      const lines = [say`🧊 ${freezeLine(freeze)}`];
      const said = saidHere(ask, { lines });
      audit('recorded');
      await accessStore.change(
        (record) => (record.freezes.some(({ id }) => id === freeze.id) ? record : frozen(record, freeze)),
        async () =>
          together<'moved'>(
            { audit: entryOf(ask, 'set', now, { result: 'done' }) },
            await outbox.saying(said, 'moved'),
          ),
      );
      const done = {
        lines: said.length > 0 ? [say`🧊 Frozen. Posted here for everyone.`] : lines,
        note: say`${zoneWords(zone)}${wanted.until === until ? '' : say`It ends when your own role does. `}An admin can still make a change with --override "why".`,
      };
      return withInstead(deps.offers, THAW, done, endings([freeze]));
    },
  };
}

const THAW = {
  id: 'lamplighter.thaw',
  verb: 'thaw',
  label: (words: readonly string[], named: (word: string) => string) => {
    const on = parseThaw(words);
    return on ? `End the freeze of ${on.map(named).join(', ')}` : 'End the freeze';
  },
};
/** So many freezes have a button each. */
const MOST_ENDED = 4;

/** The words that end each of these freezes; one for those of the same. */
function endings(freezes: readonly Freeze[]): readonly (readonly string[])[] {
  const all = [...new Set(freezes.map(({ on }) => on?.join(',')))];
  return all.slice(0, MOST_ENDED).map((on) => (on === undefined ? [] : ['on', on]));
}

/** `/lamplighter thaw`, `thaw on prod-*`: changes are possible again. */
export function thawRoute(deps: FreezeDeps): Route {
  const { accessStore, outbox, clock } = deps;
  return {
    ...THAW,
    spoken: {
      orders: ['(unfreeze|unlock|lift freeze|end freeze|remove freeze|thaw) (everything|all|things|<that>)?'],
    },
    permission: 'access:freeze',
    writes: true,
    mayNameAccount: () => true,
    usage: '[on prod-*]',
    summary: 'end a freeze',
    idle: async ({ words }) => {
      const { freezes } = await accessStore.get();
      const isAny = words.length > 0 || freezes.some((one) => isFrozen(one, clock.now()));
      return isAny ? undefined : nothingFrozen();
    },
    handle: async (ask, audit) => {
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
          return (record) => thawed(record, ids, { by: ask.actor.userId, at: now, requestId: ask.id });
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

/** In which zone a time of day was understood; nothing where none was typed. */
function zoneWords(zone: string | undefined): Phrase {
  return zone === undefined ? say`` : say`The time is in ${zone}. `;
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
function requireWithin(
  { access }: FreezeDeps,
  { id, route, actor, place: { channelId } }: Ask,
  those: readonly Narrowing[],
): Promise<readonly Narrowing[]> {
  const wanted = those.map(({ on, until }) => ({ on, until, in: [channelId] }));
  const at = { channelId, route, operationId: id };
  return access.requireWithin(actor, 'access:freeze', at, wanted);
}

/** A freeze with those of its patterns that the person may know of; nothing where there is none. */
function asFarAs(one: Freeze, isMine: (pattern: string) => boolean): readonly Freeze[] {
  if (!one.on) return [one];
  const on = one.on.filter(isMine);
  return on.length === 0 ? [] : [{ ...one, on }];
}

function nothingFrozen(): Phrase {
  return say`Nothing is frozen.`;
}

function shown(open: readonly Freeze[]): Message {
  if (open.length === 0) return { lines: [nothingFrozen()] };
  return { lines: [say`Frozen now:`], bullets: open.map(freezeLine) };
}

function freezeLine({ on, until, why, by }: Freeze): Phrase {
  const what = on ? on.join(', ') : 'everything';
  const end = until === undefined ? say`until an admin thaws it` : say`until ${time(until)}`;
  return say`${person(by)} froze ${what} ${end}: "${why}".`;
}
