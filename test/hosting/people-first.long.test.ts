import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { customer, instance } from '../../sandbox/world.ts';
import { answerTo, play, powerCalls, privateTexts, readAll } from '../support/sandbox.ts';

const DOCUMENTED = { requests: 100, seconds: 60 };
const PEOPLE = ['ana', 'bob', 'fin', 'admin'];
/** A look every 20 ms; a call that a busy machine answers late is no fault, and costs no second turn. */
const OFTEN = { billingCheckEveryMs: 20, apiTimeoutMs: 12_000 };
/** Time for a hundred looks, if the bot were allowed to: what it didn't do can\'t be waited for in any other way. */
const MANY_POLLS_MS = 2_000;
const BALANCE = /\/billing\/summary$/;

it('people are answered within the limit of 100 a minute however often the balance is looked at', async () => {
  const sandbox = await play({
    env: { LAMPLIGHTER_EVERYONE: 'admin', BILLING_CHANNELS: 'C0OPS000001' },
    timings: OFTEN,
    hosting: { rateLimit: DOCUMENTED.requests },
    adapter: { limit: DOCUMENTED },
  });
  // Enough to use up everything, if it were allowed to.
  await wait(MANY_POLLS_MS);
  const byItself = sandbox.hosting.calls.length;
  expect(byItself).toBeLessThan(12);
  for (let round = 0; round < 8; round++) {
    for (const who of PEOPLE) {
      const said = await answerTo(sandbox, who, round % 2 ? '/instances' : '/billing usage');
      expect(said).toMatch(round % 2 ? /instances: \d/ : /Instances cost/);
    }
  }
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
  await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
  expect(sandbox.hosting.calls.some(({ status }) => status === 429)).toBe(false);
  expect(sandbox.hosting.countCalls('GET', BALANCE)).toBeGreaterThan(0);
});

it('a balance that the bot has no turn to look at is not called unreadable before that has lasted', async () => {
  // One call in ten minutes, which is made at the start: no turn comes within the patience of a look.
  const documented = { limit: { requests: 1, seconds: 600 } };
  const env = { LAMPLIGHTER_EVERYONE: 'admin', BILLING_CHANNELS: 'C0OPS000001' };
  const patient = await play({ env, timings: OFTEN, adapter: documented });
  await wait(MANY_POLLS_MS);
  expect(readAll(patient)).toEqual([]);
  expect(patient.logs.join('')).not.toContain('the balance could not be read');
  const anxious = await play({ env, timings: { ...OFTEN, unknownAfterMs: 300 }, adapter: documented });
  await anxious.slack.until(() =>
    readAll(anxious).some((text) => text.includes('how long the balance lasts since')),
  );
});

it.each([
  ['look at one instance after another', (index: number) => `/instances show ${101 + index}`],
  ['ask for the money of the past', (index: number) => `/billing transactions --last ${1 + index}d`],
  ['look for the add-ons of each', (index: number) => `/addons ${101 + index}`],
])(
  'a balance that alerts hang on is read although people %s, for all that there is',
  async (_name, lineOf) => {
    const sandbox = await play({
      env: { LAMPLIGHTER_EVERYONE: 'admin', BILLING_CHANNELS: 'C0OPS000001', BILLING_CHECK_EVERY: '1s' },
      // What is set more often than it can be is said as it is.
      timings: { billingCheckEveryMs: 1_000 },
      adapter: { limit: { requests: 100, seconds: 24 } },
    });
    expect(await answerTo(sandbox, 'ana', '/billing alerts')).toContain(
      'I check the balance every 2 seconds',
    );
    // Nearly all calls of the window, each for another instance, and then a dip.
    const asked = Array.from({ length: 90 }, (_, index) =>
      sandbox.slack.person('ana').types('#ops', lineOf(index)),
    );
    await Promise.all(asked);
    sandbox.hosting.setBalance('harbour', 700);
    await sandbox.slack.until(
      () => readAll(sandbox).some((text) => text.includes('The balance is critical')),
      {
        timeoutMs: 20_000,
      },
    );
  },
);

it.each([
  [{ requests: 100, seconds: 60 }, '1s', 'every 5 seconds'],
  [{ requests: 100, seconds: 60 }, '7s', 'every 7 seconds'],
  [{ requests: 10, seconds: 60 }, '2s', 'every minute'],
  [{ requests: 3_600, seconds: 3_600 }, '3s', 'every 8 seconds'],
  [{ requests: 100, seconds: 60 }, '5m', 'every 5 minutes'],
])('at %j a balance that is to be read each %s is said to be read %s', async (limit, every, words) => {
  const seconds = Number.parseInt(every, 10) * (every.endsWith('m') ? 60 : 1);
  const sandbox = await play({
    env: { LAMPLIGHTER_EVERYONE: 'admin', BILLING_CHANNELS: 'C0OPS000001' },
    timings: { billingCheckEveryMs: seconds * 1_000 },
    adapter: { limit },
  });
  expect(await answerTo(sandbox, 'ana', '/billing alerts')).toContain(`I check the balance ${words}`);
});

it('a low balance is noticed where the list of instances has more pages than the bot has turns at a time', async () => {
  const instances = Array.from({ length: 60 }, (_, index) => instance(1_001 + index, `web-${index + 1}`));
  const harbour = customer('harbour', { balanceCredits: 900, instances });
  const sandbox = await play({
    env: { LAMPLIGHTER_EVERYONE: 'admin', BILLING_CHANNELS: 'C0OPS000001' },
    timings: OFTEN,
    hosting: {
      world: { customers: [harbour] },
      variant: { paging: { style: 'pages', size: 25 } },
    },
    // The documented limit in a shorter window: two turns in two seconds.
    adapter: { limit: { requests: 100, seconds: 8 } },
  });
  await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('600 credits a day')), {
    timeoutMs: 20_000,
  });
});

it('what was read a second ago is shared by everybody who asks, and read again after a change', async () => {
  const sandbox = await play({
    env: { LAMPLIGHTER_EVERYONE: 'admin' },
    timings: { sharedForMs: 60_000 },
  });
  // Why one is paused takes a balance from after that.
  sandbox.hosting.changeStatus(208, 'running');
  for (const who of PEOPLE) {
    expect(await answerTo(sandbox, who, '/billing')).toContain('6,300 credits');
    expect(await answerTo(sandbox, who, '/billing usage')).toContain('Instances cost');
    expect(await answerTo(sandbox, who, '/instances')).toContain('instances:');
  }
  expect(sandbox.hosting.countCalls('GET', BALANCE)).toBe(1);
  expect(sandbox.hosting.countCalls('GET', /\/billing\/usage$/)).toBe(1);
  // The other one checked the key at the start.
  expect(sandbox.hosting.countCalls('GET', /\/instances$/)).toBe(2);
  await sandbox.slack.person('ana').types('#ops', '/instances stop web-1');
  await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Stopped web-1')));
  await answerTo(sandbox, 'bob', '/billing');
  expect(sandbox.hosting.countCalls('GET', BALANCE)).toBe(2);
});

it('a service that takes nothing for 100 seconds is said at once, after one call, and to everybody', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'admin' } });
  const before = sandbox.hosting.calls.length;
  sandbox.hosting.failNext({}, { answer: 429, done: false, retryAfterSeconds: 100 }, 1_000);
  for (const who of PEOPLE) {
    for (const line of ['/instances', '/billing', '/billing usage'])
      expect(await answerTo(sandbox, who, line)).toContain("isn't taking more requests");
  }
  expect(sandbox.hosting.calls.length - before).toBe(1);
  await sandbox.slack.person('ana').types('#ops', '/instances stop web-1');
  await sandbox.slack.until(() =>
    [...readAll(sandbox), ...privateTexts(sandbox, 'ana').slice(3)].some((text) =>
      text.includes("isn't taking more requests"),
    ),
  );
  expect(powerCalls(sandbox)).toBe(0);
  expect(sandbox.hosting.calls.length - before).toBe(1);
});
