import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { batchSchema } from '../../src/core/batches/batch.ts';
import { BATCHES } from '../../src/core/batches/batch-store.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { powerCalls, readAll } from '../support/sandbox.ts';
import { startProcess } from '../support/process.ts';
import { allOr } from '../support/runs.ts';
import { batchCard, confirms, playFleet, previewOf } from './fleet.ts';

const COUNT = 12;
/** At which call of which instance it is killed, and whether the service has done it by then. */
const CALLS = [
  ['while the first call is on its way and not done', 1_000, 'before'],
  ['after the service did the fourth and before its answer', 1_003, 'after'],
  ['after the service did the last and before its answer', 1_011, 'after'],
] as const;

/** Has ana restart twelve, kills the bot at a moment, starts another, and gives what the channel says in the end. */
async function killAt(moment: (sandbox: Sandbox) => Promise<unknown>): Promise<[Sandbox, string[]]> {
  const sandbox = await playFleet(COUNT, { bot: false, hosting: { powerMs: 150 } });
  const first = await startProcess(sandbox, { timings: { acceptWithinMs: 20_000 } });
  const preview = await previewOf(sandbox, '/instances restart name:stg-*');
  const reached = moment(sandbox);
  const confirmed = confirms(sandbox, preview, `Restart ${COUNT}`).catch((error: unknown) => error);
  await reached;
  await Promise.all([first.end('SIGKILL'), confirmed]);
  await startProcess(sandbox, { timings: { acceptWithinMs: 20_000 } });
  await sandbox.settled();
  return [sandbox, readAll(sandbox)];
}

/** No instance was asked for twice, each has its end on the one card, and one reply tells the end. */
function expectOnce(sandbox: Sandbox, texts: readonly string[]): void {
  for (let id = 1_000; id < 1_000 + COUNT; id++)
    expect(sandbox.hosting.countCalls('POST', new RegExp(`/instances/${id}/restart$`))).toBeLessThanOrEqual(
      1,
    );
  expect(texts).toHaveLength(2);
  expect(texts[0]).toMatch(/12 operations: /);
  expect(texts[0]).not.toContain('untouched');
  for (let index = 0; index < COUNT; index++)
    expect(texts[0]).toMatch(new RegExp(`(✅|❔|❌).*stg-${index} \\(`, 'u'));
  expect(texts[1]).toMatch(/^@ana (All 12|\d+ of 12) restarted/);
}

describe('killed in the middle of twelve', () => {
  it.each(allOr(CALLS, CALLS[1]))(
    '%s, none is asked for twice and all are reported once',
    async (_name, id, when) => {
      const [sandbox, texts] = await killAt(async ({ hosting }) => {
        const held = hosting.hold({ path: new RegExp(`/${id}/restart$`) }, when);
        await held.arrived;
        setTimeout(() => held.drop(), 100);
      });
      expectOnce(sandbox, texts);
      // Written down and killed before it left, a call is never made: never twice is the promise.
      expect(powerCalls(sandbox)).toBeLessThanOrEqual(COUNT);
    },
  );

  it.each(allOr(['before', 'after'] as const, 'after'))(
    '%s Slack has the card, it stands once',
    async (when) => {
      const [sandbox, texts] = await killAt(async ({ slack }) => {
        const held = slack.hold('chat.postMessage', { when });
        await held.arrived;
        setTimeout(() => held.drop(), 50);
      });
      expectOnce(sandbox, texts);
      expect(powerCalls(sandbox)).toBe(COUNT);
    },
  );

  it('while the end is reported, it is reported once', async () => {
    const [sandbox, texts] = await killAt(async ({ slack }) => {
      await slack.until(() => slack.calls.some((call) => call.method === 'chat.postMessage' && call.ok));
      const held = slack.hold('chat.postMessage', { when: 'after' });
      await held.arrived;
      setTimeout(() => held.drop(), 50);
    });
    expectOnce(sandbox, texts);
  });

  it('and started again when its person has gone on, the rest is left, with a button for it', async () => {
    const sandbox = await playFleet(COUNT, { bot: false, hosting: { powerMs: 150 } });
    const redis = new Redis(sandbox.redisUrl);
    onTestFinished(() => redis.disconnect());
    const first = await startProcess(sandbox, { timings: { acceptWithinMs: 20_000 } });
    const preview = await previewOf(sandbox, '/instances restart name:stg-*');
    const held = sandbox.hosting.hold({ path: /\/1000\/restart$/ }, 'after');
    const confirmed = confirms(sandbox, preview, `Restart ${COUNT}`).catch((error: unknown) => error);
    await held.arrived;
    await Promise.all([first.end('SIGKILL'), confirmed]);
    held.drop();
    // What was written down as begun may leave after the start; the rest may not.
    const begun = await letStandStill(redis);
    expect(begun).toBeLessThan(COUNT);
    await startProcess(sandbox, { timings: { acceptWithinMs: 20_000 } });
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBeLessThanOrEqual(begun);
    expect(batchCard(sandbox)).toContain("It stood still for more than 5 min, so I didn't start the rest.");
    expect(batchCard(sandbox)).toContain('[ Continue with the rest ]');
  });
});

/** As if nobody had taken the batch up for five minutes. Gives how many of it were written down as begun. */
async function letStandStill(redis: Redis): Promise<number> {
  const [id = ''] = await redis.zrange(BATCHES.index, '0', '-1');
  const batch = batchSchema.parse(JSON.parse((await redis.hget(BATCHES.keyOf(id), 'record')) ?? ''));
  await redis.hset(BATCHES.keyOf(id), 'record', JSON.stringify({ ...batch, nextAt: batch.nextAt - 310_000 }));
  return batch.items.filter(({ state }) => state !== 'waiting').length;
}
