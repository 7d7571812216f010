import { describe, expect, it } from 'vitest';
import { answeredWith, answerTo, play, powerCalls, readAll, runToEnd, toldTo } from '../support/sandbox.ts';

const NO_ROLE =
  /^((Show web-1|Restart web-1|Restart web-1 \(101\)): )?You need (the (viewer|operator) role|to be a full member).*@admin can help\.(\n\[ Ask them \])?$/;

describe('a person without a role', () => {
  it.each([['/instances'], ['/instances web-1'], ['/instances restart web-1'], ['/lamplighter operations']])(
    'reads for %s who can help, and nothing is shown, called or posted',
    async (line) => {
      const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
      const before = sandbox.hosting.calls.length;
      await answerTo(sandbox, 'ana', line);
      await sandbox.settled();
      expect(toldTo(sandbox, 'ana')).toEqual([expect.stringMatching(NO_ROLE)]);
      expect(sandbox.hosting.calls.length).toBe(before);
      expect(readAll(sandbox)).toEqual([]);
    },
  );

  it('is refused by mention, by button and by picker just the same', async () => {
    const sandbox = await play();
    const ana = sandbox.slack.person('ana');
    const card = await answeredWith(sandbox, 'ana', '/instances web-1');
    const picker = await answeredWith(sandbox, 'ana', '/instances restart');
    // Ana loses her role: the bots know it within a minute, and a new one at once.
    await sandbox.stopBots();
    await sandbox.startBot({ LAMPLIGHTER_EVERYONE: 'none' });
    const before = sandbox.hosting.calls.length;

    await ana.mentions('#ops', 'restart web-1');
    await ana.presses(card, 'Restart');
    expect((await ana.searches(picker, 'instances.restart', '')).options).toEqual([]);
    await sandbox.slack.until(() => toldTo(sandbox, 'ana').filter((text) => NO_ROLE.test(text)).length >= 2);
    await sandbox.settled();
    expect(sandbox.hosting.calls.length).toBe(before);
    expect(readAll(sandbox)).toEqual([]);
  });

  it.each(['guest', 'single', 'stranger', 'gone', 'robot'])(
    'gets nothing from the role of every full member: %s',
    async (who) => {
      const sandbox = await play();
      const before = sandbox.hosting.calls.length;
      sandbox.slack.channel('#shared').add(who);
      const turn = await sandbox.slack.person(who).types('#shared', '/instances restart web-1');
      await sandbox.slack.until(() => turn.ephemeral.length > 0);
      await sandbox.settled();
      expect(toldTo(sandbox, who, '#shared')[0]).toMatch(/full member|deactivated/);
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
  it('let an admin do everything', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
    await runToEnd(sandbox, 'admin', '/instances restart web-1');
    expect(readAll(sandbox)[0]).toContain('Restarted web-1');
  });

  it('let a viewer see and not act', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'viewer' } });
    await answerTo(sandbox, 'ana', '/instances');
    expect(toldTo(sandbox, 'ana')[0]).toContain('instances');
    await answerTo(sandbox, 'ana', '/instances stop web-1');
    expect(toldTo(sandbox, 'ana')[1]).toContain('You need the operator role');
    expect(powerCalls(sandbox)).toBe(0);
  });

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
    await sandbox.slack.until(() => toldTo(sandbox, 'ana').includes(`Delete web-1 (101): ${NO}${ASK}`));
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
      'Did not stop web-1 (101): who asked may not do that any more. Nothing was done.',
    );
    expect(powerCalls(sandbox)).toBe(1);
  });
});
