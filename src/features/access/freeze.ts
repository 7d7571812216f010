import { entryOf } from '../../core/audit/entry-of.ts';
import { type AccessStore, frozen, thawed } from '../../core/policy/access-record.ts';
import { type Freeze, isFrozen } from '../../core/policy/freeze.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask, Reply, Route } from '../../core/routing/route.ts';
import { idOf } from '../../platform/id.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { People } from '../../platform/slack/people.ts';
import { person, type Phrase, say, time } from '../../platform/slack/phrase.ts';
import { parseFreeze, parseThaw } from './parse-freeze.ts';

export interface FreezeDeps {
  readonly accessStore: AccessStore;
  readonly people: People;
  readonly clock: Pick<RedisClock, 'now'>;
}

/** Where nobody knows the asker's own. */
const DEFAULT_ZONE = 'UTC';

/** `/lamplighter freeze until mon 08:00 "release"`: nobody but an admin changes anything until then. */
export function freezeRoute(deps: FreezeDeps): Route {
  return {
    id: 'lamplighter.freeze',
    verb: 'freeze',
    synonyms: ['lock', 'stop-all'],
    permission: 'instances:read',
    writePermission: 'access:freeze',
    writes: (words) => words.length > 0,
    usage: '[on prod-*] [until mon 08:00 | for 4h] ["why"]',
    summary: 'see what is frozen; with words, which an admin can say, let nobody else change instances',
    handle: async (ask, note) => {
      const { accessStore, clock } = deps;
      if (ask.words.length === 0) return shown((await accessStore.get()).freezes, clock.now());
      const now = clock.now();
      const words = parseFreeze(ask.words, await zoneOf(deps, ask), now);
      const { on, zone, ...rest } = words;
      const freeze: Freeze = {
        // The id follows from the request, so that a request carried out twice freezes once.
        id: idOf(`freeze ${ask.id}`),
        ...(on ? { on: [...on] } : {}),
        ...rest,
        by: ask.actor.userId,
        at: now,
      };
      note('recorded');
      await accessStore.change(
        (record) => (record.freezes.some(({ id }) => id === freeze.id) ? record : frozen(record, freeze)),
        entryOf(ask, 'set', now, { result: 'done' }),
      );
      return {
        lines: [say`🧊 ${freezeLine(freeze)}`],
        note: say`${zoneWords(zone)}An admin can still make a change with --override "why". To end the freeze, type /lamplighter thaw${onWords(on)}.`,
      };
    },
  };
}

/** `/lamplighter thaw`, `thaw on prod-*`: changes are possible again. */
export function thawRoute({ accessStore, clock }: FreezeDeps): Route {
  return {
    id: 'lamplighter.thaw',
    verb: 'thaw',
    synonyms: ['unfreeze', 'unlock'],
    permission: 'access:freeze',
    writes: true,
    usage: '[on prod-*]',
    summary: 'end a freeze',
    handle: async (ask, note) => {
      const on = parseThaw(ask.words);
      const now = clock.now();
      const before = await accessStore.get();
      // A request that is carried out twice finds what it has ended itself.
      const mine = before.freezes.filter(
        (one) =>
          (isFrozen(one, now) || one.thawed?.ref === ask.id) &&
          (on === undefined || one.on?.join() === on.join()),
      );
      if (mine.length === 0)
        throw new Refusal(
          'not-frozen',
          on
            ? say`There is no freeze on exactly ${on.join(', ')}. With freeze alone you see what is frozen.`
            : say`Nothing is frozen.`,
        );
      note('recorded');
      const ids = mine.map(({ id }) => id);
      await accessStore.change(
        (record) => thawed(record, ids, { by: ask.actor.userId, at: now, ref: ask.id }),
        entryOf(ask, 'set', now, { result: 'done' }),
      );
      return thawedReply(mine);
    },
  };
}

/** In which zone a time of day was understood; nothing where none was typed. */
function zoneWords(zone: string | undefined): Phrase {
  return zone === undefined ? say`` : say`The time is in ${zone}. `;
}

function onWords(on: readonly string[] | undefined): Phrase {
  return on ? say` on ${on.join(',')}` : say``;
}

function thawedReply(freezes: readonly Freeze[]): Reply {
  return {
    lines: freezes.map(
      ({ on, why }) => say`☀️ ${on ? on.join(', ') : 'Everything'} can be changed again ("${why}" is over).`,
    ),
  };
}

function shown(freezes: readonly Freeze[], now: number): Reply {
  const open = freezes.filter((one) => isFrozen(one, now));
  if (open.length === 0) return { lines: [say`Nothing is frozen.`] };
  return { lines: [say`Frozen now:`], bullets: open.map(freezeLine) };
}

function freezeLine({ on, until, why, by }: Freeze): Phrase {
  const what = on ? on.join(', ') : 'everything';
  const end = until === undefined ? say`until an admin thaws it` : say`until ${time(until)}`;
  return say`${person(by)} froze ${what} ${end}: "${why}".`;
}

/** The zone that the asker's clock shows, as Slack knows it. */
async function zoneOf({ people }: FreezeDeps, { actor }: Ask): Promise<string> {
  return (await people.zone(actor.userId).catch(() => undefined)) ?? DEFAULT_ZONE;
}
