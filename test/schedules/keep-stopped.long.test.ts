import { expect, it } from 'vitest';
import { FAR_OFF_HOURS } from '../../sandbox/phrases/far-off-hour.ts';
import { letSchedulesBeDue, letSchedulesLook, readSchedules } from '../../sandbox/phrases/due-schedule.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { finished, newSchedule, opened } from '../../src/core/schedules/schedule.ts';
import { answeredWith, botMessages, powerCalls, runToEnd } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { playFleet } from '../batches/fleet.ts';
import { messageWith } from '../support/asking.ts';
import { reads, saves, yearOfNewYear } from './fleet.ts';

async function playKept(words = 'and keep it stopped'): Promise<Sandbox> {
  const sandbox = await playFleet(2);
  await saves(sandbox, `name:stg-* hours ${FAR_OFF_HOURS} UTC ${words}`);
  await letSchedulesBeDue(sandbox, -1_000);
  await reads(sandbox, '2 operations: all done.');
  await sandbox.settled();
  return sandbox;
}

const count = (sandbox: Sandbox, words: string): number =>
  botMessages(sandbox).filter((message) => sandbox.slack.read(message).includes(words)).length;

/** Has it look, until the look was made. */
async function looks(sandbox: Sandbox, leavingOut?: string): Promise<void> {
  await letSchedulesLook(sandbox, leavingOut);
  await until(async () => {
    const [schedule] = await readSchedules(sandbox);
    return (schedule?.keeping?.lookAt ?? Number.POSITIVE_INFINITY) > Date.now();
  });
  await sandbox.settled();
}

it('what is to be kept stopped is stopped again where somebody starts it, ten minutes after its channel reads so', async () => {
  const sandbox = await playKept();
  const { slack } = sandbox;
  await looks(sandbox);
  expect(count(sandbox, 'running again')).toBe(0);
  await runToEnd(sandbox, 'bob', '/instances start stg-0');
  await looks(sandbox);
  const warning = await reads(sandbox, 'is running again');
  expect(warning).toMatch(
    /^⏰ stg-0 is running again and will be stopped .+ The schedule of @ana keeps it stopped until /,
  );
  expect(warning).toContain('Started by @bob.');
  expect(warning).toContain('[ One hour more ] [ Leave it on ]');
  const [before] = await readSchedules(sandbox);
  expect(before?.next?.at).toBeGreaterThan(Date.now() + 9 * 60_000);
  expect(powerCalls(sandbox, 'stop')).toBe(2);
  // Nobody minds.
  await letSchedulesBeDue(sandbox, -1_000);
  await slack.until(() => powerCalls(sandbox, 'stop') === 3);
  await sandbox.settled();
  const [after] = await readSchedules(sandbox);
  expect(after?.next?.verb).toBe('start');
  expect(after?.keeping?.times).toBe(1);
  await looks(sandbox);
  expect(count(sandbox, 'is running again')).toBe(0);
});

it('anyone who may stop it can leave it on, and it stays on until the next stop', async () => {
  const sandbox = await playKept('kept off in between');
  const { slack } = sandbox;
  await runToEnd(sandbox, 'bob', '/instances start stg-0');
  await looks(sandbox);
  const warning = await messageWith(sandbox, 'is running again');
  await slack.person('bob').presses(warning, 'Leave it on');
  await reads(sandbox, '@bob skipped this stop.');
  const [schedule] = await readSchedules(sandbox);
  expect(schedule?.keeping).toBeUndefined();
  expect(schedule?.next?.isAgain).toBeUndefined();
  await letSchedulesLook(sandbox);
  await sandbox.settled();
  expect(powerCalls(sandbox, 'stop')).toBe(2);
});

it('one hour more puts that stop off, and what is started a fourth time is left on', async () => {
  const sandbox = await playKept('enforced');
  const { slack } = sandbox;
  for (const times of [1, 2, 3]) {
    await runToEnd(sandbox, 'bob', '/instances start stg-0');
    await looks(sandbox);
    const warning = await messageWith(sandbox, 'is running again');
    if (times === 1) {
      await slack.person('bob').presses(warning, 'One hour more');
      await reads(sandbox, '@bob postponed this stop by an hour');
    }
    await letSchedulesBeDue(sandbox, -1_000);
    await slack.until(() => powerCalls(sandbox, 'stop') === 2 + times);
    await sandbox.settled();
  }
  await runToEnd(sandbox, 'bob', '/instances start stg-0');
  await letSchedulesLook(sandbox);
  expect(await reads(sandbox, 'I leave it on')).toContain(
    'stg-0 is running again, and I stopped what was started 3 times by now. I leave it on; the schedule of @ana goes on ',
  );
  await sandbox.settled();
  expect(powerCalls(sandbox, 'stop')).toBe(5);
});

it('on a day that is left out, what somebody starts stays on', async () => {
  const sandbox = await playKept('and keep it stoped');
  await runToEnd(sandbox, 'bob', '/instances start stg-0');
  await looks(sandbox, new Date().toISOString().slice(0, 'yyyy-mm-dd'.length));
  expect(count(sandbox, 'running again')).toBe(0);
  expect((await readSchedules(sandbox))[0]?.next?.verb).toBe('start');
});

it('what a run leaves out is never announced, nor stopped again', async () => {
  const sandbox = await playFleet(2, { env: { LAMPLIGHTER_PROTECTED: 'stg-1' } });
  await saves(sandbox, `name:stg-* hours ${FAR_OFF_HOURS} UTC and keep them stopped`);
  await letSchedulesBeDue(sandbox, -1_000);
  await sandbox.slack.until(() => powerCalls(sandbox, 'stop') === 1);
  await sandbox.settled();
  await looks(sandbox);
  expect(count(sandbox, 'running again')).toBe(0);
  expect((await readSchedules(sandbox))[0]?.next?.verb).toBe('start');
});

it('says before it is saved what it will do, and asks until when where only a stop is named', async () => {
  const sandbox = await playFleet(1);
  const { slack } = sandbox;
  const preview = await answeredWith(
    sandbox,
    'ana',
    `/instances schedule name:stg-* hours 08:00-20:00 mon-fri and keep it stopped except ${yearOfNewYear()}-01-01`,
  );
  const text = slack.read(preview);
  expect(text).toContain(
    `start at 08:00 and stop at 20:00, Mon–Fri (Europe/Berlin), not on 1 Jan ${yearOfNewYear()}, kept stopped in between`,
  );
  expect(text).toContain(
    'What somebody starts between a stop and the next start is stopped again, up to 3 times.',
  );
  const refused = await answeredWith(
    sandbox,
    'ana',
    '/instances schedule name:stg-* stop at 20:00 mon-fri and keep it stopped',
  );
  expect(slack.read(refused)).toContain('I can only keep it stopped until a time.');
});

it.each([
  ['begun', true],
  ['nothing', true],
  ['not run', false],
  ['no right', false],
] as const)('after a stop that ended as %s, it is kept stopped: %s', (result, isKept) => {
  const when = {
    kind: 'weekly' as const,
    zone: 'UTC',
    rules: [
      { verb: 'start' as const, days: [1], hour: 8, minute: 0 },
      { verb: 'stop' as const, days: [1], hour: 20, minute: 0 },
    ],
    keeps: true as const,
  };
  const given = {
    id: 's',
    owner: { userId: 'U1', teamId: 'T1' },
    channelId: 'C1',
    target: { filters: ['name:stg-*'] },
    when,
  };
  const stop = opened(newSchedule(given, Date.UTC(2026, 10, 30, 9)), Date.UTC(2026, 10, 30, 20));
  const after = stop?.open && finished(stop, stop.open, result, Date.UTC(2026, 10, 30, 20, 1));
  expect(after?.last?.verb).toBe('stop');
  expect(after?.keeping !== undefined).toBe(isKept);
});
