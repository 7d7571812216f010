import { underWay } from '../core/operations/messages.ts';
import type { Operation } from '../core/operations/operation.ts';
import { createOneRecord } from '../core/records/one-record.ts';
import { createFarewells, type Farewells } from '../core/watchdogs/farewell/keep.ts';
import { type Speaker, FAREWELL, FAREWELL_LEASE } from '../core/watchdogs/farewell/record.ts';
import { calendarOf } from '../platform/redis/clock.ts';
import { whileLocked } from '../platform/redis/lock.ts';
import { moneyOf } from './features.ts';
import type { FeaturesDeps } from './features-deps.ts';
import type { Common } from './shared-by-accounts.ts';
import type { Slack } from './slack.ts';

/** What an account would have to say if the bot fell silent now. */
export function createSpeaker(deps: FeaturesDeps): Speaker {
  const { accountName: account } = deps;
  const money = moneyOf(deps)?.words();
  return {
    lastWords: async () => {
      const words = await money?.();
      if (!words) return undefined;
      const operations = await deps.operations.listOpen();
      // What was asked for elsewhere isn't everybody's to read there.
      const isHere = (one: Operation): boolean =>
        one.place.channelId === words.channelId && deps.operations.knows(one);
      const now = deps.clock.now();
      const named = operations
        .filter(isHere)
        .map((operation) => underWay({ operation, kind: deps.operations.kindOf(operation) }, now));
      return { ...words, account, open: [...words.open, ...named] };
    },
    outbox: deps.outbox,
  };
}

/** It lasts longer than what is done meanwhile; who stands still in between finds by the list what others did. */
const LEASE_MS = 45_000;

/** The farewells of a workspace. */
export function createFarewellsOf(
  {
    workspace,
    shared,
    marks,
    timings,
    log,
  }: Pick<Common, 'workspace' | 'shared' | 'marks' | 'timings' | 'log'>,
  { scheduledPosts, messenger }: Pick<Slack, 'scheduledPosts' | 'messenger'>,
  speakers: readonly Speaker[],
): Farewells {
  const redis = workspace.redis.failFast;
  return createFarewells({
    scheduledPosts,
    messenger,
    store: createOneRecord(redis, FAREWELL),
    alone: (work) => whileLocked(redis, FAREWELL_LEASE, LEASE_MS, work),
    speakers,
    marks,
    now: calendarOf(shared.clock).now,
    timings,
    log,
  });
}

/** Does what is due of the farewells of every workspace. Throws the first fault once all are through. */
export async function keepFarewells(
  all: readonly { readonly farewells: Farewells | undefined }[],
): Promise<void> {
  const results = await Promise.allSettled(all.map(async ({ farewells }) => farewells?.keep()));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
