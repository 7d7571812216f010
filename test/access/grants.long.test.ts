import { describe, expect, it } from 'vitest';
import { answerTo, play, powerCalls, readAll } from '../support/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

const GRANT = '/lamplighter access grant';

const open = (timings = {}): Promise<Sandbox> => play({ env: { LAMPLIGHTER_EVERYONE: 'none' }, timings });

/** What the person reads of one line, alone or in the channel, once it is finished. */
async function tries(sandbox: Sandbox, who: string, line: string): Promise<string> {
  const before = powerCalls(sandbox);
  const interaction = await sandbox.slack.person(who).types('#ops', line);
  await sandbox.slack.until(() => interaction.ephemeral.length > 0 || powerCalls(sandbox) > before);
  await sandbox.settled();
  return (
    interaction.ephemeral.map((message) => sandbox.slack.read(message)).join('\n') ||
    (readAll(sandbox).at(-1) ?? '')
  );
}

describe('a role that an admin gives', () => {
  it('counts from the next word on, where it was given for, and the person reads so', async () => {
    const sandbox = await open();
    expect(await tries(sandbox, 'ana', '/instances restart web-1')).toContain('You need the operator role');
    expect(await answerTo(sandbox, 'admin', `${GRANT} operator @ana on web-*`)).toContain(
      '@ana is an operator on web-* now.',
    );
    expect(await tries(sandbox, 'ana', '/instances restart web-1')).toContain('Restarted web-1');
    expect(await tries(sandbox, 'ana', '/instances stop db-1')).toContain(
      'Your role covers no instance "db-1", so nothing was done. @admin can help.',
    );
    expect(powerCalls(sandbox, 'stop')).toBe(0);
    expect(await answerTo(sandbox, 'ana', '/instances show db-1')).toContain(
      'Your role covers no instance "db-1".',
    );
    const ana = sandbox.slack.person('ana');
    await sandbox.slack.until(() => ana.dms.length > 0);
    expect(sandbox.slack.read(ana.dms[0]!)).toContain(
      '@admin gave you a role: you are an operator on web-* now.',
    );
    expect(sandbox.slack.refusals).toEqual([]);
  });

  it('is gone with its revocation, also for what waits to be done, and says who took it', async () => {
    const sandbox = await open({ cancelWindowMs: 60_000 });
    await answerTo(sandbox, 'admin', `${GRANT} operator @ana`);
    await answerTo(sandbox, 'admin', '/lamplighter access revoke operator @ana');
    expect(await tries(sandbox, 'ana', '/instances restart web-1')).toContain(
      '@admin took your operator role back',
    );
    expect(powerCalls(sandbox)).toBe(0);
    expect(await answerTo(sandbox, 'admin', '/lamplighter access revoke operator @ana')).toContain(
      "@ana isn't an operator, so there is nothing to take back. They have no role here.",
    );
  });

  it('outlives the role of the admin who gave it, which whoever takes that back reads', async () => {
    const sandbox = await open();
    await answerTo(sandbox, 'admin', `${GRANT} admin @ana on web-*`);
    await answerTo(sandbox, 'admin', `${GRANT} viewer @fin`);
    await answerTo(sandbox, 'ana', `${GRANT} operator @bob on web-1`);
    const taken = await answerTo(sandbox, 'admin', '/lamplighter access revoke admin @ana');
    expect(taken).toContain('The roles they gave to others still apply. To end one, revoke it too:');
    expect(taken).toContain('@bob: operator on name:web-1, by @ana.');
    expect(taken).not.toContain('@fin');
    const ended = await answerTo(sandbox, 'admin', '/lamplighter access revoke operator @bob');
    expect(ended).not.toContain('still apply');
  });

  it('counts in its channel alone', async () => {
    const sandbox = await open();
    await answerTo(sandbox, 'admin', `${GRANT} operator @ana in #random`);
    expect(await tries(sandbox, 'ana', '/instances restart web-1')).toContain(
      "doesn't count in this channel",
    );
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('to a user group counts for who is in it now', async () => {
    const sandbox = await open();
    expect(await answerTo(sandbox, 'admin', `${GRANT} operator @oncall`)).toContain(
      '@oncall is an operator now.',
    );
    expect(await tries(sandbox, 'ana', '/instances restart web-1')).toContain('Restarted web-1');
    expect(await tries(sandbox, 'fin', '/instances restart web-1')).toContain('You need the operator role');
    // Members are remembered for half a minute, and read again just before what can't be undone.
    sandbox.slack.membersOf('@oncall').delete('ana');
    await sandbox.stopBots();
    await sandbox.startBot();
    expect(await tries(sandbox, 'ana', '/instances stop web-1')).toContain('You need the operator role');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('counts for a guest who is named, and not for one in a group', async () => {
    const sandbox = await open();
    await answerTo(sandbox, 'admin', `${GRANT} viewer @guest`);
    expect(await answerTo(sandbox, 'guest', '/instances')).toContain('instances:');
    expect(await answerTo(sandbox, 'single', '/instances')).toContain('You need the viewer role');
  });
});

describe('/lamplighter access', () => {
  it('shows an admin who holds what, and everybody else their own', async () => {
    const sandbox = await open();
    await answerTo(sandbox, 'admin', `${GRANT} finance @fin`);
    const all = await answerTo(sandbox, 'admin', '/lamplighter access');
    expect(all).toContain('Nobody has a role by default.');
    expect(all).toContain('@admin: admin, by the configuration.');
    expect(all).toContain('@fin: finance, by @admin.');
    expect(await answerTo(sandbox, 'fin', '/lamplighter access')).toContain('finance.');
    expect(await answerTo(sandbox, 'ana', '/lamplighter access')).toBe(
      'You have no role here.\nYou need the viewer role to see instances. @admin can help.',
    );
  });

  it.each([
    ['grant', 'Which role, and whose?'],
    ['grant boss @ana', 'I don\'t know the role "boss".'],
    ['grant operator', 'Whose role?'],
    ['grant operator ana', 'I don\'t know who "ana" is.'],
    ['grant operator @ana for ever', 'I don\'t understand the time "ever"'],
    ['grant operator @ana in ops', 'I don\'t know the channel "ops".'],
    ['grant operator @ana on', 'On which instances?'],
    ['grant operator @robot', "@robot is a bot, so they can't have a role."],
    ['grant operator @gone', "@gone is deactivated, so they can't have a role."],
    ['give operator @ana', 'You can use show, grant or revoke'],
  ])('answers "access %s" with a sentence, and changes nothing', async (words, sentence) => {
    const sandbox = await open();
    expect(await answerTo(sandbox, 'admin', `/lamplighter access ${words}`)).toContain(sentence);
    expect(await answerTo(sandbox, 'admin', '/lamplighter access')).toContain(
      'One role held:\n• @admin: admin, by the configuration.',
    );
  });

  it('does not leave a workspace without an admin', async () => {
    const sandbox = await open();
    await answerTo(sandbox, 'admin', `${GRANT} admin @ana`);
    await sandbox.stopBots();
    await sandbox.startBot({ LAMPLIGHTER_ADMINS: '' });
    expect(await answerTo(sandbox, 'ana', '/lamplighter access revoke admin @ana')).toContain(
      'That would leave nobody who can give a role, so nothing was changed.',
    );
    expect(await answerTo(sandbox, 'ana', `${GRANT} viewer @bob`)).toContain('@bob is a viewer now.');
  });
});
