import { readStored, toStored } from '../../platform/redis/stored.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { commit } from '../records/commit.ts';
import { absent, same, there } from '../records/conditions.ts';
import { forgetRequest } from '../records/forget-request.ts';
import { file, remove, set } from '../records/writes.ts';
import type { Entry } from '../audit/entry.ts';
import { type Ask, askSchema } from '../ask/ask.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { refusedWriteIn } from '../../platform/redis/away.ts';
import { faultOf, type RedisConnection } from '../../platform/redis/connection.ts';
import { batchKeys } from '../batches/keys.ts';
import { operationKeys } from '../operations/keys.ts';
import { requestKeys } from '../ask/keys.ts';
import { intakeKeys } from './keys.ts';
import { BoundedMap } from '../../platform/bounded-map.ts';
import { newId } from '../../platform/id.ts';
import { releaseLock, takeLock } from '../../platform/redis/lock.ts';
import { loadScript } from '../../platform/redis/script.ts';
import { requireReplicas, surviving } from '../../platform/redis/survive.ts';
import { type Message, messageSchema } from '../../platform/slack/message.ts';
import type { Timings } from '../timings.ts';

/** A request was certainly not written down. */
export class NotWritten extends Error {
  constructor(why: string, options?: ErrorOptions) {
    super(`writing a request down: ${why}`, options);
    this.name = 'NotWritten';
  }
}

/** A request that waits for a call to the hosting service. */
type QueuedAsk = Ask & { readonly queuedUntil: number };

/** What people asked for, written down before it is acknowledged, until it is answered or begun. */
export interface RequestStore {
  /**
   * Writes a request down. `seen`: the same delivery was written down before. Throws NotWritten when it certainly
   * was not written within `writeDownWithinMs` of being asked, and anything else when nobody can tell.
   */
  accept(ask: Ask): Promise<'accepted' | 'duplicate'>;
  /**
   * Writes down a read that its own process answers; the sweep wakes its job only once that process must be gone. One
   * try, because a read needs no record to be answered. `token`: that of `isFirst`, where that was asked. Throws where it was
   * not written, or nobody can tell.
   */
  acceptRead(ask: Ask, token: string): Promise<'accepted' | 'duplicate'>;
  /** The request, if nothing has come of it yet. */
  find(requestId: string): Promise<Ask | undefined>;
  /**
   * Writes down what it is answered with, and the entry that records it; it can't be begun any more. `begun`: it was begun
   * before; `gone`: another run decided it, or it was revoked.
   */
  decide(ask: Ask, reply: Message, entry: Entry | undefined): Promise<'decided' | 'begun' | 'gone'>;
  /**
   * To be called before something is done of a request. What it gives resolves once all that was written since outlives this Redis,
   * and throws NotReplicated where that is not certain: then it is to be done again, and not to be called done.
   */
  surviving(): Promise<() => Promise<void>>;
  /** What was decided and is not delivered yet. */
  findReply(requestId: string): Promise<Decided | undefined>;
  /** The sweep leaves it alone until then (Unix ms). */
  postpone(requestId: string, until: number): Promise<void>;
  /** Queues it until the time that `ask` names: its job and the sweep leave it alone. Does nothing where it was answered meanwhile. */
  enqueue(ask: QueuedAsk): Promise<void>;
  /** Answered: nothing is left to do. */
  finish(requestId: string): Promise<void>;
  /**
   * Takes back what a write whose answer was lost may have written, as if it had never come: Slack delivers again what
   * nobody acknowledged, and that must be taken then. `taken`: another delivery of the same stands, and stays.
   */
  revoke(ask: Ask): Promise<'taken' | 'not taken'>;
  /**
   * Answers with `reply` what this process has written down lately and Redis has lost, as a replica may that took over: whether
   * another process has begun it meanwhile, nobody can tell. Gives the ids of those. Throws what Redis throws.
   */
  answerLost(reply: Message): Promise<readonly string[]>;
  /** Whether a delivery comes for the first time, or with the token with which it did; remembers it. */
  isFirst(deliveryId: string, token: string): Promise<boolean>;
  /** Forgets a delivery that `isFirst` has remembered with this token. */
  forget(deliveryId: string, token: string): Promise<void>;
  /** What people asked for of which nothing has come yet. */
  listOpen(): Promise<readonly Ask[]>;
  /** Ids of requests written down before `before`. */
  listDue(before: number): Promise<string[]>;
}

const DELIVERY_REMEMBERED_MS = 24 * 3_600_000;
const RECORD_KEPT_MS = 3_600_000;
const MAX_AT_ONCE = 500;
/** A Redis that restarts is away for a moment, and nobody needs to hear of it: tried again for part of the time. */
const SHARE_FOR_TRYING_AGAIN = 0.7;
const TRY_AGAIN_AFTER_MS = 40;

/** So many requests are remembered that this process has written down, for as long as it takes until a replica has taken over. */
const MOST_OWN = 1_000;
const OWN_FOR_MS = 20_000;

const accept = loadScript(new URL('./accept.lua', import.meta.url));

/** What a request is answered with, and where that goes. */
export interface Decided {
  readonly ask: Ask;
  readonly reply: Message;
}
const decidedSchema: z.ZodType<Decided> = z.object({ ask: askSchema, reply: messageSchema });

/** What Redis refuses is certainly not written. */
function orNotWritten(error: unknown): never {
  throw refusedWriteIn(error) ? new NotWritten('Redis refuses it', { cause: error }) : error;
}

export function createRequestStore(
  redis: RedisConnection,
  clock: RedisClock,
  timings: Timings,
): RequestStore {
  const write = createWrite(redis, clock, timings);
  const own = new BoundedMap<string, Ask>(MOST_OWN);
  return {
    accept: async (ask) => {
      const accepted = await tryAgain(ask, clock, timings, write);
      own.set(ask.id, ask);
      return accepted;
    },
    acceptRead: (ask, token) => write(ask, token, { sweptLaterMs: timings.readWithinMs, survives: false }),
    find: async (requestId) => {
      const record = await redis.get(requestKeys.request(requestId));
      return record === null ? undefined : readStored(askSchema, record);
    },
    decide: async (ask, reply, entry) => {
      const decided: Decided = { ask, reply };
      own.delete(ask.id);
      const request = requestKeys.request(ask.id);
      const { result } = await commit<'gone'>(redis, {
        if: [there(request, 'gone')],
        write: [remove(request), set(intakeKeys.reply(ask.id), toStored(decided), RECORD_KEPT_MS)],
        audit: entry,
        survives: true,
      });
      if (result === 'written') return 'decided';
      const begun = await redis.exists(operationKeys.operation(ask.id), batchKeys.batch(ask.id));
      return begun > 0 ? 'begun' : 'gone';
    },
    surviving: async () => surviving(redis),
    findReply: async (requestId) => {
      const record = await redis.get(intakeKeys.reply(requestId));
      return record === null ? undefined : readStored(decidedSchema, record);
    },
    postpone: async (requestId, until) => {
      await redis.zadd(requestKeys.open, 'XX', until, requestId);
    },
    enqueue: (ask) => enqueue(redis, ask),
    finish: async (requestId) => {
      own.delete(requestId);
      await commit(redis, {
        write: [...forgetRequest(requestId), remove(intakeKeys.reply(requestId))],
      });
    },
    revoke: async (ask) => {
      const { id } = ask;
      const [request, delivery] = [requestKeys.request(id), intakeKeys.delivery(id)];
      // Only as this very delivery wrote it.
      const { result } = await commit<'another'>(redis, {
        if: [same(request, toStored(ask), 'another')],
        write: [...forgetRequest(id), remove(delivery)],
        survives: true,
      });
      if (result === 'written') return 'not taken';
      // Another delivery of the same was taken, or this one is begun or decided already.
      return (await redis.exists(delivery)) === 1 ? 'taken' : 'not taken';
    },
    answerLost: async (reply) => {
      const lately = clock.now() - OWN_FOR_MS;
      const asks = [...own.values()].filter(({ askedAt }) => askedAt > lately);
      const answered = await Promise.all(asks.map((ask) => answerOne(redis, ask, reply, clock.now())));
      return asks.flatMap(({ id }, at) => (answered[at] ? [id] : []));
    },
    isFirst: (id, token) => takeLock(redis, intakeKeys.delivery(id), token, DELIVERY_REMEMBERED_MS),
    forget: (id, token) => releaseLock(redis, intakeKeys.delivery(id), token),
    listOpen: async () => {
      const ids = await redis.zrangebyscore(requestKeys.open, '-inf', '+inf', 'LIMIT', 0, MAX_AT_ONCE);
      if (ids.length === 0) return [];
      const records = await redis.mget(ids.map((id) => requestKeys.request(id)));
      return records.flatMap((record) => (record === null ? [] : [readStored(askSchema, record)]));
    },
    listDue: (before) => redis.zrangebyscore(requestKeys.open, '-inf', before, 'LIMIT', 0, MAX_AT_ONCE),
  };
}

/** Writes a request down, again and again for part of the time that there is. Throws as `accept` does. */
async function tryAgain(
  ask: Ask,
  clock: RedisClock,
  timings: Timings,
  write: ReturnType<typeof createWrite>,
): Promise<'accepted' | 'duplicate'> {
  const tryAgainUntil = ask.askedAt + timings.writeDownWithinMs * SHARE_FOR_TRYING_AGAIN;
  const token = newId();
  let lost: unknown;
  for (;;) {
    try {
      return await write(ask, token);
    } catch (error) {
      if (!(error instanceof NotWritten)) lost = error;
      if (clock.now() >= tryAgainUntil) throw lost ?? error;
      await wait(TRY_AGAIN_AFTER_MS);
    }
  }
}

/** Answers one request of which Redis knows nothing. False where it does. */
async function answerOne(redis: RedisConnection, ask: Ask, reply: Message, now: number): Promise<boolean> {
  const { id } = ask;
  const decided: Decided = { ask, reply };
  // It is remembered far longer than the request.
  const delivery = intakeKeys.delivery(id);
  const { result } = await commit<'known'>(redis, {
    if: [absent(delivery, 'known'), absent(operationKeys.operation(id), 'known')],
    write: [
      set(delivery, newId(), DELIVERY_REMEMBERED_MS),
      set(intakeKeys.reply(id), toStored(decided), RECORD_KEPT_MS),
      file(requestKeys.open, id, now),
    ],
    survives: true,
  });
  return result === 'written';
}

/** How a request is written down: how much later than others the sweep wakes its job (ms), and whether it must outlive this Redis. */
interface HowWritten {
  readonly sweptLaterMs: number;
  readonly survives: boolean;
}

/** Writes one request down, once. Throws NotReplicated where it must survive and that is not certain. */
function createWrite(
  redis: RedisConnection,
  clock: RedisClock,
  timings: Timings,
): (ask: Ask, token: string, how?: HowWritten) => Promise<'accepted' | 'duplicate'> {
  return async (ask, token, { sweptLaterMs, survives } = { sweptLaterMs: 0, survives: true }) => {
    if (!clock.isSet() || redis.status !== 'ready')
      throw new NotWritten('Redis does not answer', { cause: faultOf(redis) });
    if (survives) await requireReplicas(redis).catch(orNotWritten);
    const latest = ask.askedAt + timings.writeDownWithinMs;
    const run = (): Promise<unknown> =>
      accept(redis, keysOf(ask), [
        ask.id,
        toStored(ask),
        clock.atRedis(latest),
        DELIVERY_REMEMBERED_MS,
        RECORD_KEPT_MS,
        clock.now() + sweptLaterMs,
        token,
      ]).catch(orNotWritten);
    const survive = surviving(redis);
    let answer = await run();
    if (answer === 'late' && clock.now() < latest) {
      // Redis' clock has been set since it was last read.
      await clock.look().catch(() => undefined);
      answer = await run();
    }
    if (answer === 'accepted' || answer === 'duplicate') {
      if (survives) await survive();
      return answer;
    }
    throw new NotWritten(String(answer));
  };
}

async function enqueue(redis: RedisConnection, ask: QueuedAsk): Promise<void> {
  await redis
    .multi()
    .set(requestKeys.request(ask.id), toStored(ask), 'KEEPTTL', 'XX')
    .zadd(requestKeys.open, 'XX', ask.queuedUntil, ask.id)
    .exec();
}

/** What stands of a request as long as nothing has come of it. */
function keysOf({ id }: Ask): string[] {
  return [requestKeys.request(id), requestKeys.open, intakeKeys.delivery(id)];
}
