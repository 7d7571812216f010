import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { Operation } from '../operations/operation.ts';
import { frozen } from '../policy/access-record.ts';
import { idOf, newId } from '../../platform/id.ts';
import { inFormsTaken } from '../../platform/slack/forms.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import { redisLost } from './messages.ts';
import type { Parts } from '../parts/parts.ts';
import type { Changing } from '../changes/changing.ts';
import { z } from 'zod';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { surviving } from '../../platform/redis/survive.ts';
import { key } from '../../platform/redis/key.ts';

export const redisKeys = {
  /** Which Redis this is: another identity, or none, is another or an empty Redis. */
  identity: key('redis', 'identity'),
  /** How often any process has looked, ever: fewer than before, and an older Redis has come back. */
  checks: key('redis', 'checks'),
  /** Who tells the admins that the data before this one is lost. */
  reported: (identity: string): string => key('redis', identity, 'reported'),
} as const;

/** By what a Redis is known again. */
export interface RedisMarks {
  /** Another than before: it came back empty. */
  readonly identity: string;
  /** How often it was looked at, ever: no more than before, and an older one has come back. */
  readonly checks: number;
  /** How many connections to it this process has made by now. */
  readonly connections: number;
}

/** The same as it stands outside of Redis: the beginning of its identity. */
export type RedisMark = Pick<RedisMarks, 'identity' | 'checks'>;

const MARK_LENGTH = 8;

/** What is told of Redis outside of it, to compare with later. Pure. */
export function markOf({ identity, checks }: RedisMarks): RedisMark {
  return { identity: identity.slice(0, MARK_LENGTH), checks };
}

const readSchema = z.tuple([z.string().nullable(), z.number()]);

/**
 * Looks at the marks, and gives a Redis without one its own: one look for all accounts that ask in the same turn of the event loop.
 * Gives undefined where nobody can say which Redis it is; throws what Redis throws.
 */
export function createRedisMarks(redis: RedisConnection): () => Promise<RedisMarks | undefined> {
  let connections = 0;
  redis.on('ready', () => {
    connections += 1;
  });
  let identity: string | undefined;
  const look = async (): Promise<RedisMarks | undefined> => {
    // Of the same moment: a Redis that is emptied between the two would be one that is older, and then one that is empty.
    const read = await redis.multi().get(redisKeys.identity).incr(redisKeys.checks).exec();
    for (const [error] of read ?? []) if (error) throw error;
    const [standing, checks] = readSchema.parse(read?.map(([, value]) => value));
    const isKnown = standing !== null && standing === identity;
    const now = isKnown ? standing : await claim(redis, redisKeys.identity, newId());
    if (now === null) return undefined;
    identity = now;
    return { identity, checks, connections };
  };
  let looking: ReturnType<typeof look> | undefined;
  return () => {
    if (looking) return looking;
    looking = look();
    setImmediate(() => {
      looking = undefined;
    });
    return looking;
  };
}

/**
 * Sets `value` where nothing stands yet, and gives what stands there: the same however often an answer is lost, and whatever takes
 * over from this Redis.
 */
async function claim(
  redis: RedisConnection,
  mark: string,
  value: string,
  keptMs?: number,
): Promise<string | null> {
  const survives = surviving(redis);
  if ((await redis.get(mark)) === null)
    await (keptMs === undefined ? redis.set(mark, value, 'NX') : redis.set(mark, value, 'PX', keptMs, 'NX'));
  const standing = await redis.get(mark);
  await survives();
  return standing;
}

export interface RedisLossDeps extends Pick<
  Changing,
  'redis' | 'log' | 'messenger' | 'admins' | 'operations'
> {
  readonly marks: () => Promise<RedisMarks | undefined>;
  /** What is remembered outside of Redis of how new it was before this process. Throws while nobody can say. */
  readonly recall: () => Promise<readonly RedisMark[]>;
  /** Where what people may do is frozen until they have looked at it; undefined where nothing is to be held back. */
  readonly holding:
    | (Pick<Parts, 'clock' | 'accessStore'> & {
        /** The bot's own; undefined while nobody knows. */
        readonly botUserId: () => string | undefined;
        /** Ends it. */
        readonly thawRoute: string;
      })
    | undefined;
  readonly metrics: Pick<Metrics, 'redisLost'>;
}

/** How long it is remembered who tells of one loss. */
const CLAIM_KEPT_MS = 24 * 3_600_000;
/** By then each process has noticed the same loss. */
const ONE_LOSS_MS = 60_000;

/**
 * Notices a Redis that came back empty, or older than it was, as a replica does that took over, or a backup: BullMQ says
 * nothing then, and nothing would ever be heard of what was under way. One of the processes that know another identity tells the admins, once, with what it knew.
 */
export function createRedisLossWatchdog(deps: RedisLossDeps): () => Promise<void> {
  const { redis, marks, operations, messenger, admins, log, metrics } = deps;
  const me = newId();
  let identity: string | undefined;
  let checks = 0;
  let connectionsKnown = 0;
  let open: readonly Operation[] = [];
  /** What Redis had lost, until somebody has told of it. */
  let untold: readonly Operation[] = [];

  const tell = async (
    id: string,
    loss: 'empty' | 'older',
    lost: readonly Operation[],
    thawRoute?: string,
  ): Promise<void> => {
    const forgotten = lost
      // One that only marks the button of an ended one as used has ended.
      .filter((operation) => operations.knows(operation) && operation.next === undefined)
      .map((operation) => ({ operation, kind: operations.kindOf(operation) }));
    for (const admin of admins()) {
      try {
        const channelId = await messenger.directChannel(admin);
        const message = redisLost(loss, forgotten, thawRoute);
        await inFormsTaken(message, (form) => messenger.post({ channelId }, message, `redis-${id}`, form));
      } catch (error) {
        log.error({ admin, code: slackErrorOf(error).code }, 'telling an admin that Redis has lost its data');
      }
    }
  };

  return async () => {
    // Before this process, only what stands outside of Redis can tell; read first, since others go on looking and telling meanwhile.
    const isFirst = identity === undefined;
    const recalled = isFirst ? await deps.recall() : [];
    const now = await marks();
    if (!now) return;
    if (isFirst) checks = lastChecks(recalled, now);
    const isEmpty = identity !== undefined && now.identity !== identity;
    const isOlder = now.checks <= checks;
    untold = [
      ...untold,
      ...(await operations.takeLost(isEmpty || isOlder || now.connections !== connectionsKnown)),
    ];
    if (isEmpty) {
      log.error({ operations: open.map((operation) => operation.id) }, 'the data of Redis is lost');
      // A worker that is new may have written the new identity first, and it knows of no other.
      const reported = redisKeys.reported(now.identity);
      if ((await claim(redis, reported, me, CLAIM_KEPT_MS)) === me) await tell(now.identity, 'empty', open);
    } else if (untold.length > 0 || isOlder) {
      log.error({ operations: untold.map((operation) => operation.id) }, 'an older Redis has come back');
      // What was taken back may count again, and nobody has seen by now whether it does.
      const thawRoute = isFirst && isOlder ? await holdBack(deps, now) : undefined;
      const one = `${now.identity}-${untold[0]?.id ?? now.checks}`;
      if ((await claim(redis, redisKeys.reported('older'), me, ONE_LOSS_MS)) === me)
        await tell(one, 'older', untold, thawRoute);
    }
    if (isEmpty || untold.length > 0 || isOlder) metrics.redisLost(isEmpty ? 'empty' : 'older');
    untold = [];
    // Only now: whatever failed before this is noticed again.
    identity = now.identity;
    checks = now.checks;
    connectionsKnown = now.connections;
    open = await operations.listOpenLatest();
  };
}

/** How often the same Redis had been looked at by the time that was told outside of it; 0 where nobody knows. Pure. */
function lastChecks(recalled: readonly RedisMark[], now: RedisMarks): number {
  const { identity } = markOf(now);
  return Math.max(0, ...recalled.filter((one) => one.identity === identity).map((one) => one.checks));
}

/** Freezes everything until an admin ends that, where there is one. Gives what ends it; undefined where nothing is frozen. Throws what Redis throws. */
async function holdBack(
  { holding, admins }: RedisLossDeps,
  { identity, checks }: RedisMarks,
): Promise<string | undefined> {
  const [admin] = admins();
  if (!holding || admin === undefined) return undefined;
  const { accessStore, clock, botUserId, thawRoute } = holding;
  const [id, at, why] = [
    idOf(`older ${identity} ${checks}`),
    clock.now(),
    'Redis is older than it was before I was started',
  ];
  await accessStore.change((record) => frozen(record, { id, why, by: botUserId() ?? admin, at }), {
    audit: { what: 'set', at, requestId: id, route: 'redis.older', words: why },
    survives: true,
  });
  return thawRoute;
}
