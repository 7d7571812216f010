import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { customer, instance } from '../../sandbox/world.ts';
import { play, powerCalls, privateTexts, readAll } from '../support/sandbox.ts';
import type { Fault } from '../../sandbox/hosting/behavior.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Timings } from '../../src/core/timings.ts';

/** A limit whose window ends while a test runs. */
const LIMIT = { requests: 30, seconds: 3 };
const FLEET = Array.from({ length: 60 }, (_, index) => instance(1_001 + index, `web-${index + 1}`));
const ONE_OF = /\/instances\/\d+$/;

async function crowded(limit = LIMIT, timings: Partial<Timings> = {}): Promise<Sandbox> {
  return play({
    env: { LAMPLIGHTER_EVERYONE: 'admin' },
    hosting: {
      world: { customers: [customer('harbour', { balanceCredits: 90_000, instances: FLEET })] },
    },
    adapter: { limit },
    timings: { asksPerMinute: 100_000, sharedForMs: 1_000, ...timings },
  });
}

/** Looks at one instance after another for so long (ms): more than the limit allows. */
async function keepsLooking(sandbox: Sandbox, who: string, forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  for (let count = 0; performance.now() < until; count++) {
    await sandbox.slack.person(who).types('#ops', `/instances show web-${(count % 60) + 1}`);
    await wait(25);
  }
}

const changed = (sandbox: Sandbox): number =>
  new Set(readAll(sandbox).flatMap((text) => /(?:Restarted|Stopped) (web-\d+)/.exec(text)?.[1] ?? [])).size;

it('no change is refused because three people look at one instance after another', async () => {
  const sandbox = await crowded();
  const looking = ['ana', 'bob', 'fin'].map((who) => keepsLooking(sandbox, who, 3_000));
  await wait(800);
  const admin = sandbox.slack.person('admin');
  for (let count = 1; count <= 4; count++) {
    await admin.types('#ops', `/instances restart web-${count}`);
    await admin.types('#ops', `/instances stop ${1_004 + count}`);
    await admin.mentions('#ops', `restart web-${count + 8}`);
  }
  await Promise.all(looking);
  await sandbox.slack.until(() => changed(sandbox) === 12, { timeoutMs: 20_000 });
  expect(powerCalls(sandbox)).toBe(12);
  expect(privateTexts(sandbox, 'admin').filter((text) => text.includes('nothing was done'))).toEqual([]);
}, 40_000);

it.each([
  ['restart web-50', 'restart'],
  ['stop 1051', 'stop'],
])('%s is asked at once where everybody’s looks have used all that they may', async (words, power) => {
  // So long a window that nothing comes back meanwhile.
  const sandbox = await crowded({ requests: 60, seconds: 600 }, { sharedForMs: 0 });
  const [ana, admin] = [sandbox.slack.person('ana'), sandbox.slack.person('admin')];
  const isAtLimit = (): boolean => privateTexts(sandbox, 'ana').some((text) => text.includes('at my limit'));
  for (let count = 0; !isAtLimit(); count++)
    await ana.types('#ops', `/instances show web-${(count % 40) + 1}`);
  // A list that was read within a second would do for the change.
  await wait(1_100);
  await admin.types('#ops', `/instances ${words}`);
  await sandbox.slack.until(
    () => powerCalls(sandbox, power) === 1 || privateTexts(sandbox, 'admin').length > 0,
  );
  expect(privateTexts(sandbox, 'admin')).toEqual([]);
});

it('who asks for a change while all calls are used up reads that it is in line, and it is done however long that takes', async () => {
  // In line for longer than a change may take to begin once it could.
  const sandbox = await crowded(
    { requests: 10, seconds: 4 },
    // So few calls are left that its end is seen late.
    { acceptWithinMs: 3_500, sharedForMs: 0, patienceMs: 40_000 },
  );
  const [ana, admin] = [sandbox.slack.person('ana'), sandbox.slack.person('admin')];
  const inLine = (): string[] => privateTexts(sandbox, 'admin').filter((text) => text.includes('in line'));
  await Promise.all(
    Array.from({ length: 12 }, (_, index) => ana.types('#ops', `/instances show web-${index + 40}`)),
  );
  let asked = 0;
  while (inLine().length === 0) {
    asked += 1;
    await admin.types('#ops', `/instances stop web-${asked}`);
    // Those who ask in the same moment share a reading.
    await wait(150);
  }
  await admin.mentions('#ops', 'restart web-30');
  const [, waited] =
    /^Stop (web-\d+): in line, because I'm at my limit of calls/.exec(inLine()[0] ?? '') ?? [];
  const isSaid = (what: string): boolean => readAll(sandbox).some((text) => text.includes(`${what} (`));
  await sandbox.slack.until(() => isSaid(`Stopped ${waited}`) && isSaid('Restarted web-30'), {
    timeoutMs: 50_000,
  });
  expect(powerCalls(sandbox, 'restart')).toBe(1);
}, 60_000);

const LIST = { method: 'GET', path: /\/instances$/ };
const busy = (seconds?: number): Fault => ({ answer: 429, done: false, retryAfterSeconds: seconds });

it.each<[string, Fault]>([
  ["isn't taking more requests for two seconds", busy(2)],
  ['is down for two seconds', { answer: 503, done: false, retryAfterSeconds: 2 }],
])('a change that is asked while the service %s is in line, and goes on by itself', async (_, fault) => {
  const sandbox = await play({ timings: { sharedForMs: 0 } });
  sandbox.hosting.failNext(LIST, fault);
  await sandbox.slack.person('admin').types('#ops', '/instances restart web-1');
  await sandbox.slack.until(() => changed(sandbox) === 1);
  expect(privateTexts(sandbox, 'admin')).toEqual([
    expect.stringMatching(
      /^Restart web-1: in line, because the hosting service isn't taking more requests right now\. It goes on by itself at about .+\.$/,
    ),
  ]);
  expect(powerCalls(sandbox, 'restart')).toBe(1);
});

it('a change in line whose turn the service itself puts off stays in line, however often, and whether it says until when or not', async () => {
  const hosting = { variant: { limitHeaders: 'absent' } } as const;
  const sandbox = await play({ hosting, timings: { sharedForMs: 0 } });
  for (const seconds of [1.5, 2, undefined, undefined]) sandbox.hosting.failNext(LIST, busy(seconds));
  await sandbox.slack.person('admin').types('#ops', '/instances restart web-1');
  await sandbox.slack.until(() => changed(sandbox) === 1, { timeoutMs: 30_000 });
  expect(privateTexts(sandbox, 'admin')).toEqual([expect.stringContaining('It goes on by itself')]);
  expect(powerCalls(sandbox, 'restart')).toBe(1);
}, 40_000);

it('a change that would wait in line for longer than it may is refused at once, with the time', async () => {
  const sandbox = await play({ timings: { sharedForMs: 0, maxQueueMs: 4_000 } });
  sandbox.hosting.failNext(LIST, busy(5));
  await sandbox.slack.person('admin').types('#ops', '/instances restart web-1');
  await sandbox.slack.until(() => privateTexts(sandbox, 'admin').length === 1);
  expect(privateTexts(sandbox, 'admin')[0]).toMatch(
    /^Restart web-1: The hosting service isn't taking more requests for another 5 s \(until .*\), so nothing was done\./,
  );
});

it('who looks while all calls are used up reads that the bot is at its limit, not that the service refuses', async () => {
  const sandbox = await crowded({ requests: 4, seconds: 60 });
  await keepsLooking(sandbox, 'ana', 1_000);
  const said = privateTexts(sandbox, 'ana').filter((text) => !/web-\d+ \(\d+\)/.test(text));
  expect(said[0]).toMatch(/: I'm at my limit of calls to the hosting service for another \d+ s/);
  expect(said.filter((text) => text.includes('hosting service takes no more'))).toEqual([]);
});

it('people who look at one instance within a second share one reading of it', async () => {
  const sandbox = await crowded({ requests: 1_000, seconds: 3 });
  const before = sandbox.hosting.countCalls('GET', ONE_OF);
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      sandbox.slack
        .person(['ana', 'bob', 'fin', 'admin'][index % 4] ?? 'ana')
        .types('#ops', '/instances show web-7'),
    ),
  );
  await sandbox.slack.until(() =>
    ['ana', 'bob', 'fin', 'admin'].every((who) => privateTexts(sandbox, who).length === 10),
  );
  expect(sandbox.hosting.countCalls('GET', ONE_OF) - before).toBeLessThanOrEqual(3);
});
