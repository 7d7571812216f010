import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { customer, instance } from '../../sandbox/world.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { BUDGET, createBudget, type Limit } from '../../src/platform/hosting/budget.ts';
import { answerTo, botMessages, play, type PlayOptions, powerCalls, readAll } from '../support/sandbox.ts';
import { askUntil } from '../support/until.ts';

const COUNT = 10;
const QUEUED = /In line at the hosting service: \d+(st|nd|rd|th), about \d+ s\./;
/** 28 of them may be writes. The service's own window is shorter: what the bot sends arrives late on a busy machine. */
const LIMIT: Limit = { requests: 40, seconds: 8 };
const SERVICE_WINDOW_MS = 7_000;

/** An account with so few calls, of which the writes are used up. */
async function playNarrow(timings: PlayOptions['timings'] = {}): Promise<Sandbox> {
  const instances = Array.from({ length: COUNT }, (_, index) => instance(index + 1, `web-${index + 1}`));
  const sandbox = await play({
    env: { LAMPLIGHTER_EVERYONE: 'admin' },
    hosting: {
      world: { customers: [customer('harbour', { balanceCredits: 90_000_000, instances })] },
      rateLimit: LIMIT.requests,
      rateWindowMs: SERVICE_WINDOW_MS,
    },
    adapter: { limit: LIMIT },
    timings: { pollEveryMs: 300, patienceMs: 60_000, sharedForMs: 1_000, ...timings },
  });
  const redis = new Redis(sandbox.redisUrl);
  onTestFinished(() => redis.disconnect());
  const budget = createBudget(redis, sandbox.hosting.customers[0]?.apiKey ?? '', LIMIT, Date.now);
  for (let write = 0; write < 28; write++) await budget.take('write', 'using up the writes', 0);
  return sandbox;
}

/** A restart for each instance, typed at once. */
async function restartAll(sandbox: Sandbox): Promise<void> {
  await Promise.all(
    Array.from({ length: COUNT }, (_, index) =>
      sandbox.slack.person('ana').types('#ops', `/instances restart web-${index + 1}`),
    ),
  );
}

/** How long its card says that the restart took. */
function tookOn(sandbox: Sandbox, name: string): string | undefined {
  const card = readAll(sandbox).find((text) => text.includes(`Restarted ${name} `));
  return /, after ([^.]+)\./.exec(card ?? '')?.[1];
}

/** The tickets in the queue for writes. */
async function ticketsOf(sandbox: Sandbox): Promise<string[]> {
  const redis = new Redis(sandbox.redisUrl);
  onTestFinished(() => redis.disconnect());
  const [queue] = await redis.keys(`${BUDGET}:*:queue`);
  return queue === undefined ? [] : redis.zrange(queue, '0', '-1');
}

it('more restarts than a window has calls are all done, in line, each with its place, and without one 429', async () => {
  const sandbox = await playNarrow();
  await restartAll(sandbox);
  await sandbox.settled(60_000);
  for (let id = 1; id <= COUNT; id++)
    expect(readAll(sandbox).some((text) => text.includes(`Restarted web-${id} (${id})`))).toBe(true);
  expect(powerCalls(sandbox)).toBe(COUNT);
  expect(sandbox.hosting.calls.filter(({ status }) => status === 429)).toEqual([]);
  const edits = sandbox.slack.calls.filter(({ method }) => method === 'chat.update');
  const placed = edits.filter(({ args }) => QUEUED.test(JSON.stringify(args)));
  expect(new Set(placed.map(({ args }) => args['ts'])).size).toBeGreaterThan(2);
  expect(await ticketsOf(sandbox)).toEqual([]);
  // The wait in line is no work: its card and its history say the same of how long it took.
  const took = tookOn(sandbox, 'web-10');
  const history = await askUntil(
    () => answerTo(sandbox, 'ana', '/instances history web-10'),
    (text) => text.includes('restart: done'),
  );
  expect(history).toContain(`restart: done, after ${took}`);
});

it('who waits in line can take it back: nothing is sent, and the others move up', async () => {
  const sandbox = await playNarrow();
  await restartAll(sandbox);
  const waiting = await sandbox.slack.until(() =>
    botMessages(sandbox).find((message) => QUEUED.test(sandbox.slack.read(message))),
  );
  await sandbox.slack.person('bob').presses(waiting, 'Cancel');
  await sandbox.settled(60_000);
  expect(sandbox.slack.read(waiting)).toMatch(
    /Did not restart web-\d+ \(\d+\): @bob canceled it\. Nothing was done\./,
  );
  expect(powerCalls(sandbox)).toBe(COUNT - 1);
  expect(await ticketsOf(sandbox)).toEqual([]);
});

it('a bot that is started again meanwhile forgets nobody, and restarts nothing twice', async () => {
  const sandbox = await playNarrow();
  await restartAll(sandbox);
  await sandbox.slack.until(() => readAll(sandbox).some((text) => QUEUED.test(text)));
  await sandbox.stopBots();
  await sandbox.startBot();
  await sandbox.settled(60_000);
  for (let id = 1; id <= COUNT; id++)
    expect(readAll(sandbox).some((text) => text.includes(`Restarted web-${id} (${id})`))).toBe(true);
  expect(powerCalls(sandbox)).toBe(COUNT);
  expect(sandbox.hosting.calls.filter(({ status }) => status === 429)).toEqual([]);
  expect(await ticketsOf(sandbox)).toEqual([]);
});

it('who has waited too long reads that nothing was done', async () => {
  const sandbox = await playNarrow({ maxQueueMs: 2_000 });
  await restartAll(sandbox);
  await sandbox.settled(60_000);
  const given = readAll(sandbox).find((text) => text.includes('it waited too long in line'));
  expect(given).toMatch(/Did not restart web-\d+ .* Nothing was done; ask again if you still want it\./);
  expect(await ticketsOf(sandbox)).toEqual([]);
  const sent = sandbox.hosting.calls.filter(({ method }) => method === 'POST').map(({ path }) => path);
  expect(new Set(sent).size).toBe(sent.length);
  expect(sent.length).toBeLessThan(COUNT);
});
