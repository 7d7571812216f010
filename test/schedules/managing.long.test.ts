import { describe, expect, it } from 'vitest';
import type { FaultPoints } from '../../src/core/base.ts';
import type { Schedules } from '../../src/core/schedules/schedule-store.ts';
import { aMoment } from '../support/a-moment.ts';
import { instead } from '../support/instead.ts';
import { FAR_OFF_HOUR } from '../../sandbox/phrases/far-off-hour.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { answeredWith, botMessages, powerCalls, privateMessage, privateTexts } from '../support/sandbox.ts';
import { letSchedulesBeDue, readSchedules } from '../../sandbox/phrases/due-schedule.ts';
import { playFleet } from '../batches/fleet.ts';
import { messageWith } from '../support/asking.ts';
import { reads, saves } from './fleet.ts';

const SOON_MS = 300_000;

/** A sandbox in which a stop was announced in #ops. */
async function warned(faultPoints?: FaultPoints): Promise<{ sandbox: Sandbox; warning: PostedMessage }> {
  const sandbox = await playFleet(2, faultPoints ? { faultPoints } : {});
  await saves(sandbox, `name:stg-* stop at ${FAR_OFF_HOUR} UTC`);
  await letSchedulesBeDue(sandbox, SOON_MS);
  return { sandbox, warning: await messageWith(sandbox, '[ Not tonight ]') };
}

describe('ten minutes before a stop', () => {
  it('the channel reads so, and "Not tonight" leaves it out and shows who pressed it', async () => {
    const { sandbox, warning } = await warned();
    expect(sandbox.slack.read(warning)).toContain('name:stg-* will be stopped');
    await sandbox.slack.person('bob').presses(warning, 'Not tonight');
    const text = await reads(sandbox, '@bob skipped this stop.');
    expect(text).not.toContain('[ ');
    const [schedule] = await readSchedules(sandbox);
    expect(schedule?.next?.at).toBeGreaterThan(Date.now() + SOON_MS);
    expect(schedule?.skipped?.by).toBe(sandbox.slack.person('bob').id);
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('"One hour more" puts it off by an hour, after which it is announced again', async () => {
    const { sandbox, warning } = await warned();
    const before = (await readSchedules(sandbox))[0]?.next?.at ?? 0;
    await sandbox.slack.person('bob').presses(warning, 'One hour more');
    await reads(sandbox, '@bob postponed this stop by an hour, to');
    expect((await readSchedules(sandbox))[0]?.next?.at).toBe(before + 3_600_000);
    await letSchedulesBeDue(sandbox, SOON_MS);
    await messageWith(sandbox, '[ One hour more ]');
  });

  it('"Longer" puts it off by as much as somebody types', async () => {
    const { sandbox, warning } = await warned();
    const { slack } = sandbox;
    const before = (await readSchedules(sandbox))[0]?.next?.at ?? 0;
    const bob = slack.person('bob');
    await bob.presses(warning, 'Longer…');
    const view = await slack.until(() => bob.views.at(-1));
    const refused = await bob.submits(view, { typed: '3d' });
    expect(JSON.stringify(refused)).toContain('its run after this one comes');
    await bob.submits(view, { typed: '3h' });
    await reads(sandbox, '@bob postponed this stop to');
    expect((await readSchedules(sandbox))[0]?.next?.at).toBe(before + 3 * 3_600_000);
  });

  it('a press after the run began is refused, and the announcement says that it began', async () => {
    const { sandbox, warning } = await warned();
    const { slack } = sandbox;
    const held = slack.hold('chat.update');
    await letSchedulesBeDue(sandbox, -1_000);
    await held.arrived;
    await slack.person('bob').presses(warning, 'Not tonight');
    await slack.until(() =>
      privateTexts(sandbox, 'bob').some((one) =>
        /[Tt]he stop of name:stg-\* (?:is under way|that was due .+ is over), so nothing was changed/.test(
          one,
        ),
      ),
    );
    held.release();
    await reads(sandbox, 'Its own message here says how it ends.');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'stop')).toBe(2);
  });

  it('a press that comes to nothing says what somebody else did at the same moment', async () => {
    const [arrived, skipped] = [aMoment(), aMoment()];
    let changes = 0;
    const second = instead('schedules', 'change', async (own, ...given) => {
      changes += 1;
      if (changes === 1) {
        arrived.is();
        await skipped.comes;
      }
      return (own as Schedules).change(...(given as Parameters<Schedules['change']>));
    });
    const { sandbox, warning } = await warned(second);
    const { slack } = sandbox;
    await slack.person('bob').presses(warning, 'Not tonight');
    await arrived.comes;
    await slack.person('ana').presses(warning, 'Not tonight');
    await slack.until(() => slack.read(warning).includes('@ana skipped this stop.'));
    skipped.is();
    await privateMessage(sandbox, 'bob', '@ana skipped the stop of name:stg-*');
    expect(privateTexts(sandbox, 'bob').join()).not.toContain('is over');
  });

  it('the announcement says that nothing was stopped where the run found nothing to stop', async () => {
    const { sandbox, warning } = await warned();
    for (const id of [1_000, 1_001]) sandbox.hosting.changeStatus(id, 'stopped');
    await letSchedulesBeDue(sandbox, -1_000);
    await reads(sandbox, 'Nothing to stop');
    await sandbox.settled();
    expect(sandbox.slack.read(warning)).toContain('Nothing was stopped.');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is not announced for a start', async () => {
    const sandbox = await playFleet(1);
    await saves(sandbox, `name:stg-* start at ${FAR_OFF_HOUR} UTC`);
    await letSchedulesBeDue(sandbox, SOON_MS);
    await saves(sandbox, `name:stg-* stop at ${FAR_OFF_HOUR} UTC`);
    await letSchedulesBeDue(sandbox, SOON_MS);
    await messageWith(sandbox, 'will be stopped');
    await sandbox.settled();
    expect(botMessages(sandbox)).toHaveLength(3);
  });
});

describe('in the list', () => {
  async function listed(who = 'ana'): Promise<{ sandbox: Sandbox; list: PostedMessage }> {
    const sandbox = await playFleet(2);
    await saves(sandbox, `name:stg-* stop at ${FAR_OFF_HOUR} UTC`);
    return { sandbox, list: await answeredWith(sandbox, who, '/instances schedules') };
  }

  it('"Skip next" leaves the next run out, and the channel reads so', async () => {
    const { sandbox, list } = await listed();
    const before = (await readSchedules(sandbox))[0]?.next?.at ?? 0;
    await sandbox.slack.person('ana').presses(list, 'Skip next');
    await reads(sandbox, '@ana skipped the run due');
    const [schedule] = await readSchedules(sandbox);
    expect(schedule?.next?.at).toBe(before + 24 * 3_600_000);
  });

  it('a press on a run that somebody skipped says which it was, whatever comes next', async () => {
    const sandbox = await playFleet(1);
    const { slack } = sandbox;
    const hour = Number(FAR_OFF_HOUR.slice(0, 2));
    await saves(sandbox, `stg-0 hours ${FAR_OFF_HOUR}-${(hour + 1) % 24}:00 daily UTC`);
    const skipped = (await readSchedules(sandbox))[0]?.next?.verb;
    const list = await answeredWith(sandbox, 'bob', '/instances schedules');
    await slack
      .person('ana')
      .presses(await answeredWith(sandbox, 'ana', '/instances schedules'), 'Skip next');
    await reads(sandbox, '@ana skipped the run due');
    expect((await readSchedules(sandbox))[0]?.next?.verb).not.toBe(skipped);
    await slack.person('bob').presses(list, 'Skip next');
    await slack.until(() => slack.read(list).includes(`@ana skipped the ${skipped} of stg-0 that was due`));
  });

  it('"Pause until" asks until when, and "Resume" ends the pause', async () => {
    const { sandbox, list } = await listed();
    const { slack } = sandbox;
    const ana = slack.person('ana');
    await ana.presses(list, 'Pause until…');
    const modal = await slack.until(() => ana.views.at(-1));
    const wrong = await ana.submits(modal, { typed: 'some day' });
    expect(JSON.stringify(wrong)).toContain("I can't read that time");
    await ana.submits(modal, { typed: '3d' });
    await reads(sandbox, '@ana paused the schedule of @ana for name:stg-* until');
    const [paused] = await readSchedules(sandbox);
    expect(paused?.next?.at).toBeGreaterThan(Date.now() + 3 * 24 * 3_600_000 - 10_000);
    const again = await answeredWith(sandbox, 'ana', '/instances schedules');
    expect(slack.read(again)).toContain('Paused by @ana until');
    await ana.presses(again, 'Resume');
    await reads(sandbox, '@ana resumed the schedule');
    const [resumed] = await readSchedules(sandbox);
    expect(resumed?.next?.at).toBeLessThan(Date.now() + 25 * 3_600_000);
  });

  it('"Not this week" leaves it out until Monday', async () => {
    const { sandbox, list } = await listed();
    await sandbox.slack.person('ana').presses(list, 'Not this week');
    await reads(sandbox, '@ana paused the schedule of @ana for name:stg-* until');
    const until = new Date((await readSchedules(sandbox))[0]?.paused?.until ?? 0);
    expect([until.getUTCDay(), until.getUTCHours()]).toEqual([1, 0]);
  });

  it('is named before another one of the same instances is saved', async () => {
    const { sandbox } = await listed();
    const preview = await answeredWith(sandbox, 'bob', '/instances schedule stg-0 start 7am weekdays');
    expect(sandbox.slack.read(preview)).toContain('in the schedule of @ana as well: stop at');
  });

  it('"Remove" removes it, and nothing runs', async () => {
    const { sandbox, list } = await listed();
    await sandbox.slack.person('ana').presses(list, 'Remove');
    await reads(sandbox, '@ana removed the schedule');
    expect(await readSchedules(sandbox)).toEqual([]);
  });

  it('somebody who may not change all of its instances can do none of it', async () => {
    const sandbox = await playFleet(2, { env: { LAMPLIGHTER_EVERYONE: 'viewer' } });
    const { slack } = sandbox;
    await saves(sandbox, `name:stg-* stop at ${FAR_OFF_HOUR} UTC`, 'admin');
    await slack.person('admin').types('#ops', '/lamplighter access grant operator @bob on stg-0');
    await slack.until(() => privateTexts(sandbox, 'admin').some((one) => one.includes('operator')));
    for (const label of ['Skip next', 'Remove', 'Pause until…']) {
      const list = await answeredWith(sandbox, 'bob', '/instances schedules');
      await slack.person('bob').presses(list, label);
      await slack.until(() =>
        /@admin can help\.\s+The schedule for name:stg-\* is of @admin, who can do it as well\./.test(
          slack.read(list),
        ),
      );
    }
    const [schedule] = await readSchedules(sandbox);
    expect(schedule?.skipped).toBeUndefined();
    expect(schedule?.paused).toBeUndefined();
  });
});
