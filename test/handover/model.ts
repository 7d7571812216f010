import { createRecords } from '../../src/core/records/records.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Redis } from 'ioredis';
import type { Ask } from '../../src/core/ask/ask.ts';
import { walkAudit } from '../../src/core/audit/audit-reader.ts';
import { entrySchema } from '../../src/core/audit/entry.ts';
import type { Route } from '../../src/core/intake/route.ts';
import { CANCELED } from '../../src/core/offers/canceled.ts';
import { createOffers } from '../../src/core/offers/offers.ts';
import { createOutbox, postsBy } from '../../src/core/outbox/outbox.ts';
import type { Access } from '../../src/core/policy/access.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import {
  type HandoverDeps,
  listThings,
  EXPIRED,
  HANDOVERS,
  messageIdOf,
} from '../../src/features/handover/things.ts';
import { handoverRoutes } from '../../src/features/handover/index.ts';
import { HANDOVER_ROUTES } from '../../src/features/handover/messages.ts';
import { idOf } from '../../src/platform/id.ts';
import { toPlainText } from '../../src/platform/slack/phrase.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { CHANNEL, createOpenThings, HOUR_MS, QUEUE } from './open-things.ts';

const PEOPLE = ['U0ANA000001', 'U0BOB000001', 'U0CYN000001'] as const;
type Who = (typeof PEOPLE)[number];
const GROUP = 'S0ONCALL001';
/** May have all but freezes. */
const NARROW: Who = 'U0CYN000001';

/** A process that is gone: nothing that it waited for is heard of. */
class Killed extends Error {}

/** Numbers that follow from a seed. */
function numbersOf(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return (state >>> 3) % below;
  };
}

/** Kills whoever goes on after the await of this number, before its call was made or after. */
interface Strike {
  left: number;
  readonly isAfter: boolean;
}

function struck<T extends object>(part: T, strike: Strike): T {
  const around = async (call: () => unknown): Promise<unknown> => {
    strike.left -= 1;
    const isNow = strike.left === 0;
    if (isNow && !strike.isAfter) throw new Killed();
    const answer = await call();
    if (isNow) throw new Killed();
    return answer;
  };
  return new Proxy(part, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name);
      return typeof found === 'function'
        ? (...args: unknown[]) => around(() => Reflect.apply(found, target, args))
        : found;
    },
  });
}

/** Who has each open thing, by its source and id. Throws where one is had by two. */
type Owners = ReadonlyMap<string, string>;

/** A team of three and a group of two of them, with open things of each kind, in Redis. */
export function createTeam(redis: Redis, seed: number) {
  const pick = numbersOf(seed);
  const one = <T>(all: readonly T[]): T => all[pick(all.length)]!;
  let now = 1_000_000;
  let count = 0;
  const nextId = (what: string): string => idOf(`${seed} ${what} ${(count += 1)}`);
  const clock = fixedClock(() => now);
  const outbox = createOutbox({ redis, queue: QUEUE, clock, timings: TIMINGS });
  const posts = createRecords(redis, postsBy(TIMINGS));
  const offers = createOffers(redis);
  const { begin, doings, openNow, sources } = createOpenThings({ redis, clock, outbox, nextId, pick });
  const allowed = { allowed: true, rule: { by: 'admins' } } as const;
  const refused = { allowed: false, reason: 'no role' } as const;
  const access = {
    check: async () => allowed,
    checkMember: async () => allowed,
    which: async () => () => true,
    within:
      async ({ userId }: { userId: string }) =>
      (wanted: object) =>
        userId === NARROW ? undefined : wanted,
    decisions:
      async ({ userId }: { userId: string }, permission: string) =>
      () =>
        userId === NARROW && permission === 'access:freeze' ? refused : allowed,
  } as unknown as Access;
  const deps: HandoverDeps = {
    sources,
    access,
    people: { standing: async () => 'member', name: async () => undefined },
    userGroups: { members: async () => new Set(PEOPLE.slice(1)) },
    offers,
    outbox,
    clock,
    timings: TIMINGS,
  };

  const routesOf = (strike?: Strike): readonly Route[] =>
    handoverRoutes(
      strike
        ? {
            ...deps,
            sources: sources.map((source) => struck(source, strike)),
            offers: struck(offers, strike),
            outbox: struck(outbox, strike),
            access: struck(access, strike),
          }
        : deps,
    );
  const handle = async (ask: Ask, strike?: Strike): Promise<'done' | 'refused' | 'killed'> => {
    const route = routesOf(strike).find(({ id }) => id === ask.route)!;
    try {
      await route.handle(ask, () => undefined);
      return 'done';
    } catch (error) {
      if (error instanceof Killed) return 'killed';
      if (error instanceof Refusal) return 'refused';
      throw error;
    }
  };
  const askOf = (who: Who, route: string, more: Partial<Ask> = {}): Ask => ({
    id: nextId('ask'),
    route,
    words: [],
    actor: { userId: who },
    place: { channelId: CHANNEL },
    replaces: false,
    askedAt: now,
    ...more,
  });
  /** Carries a request out: killed perhaps, and then by another process. */
  const request = async (ask: Ask): Promise<void> => {
    const strike: Strike | undefined =
      pick(3) === 0 ? { left: 1 + pick(25), isAfter: pick(2) === 0 } : undefined;
    if ((await handle(ask, strike)) === 'killed') await handle(ask);
  };

  const offered: string[] = [];
  const taken = new Map<string, Ask>();

  /** What people do; each gives nothing where it doesn't apply now. */
  const quietly = (doing: Promise<unknown>): Promise<void> =>
    doing.then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
      },
    );
  const handsOver = async (who: Who): Promise<void> => {
    const words = [one([...PEOPLE.filter((other) => other !== who), GROUP])];
    const ask = askOf(who, HANDOVER_ROUTES.handover, { words });
    await request(ask);
    const offerId = idOf(`handover ${ask.id}`);
    if ((await offers.find(HANDOVERS, offerId)).what) offered.push(offerId);
  };
  /** Gives the offer, and the press. */
  const press = async (who: Who, route: string): Promise<Ask | undefined> => {
    const value = offered.at(-1 - pick(Math.min(3, Math.max(1, offered.length))));
    if (value === undefined) return undefined;
    const before = taken.get(value);
    const ask = before && pick(3) === 0 ? before : askOf(who, route, { value });
    if (route === HANDOVER_ROUTES.take) taken.set(value, ask);
    await request(ask);
    return ask;
  };
  const ownersNow = async (): Promise<Owners> => {
    const owners = new Map<string, string>();
    for (const who of PEOPLE)
      for (const { source, id } of await listThings(deps, who)) {
        const key = `${source} ${id}`;
        const other = owners.get(key);
        if (other !== undefined) throw new Error(`${key} is had by ${other} and by ${who}`);
        owners.set(key, who);
      }
    return owners;
  };

  /** What moved by a press is all that was shown, was still theirs and may be had, and nothing else did. */
  const pressAlone = async (who: Who): Promise<void> => {
    const before = await ownersNow();
    const uses = new Map(
      await Promise.all(offered.map(async (id) => [id, (await offers.find(HANDOVERS, id)).usedBy] as const)),
    );
    const ask = await press(who, HANDOVER_ROUTES.take);
    const { what, usedBy } = await offers.find(HANDOVERS, ask?.value ?? '');
    const isTaken = ask !== undefined && usedBy === ask.id && uses.get(ask.value ?? '') === undefined;
    const expected = new Map(before);
    const to = ask?.actor.userId ?? '';
    if (isTaken && what)
      for (const { source, id } of what.things) {
        const key = `${source} ${id}`;
        const mayHave = source !== 'access' || to !== NARROW;
        if (before.get(key) === what.actor.userId && mayHave) expected.set(key, to);
      }
    const after = await ownersNow();
    if (!isDeepStrictEqual(expected, after))
      throw new Error(`a press ${isTaken ? 'moved other things' : 'that was not taken moved something'}`);
  };

  const acts: readonly (() => Promise<unknown>)[] = [
    ...Array.from({ length: 6 }, () => () => quietly(one(doings)(one(PEOPLE)))),
    ...Array.from({ length: 2 }, () => () => handsOver(one(PEOPLE))),
    ...Array.from({ length: 3 }, () => () => pressAlone(one(PEOPLE))),
    () => press(one(PEOPLE), HANDOVER_ROUTES.cancel),
    () =>
      Promise.all([
        press(one(PEOPLE), HANDOVER_ROUTES.take),
        press(one(PEOPLE), HANDOVER_ROUTES.take),
        quietly(one(doings)(one(PEOPLE))),
        quietly(one(doings)(one(PEOPLE))),
      ]),
    () => Promise.all([press(one(PEOPLE), HANDOVER_ROUTES.take), press(one(PEOPLE), HANDOVER_ROUTES.cancel)]),
    async () => {
      now += pick(5) === 0 ? 13 * HOUR_MS : 1_000;
    },
  ];

  /** Throws where an open thing has no owner, or more than one. */
  const check = async (): Promise<void> => {
    const [owners, count_] = [await ownersNow(), await openNow()];
    if (owners.size !== count_)
      throw new Error(`${count_} things are open, and ${owners.size} have an owner`);
  };

  /** Throws where somebody hasn't heard what came of a handover, or what nothing came of is told. */
  const checkHeard = async (): Promise<void> => {
    const takes: { readonly by: string; readonly of: string | undefined }[] = [];
    await walkAudit(redis, ({ entry }) => {
      const { what, route, requestId: by, target } = entrySchema.parse(JSON.parse(entry));
      if (route === HANDOVER_ROUTES.take && what === 'set') takes.push({ by, of: target?.id });
      return true;
    });
    for (const id of offered) {
      const { usedBy } = await offers.find(HANDOVERS, id);
      const [message, told] = await Promise.all([posts.find(messageIdOf(id)), posts.find(`handed-${id}`)]);
      const says = toPlainText(message?.content.lines[0] ?? []);
      const isTaken = usedBy !== undefined && usedBy !== CANCELED && usedBy !== EXPIRED;
      const [, icon] = [
        [undefined, '🤝'],
        [CANCELED, '⚪ <@U'],
        [EXPIRED, '⚪ Nobody took'],
      ].find(([by]) => by === usedBy) ?? [usedBy, /^[✅⚪]/u.exec(says)?.[0]];
      if (!message || icon === undefined || !says.startsWith(icon))
        throw new Error(`${String(usedBy)}: ${says}`);
      if (isTaken !== (told !== undefined)) throw new Error(`who hands over was told wrongly: ${says}`);
      if (takes.some(({ by }) => by === usedBy) !== isTaken) throw new Error(`not recorded once: ${says}`);
    }
    if (new Set(takes.map(({ by, of }) => `${by} ${of ?? ''}`)).size !== takes.length)
      throw new Error('recorded twice of one thing');
  };

  return {
    begin,
    /** Does one thing, and looks at what came of it. */
    step: async (): Promise<void> => {
      await one(acts)();
      await check();
    },
    checkHeard,
    /** How often each came to something, so that a walk that does nothing is seen. */
    offered,
  };
}
