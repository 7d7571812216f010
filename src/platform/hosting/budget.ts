import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isRedisAway } from '../redis/away.ts';
import type { RedisConnection } from '../redis/connection.ts';
import { key } from '../redis/key.ts';
import { loadScript } from '../redis/script.ts';
import { createCallsInMemory, type Part } from './calls-in-memory.ts';
import { HostingError } from './hosting-error.ts';
import { SHORTEST_WAIT_MS } from './retry-after.ts';

/** What the key of everything that a budget keeps begins with. */
export const BUDGET = key('budget');
/** Each key of a budget; `account` is the hash of its API key. */
const budgetKeys = {
  calls: (account: string, part = 'all'): string => `${BUDGET}:${account}:${part}`,
  pause: (account: string): string => `${BUDGET}:${account}:pause`,
  queue: (account: string): string => `${BUDGET}:${account}:queue`,
  queueUntil: (account: string): string => `${BUDGET}:${account}:queue-until`,
} as const;

/**
 * Who waits for a call. The later ones come first: a page of a very long list, or of the list of instances that is read
 * again for everybody, what the bot reads by itself and what such a reading goes on with, a person's read, a poll of what is
 * under way, what is read for a change that somebody asked for, a write, and the money that alerts hang on, which has so few
 * calls of its own that nobody misses them.
 */
export type Priority =
  | 'bulk'
  | 'refresh'
  | 'background'
  | 'continued'
  | 'read'
  | 'poll'
  | 'change'
  | 'write'
  | 'alert';

/** A write in the queue: an id of its own, and since when in Redis' time, which decides its place. */
interface Ticket {
  readonly id: string;
  readonly since: number;
}

/** A place in the queue: the first is 1. */
export interface QueuePlace {
  readonly place: number;
  /** About how long (ms) until it has a call. */
  readonly waitMs: number;
}

/** One rate budget for each API key, shared by every process that uses it. */
export interface Budget extends WriteQueue {
  /** Takes a call, or waits for one. Throws a HostingError (rate-limited, not done) at once when none comes within `patienceMs`. */
  take(priority: Priority, doing: string, patienceMs: number): Promise<void>;
  /** The service itself said 429: nobody calls before `waitMs` have passed. */
  pause(waitMs: number): Promise<void>;
}

/**
 * The queue for the budget, of writes: docs/decisions/0026-a-queue-for-the-budget.md. Those who asked first come
 * first, across processes and crashes.
 */
export interface WriteQueue {
  /** Takes a write's call, and gives the ticket back; or the place of the ticket, which is to ask again by then. */
  takeOrWait(ticket: Ticket): Promise<QueuePlace | undefined>;
  /** Gives a ticket back that is not needed any more. */
  leave(ticketId: string): Promise<void>;
}

export interface Limit {
  readonly requests: number;
  readonly seconds: number;
}

/** How much of a window's calls may have been made, no matter by whom, when each still gets one. */
const SHARES: Readonly<Record<Priority, number>> = {
  bulk: 0.75,
  refresh: 0.75,
  background: 0.75,
  continued: 0.75,
  read: 0.85,
  poll: 0.95,
  change: 1,
  write: 1,
  alert: 1,
};

/** What writes may take of a window: the rest is for polls of what they came to, and for what people read meanwhile. */
const WRITE_SHARE = 0.7;
/** What nobody waits for has a small part of its own, so that it takes neither people's part nor the other's. */
const OWN_SHARES = { bulk: 0.16, refresh: 0.25, background: 0.08, alert: 0.12 } as const;
/** Such a part is spread over the window in this many pieces. */
const PIECES = 4;
/** A check of the balance takes two calls, so a piece has room for two. */
const LEAST_OF_A_PIECE = 2;
/** Calls take more or less time to arrive: a service that counts to the millisecond must not see one more. */
const MAX_MARGIN_MS = 1_000;
const MARGIN = 0.05;
/** A ticket that nobody asks for so long after its call was due is dropped. */
const TICKET_LIFE_MS = 60_000;

/** What a share of a limit comes to, in whole seconds and in pieces as small as still have room for one check of the balance. */
export function pieceOf(limit: Limit, share: number): Limit {
  const pieces = Math.max(1, Math.min(PIECES, Math.floor((limit.requests * share) / LEAST_OF_A_PIECE)));
  return {
    requests: Math.max(1, Math.floor((limit.requests * share) / pieces)),
    seconds: Math.ceil(limit.seconds / pieces),
  };
}

/** How often (ms) the money that alerts hang on can be read at most. Pure. */
export function leastAlertEveryMs(limit: Limit): number {
  const { requests, seconds } = pieceOf(limit, OWN_SHARES.alert);
  return (seconds * 1_000) / requests;
}

/** How much of a key's calls is used in the window that ends now. */
export interface Spent {
  readonly used: number;
  readonly limit: Limit;
  /** How long (ms) until all of them no longer count; 0 where there are none. */
  readonly endsInMs: number;
}

/** Looks at the budget of a key without taking a call from it. Throws what Redis or the connection says. */
export function createSpent(
  redis: RedisConnection,
  apiKey: string,
  limit: Limit,
  now: () => number,
): () => Promise<Spent> {
  return async () => {
    const calls = budgetKeys.calls(accountOf(apiKey));
    const windowMs = windowOf(limit);
    const counting = callsIn((await redis.mget(calls))[0] ?? '').filter(({ at }) => at > now() - windowMs);
    const used = counting.reduce((sum, { count }) => sum + count, 0);
    const endsInMs = Math.max(0, ...counting.map(({ at }) => at + windowMs - now()));
    return { used, limit, endsInMs };
  };
}

/** Calls as take-call.lua keeps them: so many, the last of them at that time (Redis' clock, Unix ms). Pure. */
function callsIn(text: string): readonly { readonly at: number; readonly count: number }[] {
  return [...text.matchAll(/(\d+):(\d+)/g)].map(([, at, count]) => ({
    at: Number(at),
    count: Number(count),
  }));
}

/** What tells one API key from another in Redis, without naming it. */
export function accountOf(apiKey: string): string {
  return hash('sha256', apiKey, 'base64url').slice(0, 22);
}

function windowOf({ seconds }: Limit): number {
  return seconds * 1_000 + Math.min(MAX_MARGIN_MS, seconds * 1_000 * MARGIN);
}

/** The parts of a budget that a call counts in: all of it, and its own where it has one. */
function partsOf(limit: Limit): (priority: Priority) => readonly [Part, ...Part[]] {
  const own = (name: keyof typeof OWN_SHARES): Part => {
    const { requests, seconds } = pieceOf(limit, OWN_SHARES[name]);
    return { name, most: requests, windowMs: seconds * 1_000 };
  };
  const writes = Math.max(1, Math.floor(limit.requests * WRITE_SHARE));
  const background = own('background');
  const parts: Readonly<Partial<Record<Priority, Part>>> = {
    bulk: own('bulk'),
    refresh: own('refresh'),
    background,
    continued: background,
    alert: own('alert'),
    write: { name: 'write', most: writes, windowMs: windowOf(limit) },
  };
  return (priority) => {
    const most = Math.max(1, Math.floor(limit.requests * SHARES[priority]));
    const all: Part = { name: 'all', most, windowMs: windowOf(limit) };
    const part = parts[priority];
    return part ? [all, part] : [all];
  };
}

const takeCall = loadScript(new URL('./take-call.lua', import.meta.url));
const pauseCalls = loadScript(new URL('./pause-calls.lua', import.meta.url));

/**
 * Never more calls than the limit in any window of its length, wherever the service begins to count. Without Redis each
 * process counts for itself, so that reading goes on while Redis is down. The key is known to Redis only by its hash, and another
 * one has a budget of its own. `now`: that of all processes, Unix ms.
 */
export function createBudget(
  redis: RedisConnection,
  apiKey: string,
  limit: Limit,
  now: () => number,
): Budget {
  const inMemory = createCallsInMemory();
  const partsFor = partsOf(limit);
  const account = accountOf(apiKey);

  const tryCall = async (
    priority: Priority,
    ticket?: Ticket,
  ): Promise<QueuePlace & { readonly isPause: boolean }> => {
    const parts = partsFor(priority);
    const [, own] = parts;
    try {
      const answer = await takeCall(
        redis,
        [
          budgetKeys.calls(account),
          budgetKeys.calls(account, own?.name ?? priority),
          budgetKeys.pause(account),
          budgetKeys.queue(account),
          budgetKeys.queueUntil(account),
        ],
        wordsOf(parts, ticket, now()),
      );
      const [waitMs = 0, place = 0, isPause = 0] = Array.isArray(answer) ? answer.map(Number) : [];
      return { waitMs, place, isPause: isPause === 1 };
    } catch (error) {
      if (!isRedisAway(error)) throw error;
      return { waitMs: inMemory.take(parts), place: 1, isPause: false };
    }
  };

  return {
    take: async (priority, doing, patienceMs) => {
      let left = patienceMs;
      for (;;) {
        const { waitMs, isPause } = await tryCall(priority);
        if (waitMs === 0) return;
        if (waitMs > left) throw outOfCalls(doing, waitMs, isPause);
        left -= waitMs;
        await wait(waitMs);
      }
    },
    takeOrWait: async (ticket) => {
      const { waitMs, place } = await tryCall('write', ticket);
      return waitMs === 0 ? undefined : { waitMs, place };
    },
    leave: async (ticketId) => {
      try {
        await redis
          .multi()
          .zrem(budgetKeys.queue(account), ticketId)
          .zrem(budgetKeys.queueUntil(account), ticketId)
          .exec();
      } catch (error) {
        // It counts no longer than its life.
        if (!isRedisAway(error)) throw error;
      }
    },
    pause: async (waitMs) => {
      if (waitMs <= 0) return;
      inMemory.pause(waitMs);
      await pauseCalls(redis, [budgetKeys.pause(account)], [Math.ceil(waitMs), now()]).catch(() => undefined);
    },
  };
}

/** What take-call.lua is told. */
function wordsOf([all, own]: readonly [Part, ...Part[]], ticket: Ticket | undefined, now: number) {
  return [
    all.windowMs,
    all.most,
    own?.windowMs ?? '',
    own?.most ?? '',
    ticket?.id ?? '',
    ticket?.since ?? '',
    TICKET_LIFE_MS,
    now,
  ];
}

function outOfCalls(doing: string, waitMs: number, isPause: boolean): HostingError {
  return new HostingError(doing, {
    fault: 'rate-limited',
    isOwnLimit: !isPause,
    outcome: 'not-done',
    retryable: true,
    retryAfterMs: Math.max(waitMs, SHORTEST_WAIT_MS),
  });
}
