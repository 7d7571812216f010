import { describe, expect, it } from 'vitest';
import { letSchedulesBeDue, readSchedules } from '../../sandbox/phrases/due-schedule.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { answeredWith, answerTo, play, powerCalls, privateMessage } from '../support/sandbox.ts';
import { connectTo } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';
import { operationKeys } from '../../src/core/operations/keys.ts';
import { newSchedule } from '../../src/core/schedules/schedule.ts';
import { playFleet } from '../batches/fleet.ts';
import { fileWith } from '../support/file-with.ts';
import { startProcess } from '../support/process.ts';
import { says } from '../sentences/says.ts';
import { messageWith } from '../support/asking.ts';
import { reads } from './fleet.ts';

const HOUR_MS = 3_600_000;
/** A day that is most of a year away. */
const FAR_OFF = new Date(Date.now() + 300 * 24 * HOUR_MS).toISOString().slice(0, 'yyyy-mm-dd'.length);

/** A policy by which one verb needs a second person. */
const approvalFor = (verb: string): string => `approvals:\n  - on: [web-1]\n    for: [${verb}]\n`;

/** Has ana start staging for a while, and gives its card once that has ended. */
async function started(sandbox: Sandbox, line = '/instances start staging for 4h'): Promise<PostedMessage> {
  await sandbox.slack.person('ana').types('#ops', line);
  const card = await messageWith(sandbox, '✅ Started staging');
  await sandbox.settled();
  return card;
}

/** In how many ms the only schedule runs next. */
async function dueInMs(sandbox: Sandbox): Promise<number> {
  const [schedule] = await readSchedules(sandbox);
  return (schedule?.next?.at ?? 0) - Date.now();
}

describe('a start for four hours', () => {
  it('has a card that says when it stops again, and the schedule stops it once', async () => {
    const sandbox = await play();
    const held = sandbox.hosting.hold({ path: /start$/ });
    await sandbox.slack.person('ana').types('#ops', '/instances start staging for 4h');
    await held.arrived;
    const begun = await messageWith(sandbox, 'Starting staging (104) for 4 hours, asked by @ana');
    expect(sandbox.slack.read(begun)).toContain('It stops again');
    held.release();
    const card = await messageWith(sandbox, '✅ Started staging');
    await sandbox.settled();
    const text = sandbox.slack.read(card);
    expect(text).toMatch(/It stops again .+\.\n/);
    expect(text).toContain('[ Longer… ] [ Keep it ]');
    const inMs = await dueInMs(sandbox);
    expect(inMs).toBeGreaterThan(3.9 * HOUR_MS);
    expect(inMs).toBeLessThanOrEqual(4 * HOUR_MS);
    await letSchedulesBeDue(sandbox, -1_000);
    await reads(sandbox, 'As @ana asked when it was started: stop once at');
    const after = await reads(sandbox, 'It was asked to stop again');
    expect(after).not.toContain('[ Keep it ]');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'stop')).toBe(1);
    expect(await readSchedules(sandbox)).toEqual([]);
    expect(await answerTo(sandbox, 'ana', '/lamplighter story staging')).toContain(
      'the schedule of @ana asked to stop staging (104): done',
    );
  });

  it('is kept on by "Keep it", put off by "Longer", and its card says so each time', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    const card = await started(sandbox);
    const before = await dueInMs(sandbox);
    const bob = slack.person('bob');
    await bob.presses(card, 'Longer…');
    const modal = await slack.until(() => bob.views.at(-1));
    expect(JSON.stringify(await bob.submits(modal, { typed: 'soon' }))).toContain("I can't read that time");
    expect(JSON.stringify(await bob.submits(modal, { typed: '900d' }))).toMatch(
      /That is 20\d\d-.+, more than 400 days ahead, which is the furthest I go\./,
    );
    await bob.submits(modal, { typed: '2h' });
    await until(async () => (await dueInMs(sandbox)) > before + HOUR_MS);
    await sandbox.settled();
    expect((await dueInMs(sandbox)) - before).toBeGreaterThan(1.9 * HOUR_MS);
    expect(slack.read(card)).toMatch(/It stops again .+: @bob put that off\./);
    await bob.types('#ops', '/lamplighter handover @fin');
    await slack.person('fin').presses(await messageWith(sandbox, 'hands this over to you'), 'I have it');
    await messageWith(sandbox, '✅ @fin has it since');
    await sandbox.settled();
    expect(slack.read(card)).toMatch(/It stops again .+: @bob put that off\./);
    expect(await answerTo(sandbox, 'fin', '/lamplighter handover')).toContain('put off to');
    expect(await answerTo(sandbox, 'bob', '/lamplighter handover')).toContain('Nothing open is yours here.');
    await letSchedulesBeDue(sandbox, 300_000);
    const warning = await messageWith(sandbox, 'staging will be stopped');
    expect(slack.read(warning)).toContain('as @ana asked when it was started');
    await sandbox.settled();
    await bob.presses(card, 'Keep it');
    await reads(sandbox, '@bob keeps it on: this stop was called off.');
    await sandbox.settled();
    expect(slack.read(warning)).toContain('@bob called this stop off.');
    expect(await readSchedules(sandbox)).toEqual([]);
    await bob.presses(warning, 'Keep it', { version: 0 });
    await slack.person('ana').presses(warning, 'Longer…', { version: 0 });
    await privateMessage(sandbox, 'ana', '@bob called the stop of staging off');
    const story = await answerTo(sandbox, 'ana', '/lamplighter story staging');
    expect(story).toContain('@ana asked to start staging (104) for 4 hours: done');
    expect(story).toMatch(/@bob: put off the next run of staging \(104\) to /);
    expect(story).toContain('@bob: call off the next run of staging (104)');
    await letSchedulesBeDue(sandbox, -1_000);
    await sandbox.settled();
    expect(powerCalls(sandbox, 'stop')).toBe(0);
  });

  it('whose card is forgotten says in the channel who put its stop off, and who called it off', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    await started(sandbox);
    const [schedule] = await readSchedules(sandbox);
    await connectTo(sandbox).del(operationKeys.operation(schedule?.turns?.operationId ?? ''));
    const bob = slack.person('bob');
    await bob.presses(await answeredWith(sandbox, 'bob', '/instances schedules'), 'Longer…');
    await bob.submits(await slack.until(() => bob.views.at(-1)), { typed: '2h' });
    await reads(sandbox, '@bob postponed the run due');
    await bob.presses(await answeredWith(sandbox, 'bob', '/instances schedules'), 'Keep it');
    await reads(sandbox, '@bob called off the schedule of @ana for staging.');
  });

  it('is not stopped again where somebody stopped and started it by hand since', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    await started(sandbox);
    const bob = slack.person('bob');
    await bob.types('#ops', '/instances stop staging');
    await bob.presses(await privateMessage(sandbox, 'bob', 'started it'), 'Stop');
    await messageWith(sandbox, '✅ Stopped staging');
    await sandbox.settled();
    await bob.types('#ops', '/instances start staging');
    await slack.until(() => powerCalls(sandbox, 'start') === 2);
    await sandbox.settled();
    await letSchedulesBeDue(sandbox, -1_000);
    await reads(sandbox, '@bob started it since, so this stop was called off.');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'stop')).toBe(1);
    expect(await readSchedules(sandbox)).toEqual([]);
  });

  it('leaves nothing to stop where it failed, and says nothing of a stop', async () => {
    const sandbox = await play();
    await sandbox.slack.person('ana').types('#ops', '/instances start never-starts for 4h');
    const card = await messageWith(sandbox, '❌');
    await until(async () => (await readSchedules(sandbox)).length === 0);
    await sandbox.settled();
    expect(sandbox.slack.read(card)).not.toContain('stops again');
    expect(sandbox.slack.read(card)).not.toContain('[ Keep it ]');
  });

  it('says so where it was deleted or could not be stopped in time', async () => {
    const sandbox = await play();
    await started(sandbox);
    await letSchedulesBeDue(sandbox, -31 * 60_000);
    await reads(sandbox, 'was not run: the bot was not running then');
    await reads(sandbox, 'It was not stopped again. A message here says why.');
    expect(powerCalls(sandbox, 'stop')).toBe(0);
  });
});

describe('what is asked for a while', () => {
  it('is refused where it could not be turned around, and nothing is begun', async () => {
    const sandbox = await play({
      env: { LAMPLIGHTER_PROTECTED: 'staging', LAMPLIGHTER_POLICY: fileWith(approvalFor('start')) },
    });
    const answer = (line: string): Promise<string> => answerTo(sandbox, 'ana', line);
    expect(await answer('/instances start staging for 4h')).toContain(
      "I couldn't stop staging (104) again by myself: it is protected.",
    );
    expect(await answer('/instances stop web-1 until friday')).toContain('that needs an approval');
    expect(await answer('/instances restart web-1 for 4h')).toContain(
      "I can't restart something only for a while",
    );
    expect(await answer('/instances start web-1 for 4x')).toContain('I don\'t understand the time "4x"');
    expect(await answer('/instances start web-1 for -1h')).toContain('I don\'t understand the time "−1h"');
    expect(await answer('/instances start web-1 for –4h')).toContain('I don\'t understand the time "−4h"');
    expect(await answer('/instances start web-1 for 0h')).toContain('0h would be over at once');
    expect(await answer('/instances start web-1 until yesterday')).toMatch(
      / has passed, so nothing was done/,
    );
    expect(await answer('/instances start web-1 until @bob')).toContain('until @…: A mention is no time');
    // It may mean either.
    for (const line of ['/instances stop web-2 until 4h', '@lamplighter stop web-2 until 4h'])
      expect(await answer(line), line).toMatch(
        /"Until" takes a time, and "4h" is how long, so nothing was done.*\[ Stop web-2 for 4h \] \[ Stop web-2 until 04:00 \]/s,
      );
    expect(await answer('/instances stop web-2 until 18h30')).toContain('[ Stop web-2 until 18:30 ]');
    expect(await answer('/instances stop web-2 until 2 days')).toMatch(
      /is how long.*\[ Stop web-2 for 2d \]/s,
    );
    expect(await answer('/instances start web-1 for')).toContain('For how long?');
    expect(await answer('/instances start web-1 until')).toContain('Until when?');
    expect(await answer('/instances start web-1 for 60w')).toContain('more than 400 days ahead');
    expect(await answer('/instances start web-2 for 2h')).toContain('is running already. Nothing was done.');
    expect(await answer('/instances start web-2 for 2h')).toMatch(/If you want it stopped .+\[ Stop it at /s);
    expect(await answer('/instances stop web-2 for 4h --dry-run')).toContain(
      'It would be started again after that',
    );
    expect(await answer('/instances stop web-2 for 4 hours and 30 minutes --dry-run')).toContain(
      'for 4 hours 30 minutes from its beginning',
    );
    expect(powerCalls(sandbox)).toBe(0);
    expect(await readSchedules(sandbox)).toEqual([]);
  });

  it('is scheduled by one press where it is on already, and is not scheduled twice', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    const ana = slack.person('ana');
    const offer = await answeredWith(sandbox, 'ana', '/instances start web-2 for 4h30m');
    const label = /\[ (Stop it at [^\]]+) \]/.exec(slack.read(offer))?.[1] ?? '';
    await ana.presses(offer, label);
    await reads(sandbox, '@ana scheduled: stop once at');
    expect(Math.round((await dueInMs(sandbox)) / 60_000)).toBe(270);
    expect(await answerTo(sandbox, 'bob', '/instances start web-2 for 6h')).toMatch(
      /running already\. Nothing was done\.\s+It stops .+, as @ana asked\.\s+\[ Longer… \] \[ Keep it \]/,
    );
    // One that comes later than what is asked for now doesn't stand in for it.
    expect(await answerTo(sandbox, 'fin', '/instances start web-2 for 2h')).toMatch(
      /running already\. Nothing was done\.\s+It stops .+, as @ana asked\.\s+If you want it stopped .+\s+\[ Stop it at /,
    );
    const standing = await privateMessage(sandbox, 'bob', 'as @ana asked');
    await slack.person('bob').presses(standing, 'Keep it');
    await reads(sandbox, '@bob called off the schedule of @ana for web-2.');
    await until(async () => (await readSchedules(sandbox)).length === 0);
    await started(sandbox);
    expect(await answerTo(sandbox, 'bob', '/instances start staging for 6h')).toContain('as @ana asked.');
    expect(powerCalls(sandbox, 'stop')).toBe(0);
  });

  it('is never offered in a sentence without its end, where that is not understood', async () => {
    const sandbox = await play();
    const ends = ['for -1h', 'for –4h', 'for @channel', 'for http://x.io/y', 'for the afternoon', 'for ever'];
    for (const end of ends)
      expect(await says(sandbox, `turn staging on ${end}`), end).toContain(
        'I can\'t read until when that is. Say it like "for 4h", "until 18:00" or "until friday"',
      );
    expect(await says(sandbox, 'start staging for @channel')).toContain('A mention is no time');
    expect(await says(sandbox, 'start staging for the demo')).toContain('[ Start staging (104) ]');
  });

  it('keeps its words through a pick and a question, and counts from its beginning', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_PROTECTED: 'web-1' } });
    const { slack } = sandbox;
    const ana = slack.person('ana');
    const question = await answeredWith(sandbox, 'ana', '/instances stop web-1 for 2 hours');
    expect(slack.read(question)).toContain(
      'It would be started again after that: for 2 hours from its beginning.',
    );
    expect(await readSchedules(sandbox)).toEqual([]);
    await ana.presses(question, 'Stop');
    const card = await messageWith(sandbox, '✅ Stopped web-1');
    expect(slack.read(card)).toContain('It starts again');
    const picker = await answeredWith(
      sandbox,
      'ana',
      `/instances stop wbe-2 until ${FAR_OFF} 08:00 UTC --because "move"`,
    );
    await ana.chooses(picker, 'instances.stop', '102');
    const second = await messageWith(sandbox, '✅ Stopped web-2');
    expect(slack.read(second)).toContain('It starts again');
    const dues = (await readSchedules(sandbox))
      .map(({ next }) => next?.at ?? 0)
      .toSorted((one, other) => one - other);
    expect(dues[0]).toBeLessThanOrEqual(Date.now() + 2 * HOUR_MS);
    expect(new Date(dues[1] ?? 0).toISOString()).toBe(`${FAR_OFF}T08:00:00.000Z`);
  });

  it('keeps its words through an approval', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_POLICY: fileWith(approvalFor('stop')) } });
    const { slack } = sandbox;
    // What couldn't be turned around is said beside that it is so already.
    expect(await answerTo(sandbox, 'ana', '/instances start web-1 for 2h')).toMatch(
      /web-1 \(101\) is running already\. Nothing was done\.\s+I couldn't stop web-1 \(101\) again by myself: that needs an approval/,
    );
    await slack.person('ana').types('#ops', '/instances stop web-1 for 4h');
    const asked = await messageWith(sandbox, 'stop web-1 (101) for 4 hours');
    expect(await readSchedules(sandbox)).toEqual([]);
    await slack.person('bob').presses(asked, 'Approve');
    const card = await messageWith(sandbox, '✅ Stopped web-1');
    expect(slack.read(card)).toContain('It starts again');
    expect(await dueInMs(sandbox)).toBeGreaterThan(3.9 * HOUR_MS);
  });
});

it('several are started for a while by one yes, and one schedule stops them again', async () => {
  const sandbox = await playFleet(3, { env: { LAMPLIGHTER_PROTECTED: 'stg-2' } });
  const { slack } = sandbox;
  for (const id of [1_000, 1_001, 1_002]) sandbox.hosting.changeStatus(id, 'stopped');
  const preview = await answeredWith(sandbox, 'ana', '/instances start name:stg-* for 4h');
  const shown = slack.read(preview);
  expect(shown).toContain('This is for 4 hours: they are stopped again by themselves then.');
  expect(shown).toContain("stg-2: it couldn't be stopped again by itself: it is protected");
  expect(await readSchedules(sandbox)).toEqual([]);
  await slack.person('ana').presses(preview, 'Start 2');
  const card = await messageWith(sandbox, '2 operations: all done.');
  expect(slack.read(card)).toContain('They are stopped again by themselves ');
  expect(powerCalls(sandbox, 'start')).toBe(2);
  expect(await readSchedules(sandbox)).toHaveLength(1);
  expect(await dueInMs(sandbox)).toBeGreaterThan(3.9 * HOUR_MS);
  expect(slack.read(await answeredWith(sandbox, 'ana', '/instances schedules'))).toContain('stop once at');
  await letSchedulesBeDue(sandbox, -1_000);
  await slack.until(() => powerCalls(sandbox, 'stop') === 2);
  await sandbox.settled();
  expect(await readSchedules(sandbox)).toEqual([]);
});

// A process of its own, since only that can be killed.
it('a bot that is killed right after a start for a while has both begun, and another stops it once', async () => {
  const sandbox = await playFleet(1, { bot: false });
  sandbox.hosting.changeStatus(1_000, 'stopped');
  const timings = { acceptWithinMs: 20_000 };
  const first = await startProcess(sandbox, { timings });
  const held = sandbox.hosting.hold({ path: /\/1000\/start$/ }, 'after');
  await sandbox.slack.person('ana').types('#ops', '/instances start stg-0 for 4h');
  await held.arrived;
  await first.end('SIGKILL');
  held.drop();
  expect(await readSchedules(sandbox)).toHaveLength(1);
  await startProcess(sandbox, { timings });
  await reads(sandbox, 'It stops again');
  await sandbox.settled();
  await letSchedulesBeDue(sandbox, -1_000);
  await reads(sandbox, 'It was asked to stop again');
  await sandbox.settled();
  expect(powerCalls(sandbox, 'stop')).toBe(1);
  expect(powerCalls(sandbox, 'start')).toBeLessThanOrEqual(1);
});

it('a length that goes over a change of the clock is as long as it says', () => {
  const zone = 'Europe/Berlin';
  // Two hours before the clock is set back at three.
  const now = Date.UTC(2026, 9, 24, 23, 30);
  const given = {
    id: 's',
    owner: { userId: 'U1', teamId: 'T1' },
    channelId: 'C1',
    target: { instances: [{ id: '1', name: 'a', status: 'running' }] },
  };
  const when = { kind: 'once', zone, verb: 'stop', date: '2026-10-25', hour: 2, minute: 30 } as const;
  // The clock shows half past two twice: after one hour, and after two.
  expect(newSchedule({ ...given, when }, now).next?.at).toBe(now + HOUR_MS);
  expect(newSchedule({ ...given, when: { ...when, at: now + 2 * HOUR_MS } }, now).next?.at).toBe(
    now + 2 * HOUR_MS,
  );
});
