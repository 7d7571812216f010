import type { StateOwner } from '../../core/deployment/owner.ts';
import { listOldestDue } from '../../core/watchdogs/vital-signs.ts';
import { asError } from '../../platform/log/log.ts';
import type { RedisAt } from '../../platform/redis/address.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { redisNo } from '../../platform/redis/faults.ts';
import { readRedisFacts, type Risk } from '../../platform/redis/fitness.ts';
import { say } from '../../platform/slack/phrase.ts';
import { fault, type PartCheck } from './finding.ts';
import { judgeOwner, judgeQueue, judgeStorage } from './judge-services.ts';
import { judgeHostClock, judgeSlackClock } from './judge-times.ts';
import type { Bot } from '../../core/bot/bot.ts';

export interface RedisChecksDeps extends Pick<Bot, 'redis' | 'examiner'> {
  readonly owner: Pick<StateOwner, 'look'>;
  readonly redisAt: RedisAt;
  readonly allowed: readonly Risk[];
  /** What the connection to Redis complained of last, where somebody keeps that. */
  readonly redisFault?: () => Error | undefined;
  /** Redis' time, Unix ms. */
  readonly now: () => number;
}

/** What keeps the bot's work: Redis, what waits in it, and the clocks that all goes by. */
export function redisChecks(deps: RedisChecksDeps): readonly PartCheck[] {
  const { redis, redisAt, allowed, examiner, now } = deps;
  return [
    {
      of: 'bot',
      isOnTheWay: true,
      about: say`Redis`,
      unread: 'fault',
      look: async () => {
        try {
          return judgeStorage(await readRedisFacts(redis, redisAt), redisAt, allowed);
        } catch (error) {
          const why = redisNo(faultOfRedis(deps.redisFault?.() ?? error), redisAt.url);
          return [
            fault(
              say`Redis can't be used: ${why}.`,
              say`Fix that first. Without Redis, I can't take any work.`,
            ),
          ];
        }
      },
    },
    {
      of: 'account',
      isOnTheWay: true,
      about: say`Whether the data in Redis belongs to this bot`,
      unread: 'warn',
      look: async () => judgeOwner(await deps.owner.look()),
    },
    {
      of: 'account',
      isOnTheWay: true,
      about: say`What is waiting to be done`,
      unread: 'warn',
      look: async () => judgeQueue(await listOldestDue(redis), now()),
    },
    {
      of: 'bot',
      isOnTheWay: true,
      about: say`This machine's clock`,
      unread: 'warn',
      look: async () => judgeHostClock(await aheadOfRedisMs(redis)),
    },
    {
      of: 'bot',
      isOnTheWay: true,
      about: say`Slack's clock`,
      unread: 'warn',
      look: async () => {
        const [hostAheadMs, slackAheadMs] = await Promise.all([
          aheadOfRedisMs(redis),
          examiner.clockAheadMs(),
        ]);
        return judgeSlackClock(slackAheadMs === undefined ? undefined : -hostAheadMs - slackAheadMs);
      },
    },
  ];
}

/** How the library says that a connection isn't there, or that nothing comes over it. */
const SILENCE =
  /^(Stream isn't writeable|Connection is closed|Redis gave no answer in time|Reached the max retries)/;

/** What went wrong with Redis, in plain words where a library has its own. */
function faultOfRedis(error: unknown): Error {
  const said = asError(error);
  return SILENCE.test(said.message) ? new Error('nothing answers') : said;
}

/** How far this host's clock is ahead of Redis', in ms. */
async function aheadOfRedisMs(redis: RedisConnection): Promise<number> {
  const before = Date.now();
  const [seconds, micros] = await redis.time();
  return (before + Date.now()) / 2 - (Number(seconds) * 1_000 + Number(micros) / 1_000);
}
