import { describe, expect, it } from 'vitest';
import { FAR_OFF_HOUR } from '../../sandbox/phrases/far-off-hour.ts';
import {
  answeredWith,
  answerTo,
  play,
  powerCalls,
  privateMessage,
  privateTexts,
  readAll,
} from '../support/sandbox.ts';
import { readSchedules } from '../../sandbox/phrases/due-schedule.ts';
import { playFleet } from '../batches/fleet.ts';
import { reads, saves } from './fleet.ts';

const DAY_MS = 86_400_000;
const LINE = `/instances schedule stg-0 stop at ${FAR_OFF_HOUR} UTC`;

describe('before a schedule is saved', () => {
  it('the exact instances and the next five runs are shown, and nothing is kept', async () => {
    const sandbox = await playFleet(3, { env: { LAMPLIGHTER_APPROVE: 'stg-1' } });
    const text = await answerTo(sandbox, 'ana', '/instances schedule stg-0 stg-1 stop at 20:00 mon-fri');
    expect(text).toContain('Save this schedule? Nothing has been saved yet.');
    expect(text).toContain('stop at 20:00, Mon–Fri (Europe/Berlin), for exactly stg-0 (1000), stg-1 (1001).');
    expect(text).toContain('Skipped stg-1: it needs an approval each time');
    expect(text).toContain('Europe/Berlin is your own time zone in Slack.');
    expect(text.match(/20:00 \(Europe\/Berlin\): stop/g)).toHaveLength(5);
    expect(await readSchedules(sandbox)).toEqual([]);
    expect(readAll(sandbox)).toEqual([]);
  });

  it('a filter says what it matches now, and that it is read again', async () => {
    const sandbox = await playFleet(2);
    const text = await answerTo(
      sandbox,
      'ana',
      '/instances schedule name:stg-* hours 08:00-20:00 mon-fri UTC',
    );
    expect(text).toContain('start at 08:00 and stop at 20:00, Mon–Fri (UTC)');
    expect(text).toContain(
      'The filter is read again at each run. Now it matches 2: stg-0 (1000), stg-1 (1001).',
    );
    expect(text).not.toContain('your own time zone');
  });

  it('a wrong part is answered with one sentence', async () => {
    const sandbox = await playFleet(1);
    expect(await answerTo(sandbox, 'ana', '/instances schedule stg-0 stop at 25:00')).toContain(
      `I don't understand the time "25:00". Use a time from 00:00 to 23:59.`,
    );
    expect(await answerTo(sandbox, 'ana', '/instances schedule stg-7 stop at 20:00')).toMatch(/stg-7/);
    expect(
      await answerTo(sandbox, 'ana', '/instances schedule stg-0 stop once at 2020-01-01 20:00'),
    ).toContain('That time has passed');
  });

  it('who may change nothing reads which role it takes, and is not asked to name an instance that they named', async () => {
    const sandbox = await playFleet(2, { env: { LAMPLIGHTER_EVERYONE: 'viewer' } });
    for (const words of ['stg-0 stop at 20:00 UTC', 'name:stg-* stop at 20:00 UTC']) {
      const no = await answerTo(sandbox, 'ana', `/instances schedule ${words}`);
      expect(no, words).toContain('You need the operator role to start, stop or restart instances.');
      expect(no, words).not.toMatch(/Name one instance|Save/);
    }
  });
});

describe('a schedule that is saved', () => {
  it('is said in the channel once, however often Save is pressed', async () => {
    const sandbox = await playFleet(2);
    const { slack } = sandbox;
    const preview = await answeredWith(sandbox, 'ana', LINE);
    const ana = slack.person('ana');
    await Promise.all([ana.presses(preview, 'Save'), ana.presses(preview, 'Save')]);
    const text = await reads(sandbox, 'scheduled:');
    expect(text).toContain(`@ana scheduled: stop at ${FAR_OFF_HOUR}, every day (UTC), for stg-0. Next: stop`);
    await sandbox.settled();
    expect(readAll(sandbox)).toHaveLength(1);
    expect(await readSchedules(sandbox)).toHaveLength(1);
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('can be canceled instead', async () => {
    const sandbox = await playFleet(1);
    const preview = await answeredWith(sandbox, 'ana', LINE);
    await sandbox.slack.person('ana').presses(preview, 'Cancel');
    await sandbox.slack.until(() => privateTexts(sandbox, 'ana').some((one) => one.includes('Canceled.')));
    expect(await readSchedules(sandbox)).toEqual([]);
  });

  it('is not saved by a press after the right was lost', async () => {
    const sandbox = await playFleet(1, { env: { LAMPLIGHTER_EVERYONE: 'none' } });
    const { slack } = sandbox;
    const admin = slack.person('admin');
    await admin.types('#ops', '/lamplighter access grant operator @ana');
    await slack.until(() => privateTexts(sandbox, 'admin').some((one) => one.includes('operator')));
    const preview = await answeredWith(sandbox, 'ana', LINE);
    expect(slack.read(preview)).toContain('Save this schedule?');
    await admin.types('#ops', '/lamplighter access revoke operator @ana');
    await slack.until(() => privateTexts(sandbox, 'admin').length > 1);
    await slack.person('ana').presses(preview, 'Save');
    await privateMessage(sandbox, 'ana', 'took your operator role back');
    expect(await readSchedules(sandbox)).toEqual([]);
  });

  it('stands in the list with its owner and its next run', async () => {
    const sandbox = await playFleet(2);
    expect(await answerTo(sandbox, 'ana', '/instances schedules')).toContain('Nothing is scheduled.');
    await saves(sandbox, `stg-0 stop at ${FAR_OFF_HOUR} UTC`);
    const one = await answerTo(sandbox, 'ana', '/instances schedules');
    expect(one).toContain('Owner: @ana, in #ops. Next: stop');
    expect(one).toContain('[ Pause until… ]');
    const day = new Date(Date.now() + 60 * DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length);
    await saves(sandbox, `name:stg-* restart once at ${day} 04:00 UTC`, 'admin');
    const two = await answerTo(sandbox, 'ana', '/instances schedules');
    expect(two).toContain('2 schedules');
    expect(two).toContain(`restart once at ${day} 04:00 (UTC), for name:stg-* · @admin`);
  });
});

describe('the list of schedules', () => {
  it('names no instance that its reader may not see', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
    const { slack } = sandbox;
    await slack.person('admin').types('#ops', '/lamplighter access grant viewer @ana on web-1');
    await slack.until(() => privateTexts(sandbox, 'admin').some((one) => one.includes('viewer')));
    await saves(sandbox, `web-1 worker-1 stop at ${FAR_OFF_HOUR} UTC`, 'admin');
    await saves(sandbox, `worker-1 start at ${FAR_OFF_HOUR} UTC`, 'admin');
    await slack.until(() => readAll(sandbox).length === 2);
    const text = await answerTo(sandbox, 'ana', '/instances schedules');
    expect(text).toContain(`stop at ${FAR_OFF_HOUR}, every day (UTC), for web-1.`);
    expect(text).not.toContain('worker-1');
  });
});
