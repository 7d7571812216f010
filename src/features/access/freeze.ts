import { type AccessRecord, frozen, usedUpBy } from '../../core/policy/access-record.ts';
import { type Freeze, isFrozen } from '../../core/policy/freeze.ts';
import { keptWords } from '../../core/policy/messages.ts';
import { asItStands } from '../../core/policy/narrow.ts';
import { momentOf } from '../../core/sentences/moment.ts';
import { refuseFilters, refuseUnknownPatterns } from '../../core/lookup/known-names.ts';
import type { Route } from '../../core/intake/route.ts';
import { setting } from '../../core/intake/setting.ts';
import { withInstead } from '../../core/intake/typed-button.ts';
import { idOf } from '../../platform/id.ts';
import { parseWeekday } from '../../platform/time/clock-words.ts';
import { lengthLabel } from '../../core/sentences/length.ts';
import type { Message } from '../../platform/slack/message.ts';
import { person, type Phrase, say, time } from '../../platform/slack/phrase.ts';
import { bareWords, isBeforeReason, parseFreeze } from './parse-freeze.ts';
import { endings, nothingFrozen, requireWithin, THAW } from './thaw.ts';
import type { Bot } from '../../core/bot/bot.ts';

/** "Freeze everything until Sat 09:00: release". */
function freezeLabel(words: readonly string[], named: (word: string) => string): string {
  const isOfSome = words[0]?.toLowerCase() === 'on';
  const rest = isOfSome
    ? words.slice(2)
    : words.filter((word, at) => at > 0 || word.toLowerCase() !== 'everything');
  const last = rest.findIndex((word) => /^(?:\d+[mhdw]|\d{1,2}:\d\d)$/i.test(word));
  const end = rest
    .slice(0, last + 1)
    .map((word) => (isWeekday(word) ? `${word.charAt(0).toUpperCase()}${word.slice(1)}` : lengthLabel(word)));
  const why = rest.slice(last + 1).join(' ');
  const what = isOfSome ? (words[1] ?? '').split(',').map(named).join(', ') : 'everything';
  return `${['Freeze', what, ...end].join(' ')}${why === '' ? '' : `: ${why}`}`;
}

function isWeekday(word: string): boolean {
  return parseWeekday(word) !== undefined;
}

/** `/lamplighter freeze until mon 08:00 "release"`: nobody but an admin changes anything until then. */
export function freezeRoute(deps: Bot): Route {
  const { access, accessStore, clock } = deps;
  return setting<AccessRecord>(deps, {
    route: {
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
      mayNameAccount: (before) => isBeforeReason(before, { at: deps.clock.now(), zone: 'UTC' }),
      label: (words, named) => (words.length > 0 ? freezeLabel(words, named) : undefined),
      usage: '[on prod-*] [until mon 08:00 | for 4h] ["why"]',
      summary: 'see what is frozen; with words, which an admin can say, let nobody else change instances',
    },
    store: accessStore,
    read: async (ask, by) => {
      if (ask.words.length === 0) return undefined;
      const now = clock.now();
      const maySee = await access.which(ask.actor, 'instances:read', ask.place.channelId);
      await refuseFilters(deps.hosting, bareWords(ask.words, ask.line), maySee);
      const moment = await momentOf(deps, ask.actor.userId, now);
      const { zone, why, ...wanted } = parseFreeze(ask.words, ask.line, moment);
      const [mine = wanted] = await requireWithin(deps, ask, [wanted]);
      const { on, until } = mine;
      await refuseUnknownPatterns(deps.hosting, wanted.on, maySee);
      const freeze: Freeze = {
        // The id follows from the request, so that the answer of whichever run ends this one.
        id: idOf(`freeze ${ask.id}`),
        ...(on ? { on: [...on] } : {}),
        until,
        why,
        by: ask.actor.userId,
        at: now,
      };
      const line = say`🧊 ${freezeLine(freeze)}`;
      return {
        step: (record) => usedUpBy(ask.id, [by], frozen(record, freeze)),
        fact: () => line,
        answer: async ({ isPosted }) => {
          const done = {
            lines: [isPosted ? say`🧊 Frozen. Posted here for everyone.` : line],
            note: say`${zoneWords(zone)}${wanted.until === until ? '' : say`It ends when your own role does. `}An admin can still make a change with --override "why".`,
          };
          return withInstead(deps.offers, THAW, done, endings([freeze]));
        },
      };
    },
    shown: async ({ freezes }, { actor, place: { channelId } }) => {
      const now = clock.now();
      const open = freezes.filter((one) => isFrozen(one, now));
      const isMine = await access.meets(actor, 'instances:read', channelId);
      const mayEnd = await access.within(actor, 'access:freeze', channelId);
      const theirs = open.filter((one) => mayEnd({ ...asItStands(one), in: [channelId] }));
      const known = open.flatMap((one) => asFarAs(one, isMine));
      return withInstead(deps.offers, THAW, shown(known, known.length === open.length), endings(theirs));
    },
  });
}

/** In which zone a time of day was understood; nothing where none was typed. */
function zoneWords(zone: string | undefined): Phrase {
  return zone === undefined ? say`` : say`The time is in ${zone}. `;
}

/** A freeze with those of its patterns that the person may know of; nothing where there is none. */
function asFarAs(one: Freeze, isMine: (pattern: string) => boolean): readonly Freeze[] {
  if (!one.on) return [one];
  const on = one.on.filter(isMine);
  return on.length === 0 ? [] : [{ ...one, on }];
}

/** `isAll`: none is left out that the person may not know of. */
function shown(open: readonly Freeze[], isAll: boolean): Message {
  if (open.length === 0)
    return {
      lines: [
        isAll
          ? nothingFrozen()
          : say`None of the patterns that your role names is frozen. An instance of yours may be, by another name, label or region.`,
      ],
    };
  return { lines: [say`Frozen now:`], bullets: open.map(freezeLine) };
}

function freezeLine({ on, until, why, by, owner }: Freeze): Phrase {
  const what = on ? on.join(', ') : 'everything';
  const end = until === undefined ? say`until an admin thaws it` : say`until ${time(until)}`;
  return say`${person(by)} froze ${what} ${end}: "${why}".${keptWords({ by, owner })}`;
}
