import { expect, it } from 'vitest';
import { FAR_OFF_HOUR } from '../../sandbox/phrases/far-off-hour.ts';
import { letSchedulesBeDue, readSchedules } from '../../sandbox/phrases/due-schedule.ts';
import { moveRecords } from '../../sandbox/move-records.ts';
import { PEOPLE } from '../../sandbox/people.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { skipped } from '../../src/core/schedules/schedule.ts';
import type { Schedule } from '../../src/core/schedules/schedule-record.ts';
import { type ScheduleStore, SCHEDULES } from '../../src/core/schedules/schedule-store.ts';
import { playFleet } from '../batches/fleet.ts';
import { dmWith, messageWith } from '../support/asking.ts';
import { answerTo, botMessages, powerCalls } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { reads, saves } from './fleet.ts';

const SOON_MS = 5 * 60_000;
const HALF_AN_HOUR_MS = 30 * 60_000;

function idOf(handle: string): string {
  return PEOPLE.find((person) => person.handle === handle)?.id ?? '';
}

type Fields = Record<string, unknown>;

/** Writes what stands of every open schedule anew, as time or others have made it, and lets the sweep find it. */
async function rewrite(sandbox: Sandbox, change: (schedule: Schedule) => Fields): Promise<void> {
  await moveRecords(sandbox, SCHEDULES, (schedule) => ({ ...schedule, ...change(schedule) }));
}

it('a run goes by the groups that its owner is in now, and not by those that are remembered', async () => {
  const sandbox = await playFleet(1, { env: { LAMPLIGHTER_EVERYONE: 'viewer' } });
  await answerTo(sandbox, 'admin', '/lamplighter access grant operator @oncall');
  await saves(sandbox, `name:stg-* stop at ${FAR_OFF_HOUR} UTC`);
  sandbox.slack.membersOf('@oncall').delete('ana');
  await letSchedulesBeDue(sandbox, -1_000);
  await dmWith(sandbox, 'admin', "can't stop name:stg-* any more");
  expect(powerCalls(sandbox)).toBe(0);
});

it.each([
  [1, 'the one time I tried'],
  [3, 'each of the 3 times I tried'],
])(
  'a run that was opened half an hour ago and tried %i times is not begun late, and says so',
  async (count, words) => {
    const sandbox = await playFleet(1);
    await saves(sandbox, `name:stg-* stop at ${FAR_OFF_HOUR} UTC`);
    const bearAgain = sandbox.hosting.failNext({ path: /\/instances(\?|$)/ }, 503, Infinity);
    await letSchedulesBeDue(sandbox, -1_000);
    const untilTried = async (tries: number): Promise<void> => {
      await expect
        .poll(async () => (await readSchedules(sandbox))[0]?.open?.tries, { timeout: 10_000 })
        .toBe(tries);
    };
    await untilTried(1);
    if (count > 1) {
      await rewrite(sandbox, ({ open }) => ({ open: { ...open, tries: count - 1, nextTryAt: 0 } }));
      await untilTried(count);
    }
    bearAgain();
    await rewrite(sandbox, ({ open }) => ({
      open: { ...open, at: Date.now() - HALF_AN_HOUR_MS - 1_000, nextTryAt: 0 },
    }));
    expect(await reads(sandbox, 'was not run')).toContain(
      `the hosting service answered with an error ${words}`,
    );
    expect(powerCalls(sandbox)).toBe(0);
  },
);

it.each<[string, string, (sandbox: Sandbox) => unknown]>([
  [
    'was created again under its id',
    'is a different instance now',
    // The one that was named was created on another day.
    (sandbox) =>
      rewrite(sandbox, ({ target }) => ({
        target: {
          instances: ('instances' in target ? target.instances : []).map((one) =>
            one.name === 'stg-0' ? { ...one, createdAt: '2020-01-01T00:00:00Z' } : one,
          ),
        },
      })),
  ],
  ['is gone', 'is gone', ({ hosting }) => hosting.recreateInstance(1_000, 1_900)],
])('a schedule that names an instance leaves one out that %s', async (_is, why, happens) => {
  const sandbox = await playFleet(2);
  await saves(sandbox, `stg-0 stg-1 stop at ${FAR_OFF_HOUR} UTC`);
  await happens(sandbox);
  await letSchedulesBeDue(sandbox, -1_000);
  expect(await reads(sandbox, 'Skipped stg-0')).toContain(why);
  await sandbox.settled();
  expect(sandbox.hosting.countCalls('POST', /\/1001\/stop$/)).toBe(1);
  expect(powerCalls(sandbox)).toBe(1);
});

it.each([
  ['restart', 'stg-0', 'stop'],
  ['stop', '1000', 'stop'],
  ['restart', 'stg-*', 'restart'],
])(
  'a run leaves out what is waiting for an approval: %s of %s, and that is still approved after it',
  async (asked, approve, verb) => {
    const sandbox = await playFleet(approve === 'stg-*' ? 1 : 2, { env: { LAMPLIGHTER_APPROVE: approve } });
    await saves(sandbox, `name:stg-* ${verb} at ${FAR_OFF_HOUR} UTC`);
    await sandbox.slack.person('bob').types('#ops', `/instances ${asked} stg-0`);
    const question = await messageWith(sandbox, `asks to ${asked} stg-0`);
    await letSchedulesBeDue(sandbox, -1_000);
    expect(await reads(sandbox, 'Skipped')).toMatch(/stg-0.* needs an approval|stg-0: it needs an approval/);
    await sandbox.settled();
    expect(sandbox.hosting.countCalls('POST', /\/1000\/\w+$/)).toBe(0);
    await sandbox.slack.person('ana').presses(question, 'Approve');
    await reads(sandbox, asked === 'stop' ? '✅ Stopped stg-0' : '✅ Restarted stg-0');
    expect(sandbox.hosting.countCalls('POST', new RegExp(`/1000/${asked}$`))).toBe(1);
    expect(sandbox.hosting.countCalls('POST', /\/1000\/\w+$/)).toBe(1);
  },
);

it('a stop that somebody skipped in the moment in which it was to be announced is not announced a day early', async () => {
  const sandbox = await playFleet(1, { bot: false });
  let moved: unknown = 'not yet';
  await sandbox.startBot({}, (name, part) => {
    if (name !== 'schedule record') return part;
    const store = part as unknown as ScheduleStore; // the part of that name
    const change: ScheduleStore['change'] = async (id, step, also) => {
      if (also?.says)
        await store.change(id, (one) => one.next && skipped(one, one.next.at, idOf('bob'), Date.now()));
      const after = await store.change(id, step, also);
      if (also?.says) moved = after;
      return after;
    };
    return { ...part, change };
  });
  await saves(sandbox, `name:stg-* stop at ${FAR_OFF_HOUR} UTC`);
  await letSchedulesBeDue(sandbox, SOON_MS);
  await until(async () => moved !== 'not yet');
  await sandbox.settled();
  expect(moved).toBeUndefined();
  expect(
    botMessages(sandbox)
      .map((one) => sandbox.slack.read(one))
      .join(),
  ).not.toContain('will be stopped');
});
