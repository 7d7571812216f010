import { HOMES_ID, HOMES_JOB, type OpenHome, type OpenHomes } from '../../core/homes/open-homes.ts';
import type { Background } from '../../core/intake/feature.ts';
import { HOME_ROUTE } from './route-ids.ts';
import type { Timings } from '../../core/timings.ts';
import { newId } from '../../platform/id.ts';
import { asError } from '../../platform/log/as-error.ts';
import type { JobHandler } from '../../platform/queue/run-job.ts';
import { SlackError } from '../../platform/slack/errors.ts';
import type { Homes } from '../../platform/slack/homes.ts';
import { atMost } from '../../platform/time/at-most.ts';
import { drawHome, type DrawHomeDeps, type DrawnHome } from './draw-home.ts';
import { createPublishPace, homeRetryMs, type PublishPace } from './publish-pace.ts';
import { homeKeys } from '../../core/homes/keys.ts';

export interface KeepHomesDeps extends DrawHomeDeps {
  readonly homes: Homes;
  readonly openHomes: OpenHomes;
  readonly timings: Timings;
  /** What they are drawn from is read again. `openedAt`: when the last of them was opened or used, Unix ms. */
  readonly beginRound: (openedAt: number) => Promise<void>;
}

/** Slack did not take a Home so often in a row: nobody can be looking at it. */
const MAX_FAILURES = 3;
/** One that takes longer is no longer waited for, so that the others are kept up to date. */
const MAX_ROUND_MS = 2_000;

/**
 * Keeps open Homes up to date: one process at a time draws each again and again, and publishes those that differ from what
 * they show. Without an open one there is no job.
 */
export function homesBackground(deps: KeepHomesDeps): Background {
  const { openHomes } = deps;
  return {
    handlers: { [HOMES_JOB]: createKeepHomes(deps) },
    swept: [
      {
        job: HOMES_JOB,
        index: homeKeys.open,
        listDue: async () => ((await openHomes.isAny()) ? [HOMES_ID] : []),
        isSeldom: true,
      },
    ],
  };
}

/** One look at all open Homes. Gives when the next is due. */
function createKeepHomes(deps: KeepHomesDeps): JobHandler {
  const { openHomes, clock, timings } = deps;
  const pace = createPublishPace(() => clock.now());
  const underWay = new Set<string>();
  /** When each was published last, so that those that wait for Slack's pace come one after another. */
  let publishedAt: ReadonlyMap<string, number> = new Map();
  return async (_id, signal) => {
    const open = await openHomes.list();
    if (open.length === 0) return undefined;
    publishedAt = new Map([...publishedAt].filter(([id]) => open.some(({ actor }) => actor.userId === id)));
    const lastOf = ({ actor }: OpenHome): number => publishedAt.get(actor.userId) ?? 0;
    const now = clock.now();
    const due = open
      .filter((one) => one.busyUntil <= now && one.notBefore <= now && !underWay.has(one.actor.userId))
      .toSorted((one, other) => lastOf(one) - lastOf(other));
    await deps.beginRound(Math.max(...open.map(({ until }) => until)) - timings.homeOpenMs);
    const keeping = due.map(async (home) => {
      const { userId } = home.actor;
      underWay.add(userId);
      try {
        if (await keep(deps, home, pace, signal))
          publishedAt = new Map([...publishedAt, [userId, clock.now()]]);
      } catch (error) {
        deps.log.limited('keeping a Home up to date', asError(error));
      } finally {
        underWay.delete(userId);
      }
    });
    await atMost(MAX_ROUND_MS, Promise.all(keeping));
    return timings.homeEveryMs;
  };
}

/** Draws a Home, and publishes it where it differs from what it shows. Gives whether it was published. */
async function keep(
  deps: KeepHomesDeps,
  home: OpenHome,
  pace: PublishPace,
  signal: AbortSignal,
): Promise<boolean> {
  const { openHomes, timings } = deps;
  const drawn = await drawHome(deps, askOf(home, deps.clock.now()), home.until);
  if (drawn.hash === home.shown || signal.aborted || !pace.take()) return false;
  // Where somebody else has published it since it was read, what was drawn here may be older than that.
  const version = await openHomes.claim(home, timings.slackTimeoutMs + timings.sendWithinMs);
  if (version === undefined) return false;
  const error = await publish(deps.homes, home, drawn);
  if (error) await putOff(deps, home, version, error, pace);
  else await openHomes.settle(home.actor.userId, version, { shown: drawn.hash, failures: 0, notBefore: 0 });
  return error === undefined;
}

async function publish(
  homes: Homes,
  { actor, channelId }: OpenHome,
  { messages }: DrawnHome,
): Promise<SlackError | undefined> {
  try {
    await homes.publish(actor.userId, channelId, messages);
    return undefined;
  } catch (error) {
    if (error instanceof SlackError) return error;
    throw error;
  }
}

/** Slack did not take it: nothing is tried for a while, and after several times it counts as closed. */
async function putOff(
  { openHomes, clock, timings, log }: KeepHomesDeps,
  { actor, failures: before }: OpenHome,
  version: number,
  { code, retryAfterMs }: SlackError,
  pace: PublishPace,
): Promise<void> {
  log.warn({ by: actor.userId, code }, 'keeping a Home up to date');
  // A limit says nothing of this Home. The others go on as slowly as Slack certainly takes them.
  if (retryAfterMs !== undefined) pace.slowDown();
  const failures = retryAfterMs === undefined ? before + 1 : before;
  if (failures >= MAX_FAILURES) return openHomes.close(actor.userId);
  const waitMs = retryAfterMs ?? homeRetryMs(timings) * 2 ** before;
  await openHomes.settle(actor.userId, version, {
    shown: undefined,
    failures,
    notBefore: clock.now() + waitMs,
  });
}

/** The owner asks for it, as when it is opened. */
function askOf({ actor, channelId }: OpenHome, now: number): Parameters<typeof drawHome>[1] {
  return {
    id: newId(),
    route: HOME_ROUTE,
    words: [],
    actor,
    place: { channelId },
    replaces: false,
    askedAt: now,
  };
}
