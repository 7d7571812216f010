import { z } from 'zod';
import { actorSchema } from '../../platform/slack/ids.ts';
import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { createRecords, type Records } from '../records/records.ts';
import type { Timings } from '../timings.ts';
import { homeKeys } from './keys.ts';

/**
 * A Home that its owner may be looking at. Slack says when one is opened, and never when it is closed. All times are Redis' time,
 * Unix ms.
 */
const openHomeSchema = z.object({
  actor: actorSchema,
  /** Their direct messages with the bot. */
  channelId: z.string(),
  /** It counts as open until then; 0 for one that was closed. */
  until: z.number(),
  /** Counts what was published there. */
  version: z.int(),
  /** The hash of what it shows; undefined where nobody knows. */
  shown: z.string().optional(),
  /** Somebody publishes it until then. */
  busyUntil: z.number(),
  /** How often in a row Slack did not take it. */
  failures: z.int(),
  /** It is left alone until then. */
  notBefore: z.number(),
});
export type OpenHome = Readonly<z.infer<typeof openHomeSchema>>;

/** Whose Home it is. */
export type HomeOwner = Pick<OpenHome, 'actor' | 'channelId'>;

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
const NEVER_SHOWN = { version: 0, busyUntil: 0, failures: 0, notBefore: 0 };

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
  const records = createRecords<OpenHome>(redis, {
    keyOf: homeKeys.home,
    index: homeKeys.open,
    schema: openHomeSchema,
    dueAt: ({ until }) => (until === 0 ? 'closed' : until),
    keptMs: KEPT_AFTER_MS,
    openKeptMs: () => timings.homeOpenMs + KEPT_AFTER_MS,
  });
  /** Counts as open from now on, and goes on by that step. Gives it as it was and is. */
  const opened = async (
    owner: HomeOwner,
    step: (home: OpenHome, now: number) => OpenHome,
  ): Promise<{ readonly before: OpenHome | undefined; readonly home: OpenHome }> => {
    const { userId } = owner.actor;
    for (;;) {
      let before: OpenHome | undefined;
      const now = clock.now();
      const next = (one: Omit<OpenHome, 'until' | keyof HomeOwner>): OpenHome =>
        step({ ...one, ...owner, until: now + timings.homeOpenMs }, now);
      const home = await records.change(userId, (one) => next((before = one)));
      if (home) return { before, home };
      const first = next(NEVER_SHOWN);
      if ((await records.create(userId, first)).result === 'written')
        return { before: undefined, home: first };
    }
  };
  // What could not be woken is found by the sweep.
  const wake = (): Promise<void> => queue.wake(HOMES_JOB, HOMES_ID).catch(() => undefined);
  return {
    open: async (owner, publishMs) => {
      const { before, home } = await opened(owner, (one, now) =>
        one.busyUntil > now
          ? one
          : { ...one, version: one.version + 1, busyUntil: now + publishMs, failures: 0, notBefore: 0 },
      );
      await wake();
      return { version: home.version === before?.version ? undefined : home.version, until: home.until };
    },
    use: async (owner) => {
      const { before, home } = await opened(owner, (one) => one);
      if (!before || before.until <= home.until - timings.homeOpenMs) await wake();
    },
    list: async () => {
      const now = clock.now();
      const [, , ids] = await Promise.all([
        redis.zremrangebyscore(homeKeys.open, '-inf', now),
        // The first to end was used longest ago.
        redis.zremrangebyrank(homeKeys.open, 0, -MAX_OPEN - 1),
        redis.zrangebyscore(homeKeys.open, `(${now}`, '+inf'),
      ]);
      const found = await Promise.all(ids.map((id) => records.find(id)));
      return found.filter((home) => home !== undefined);
    },
    isAny: async () => (await redis.zcount(homeKeys.open, clock.now(), '+inf')) > 0,
    ...createPublishing(records, clock),
  };
}

/** Who publishes a Home: one process at a time. */
function createPublishing(
  records: Records<OpenHome>,
  clock: Pick<RedisClock, 'now'>,
): Pick<OpenHomes, 'claim' | 'settle' | 'close'> {
  return {
    claim: async ({ actor, version, busyUntil }, publishMs) => {
      const now = clock.now();
      if (busyUntil > now) return undefined;
      const home = await records.change(actor.userId, (one) =>
        one.until > now && one.version === version && one.busyUntil === busyUntil
          ? { ...one, version: version + 1, busyUntil: now + publishMs }
          : undefined,
      );
      return home?.version;
    },
    settle: async (userId, version, { shown, failures, notBefore }) => {
      const now = clock.now();
      await records.change(userId, (one) => {
        if (one.until === 0 || one.version !== version) return undefined;
        return { ...one, until: one.until > now ? one.until : 0, shown, failures, notBefore, busyUntil: 0 };
      });
    },
    close: async (userId) => {
      await records.change(userId, ({ actor, channelId, version }) => ({
        ...NEVER_SHOWN,
        actor,
        channelId,
        version,
        until: 0,
      }));
    },
  };
}
