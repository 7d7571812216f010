import { z } from 'zod';
import type { Actor } from '../../platform/slack/ids.ts';
import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { commit } from '../records/commit.ts';
import { holds, there, unchanged } from '../records/conditions.ts';
import { field, unfield } from '../records/writes.ts';
import { loadScript } from '../../platform/redis/script.ts';
import type { Timings } from '../timings.ts';
import { homeKeys } from './keys.ts';

/** Whose Home it is. `channelId`: their direct messages with the bot. */
export interface HomeOwner {
  readonly actor: Actor;
  readonly channelId: string;
}

/** A Home that its owner may be looking at. Slack says when one is opened, and never when it is closed. */
export interface OpenHome extends HomeOwner {
  /** It counts as open until then. Redis' time, Unix ms, like all times here. */
  readonly until: number;
  /** Counts what was published there. */
  readonly version: number;
  /** The hash of what it shows; undefined where nobody knows. */
  readonly shown: string | undefined;
  /** Somebody publishes it until then. */
  readonly busyUntil: number;
  /** How often in a row Slack did not take it. */
  readonly failures: number;
  /** It is left alone until then. */
  readonly notBefore: number;
}

/** What came of publishing: the hash of what it shows now, or how often Slack did not take it and for how long to wait. */
type HomeResult = Pick<OpenHome, 'shown' | 'failures' | 'notBefore'>;

/** The Homes that people may be looking at, at most 100, and who publishes each: one process at a time. */
export interface OpenHomes {
  /**
   * Somebody opens theirs. Gives the version to publish it as within `publishMs`, or undefined while another process
   * publishes it; and until when it counts as open.
   */
  open(owner: HomeOwner, publishMs: number): Promise<{ version: number | undefined; until: number }>;
  /** Somebody uses theirs: it counts as open for as long again. */
  use(owner: HomeOwner): Promise<void>;
  /** Those that are open, the first to close first. */
  list(): Promise<readonly OpenHome[]>;
  /** Whether any is open. */
  isAny(): Promise<boolean>;
  /** Gives the next version to publish a Home as within `publishMs`; undefined where it is no longer as it was read. */
  claim(home: OpenHome, publishMs: number): Promise<number | undefined>;
  /** Lets others publish it again. Nothing where another process has it by now. */
  settle(userId: string, version: number, result: HomeResult): Promise<void>;
  /** It is kept up to date no longer. */
  close(userId: string): Promise<void>;
}

/** The job that keeps them up to date; one for all. */
export const HOMES_JOB = 'homes';
export const HOMES_ID = 'all';

const MAX_OPEN = 100;
/** Longer than what is being published when it closes. */
const KEPT_AFTER_MS = 60_000;

const open = loadScript(new URL('./open-home.lua', import.meta.url));

const openedSchema = z.tuple([z.number(), z.number()]);
const FIELDS = [
  ...(['team', 'channel', 'until', 'version'] as const),
  ...(['shown', 'busyUntil', 'failures', 'notBefore'] as const),
];
const text = z
  .string()
  .nullable()
  .transform((found) => found ?? '');
const count = text.transform(Number);
const homeSchema = z.tuple([z.string(), text, text, count, count, text, count, count, count]);

export function createOpenHomes({
  redis,
  queue,
  clock,
  timings,
}: {
  readonly redis: RedisConnection;
  readonly queue: WorkQueue;
  readonly clock: Pick<RedisClock, 'now'>;
  readonly timings: Pick<Timings, 'homeOpenMs'>;
}): OpenHomes {
  const look = async (
    { actor, channelId }: HomeOwner,
    publishMs: number | undefined,
  ): Promise<{ version: number; until: number; wasClosed: boolean }> => {
    const { userId, teamId = '' } = actor;
    const now = clock.now();
    const until = now + timings.homeOpenMs;
    const answer = await open(
      redis,
      [homeKeys.home(userId), homeKeys.open],
      [
        userId,
        teamId,
        channelId,
        now,
        until,
        MAX_OPEN,
        timings.homeOpenMs + KEPT_AFTER_MS,
        publishMs === undefined ? '' : now + publishMs,
      ],
    );
    const [wasClosed, version] = openedSchema.parse(answer);
    return { version, until, wasClosed: wasClosed === 1 };
  };
  // What could not be woken is found by the sweep.
  const wake = (): Promise<void> => queue.wake(HOMES_JOB, HOMES_ID).catch(() => undefined);
  return {
    open: async (owner, publishMs) => {
      const { version, until } = await look(owner, publishMs);
      await wake();
      return { version: version === 0 ? undefined : version, until };
    },
    use: async (owner) => {
      const { wasClosed } = await look(owner, undefined);
      if (wasClosed) await wake();
    },
    list: async () => {
      const now = clock.now();
      const [, ids] = await Promise.all([
        redis.zremrangebyscore(homeKeys.open, '-inf', now),
        redis.zrangebyscore(homeKeys.open, `(${now}`, '+inf'),
      ]);
      const found = await Promise.all(ids.map((id) => redis.hmget(homeKeys.home(id), ...FIELDS)));
      // One that was closed in between has no fields.
      return ids.flatMap((id, at) => {
        const fields = found[at] ?? [];
        return fields.every((value) => value === null) ? [] : [toHome(homeSchema.parse([id, ...fields]))];
      });
    },
    isAny: async () => (await redis.zcount(homeKeys.open, clock.now(), '+inf')) > 0,
    ...createTurns(redis, clock),
    close: async (userId) => {
      await redis.multi().zrem(homeKeys.open, userId).del(homeKeys.home(userId)).exec();
    },
  };
}

/** Who publishes a Home: one process at a time. */
function createTurns(
  redis: RedisConnection,
  clock: Pick<RedisClock, 'now'>,
): Pick<OpenHomes, 'claim' | 'settle'> {
  return {
    claim: async ({ actor, version, busyUntil }, publishMs) => {
      const now = clock.now();
      if (busyUntil > now) return undefined;
      const home = homeKeys.home(actor.userId);
      const next = version + 1;
      const { result } = await commit<'closed' | 'moved'>(redis, {
        if: [
          there(home, 'closed'),
          unchanged(home, version, 'moved'),
          holds(home, 'busyUntil', busyUntil === 0 ? '' : String(busyUntil), 'moved'),
        ],
        write: [field(home, 'version', String(next)), field(home, 'busyUntil', String(now + publishMs))],
      });
      return result === 'written' ? next : undefined;
    },
    settle: async (userId, version, { shown = '', failures, notBefore }) => {
      const home = homeKeys.home(userId);
      await commit<'closed' | 'moved'>(redis, {
        if: [there(home, 'closed'), unchanged(home, version, 'moved')],
        write: [
          field(home, 'shown', shown),
          field(home, 'failures', String(failures)),
          field(home, 'notBefore', String(notBefore)),
          unfield(home, 'busyUntil'),
        ],
      });
    },
  };
}

function toHome(found: z.output<typeof homeSchema>): OpenHome {
  const [userId, teamId, channelId, until, version, shown, busyUntil, failures, notBefore] = found;
  return {
    actor: teamId === '' ? { userId } : { userId, teamId },
    channelId,
    until,
    version,
    shown: shown === '' ? undefined : shown,
    busyUntil,
    failures,
    notBefore,
  };
}
