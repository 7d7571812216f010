import { createOneRecord } from '../core/records/one-record.ts';
import { listOldestDue, vitalFault, type VitalSigns } from '../core/watchdogs/vital-signs.ts';
import { ALARM } from '../features/billing/alerts/alarm-store.ts';
import {
  type ConnectionFault,
  connectionFaultIn,
  SHOW_CERTIFICATE,
} from '../platform/http/connection-fault.ts';
import type { WayOut } from '../platform/http/way-out.ts';
import { newId } from '../platform/id.ts';
import { key } from '../platform/redis/key.ts';
import { releaseLock, takeLock } from '../platform/redis/lock.ts';
import { atMost } from '../platform/time/wait.ts';
import type { AccountBot } from './account-bot.ts';
import { botsOf, type Fleet } from './fleet.ts';
import { keepLastBeat } from './last-beat.ts';
import type { Readiness } from './readiness.ts';
import type { SharedRedis } from './redis.ts';
import type { Base } from '../core/base.ts';

/** The lease of one beat, so that all processes together make one. */
const HEARTBEAT = key('heartbeat');
/** It is over before the next is due. */
const LEASE_SHARE = 0.8;
/** What keeps it from beating is looked at again after this. */
const AGAIN_SHARE = 1 / 6;
const SENT_WITHIN_MS = 5_000;

/**
 * Calls a monitor outside once for all processes, but only where the work is really done; to be called again and again. The log says why
 * it wasn't, or why the monitor didn't take it. Throws what Redis throws. `url`: what is called; undefined for nothing.
 */
export function createHeartbeat({
  url,
  fleet,
  readiness,
  shared,
  timings,
  wayOut,
  log,
}: Pick<Base, 'timings' | 'log' | 'wayOut'> & {
  readonly url: string | undefined;
  readonly fleet: Fleet;
  readonly readiness: Readiness;
  readonly shared: SharedRedis;
}): () => Promise<void> {
  let nextAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (url === undefined || performance.now() < nextAt) return;
    nextAt = performance.now() + timings.heartbeatEveryMs * AGAIN_SHARE;
    // Another process has made this one.
    if ((await shared.failFast.exists(HEARTBEAT)) === 1) return;
    const fault = await faultOf(readiness, fleet);
    if (fault !== undefined) {
      log.limited('no heartbeat', new Error(fault));
      return;
    }
    const leaseMs = Math.max(1, Math.round(timings.heartbeatEveryMs * LEASE_SHARE));
    const owner = newId();
    if (!(await takeLock(shared.failFast, HEARTBEAT, owner, leaseMs))) return;
    nextAt = performance.now() + timings.heartbeatEveryMs;
    try {
      await send(wayOut, url);
    } catch (error) {
      // Another process may reach the monitor.
      await releaseLock(shared.failFast, HEARTBEAT, owner);
      log.limited('no heartbeat', new Error(notTaken(error)));
      return;
    }
    await keepLastBeat(shared.failFast, shared.clock.now());
  };
}

/** Why this process can't say that the work is done; undefined where it can. Throws what Redis throws. */
async function faultOf(readiness: Readiness, fleet: Fleet): Promise<string | undefined> {
  for (const [name, check] of Object.entries(readiness.checks)) {
    const fault = await check();
    if (fault !== undefined) return `${name}: ${fault}`;
  }
  for (const { slack } of fleet.workspaces())
    if (!(await atMost(SENT_WITHIN_MS, slack.examiner.token()))) return 'slack: no answer';
  for (const bot of botsOf(fleet)) {
    const fault = vitalFault(await signsOf(bot), bot.stores.clock.now());
    if (fault !== undefined) return fault;
  }
  return undefined;
}

async function signsOf({ stores, hosting, setup: { timings } }: AccountBot): Promise<VitalSigns> {
  const { billingCheckEveryMs: everyMs, unknownAfterMs } = timings;
  const oldest = await listOldestDue(stores.failFast);
  const isLookedAt = hosting.about.offers.billing !== undefined && Number.isFinite(everyMs);
  if (!isLookedAt) return { oldest, looks: undefined };
  const { checkedAt, seen, failingSince } = await createOneRecord(stores.failFast, ALARM).get();
  return { oldest, looks: { everyMs, unknownAfterMs, checkedAt, readAt: seen?.at, failingSince } };
}

/** The monitor answered, and not that it has it. */
class NotTaken extends Error {}

const WANTS_CERTIFICATE =
  'If it wants a client certificate, choose an address there that wants none: I show it none.';

/** What the log says of it: the variable, and what to check, and nothing of the address, which is a secret. */
function notTaken(error: unknown): string {
  if (error instanceof NotTaken) return error.message;
  const { why, todo } = connectionFaultIn(error) ?? otherFault(error);
  return `the monitor at HEARTBEAT_URL can't be reached: ${why}. ${todo === SHOW_CERTIFICATE ? WANTS_CERTIFICATE : todo}`;
}

/** What is no fault of a connection: no answer within the time for one, or nobody knows what. */
function otherFault(error: unknown): ConnectionFault {
  const todo = 'Check the address, and what may block the way to it.';
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  return { why: isLate ? 'nothing answers there in time' : 'the call failed', todo };
}

/** Throws where the monitor didn't take it. */
async function send(wayOut: WayOut, url: string): Promise<void> {
  const { origin, pathname, search } = new URL(url);
  // It comes now and then: nothing is kept open between two.
  const connections = wayOut.open({ connections: 1 });
  try {
    const { statusCode, body } = await connections.request({
      origin,
      path: `${pathname}${search}`,
      method: 'GET',
      signal: AbortSignal.timeout(SENT_WITHIN_MS),
    });
    await body.dump();
    if (statusCode < 200 || statusCode > 299)
      throw new NotTaken(
        `the monitor at HEARTBEAT_URL answered ${statusCode}. Check there whether that address is still the right one.`,
      );
  } finally {
    await connections.destroy();
  }
}
