import { describe, expect, it } from 'vitest';
import { answeredWith, answerTo, play, powerCalls, privateTexts, readAll } from '../support/sandbox.ts';

describe('a person without a role', () => {
  it('reads for the plain list who can help, and nothing is shown, called or posted', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
    const before = sandbox.hosting.calls.length;
    await answerTo(sandbox, 'ana', '/instances');
    await sandbox.settled();
    expect(privateTexts(sandbox, 'ana')).toEqual([
      'You need the viewer role to see instances. @admin can help.\n[ Ask them ]',
    ]);
    expect(sandbox.hosting.calls.length).toBe(before);
    expect(readAll(sandbox)).toEqual([]);
  });

  it.each(['guest', 'single', 'stranger', 'gone', 'robot'])(
    'gets nothing from the role of every full member: %s',
    async (who) => {
      const sandbox = await play();
      const before = sandbox.hosting.calls.length;
      sandbox.slack.channel('#shared').add(who);
      const interaction = await sandbox.slack.person(who).types('#shared', '/instances restart web-1');
      await sandbox.slack.until(() => interaction.ephemeral.length > 0);
      await sandbox.settled();
      expect(privateTexts(sandbox, who, '#shared')[0]).toMatch(/full member|deactivated/);
      expect(sandbox.hosting.calls.length).toBe(before);
    },
  );

  it('is refused when Slack can not say who they are', async () => {
    const sandbox = await play();
    for (let times = 0; times < 3; times++) sandbox.slack.failNext('users.info', { error: 'internal_error' });
    expect(await answerTo(sandbox, 'ana', '/instances restart web-1')).toContain(
      "Restart web-1: I couldn't check your role with Slack, so nothing was done",
    );
    expect(powerCalls(sandbox)).toBe(0);
  });
});

describe('rights', () => {
  it('that are too small to delete are said to be so, in every way', async () => {
    const NO = 'You need the admin role to delete instances. @admin can help.';
    const ASK = '\n[ Ask them ]';
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'admin' } });
    const ana = sandbox.slack.person('ana');
    const card = await answeredWith(sandbox, 'ana', '/instances web-1');
    await sandbox.stopBots();
    await sandbox.startBot({ LAMPLIGHTER_EVERYONE: 'operator' });
    for (const [words, no] of [
      ['delete web-1', `Delete web-1: ${NO}${ASK}`],
      ['delete', `${NO}\nName one instance, and you can ask them for it here.`],
      ['delete web-1 --dry-run', `Delete web-1 --dry-run: ${NO}${ASK}`],
    ])
      expect(await answerTo(sandbox, 'ana', `/instances ${words}`)).toBe(no);
    await ana.presses(card, 'Delete…');
    await sandbox.slack.until(() => privateTexts(sandbox, 'ana').includes(`Delete web-1 (101): ${NO}${ASK}`));
    await sandbox.settled();
    expect(ana.views).toEqual([]);
  });

  it('are checked again before the call leaves', async () => {
    const sandbox = await play();
    // The card is refused for a while, the call waits for its turn after a 429, and meanwhile Ana leaves.
    sandbox.hosting.failNext({ method: 'POST' }, { answer: 429, done: false, retryAfterSeconds: 1 });
    const held = sandbox.hosting.hold({ method: 'POST' });
    await sandbox.slack.person('ana').types('#ops', '/instances stop web-1');
    await held.arrived;
    sandbox.slack.setPerson('ana', { isDeleted: true });
    held.release();
    await sandbox.stopBots();
    await sandbox.startBot();
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain(
      'Did not stop web-1 (101): the person who asked no longer has the right to. Nothing was done.',
    );
    expect(powerCalls(sandbox)).toBe(1);
  });
});
