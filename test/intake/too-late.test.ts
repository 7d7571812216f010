import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { FaultPoints } from '../../src/core/base.ts';
import type { OperationStore } from '../../src/core/operations/operation-store.ts';
import type { RequestStore } from '../../src/core/intake/request-store.ts';
import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import type { HostingService } from '../../src/platform/hosting/service.ts';
import type { Messenger } from '../../src/platform/slack/messenger.ts';
import { MINUTE_MS } from '../../src/platform/time/duration.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { instead } from '../support/instead.ts';
import { answerTo, play, type PlayOptions, powerCalls, readAll, runToEnd } from '../support/sandbox.ts';

const TOO_LONG =
  'It took me too long to get to what you asked for, so nothing was done. Ask again if you still want it.';

/** A sandbox whose bot has parts put in place of its own. */
async function playWith(faultPoints: FaultPoints, options: PlayOptions = {}): Promise<Sandbox> {
  const sandbox = await play({ bot: false, ...options });
  await sandbox.startBot({}, faultPoints);
  return sandbox;
}

describe('what comes to its turn too late is not begun, and who asked reads that:', () => {
  it('a request, before anything is looked up for it', async () => {
    const sandbox = await play({ timings: { acceptWithinMs: -1 } });
    expect(await answerTo(sandbox, 'ana', '/instances restart web-1')).toContain(TOO_LONG);
    // What begins no operation has no other deadline.
    expect(await answerTo(sandbox, 'admin', '/lamplighter freeze "release"')).toContain('took me too long');
    expect(await answerTo(sandbox, 'admin', '/lamplighter freeze')).toBe('Nothing is frozen.');
    // A read changes nothing, however late.
    expect(await answerTo(sandbox, 'ana', '/instances show web-1')).toContain('web-1 (101)');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
    expect(readAll(sandbox)).toEqual([]);
  });

  it('one for which the service was read too long', async () => {
    const acceptWithinMs = 300;
    const sandbox = await playWith(
      instead('hosting', 'listInstances', async (own, ...given) => {
        // The reading takes that long, and no clock of it can be set.
        await wait(acceptWithinMs + 50);
        return (own as HostingService).listInstances(
          ...(given as Parameters<HostingService['listInstances']>),
        );
      }),
      { timings: { acceptWithinMs } },
    );
    expect(await answerTo(sandbox, 'ana', '/instances restart web-1')).toContain(TOO_LONG);
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
    // An operation would have a card.
    expect(readAll(sandbox)).toEqual([]);
  });
});

it('an operation that comes to its call too late makes none, and its card says so', async () => {
  let isPosted = false;
  const posts = instead('messenger', 'post', async (own, ...given) => {
    // Also where its answer comes too late, and the card is found in the channel.
    try {
      return await (own as Messenger).post(...(given as Parameters<Messenger['post']>));
    } finally {
      isPosted = true;
    }
  });
  // Two minutes go by until Slack has taken the card.
  const late = instead('operations', 'findLatest', async (own, id) => {
    const latest = await (own as OperationStore).findLatest(String(id));
    const isLate = isPosted && latest?.execution.state === 'requested';
    return latest && isLate ? { ...latest, requestedAt: latest.requestedAt - 2 * MINUTE_MS } : latest;
  });
  const sandbox = await playWith((name, part) => posts(name, late(name, part)));
  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  expect(readAll(sandbox)[0]).toContain('Did not restart web-1 (101): it took too long to get to it');
  expect(powerCalls(sandbox)).toBe(0);
});

it('a change that waited in line for its first reading is begun in its turn, and took as long as it took then', async () => {
  let isFull = true;
  const full = instead('hosting', 'listInstances', (own, ...given) => {
    if (!isFull)
      return (own as HostingService).listInstances(...(given as Parameters<HostingService['listInstances']>));
    isFull = false;
    throw new HostingError('listing instances', {
      fault: 'rate-limited',
      isOwnLimit: true,
      outcome: 'not-done',
      retryable: true,
      retryAfterMs: 20,
    });
  });
  const longAgo = instead('requests', 'enqueue', (own, ...given) => {
    const [ask, mark] = given as Parameters<RequestStore['enqueue']>;
    return (own as RequestStore).enqueue({ ...ask, askedAt: ask.askedAt - 2 * MINUTE_MS }, mark);
  });
  const sandbox = await playWith((name, part) => full(name, longAgo(name, part)));
  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  const [card] = readAll(sandbox);
  expect(card).toMatch(/Restarted web-1 \(101\): it is running again, after \d s\./);
  expect(card).toContain('asked by @ana 2 minutes ago');
  expect(powerCalls(sandbox)).toBe(1);
});
