import { readStored, toStored } from '../../platform/redis/stored.ts';
import { z } from 'zod';
import { commit, forgetRequest, file, remove, set } from '../records/commit.ts';
import { there, absent, same, filed } from '../records/conditions.ts';
import type { Entry } from '../audit/entry.ts';
import { type Ask, askSchema, REQUEST_KEPT_MS, requestKeys } from '../ask/ask.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { BATCHES } from '../batches/batch-store.ts';
import { operationKeys } from '../operations/keys.ts';
import { createWrite, DELIVERY_REMEMBERED_MS, intakeKeys, writeAgain } from './write-down.ts';
import { BoundedMap } from '../../platform/bounded-map.ts';
import { newId } from '../../platform/id.ts';
import { releaseLock, takeLock } from '../../platform/redis/lock.ts';
import { surviving } from '../../platform/redis/survive.ts';
import { type Message, messageSchema } from '../../platform/slack/message.ts';
import type { Timings } from '../timings.ts';

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
  /**
   * Takes a request up, if nothing has come of it yet. `isAgain`: a run did so before, which may have carried it out and been cut
   * off: what that wrote stands only where its mark, which is older, does. `mark`: of this run.
   */
  takeUp(
    requestId: string,
  ): Promise<{ readonly ask: Ask; readonly isAgain: boolean; readonly mark: string } | undefined>;
  /**
   * Writes down what it is answered with, and the entry that records it; it can't be begun any more. `begun`: it was begun
   * before; `gone`: another run decided it, or it was revoked. `nothingSince`: the mark of this run, where the reply says that
   * nothing was done; `again`: another run has taken it up since, or something came of it.
   */
  decide(
    ask: Ask,
    reply: Message,
    entry: Entry | undefined,
    nothingSince?: string,
  ): Promise<'decided' | 'begun' | 'gone' | 'again'>;
  /**
   * To be called before something is done of a request. What it gives resolves once all that was written since outlives this Redis,
   * and throws NotReplicated where that is not certain: then it is to be done again, and not to be called done.
   */
  surviving(): Promise<() => Promise<void>>;
  /** What was decided and is not delivered yet. */
  findReply(requestId: string): Promise<Decided | undefined>;
  /** The sweep leaves it alone until then (Unix ms). */
  postpone(requestId: string, until: number): Promise<void>;
  /**
   * Queues it until the time that `ask` names: its job and the sweep leave it alone. `mark`: of the run that does so, which has done
   * nothing else. False where it was answered meanwhile.
   */
  enqueue(ask: QueuedAsk, mark: string): Promise<boolean>;
  /** Answered: nothing is left to do. Gives whether there was before; two who come to the same end hear it once. */
  finish(requestId: string): Promise<boolean>;
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

const MAX_AT_ONCE = 500;
/** So many requests are remembered that this process has written down, for as long as it takes until a replica has taken over. */
const MOST_OWN = 1_000;
const OWN_FOR_MS = 20_000;

/** What a request is answered with, and where that goes. */
export interface Decided {
  readonly ask: Ask;
  readonly reply: Message;
}
const decidedSchema: z.ZodType<Decided> = z.object({ ask: askSchema, reply: messageSchema });

export function createRequestStore(
  redis: RedisConnection,
  clock: RedisClock,
  timings: Timings,
): RequestStore {
  const write = createWrite(redis, clock, timings);
  const own = new BoundedMap<string, Ask>(MOST_OWN);
  return {
    accept: async (ask) => {
      const accepted = await writeAgain(ask, clock, timings, write);
      own.set(ask.id, ask);
      return accepted;
    },
    acceptRead: (ask, token) => write(ask, token, { sweptLaterMs: timings.readWithinMs, survives: false }),
    takeUp: (requestId) => takeUp(redis, requestId),
    decide: async (ask, reply, entry, nothingSince) => {
      const decided: Decided = { ask, reply };
      const request = requestKeys.request(ask.id);
      const isStill =
        nothingSince === undefined ? [] : [same(requestKeys.taken(ask.id), nothingSince, 'again' as const)];
      const { result } = await commit<'gone' | 'again'>(redis, {
        if: [there(request, 'gone'), ...isStill],
        write: [remove(request), set(intakeKeys.reply(ask.id), toStored(decided), REQUEST_KEPT_MS)],
        audit: entry,
        survives: true,
      });
      if (result === 'again') return result;
      own.delete(ask.id);
      if (result === 'written') return 'decided';
      const begun = await redis.exists(operationKeys.operation(ask.id), BATCHES.keyOf(ask.id));
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
    enqueue: (ask, mark) => enqueue(redis, ask, mark),
    finish: async (requestId) => {
      own.delete(requestId);
      const forgetting = [...forgetRequest(requestId), remove(intakeKeys.reply(requestId))];
      const open = filed(requestKeys.open, requestId, 'over' as const);
      const { result } = await commit(redis, { if: [open], write: forgetting });
      if (result === 'over') await commit(redis, { write: forgetting });
      return result === 'written';
    },
    revoke: async (ask) => {
      const { id } = ask;
      const [request, delivery] = [requestKeys.request(id), intakeKeys.delivery(id)];
      // Only as this very delivery wrote it, and where no run can have carried it out.
      const { result } = await commit<'another'>(redis, {
        if: [same(request, toStored(ask), 'another'), absent<'another'>(requestKeys.taken(id), 'another')],
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
      set(intakeKeys.reply(id), toStored(decided), REQUEST_KEPT_MS),
      file(requestKeys.open, id, now),
    ],
    survives: true,
  });
  return result === 'written';
}

async function takeUp(redis: RedisConnection, id: string): ReturnType<RequestStore['takeUp']> {
  const mark = newId();
  // First the mark, so that nobody takes back what is read then.
  const [before, record] = await Promise.all([
    redis.set(requestKeys.taken(id), mark, 'PX', REQUEST_KEPT_MS, 'GET'),
    redis.get(requestKeys.request(id)),
  ]);
  return record === null ? undefined : { ask: readStored(askSchema, record), isAgain: before !== null, mark };
}

async function enqueue(redis: RedisConnection, ask: QueuedAsk, mark: string): Promise<boolean> {
  const answers = await redis
    .multi()
    .set(requestKeys.request(ask.id), toStored(ask), 'KEEPTTL', 'XX')
    .zadd(requestKeys.open, 'XX', ask.queuedUntil, ask.id)
    .exec();
  // The next run is the first that may carry it out.
  await releaseLock(redis, requestKeys.taken(ask.id), mark);
  return answers?.[0]?.[1] === 'OK';
}
