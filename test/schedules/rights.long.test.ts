import { describe, expect, it } from 'vitest';
import { FAR_OFF_HOUR } from '../../sandbox/phrases/far-off-hour.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { answeredWith, powerCalls, privateTexts, readAll } from '../support/sandbox.ts';
import { dmWith, readDms } from '../support/asking.ts';
import { letSchedulesBeDue, readSchedules } from '../../sandbox/phrases/due-schedule.ts';
import { playFleet } from '../batches/fleet.ts';
import { reads, saves } from './fleet.ts';

/** Ana has saved a stop with a role that an admin gave her. */
async function savedByAna(grant = 'operator @ana'): Promise<Sandbox> {
  const sandbox = await playFleet(2, { env: { LAMPLIGHTER_EVERYONE: 'viewer' } });
  await typesAsAdmin(sandbox, `access grant ${grant}`);
  await saves(sandbox, `name:stg-* stop at ${FAR_OFF_HOUR} UTC`);
  return sandbox;
}

async function typesAsAdmin(sandbox: Sandbox, line: string): Promise<void> {
  const before = privateTexts(sandbox, 'admin').length;
  await sandbox.slack.person('admin').types('#ops', `/lamplighter ${line}`);
  await sandbox.slack.until(() => privateTexts(sandbox, 'admin').length > before);
}

describe('an owner without the right', () => {
  it('has no call made: the schedule pauses, and the owner and an admin are notified', async () => {
    const sandbox = await savedByAna();
    await typesAsAdmin(sandbox, 'access revoke operator @ana');
    await letSchedulesBeDue(sandbox, -1_000);
    const words = "The schedule of @ana is paused: they can't stop name:stg-* any more";
    await dmWith(sandbox, 'ana', words);
    await dmWith(sandbox, 'admin', words);
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
    const [schedule] = await readSchedules(sandbox);
    expect(schedule?.next).toBeUndefined();
    expect(schedule?.paused).toBeDefined();
    const list = await answeredWith(sandbox, 'admin', '/instances schedules');
    expect(sandbox.slack.read(list)).toContain('Paused: the owner lost the right.');
    await sandbox.slack.person('admin').presses(list, 'Resume');
    await reads(sandbox, '@admin resumed the schedule');
    expect((await readSchedules(sandbox))[0]?.next?.at).toBeGreaterThan(Date.now());
  });

  it('has no call made where the role counts for other instances by now', async () => {
    const sandbox = await savedByAna();
    await typesAsAdmin(sandbox, 'access revoke operator @ana');
    await typesAsAdmin(sandbox, 'access grant operator @ana on other-*');
    await letSchedulesBeDue(sandbox, -1_000);
    await dmWith(sandbox, 'ana', "can't stop name:stg-* any more");
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('has only those changed that the role still counts for, and the others are named', async () => {
    const sandbox = await savedByAna();
    await typesAsAdmin(sandbox, 'access revoke operator @ana');
    await typesAsAdmin(sandbox, 'access grant operator @ana on stg-0');
    await letSchedulesBeDue(sandbox, -1_000);
    const card = await reads(sandbox, 'done');
    await sandbox.settled();
    expect(card).toContain('Skipped stg-1: it is not for @ana to stop');
    expect(powerCalls(sandbox)).toBe(1);
    expect(readDms(sandbox, 'ana')).not.toContain('paused');
  });

  it.each([
    ['who may do it as everybody', 'ana', {}],
    ['who is an admin', 'bob', { LAMPLIGHTER_ADMINS: 'U0ADA000001,U0BOB000001' }],
  ])('%s has no call made once they have left the workspace', async (_who, who, env) => {
    const sandbox = await playFleet(1, { isRefused: true, env });
    await saves(sandbox, `name:stg-* stop at ${FAR_OFF_HOUR} UTC`, who);
    sandbox.slack.setPerson(who, { isDeleted: true });
    await letSchedulesBeDue(sandbox, -1_000);
    await dmWith(sandbox, 'admin', "can't stop name:stg-* any more");
    expect(powerCalls(sandbox)).toBe(0);
  });
});

describe('a freeze', () => {
  it('leaves all out of a run, and the schedule goes on', async () => {
    const sandbox = await savedByAna();
    await typesAsAdmin(sandbox, 'freeze "release"');
    await letSchedulesBeDue(sandbox, -1_000);
    const text = await reads(sandbox, 'Nothing to stop');
    expect(text).toContain('Skipped 2, each is frozen: stg-0, stg-1');
    expect(powerCalls(sandbox)).toBe(0);
    expect((await readSchedules(sandbox))[0]?.next).toBeDefined();
  });
});

describe('a service that is away', () => {
  it('is asked again until the run can begin, and it begins once', async () => {
    const sandbox = await playFleet(2, { timings: { apiTimeoutMs: 300 } });
    await saves(sandbox, `stg-0 stg-1 stop at ${FAR_OFF_HOUR} UTC`);
    const held = sandbox.hosting.hold({ path: /\/instances(\?|$)/ });
    await letSchedulesBeDue(sandbox, -1_000);
    await held.arrived;
    held.drop();
    await reads(sandbox, '2 operations: all done.');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'stop')).toBe(2);
    expect(readAll(sandbox).filter((text) => text.includes('operations: all done'))).toHaveLength(1);
  });
});
