import { expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { startProcess } from '../support/process.ts';
import { clockOfHost, startSettableRedis } from '../support/settable-redis.ts';
import {
  botMessages,
  deleteCalls,
  opensModal,
  play,
  type PlayOptions,
  powerCalls,
  privateTexts,
  readAll,
} from '../support/sandbox.ts';
import { findCard } from '../watches/watching.ts';

/** The clock of Redis before it is set, and after; seconds ahead of the host's. */
const SETTINGS: readonly (readonly [what: string, before: number, after: number])[] = [
  ['five seconds back', 0, -5],
  ['a minute back', 0, -60],
  ['ten minutes back', 0, -600],
  ['from five minutes ahead to right', 300, 0],
  ['from a day ahead to right', 86_400, 0],
  ['half a minute forward', 0, 30],
  ['an hour forward', 0, 3_600],
  ['a day forward', 0, 86_400],
];

async function playOn(redisUrl: string, options: PlayOptions = {}): Promise<Sandbox> {
  return play({ ownRedis: true, redisUrl, ...options });
}

async function untilRead(sandbox: Sandbox, words: string): Promise<void> {
  await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes(words)));
}

async function untilNoticed(sandbox: Sandbox): Promise<void> {
  await expect.poll(() => sandbox.logs.join(''), { timeout: 15_000 }).toContain('the clock of Redis was set');
}

it.each(SETTINGS)(
  "all that is asked for while Redis' clock is set %s comes to its end",
  async (_what, before, after) => {
    const redis = await startSettableRedis(before);
    const sandbox = await playOn(redis.url, { hosting: { powerMs: 7_000 }, timings: { patienceMs: 60_000 } });
    const ana = sandbox.slack.person('ana');
    await ana.types('#ops', '/instances restart web-1');
    await sandbox.slack.until(() => powerCalls(sandbox) === 1);
    redis.setAhead(after);
    await ana.types('#ops', '/instances stop worker-1');
    await untilNoticed(sandbox);
    await ana.types('#ops', '/instances restart web-2');
    await untilRead(sandbox, 'Stopped worker-1');
    await untilRead(sandbox, 'Restarted web-1');
    await untilRead(sandbox, 'Restarted web-2');
    expect(privateTexts(sandbox, 'ana')).toEqual([]);
    expect(powerCalls(sandbox)).toBe(3);
  },
);

it("a deletion can still be canceled, and an approval given, after Redis' clock was set a day forward", async () => {
  const redis = await startSettableRedis();
  const sandbox = await playOn(redis.url, {
    timings: { cancelWindowMs: 60_000 },
    env: { LAMPLIGHTER_APPROVE: 'web-*' },
  });
  const { slack } = sandbox;
  await slack.person('ana').types('#ops', '/instances restart web-1');
  const question = await findCard(sandbox, 'asks to restart web-1 (101)');
  const modal = await opensModal(sandbox, 'admin', '/instances delete staging');
  await slack.person('admin').submits(modal, { typed: 'staging' });
  await untilRead(sandbox, 'Deleting staging');
  redis.setAhead(86_400);
  await untilNoticed(sandbox);
  await slack.person('bob').presses(question, 'Approve');
  await untilRead(sandbox, 'Restarted web-1');
  const card = botMessages(sandbox).find((one) => slack.read(one).includes('Deleting staging'));
  await slack.person('admin').presses(card!, 'Cancel');
  await untilRead(sandbox, 'Did not delete staging');
  expect(deleteCalls(sandbox)).toBe(0);
});

it("a process that starts after Redis' clock was set back goes on where the other was killed", async () => {
  const redis = await startSettableRedis();
  const sandbox = await playOn(redis.url, { bot: false, hosting: { powerMs: 3_000 } });
  const first = await startProcess(sandbox);
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
  await sandbox.slack.until(() => powerCalls(sandbox) === 1);
  await first.end('SIGKILL');
  redis.setAhead(-600);
  await startProcess(sandbox);
  await untilRead(sandbox, 'Restarted web-1');
  await sandbox.slack.person('ana').types('#ops', '/instances stop worker-1');
  await untilRead(sandbox, 'Stopped worker-1');
  expect(powerCalls(sandbox)).toBe(2);
});

it.each([-600, 600])("work goes on where the bot's own host's clock is set by %i s", async (seconds) => {
  const redis = await startSettableRedis();
  const sandbox = await playOn(redis.url, { bot: false, hosting: { powerMs: 3_000 } });
  const host = clockOfHost();
  await startProcess(sandbox, { env: host.env });
  const ana = sandbox.slack.person('ana');
  await ana.types('#ops', '/instances restart web-1');
  await sandbox.slack.until(() => powerCalls(sandbox) === 1);
  host.setAhead(seconds);
  await untilRead(sandbox, 'Restarted web-1');
  host.setAhead(0);
  await ana.types('#ops', '/instances stop worker-1');
  await untilRead(sandbox, 'Stopped worker-1');
  expect(powerCalls(sandbox)).toBe(2);
});
