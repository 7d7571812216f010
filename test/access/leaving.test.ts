import { describe, expect, it } from 'vitest';
import { FAR_OFF_HOUR } from '../../sandbox/phrases/far-off-hour.ts';
import { readSchedules } from '../../sandbox/phrases/due-schedule.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import {
  answeredWith,
  answerTo,
  play,
  playTogether,
  privateMessage,
  privateTexts,
} from '../support/sandbox.ts';
import { asksThem, dmWith, readDms } from '../support/asking.ts';
import { reads, saves } from '../schedules/fleet.ts';

const ENV = { LAMPLIGHTER_EVERYONE: 'none' };

function open(env: Readonly<Record<string, string>> = {}): Promise<Sandbox> {
  return play({ env: { ...ENV, ...env } });
}

async function admin(sandbox: Sandbox, words: string): Promise<string> {
  return answerTo(sandbox, 'admin', `/lamplighter access ${words}`);
}

/** Ana has roles, a schedule, a watch, a favorite, and waits for an answer. */
async function withAna(env: Readonly<Record<string, string>> = {}): Promise<Sandbox> {
  const sandbox = await open(env);
  await admin(sandbox, 'grant operator @ana on web-* for 8h');
  await admin(sandbox, 'grant operator @oncall');
  await saves(sandbox, `web-1 stop at ${FAR_OFF_HOUR} UTC`);
  await answerTo(sandbox, 'ana', '/instances save mine = name:web-*');
  // The first watch of a channel is an admin's to set.
  await sandbox.slack.person('admin').types('#ops', '/instances watch db-1');
  await reads(sandbox, 'Set by @admin');
  await sandbox.slack.person('ana').types('#ops', '/instances watch web-1');
  await reads(sandbox, 'Set by @ana');
  await asksThem(sandbox, 'ana', '/billing', 'You need the finance role');
  await dmWith(sandbox, 'admin', '@ana asks to');
  return sandbox;
}

async function asked(sandbox: Sandbox, words = 'revoke @ana'): Promise<PostedMessage> {
  return answeredWith(sandbox, 'admin', `/lamplighter access ${words}`);
}

const HELD = [
  /operator on web-\* until .*, by @admin\./,
  new RegExp(`schedule in #ops: stop at ${FAR_OFF_HOUR}, every day \\(UTC\\), for web-1`),
  /watch in #ops: web-1\./,
  /waits for an answer: asked to see what is spent, and on what, in #ops\./,
  /operator, as everyone in @oncall\. Take them out of @oncall in Slack\./,
  /named in BILLING_ESCALATE_TO\. Take them out of BILLING_ESCALATE_TO\./,
  /favorite "mine"\. Everyone uses it/,
];

describe('what one person holds', () => {
  it('is the role of every full member as well, which a guest has not', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'viewer' } });
    expect(await admin(sandbox, 'show @fin')).toContain('viewer, as every full member is.');
    expect(await admin(sandbox, 'show @guest')).toContain('@guest holds nothing here.');
  });

  it('is shown to an admin line by line, and to the person themselves', async () => {
    const sandbox = await withAna({ BILLING_ESCALATE_TO: 'U0ANA000001' });
    const shown = await admin(sandbox, 'show @ana');
    expect(shown).toContain('@ana holds:');
    for (const line of HELD) expect(shown).toMatch(line);
    const own = await answerTo(sandbox, 'ana', '/lamplighter access show @ana');
    expect(own).toContain('You hold:');
    for (const line of HELD) expect(own).toMatch(line);
    expect(own).not.toContain('Revoke all');
    expect(await admin(sandbox, '@ana')).toContain('@ana holds:');
    expect(await admin(sandbox, 'show @fin')).toContain('@fin holds nothing here.');
    expect(await admin(sandbox, 'show @admin')).toContain(
      'admin, by LAMPLIGHTER_ADMINS. Take them out of LAMPLIGHTER_ADMINS.',
    );
  });

  it('is not for others to see', async () => {
    const sandbox = await open();
    await admin(sandbox, 'grant operator @ana');
    await admin(sandbox, 'grant admin @bob on web-*');
    for (const who of ['ana', 'bob'])
      for (const line of ['show @admin', 'revoke @admin'])
        expect(await answerTo(sandbox, who, `/lamplighter access ${line}`)).not.toContain('LAMPLIGHTER');
  });
});

describe('a sentence about one person', () => {
  const together = playTogether({ env: ENV });

  it.each([
    ['what can @ana do', '@ana holds:'],
    ['what access does @ana have?', '@ana holds:'],
    ['offboard @ana', 'Is this what you want: access revoke @ana?'],
    ['@ana left the company', 'Is this what you want: access revoke @ana?'],
    ['remove all access from @ana', 'Is this what you want: access revoke @ana?'],
    ['take operator away from @ana', 'Is this what you want: access revoke operator @ana?'],
  ])('"%s" is answered or becomes a button, and begins nothing', async (line, words) => {
    const sandbox = await together();
    await admin(sandbox, 'grant operator @ana');
    const before = privateTexts(sandbox, 'admin').length;
    await sandbox.slack.person('admin').mentions('#ops', line);
    await sandbox.slack.until(() => privateTexts(sandbox, 'admin').length > before);
    expect(privateTexts(sandbox, 'admin').at(-1)).toContain(words);
    expect(await admin(sandbox, 'show @ana')).toContain('operator, by @admin.');
  });

  it('becomes a button that shows what would end', async () => {
    const sandbox = await open();
    await admin(sandbox, 'grant operator @ana');
    await sandbox.slack.person('admin').mentions('#ops', '@ana left the company');
    const button = await privateMessage(sandbox, 'admin', 'access revoke @ana?');
    await sandbox.slack.person('admin').presses(button, 'Revoke all of @ana…');
    await privateMessage(sandbox, 'admin', 'Revoke all that @ana holds? This ends:');
  });
});

describe('taking back all that one person holds', () => {
  it('shows it first, and does it at one press, with what stays named', async () => {
    const sandbox = await withAna({ BILLING_ESCALATE_TO: 'U0ANA000001' });
    const preview = await asked(sandbox);
    const text = sandbox.slack.read(preview);
    expect(text).toContain('Revoke all that @ana holds? This ends:');
    expect(text).toContain('Stays: named in BILLING_ESCALATE_TO. Take them out of BILLING_ESCALATE_TO.');
    expect(text).toContain("they don't pass to you");
    expect((await readSchedules(sandbox)).every((one) => !one.closed)).toBe(true);
    await sandbox.slack.person('admin').presses(preview, 'Revoke all');
    await reads(sandbox, '@admin ended the schedule of @ana, whose access was taken back');
    await reads(sandbox, '@admin stopped watching web-1 here');
    await dmWith(sandbox, 'ana', '@admin took back what you held here');
    const left = await admin(sandbox, 'show @ana');
    for (const line of HELD.slice(0, 4)) expect(left).not.toMatch(line);
    for (const line of HELD.slice(4)) expect(left).toMatch(line);
    const audit = await answerTo(sandbox, 'admin', '/lamplighter audit @admin');
    expect(audit.match(/revoke everything for @ana: done/g)).toHaveLength(1);
    expect(readDms(sandbox, 'ana')).not.toContain('took your role back');
  });

  it('is asked for again where it has changed since, and then does what is shown', async () => {
    const sandbox = await open();
    await admin(sandbox, 'grant operator @ana');
    const preview = await asked(sandbox);
    await admin(sandbox, 'grant finance @ana');
    await sandbox.slack.person('admin').presses(preview, 'Revoke all');
    const again = await privateMessage(sandbox, 'admin', 'What @ana holds has changed, so nothing was done.');
    expect(await admin(sandbox, 'show @ana')).toContain('operator, by @admin.');
    await sandbox.slack.person('admin').presses(again, 'Revoke all');
    await dmWith(sandbox, 'ana', '@admin took back what you held here');
    expect(await admin(sandbox, 'show @ana')).toContain('@ana holds nothing here.');
  });

  it('does nothing once it was canceled', async () => {
    const sandbox = await open();
    await admin(sandbox, 'grant operator @ana');
    const preview = await asked(sandbox);
    await sandbox.slack.person('admin').presses(preview, 'Cancel');
    await privateMessage(sandbox, 'admin', 'Canceled. Nothing was changed.');
    expect(await admin(sandbox, 'show @ana')).toContain('operator, by @admin.');
  });

  it('does not leave a workspace without an admin', async () => {
    const sandbox = await open({ LAMPLIGHTER_ADMINS: '', LAMPLIGHTER_EVERYONE: 'admin' });
    await admin(sandbox, 'grant admin @admin');
    await sandbox.stopBots();
    await sandbox.startBot({ LAMPLIGHTER_EVERYONE: 'none' });
    const preview = await asked(sandbox, 'revoke @admin');
    await sandbox.slack.person('admin').presses(preview, 'Revoke all');
    await privateMessage(sandbox, 'admin', 'That would leave nobody who can give a role');
  });
});

describe('somebody whose account is deactivated', () => {
  it('is found by the doctor while they hold something', async () => {
    const sandbox = await open();
    await admin(sandbox, 'grant operator @bob');
    expect(await answerTo(sandbox, 'admin', '/lamplighter doctor')).not.toContain('@bob');
    // The word on their role can't be sent to them later.
    await sandbox.said();
    sandbox.slack.setPerson('bob', { isDeleted: true });
    await sandbox.stopBots();
    await sandbox.startBot();
    expect(await answerTo(sandbox, 'admin', '/lamplighter doctor')).toContain(
      '@bob is deactivated in Slack and still holds one thing here. To take all of it back, type /lamplighter access revoke @bob.',
    );
  });

  it('is told to the admins once, with a button that shows what they hold', async () => {
    // The word on their role may reach Slack only once they are gone.
    const sandbox = await play({ env: ENV, isRefused: true, timings: { checkNamedAfterMs: 0 } });
    await admin(sandbox, 'grant operator @bob');
    sandbox.slack.setPerson('bob', { isDeleted: true });
    await sandbox.stopBots();
    await sandbox.startBot();
    const told = await dmWith(
      sandbox,
      'admin',
      '@bob is deactivated in Slack and still holds one thing here.',
    );
    await sandbox.stopBots();
    await sandbox.startBot();
    const press = await sandbox.slack.person('admin').presses(told, 'Revoke all…');
    const [preview] = await sandbox.slack.until(() => press.ephemeral.length > 0 && press.ephemeral);
    expect(sandbox.slack.read(preview!)).toContain('Revoke all that @bob holds? This ends:');
    await sandbox.settled();
    expect(readDms(sandbox, 'admin').match(/@bob is deactivated/g)).toHaveLength(1);
  });

  it.each([
    ['LAMPLIGHTER_ADMINS', { LAMPLIGHTER_ADMINS: 'U0ADA000001,U0BOB000001' }],
    ['BILLING_ESCALATE_TO', { BILLING_ESCALATE_TO: 'U0BOB000001' }],
  ])('who is named in %s alone is told with what to change there, and with no button', async (from, env) => {
    const sandbox = await play({ env: { ...ENV, ...env }, timings: { checkNamedAfterMs: 0 }, bot: false });
    sandbox.slack.setPerson('bob', { isDeleted: true });
    await sandbox.startBot();
    const told = await dmWith(sandbox, 'admin', '@bob is deactivated in Slack and is still named');
    expect(sandbox.slack.read(told)).toContain(`Take them out of ${from}.`);
    expect(sandbox.slack.read(told)).not.toContain('Revoke all');
  });
});
