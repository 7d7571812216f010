import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nothingCame } from '../../src/features/agents/answer.ts';
import { commit, createSwap } from '../../src/core/records/commit.ts';
import { auditKeys } from '../../src/core/audit/keys.ts';
import { z } from 'zod';
import { type PrivateRedis, startRedis } from '../../sandbox/redis.ts';
import type { Approval } from '../../src/core/approvals/approval.ts';
import { type Approvals, createApprovals, APPROVALS } from '../../src/core/approvals/approvals.ts';
import { POSTS, createOutbox, type Outbox } from '../../src/core/outbox/outbox.ts';
import type { NewPost } from '../../src/core/outbox/post.ts';
import { toStored } from '../../src/platform/redis/stored.ts';
import { requestKeys } from '../../src/core/ask/ask.ts';
import { newBatch } from '../../src/core/batches/batch.ts';
import { BATCHES, createBatchStore } from '../../src/core/batches/batch-store.ts';
import { PREVIEWS, ONCE_AFTER } from '../../src/core/batches/preview.ts';
import { newBoard } from '../../src/core/boards/board.ts';
import { boardKeys, createBoardStore } from '../../src/core/boards/board-store.ts';
import { intakeKeys } from '../../src/core/intake/write-down.ts';
import { createRequestStore } from '../../src/core/intake/request-store.ts';
import { BUTTON_TOKENS, createOffers, offerKey } from '../../src/core/offers/offers.ts';
import { CONFIRMATIONS } from '../../src/core/offers/confirmation.ts';
import { DRAFTS } from '../../src/core/schedules/schedule-record.ts';
import { operationKeys } from '../../src/core/operations/keys.ts';
import { createLatest } from '../../src/core/operations/latest.ts';
import { lockOf, type Operation } from '../../src/core/operations/operation.ts';
import { createPastStore } from '../../src/core/operations/past.ts';
import { createOperationStore, type OperationStore } from '../../src/core/operations/operation-store.ts';
import { noFaultPoints } from '../../src/core/base.ts';
import { createOneRecord } from '../../src/core/records/one-record.ts';
import { createRecords } from '../../src/core/records/records.ts';
import { batchIdOf, newSchedule } from '../../src/core/schedules/schedule.ts';
import type { RedisConnection } from '../../src/platform/redis/connection.ts';
import {
  createScheduleStore,
  MAX_SCHEDULES,
  type ScheduleStore,
  SCHEDULES,
} from '../../src/core/schedules/schedule-store.ts';
import { pruneAudit, createStreamAudit } from '../../src/core/watchdogs/keep-audit.ts';
import { type Installation, workspaceKeys } from '../../src/core/workspaces/installation.ts';
import { createInstallationStore } from '../../src/core/workspaces/installation-store.ts';
import { parseKeyring } from '../../src/platform/secrets/keyring.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { createWatchStore, onlyAmong, WATCHES } from '../../src/features/watches/watch-store.ts';
import { createLog } from '../../src/platform/log/log.ts';
import type { WorkQueue } from '../../src/platform/queue/queue.ts';
import { say } from '../../src/platform/slack/phrase.ts';
import { createRedisClock, type RedisClock } from '../../src/platform/redis/clock.ts';
import { operation } from '../operations/operation.ts';
import { fixedClock } from '../support/fixed-clock.ts';

/**
 * Each condition of each caller of a commit, taken out one at a time: something must come out otherwise without it. The
 * process that asks may have looked too early, so that nothing but the condition stands in the way.
 */

const SHA = createHash('sha1').update(readFileSync('src/core/records/commit.lua')).digest('hex');
const CONDITION_WORDS = 4;
const ID = 'aBcDeFgHiJkLmNoPqRsTuV';
const OTHER = 'bBcDeFgHiJkLmNoPqRsTuV';
const ENTRY = { what: 'asked', at: 0, requestId: 'r', route: 'instances.stop' } as const;
const PLACE = { channelId: 'C0OPS000001' };
const ACTOR = { userId: 'U0ANA000001' };

let server: PrivateRedis;
let admin: Redis;
let clock: RedisClock;

beforeAll(async () => {
  server = await startRedis();
  admin = new Redis(server.url);
  clock = createRedisClock(admin, createSwap(admin));
});
afterAll(async () => {
  clock.stop();
  admin.disconnect();
  await server.stop();
});

/** Which condition to leave out of every commit, by its place in the one that has so many; what was seen of them all. */
interface Watched {
  readonly leavesOut?: string;
  readonly seen: Set<string>;
  /** Done once, before the first commit with conditions reaches Redis. */
  readonly meanwhile: (nth: number) => Promise<unknown>;
}

/** A connection whose commits lack a condition. */
function lacking({ leavesOut, seen, meanwhile }: Watched): Redis {
  let nth = 0;
  const sent = async (args: readonly unknown[]): Promise<unknown> => {
    const [keyCount = 0, ...rest] = args.map(String);
    const count = Number(keyCount);
    const [keys, words] = [rest.slice(0, count), rest.slice(count)];
    const conditions = Array.from({ length: Number(words[0]) }, (_, at) => {
      const from = 1 + at * CONDITION_WORDS;
      const [kind = '', code = ''] = words.slice(from, from + 2);
      return { at, name: `${kind} ${code} ${familyOf(keys[at] ?? '')}` };
    });
    for (const { name } of conditions) seen.add(name);
    if (conditions.length > 0) await meanwhile((nth += 1));
    const left = conditions.filter(({ name }) => name !== leavesOut);
    const others = words.slice(1 + conditions.length * CONDITION_WORDS);
    const leftWords = left.flatMap(({ at }) =>
      words.slice(1 + at * CONDITION_WORDS, 1 + (at + 1) * CONDITION_WORDS),
    );
    const leftKeys = [...left.map(({ at }) => keys[at] ?? ''), ...keys.slice(conditions.length)];
    return admin.eval(
      readFileSync('src/core/records/commit.lua', 'utf8'),
      leftKeys.length,
      ...leftKeys,
      left.length,
      ...leftWords,
      ...others,
    );
  };
  return new Proxy(admin, {
    get: (target, name) => {
      if (name === 'evalsha')
        return (sha: string, ...args: unknown[]) =>
          sha === SHA ? sent(args) : Reflect.apply(target.evalsha, target, [sha, ...args]);
      const found: unknown = Reflect.get(target, name);
      return typeof found === 'function' ? (found.bind(target) as unknown) : found;
    },
  });
}

/** Kinds of records that one piece of code moves, so that what holds of one holds of all. */
const OF_RECORDS = ['schedule', 'watch', 'counted'];

/** What a key is, without whose. */
function familyOf(key: string): string {
  const [, family = key, kind] = key.split(':');
  if (family === 'offer') return `${family} ${kind}`;
  return OF_RECORDS.includes(family) ? 'record' : family;
}

interface Scenario {
  readonly what: string;
  /** Gives what came out, with a connection that may lack a condition. */
  readonly run: (redis: Redis) => Promise<unknown>;
  readonly meanwhile?: (nth: number) => Promise<unknown>;
}

const counted = z.object({ count: z.number() });
const countedKind = {
  keyOf: (id: string) => `{lamplighter}:counted:${id}`,
  index: '{lamplighter}:counted-open',
  schema: counted,
  dueAt: () => 1,
  keptMs: 60_000,
};
const plusOne = ({ count }: z.output<typeof counted>): z.output<typeof counted> => ({ count: count + 1 });

const operationsOn = (redis: Redis, latest = createLatest()): OperationStore =>
  createOperationStore({
    redis,
    outbox: outboxOn(redis),
    clock,
    timings: TIMINGS,
    log: createLog('silent', []),
    latest,
  });

/** An operation about an instance of its own, whose request is open. */
async function asked(id = ID): Promise<Operation> {
  await admin.set(requestKeys.request(id), '{}');
  const fresh = operation({});
  return { ...fresh, id, subject: { ...fresh.subject, id: `i-${id}` } };
}

const approvalOf = (decided?: Approval['decided']): Approval => ({
  id: OTHER,
  kind: 'instances.restart',
  verb: 'restart',
  what: [],
  actor: ACTOR,
  place: PLACE,
  instance: { id: '1', name: 'web-1', status: 'running' },
  args: {},
  askedAt: 0,
  expiresAt: 1e15,
  decided,
});
const refused = { how: 'refused', at: 1 } as const;
const approve = (redis: Redis): Promise<unknown> =>
  createRecords(redis, APPROVALS).create(OTHER, approvalOf());

async function beginning(
  redis: Redis,
  pressed: Parameters<OperationStore['begin']>[1] = {},
): Promise<unknown> {
  return (await operationsOn(redis).begin(await asked(), pressed, ENTRY)).result;
}

const batch = newBatch(
  {
    id: ID,
    kind: 'instances.restart',
    actor: ACTOR,
    place: PLACE,
    atOnce: 1,
    items: [{ operationId: OTHER, subject: { id: '1', name: 'web-1', status: 'running' }, rule: 'r' }],
  },
  0,
);
const begunIn = (): Promise<number> => admin.exists(operationKeys.operation(ID));

async function beginningBatch(
  redis: Redis,
  brought: Parameters<ReturnType<typeof createBatchStore>['begin']>[1] = {},
): Promise<unknown> {
  return (await createBatchStore(redis).begin(batch, brought, ENTRY)).result;
}

const ask = {
  id: ID,
  route: 'instances.stop',
  words: [],
  actor: ACTOR,
  place: PLACE,
  replaces: false,
  askedAt: 0,
};
function schedulesOf(redis: RedisConnection): ScheduleStore {
  return createScheduleStore({ redis, outbox: outboxOn(redis), clock });
}

const schedule = newSchedule(
  {
    id: ID,
    owner: ACTOR,
    channelId: PLACE.channelId,
    target: { instances: [{ id: '1', name: 'web-1', status: 'running' }] },
    when: { kind: 'once', zone: 'UTC', verb: 'stop', date: '2099-01-01', hour: 1, minute: 0 },
  },
  0,
);
const KEYRING = parseKeyring(`a:${Buffer.alloc(32, 'k').toString('base64')}`);
const TEAM_ID = 'T0QUARRY001';
const ORG_ID = 'E0QUARRY001';
const INSTALLATION: Installation = {
  teamId: TEAM_ID,
  botId: 'B1',
  botUserId: 'U1',
  scopes: [],
  token: 'xoxb-sandbox',
  installedBy: 'U2',
  installedAt: 0,
};
/** Nothing else is asked of it. */
const QUEUE = { wake: () => Promise.resolve() } as unknown as WorkQueue;

const outboxOn = (redis: RedisConnection): Outbox =>
  createOutbox({ redis, queue: QUEUE, clock, timings: TIMINGS });
const messageOf = (words: string): NewPost => ({
  id: ID,
  to: { channelId: PLACE.channelId },
  content: { lines: [say`${words}`] },
});
const saidIn = (): Promise<string | null> => admin.hget(POSTS.keyOf(ID), 'record');
const approvalsOn = (redis: Redis): Approvals =>
  createApprovals({
    redis,
    store: createRecords(redis, APPROVALS),
    outbox: outboxOn(redis),
    queue: QUEUE,
    clock: fixedClock(() => 1),
  });
const askedBy = (id: string, userId: string): Approval => ({ ...approvalOf(), id, actor: { userId } });

const SCENARIOS: readonly Scenario[] = [
  {
    what: 'an operation begins with a way back for which there is no room',
    run: async (redis) => {
      for (let at = 0; at < MAX_SCHEDULES; at++) await admin.zadd(SCHEDULES.index, at, `other-${at}`);
      return [await beginning(redis, { also: schedulesOf(redis).writing(schedule) }), await begunIn()];
    },
  },
  {
    what: 'two have one message posted at once',
    meanwhile: (nth) => (nth === 1 ? outboxOn(admin).post(messageOf('theirs')) : never()),
    run: async (redis) => {
      await outboxOn(redis).post(messageOf('mine'));
      return (await saidIn())?.includes('theirs');
    },
  },
  {
    what: 'an older content of a message comes while a newer one does',
    meanwhile: (nth) => (nth === 1 ? outboxOn(admin).edit(ID, messageOf('newer').content, 2) : never()),
    run: async (redis) => {
      await outboxOn(admin).post(messageOf('first'));
      await outboxOn(redis).edit(ID, messageOf('older').content, 1);
      return (await saidIn())?.includes('newer');
    },
  },
  {
    what: 'what is written down with a message meets that message',
    run: (redis) => schedulesOf(redis).create(schedule, { says: [{ ...messageOf('mine'), id: OTHER }] }),
    meanwhile: (nth) => (nth === 1 ? outboxOn(admin).post({ ...messageOf('theirs'), id: OTHER }) : never()),
  },
  {
    what: 'the same is asked for by another at once',
    meanwhile: (nth) => (nth === 1 ? approvalsOn(admin).ask(askedBy(OTHER, 'U0BOB000001'), ID) : never()),
    run: async (redis) => {
      await asked();
      return (await approvalsOn(redis).ask(askedBy(ID, 'U0ANA000001'), ID))?.id;
    },
  },
  {
    what: 'something is to be approved whose request was answered meanwhile',
    run: async (redis) => {
      const alone = await approvalsOn(redis).ask(askedBy(ID, 'U0ANA000001'), ID);
      await createRecords(admin, APPROVALS).create(OTHER, askedBy(OTHER, 'U0BOB000001'));
      const joining = await approvalsOn(redis).ask(askedBy('third', 'U0ANA000001'), 'third');
      return [alone?.id, joining?.id];
    },
  },
  {
    what: 'who joins what waits has asked by another process meanwhile',
    meanwhile: (nth) =>
      nth === 1
        ? createRecords(admin, APPROVALS).create(ID, { ...askedBy(ID, 'U0ANA000001'), decided: refused })
        : never(),
    run: async (redis) => {
      await asked();
      await createRecords(admin, APPROVALS).create(OTHER, askedBy(OTHER, 'U0BOB000001'));
      return (await approvalsOn(redis).ask(askedBy(ID, 'U0ANA000001'), ID))?.id;
    },
  },
  {
    what: 'a record is written down over another',
    run: async (redis) => {
      await createRecords(admin, countedKind).create('a', { count: 1 });
      return (await createRecords(redis, countedKind).create('a', { count: 9 })).result;
    },
  },
  {
    what: 'two move a record at once',
    run: async (redis) => {
      await createRecords(admin, countedKind).create('a', { count: 0 });
      return createRecords(redis, countedKind).change('a', plusOne);
    },
    meanwhile: (nth) => (nth === 1 ? createRecords(admin, countedKind).change('a', plusOne) : never()),
  },
  {
    what: 'two move the one record of a kind at once',
    run: (redis) => oneOn(redis).change(plusOne),
    meanwhile: (nth) => (nth === 1 ? oneOn(admin).change(plusOne) : never()),
  },
  {
    what: 'two move an operation at once',
    run: async (redis) => {
      await operationsOn(admin).begin(await asked(), {}, ENTRY);
      return (await follow(redis, 'U1'))?.followers;
    },
    meanwhile: (nth) => (nth === 1 ? follow(admin, 'U2') : never()),
  },
  {
    what: 'an operation that Redis has lost the newest of is moved by somebody else',
    run: async (redis) => {
      const latest = createLatest();
      await operationsOn(admin).begin(await asked(), {}, ENTRY);
      const record = await admin.dumpBuffer(operationKeys.operation(ID));
      await operationsOn(admin, latest).find(ID);
      await operationsOn(admin, latest).change(ID, (one) => ({ ...one, followers: ['U1'] }), {
        dueAt: () => 1,
        historyOf: noHistory,
      });
      if (record) await admin.restore(operationKeys.operation(ID), 0, record, 'REPLACE');
      const own = operationsOn(redis, latest);
      await own.change(ID, () => undefined, { dueAt: () => 1, historyOf: noHistory });
      return admin.hget(operationKeys.operation(ID), 'version');
    },
    meanwhile: (nth) => (nth === 1 ? admin.hset(operationKeys.operation(ID), 'version', 9) : never()),
  },
  {
    what: 'an operation that is taken out of those that are polled is moved by somebody else',
    run: async (redis) => {
      await operationsOn(admin).begin(await asked(), {}, ENTRY);
      await admin.zadd(operationKeys.polled, 1, ID);
      await operationsOn(redis).takeDuePolls(2);
      return admin.zrange(operationKeys.polled, '0', '-1');
    },
    meanwhile: () => admin.hset(operationKeys.operation(ID), 'version', 9),
  },
  {
    what: 'an operation begins by what was done before, and somebody else’s ends meanwhile',
    run: async (redis) => {
      const { asRead } = await createPastStore(admin).read('1', 0);
      return beginning(redis, { asRead });
    },
    meanwhile: (nth) => (nth === 1 ? admin.lpush(operationKeys.past('1'), '{}') : never()),
  },
  {
    what: 'a request begins twice',
    run: async (redis) => {
      await operationsOn(admin).begin(await asked(), {}, ENTRY);
      return beginning(redis);
    },
  },
  {
    what: 'a request that is gone begins',
    run: async (redis) => {
      const one = await asked();
      await admin.del(requestKeys.request(ID));
      return (await operationsOn(redis).begin(one, {}, ENTRY)).result;
    },
  },
  {
    what: 'an operation begins about what is taken',
    run: async (redis) => {
      await operationsOn(admin).begin(
        { ...(await asked(OTHER)), subject: (await asked()).subject },
        {},
        ENTRY,
      );
      return beginning(redis);
    },
  },
  {
    what: 'a lock without its operation is taken over, and is somebody else’s meanwhile',
    run: async (redis) => {
      const { subject } = await asked();
      await admin.set(operationKeys.lock(lockOf(subject.id)), 'lost');
      return beginning(redis);
    },
    meanwhile: async (nth) => {
      if (nth !== 2) return;
      await admin.hset(operationKeys.operation('new'), 'version', 1);
      await admin.set(operationKeys.lock(lockOf((await asked()).subject.id)), 'new');
    },
  },
  {
    what: 'a lock without its operation is taken over, and that is there again meanwhile',
    run: async (redis) => {
      const { subject } = await asked();
      await admin.set(operationKeys.lock(lockOf(subject.id)), 'lost');
      return beginning(redis);
    },
    meanwhile: (nth) => (nth === 2 ? admin.hset(operationKeys.operation('lost'), 'version', 1) : never()),
  },
  {
    what: 'what was confirmed is forgotten',
    run: (redis) => beginning(redis, { confirmationId: 'c' }),
  },
  {
    what: 'what was confirmed was used',
    run: async (redis) => {
      await admin.hset(offerKey(CONFIRMATIONS, 'c'), 'usedBy', OTHER);
      return beginning(redis, { confirmationId: 'c' });
    },
  },
  {
    what: 'a button was used',
    run: async (redis) => {
      await admin.hset(offerKey(BUTTON_TOKENS, 'b'), 'usedBy', OTHER);
      return beginning(redis, { buttonTokenId: 'b' });
    },
  },
  {
    what: 'what was approved is forgotten',
    run: (redis) => beginning(redis, { approvalId: OTHER }),
  },
  {
    what: 'what is approved is refused meanwhile',
    run: async (redis) => {
      await approve(admin);
      return beginning(redis, { approvalId: OTHER });
    },
    meanwhile: (nth) =>
      nth === 1
        ? createRecords(admin, APPROVALS).change(OTHER, (one) => ({ ...one, decided: refused }))
        : never(),
  },
  {
    what: 'what was approved was refused before',
    run: async (redis) => {
      await createRecords(admin, APPROVALS).create(OTHER, approvalOf(refused));
      return beginning(redis, { approvalId: OTHER });
    },
  },
  {
    what: 'a batch begins twice',
    run: async (redis) => {
      await admin.set(requestKeys.request(ID), '{}');
      await beginningBatch(admin);
      await admin.set(requestKeys.request(ID), '{}');
      await beginningBatch(redis);
      return admin.xlen('{lamplighter}:audit');
    },
  },
  { what: 'a batch begins of a request that is gone', run: (redis) => beginningBatch(redis) },
  {
    what: 'a batch begins of a preview that is forgotten',
    run: async (redis) => {
      await admin.set(requestKeys.request(ID), '{}');
      return beginningBatch(redis, { previewId: 'p' });
    },
  },
  {
    what: 'a batch begins of a preview that was used',
    run: async (redis) => {
      await admin.set(requestKeys.request(ID), '{}');
      await admin.hset(offerKey(PREVIEWS, 'p'), 'usedBy', OTHER);
      return beginningBatch(redis, { previewId: 'p' });
    },
  },
  {
    what: 'a batch is asked for again a second time',
    run: async (redis) => {
      await admin.set(requestKeys.request(ID), '{}');
      await admin.hset(offerKey(ONCE_AFTER.retry, OTHER), 'usedBy', OTHER);
      return beginningBatch(redis, { follows: { what: 'retry', batchId: OTHER } });
    },
  },
  {
    what: 'a request that is gone is answered',
    run: (redis) => createRequestStore(redis, clock, TIMINGS).decide(ask, { lines: [] }, undefined),
  },
  {
    what: 'a request that another run has finished is finished',
    run: (redis) => createRequestStore(redis, clock, TIMINGS).finish(ID),
  },
  {
    what: 'a request that another delivery wrote is taken back',
    run: async (redis) => {
      await admin.set(requestKeys.request(ID), 'another');
      await admin.set(intakeKeys.delivery(ID), 'x');
      await createRequestStore(redis, clock, TIMINGS).revoke(ask);
      return admin.exists(requestKeys.request(ID));
    },
  },
  {
    what: 'a request that a run has taken up is taken back',
    run: async (redis) => {
      const requests = createRequestStore(redis, clock, TIMINGS);
      await admin.set(requestKeys.request(ID), toStored(ask));
      await requests.takeUp(ID);
      await requests.revoke(ask);
      return admin.exists(requestKeys.request(ID));
    },
  },
  {
    what: 'a run says that nothing was done of a request that another has taken up',
    run: async (redis) => {
      const requests = createRequestStore(redis, clock, TIMINGS);
      await admin.set(requestKeys.request(ID), toStored(ask));
      const first = await requests.takeUp(ID);
      await requests.takeUp(ID);
      return requests.decide(ask, { lines: [] }, undefined, first?.mark);
    },
  },
  {
    what: 'what an agent proposed is opened again whose change has begun',
    run: async (redis) => {
      await admin.hset(operationKeys.operation(ID), 'version', 1);
      return commit(redis, { if: nothingCame(ID) });
    },
  },
  {
    what: 'what an agent proposed is opened again that waits for an approval',
    run: async (redis) => {
      await admin.hset(APPROVALS.keyOf(ID), 'version', 1);
      return commit(redis, { if: nothingCame(ID) });
    },
  },
  {
    what: 'there are as many schedules as there may be',
    run: async (redis) => {
      const ids = Array.from({ length: 100 }, (_, nth) => [nth, `s${nth}`]).flat();
      await admin.zadd(SCHEDULES.index, ...ids);
      return schedulesOf(redis).create(schedule);
    },
  },
  {
    what: 'a schedule is saved that was discarded',
    run: async (redis) => {
      await createOffers(admin).use(DRAFTS, 'd', OTHER);
      return schedulesOf(redis).create(schedule, { draftId: 'd' });
    },
  },
  {
    what: 'a schedule is discarded that was saved',
    run: async (redis) => {
      await schedulesOf(admin).create(schedule, { draftId: 'd' });
      return createOffers(redis).use(DRAFTS, 'd', OTHER);
    },
  },
  {
    what: 'a run is given up whose batch has begun',
    run: async (redis) => {
      await schedulesOf(admin).create(schedule);
      await admin.hset(BATCHES.keyOf(batchIdOf(schedule, { ruleAt: 7 })), 'version', 1);
      return schedulesOf(redis)
        .change(ID, (one) => one, { run: { how: 'end', run: { ruleAt: 7 } } })
        .then(
          () => 'dead-lettered',
          (error: unknown) => (error instanceof Error ? error.name : ''),
        );
    },
  },
  {
    what: 'a watch is set beside one that was set meanwhile',
    run: async (redis) => {
      await admin.zadd(WATCHES.index, 1, 'another');
      const watch = { id: 'w', filters: ['name:x'], instances: [], channelId: 'C1' } as const;
      const more = { setBy: ACTOR, setAt: 0, nextPollAt: 0, cards: [], count: 0 };
      const created = await createWatchStore(
        { redis, faultPoints: noFaultPoints, outbox: outboxOn(redis) },
        { startRoute: 'start', storyRoute: 'story', restartRoute: 'restart' },
      ).create(
        'w',
        { ...watch, filters: [...watch.filters], instances: [], ...more },
        { if: [onlyAmong([], 'another')] },
      );
      return created.result;
    },
  },
  {
    what: 'a line of a board that has expired is marked',
    run: async (redis) => {
      await boardsOn(redis).markRows('a-board', ['an-operation'], 'reported');
      return admin.exists(boardKeys.rows('a-board'));
    },
  },
  ...(['rev', 'joined'] as const).map((name) => ({
    what: `a board is closed whose ${name} has changed`,
    run: async (redis: Redis) => {
      const board = newBoard('a-board', PLACE, 0);
      await boardsOn(admin).create('a-board', board);
      const view = await boardsOn(admin).read('a-board');
      await admin.hset(boardKeys.rows('a-board'), name, 5);
      return view && boardsOn(redis).close(view);
    },
  })),
  {
    what: 'a try is counted at an operation that is gone',
    run: async (redis) => {
      await operationsOn(redis).countTry(ID);
      return admin.exists(operationKeys.operation(ID));
    },
  },
  {
    what: 'two count a try at once',
    run: async (redis) => {
      await admin.hset(operationKeys.operation(ID), 'version', 1);
      return operationsOn(redis).countTry(ID);
    },
    meanwhile: (nth) => (nth === 1 ? operationsOn(admin).countTry(ID) : never()),
  },
  {
    what: 'an installation is changed that was removed meanwhile',
    run: async (redis) => {
      await installationsOn(admin).store(INSTALLATION);
      return installationsOn(redis).change(TEAM_ID, (one) => one);
    },
    meanwhile: (nth) => (nth === 1 ? installationsOn(admin).remove(TEAM_ID) : never()),
  },
  {
    what: 'an installation is removed that was removed meanwhile',
    run: async (redis) => {
      await installationsOn(admin).store(INSTALLATION);
      return installationsOn(redis).remove(TEAM_ID);
    },
    meanwhile: (nth) => (nth === 1 ? installationsOn(admin).remove(TEAM_ID) : never()),
  },
  {
    what: 'Slack lists the workspaces of an organization that removed the bot meanwhile',
    run: async (redis) => {
      await installationsOn(admin).store({ ...INSTALLATION, teamId: undefined, enterpriseId: ORG_ID });
      await installationsOn(redis).listed(ORG_ID, { teamIds: [TEAM_ID], revoked: new Set() });
      return admin.hgetall(workspaceKeys.granted);
    },
    meanwhile: (nth) => (nth === 1 ? installationsOn(admin).remove(ORG_ID) : never()),
  },
  {
    what: 'a workspace that removed the bot is erased, and installs it again meanwhile',
    run: async (redis) => {
      await installationsOn(admin).store(INSTALLATION);
      await installationsOn(admin).remove(TEAM_ID);
      await admin.set('of the workspace', 1);
      await installationsOn(redis).erase(TEAM_ID, ['of the workspace']);
      return admin.exists('of the workspace');
    },
    meanwhile: (nth) => (nth === 1 ? installationsOn(admin).store(INSTALLATION) : never()),
  },
  {
    what: 'the audit is pruned, and another has pruned it meanwhile',
    run: async (redis) => {
      for (const at of [1, 2, 3])
        await admin.xadd(auditKeys.entries, `${at}-0`, 'n', at, 'b', '', 'e', '', 'h', at);
      return pruneAudit(redis, 2, 0);
    },
    meanwhile: (nth) => (nth === 1 ? pruneAudit(admin, 3, 0) : never()),
  },
  {
    what: 'the audit is given out, and another has given out more meanwhile',
    run: async (redis) => {
      await admin.xadd(auditKeys.entries, '1-0', 'n', 1, 'b', '', 'e', '', 'h', 1);
      await streaming(redis)();
      return admin.hget(auditKeys.streamed, 'id');
    },
    meanwhile: async (nth) => {
      if (nth !== 1) return;
      await admin.xadd(auditKeys.entries, '2-0', 'n', 2, 'b', '', 'e', '', 'h', 2);
      await streaming(admin)();
    },
  },
];

const noHistory = (): { past: string; times: string } => ({ past: '', times: '' });
const never = (): Promise<undefined> => Promise.resolve(undefined);
const oneOn = (redis: Redis): ReturnType<typeof createOneRecord<z.output<typeof counted>>> =>
  createOneRecord(redis, { key: '{lamplighter}:one', schema: counted, none: { count: 0 } });
const follow = (redis: Redis, userId: string): Promise<Operation | undefined> =>
  operationsOn(redis).change(ID, (one) => ({ ...one, followers: [...one.followers, userId] }), {
    dueAt: () => 1,
    historyOf: noHistory,
  });
const streaming = (redis: Redis): (() => Promise<void>) =>
  createStreamAudit({ redis, sink: () => Promise.resolve(), log: createLog('silent', []) });
const installationsOn = (redis: Redis): ReturnType<typeof createInstallationStore> =>
  createInstallationStore(redis, KEYRING, new Set([TEAM_ID, ORG_ID]));
const boardsOn = (redis: Redis): ReturnType<typeof createBoardStore> =>
  createBoardStore(redis, TIMINGS, { now: () => 1 });

/** What came out of a scenario, without one of its conditions or with all; `seen` gets the names of these. */
async function comesOut(
  { run, meanwhile = never }: Scenario,
  seen: Set<string>,
  leavesOut?: string,
): Promise<string> {
  await admin.flushall();
  const out = await run(lacking({ seen, meanwhile, leavesOut })).catch((error: unknown) => String(error));
  return JSON.stringify(out) ?? 'undefined';
}

describe('without one of its conditions, something else comes of it where', () => {
  const all = new Set<string>();
  const held = new Set<string>();

  it.each(SCENARIOS.map((one) => [one.what, one] as const))('%s', async (_what, scenario) => {
    const seen = new Set<string>();
    const normal = await comesOut(scenario, seen);
    const differing = [];
    for (const name of seen) {
      if ((await comesOut(scenario, new Set(), name)) !== normal) differing.push(name);
      all.add(name);
    }
    for (const name of differing) held.add(name);
    expect(differing).not.toEqual([]);
  });

  it('each condition is one of these', () => {
    expect([...all].filter((name) => !held.has(name))).toEqual([]);
  });

  it('each file that gives conditions is among those that were tried', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.ts') && readFileSync(`src/${path}`, 'utf8').includes('records/conditions.ts'),
    );
    expect(files.toSorted()).toEqual(TRIED.toSorted());
  });
});

const TRIED = [
  'core/approvals/approvals.ts',
  'core/batches/batch-store.ts',
  'core/boards/board-store.ts',
  'core/intake/request-store.ts',
  'core/offers/offers.ts',
  'core/operations/operation-store.ts',
  'core/operations/latest.ts',
  'core/operations/read-operations.ts',
  'core/operations/past.ts',
  'core/operations/write-begin.ts',
  'core/outbox/outbox.ts',
  'core/schedules/schedule-store.ts',
  'core/watchdogs/keep-audit.ts',
  'core/workspaces/installation-store.ts',
  'features/agents/answer.ts',
  'features/watches/watch-store.ts',
];
