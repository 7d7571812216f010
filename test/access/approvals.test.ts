import { describe, expect, it } from 'vitest';
import {
  answerTo,
  botMessages,
  play,
  powerCalls,
  privateTexts,
  readAll,
  privateMessage,
} from '../support/sandbox.ts';
import { APPROVER, asked, ends } from './approving.ts';

describe('what a second person must approve', () => {
  it('is asked in the channel, done once somebody else says yes, and says who did', async () => {
    const { sandbox, question } = await asked();
    expect(sandbox.slack.read(question())).toMatch(
      /🔐 @ana asks to restart web-1 \(101\)\.\nBecause: new config\nSomeone else with the same right must approve it before /,
    );
    expect(powerCalls(sandbox)).toBe(0);
    await sandbox.slack.person(APPROVER).presses(question(), 'Approve');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
    await ends(sandbox, question, '✅ Approved by @bob.');
    expect(readAll(sandbox).some((text) => text.includes('Approved by @bob.'))).toBe(true);
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('is not approved by the asker, nor by a second account of theirs', async () => {
    const { sandbox, question } = await asked();
    await sandbox.slack.person('ana').presses(question(), 'Approve');
    await privateMessage(sandbox, 'ana', 'You asked for that yourself');
    sandbox.slack.setPerson('fin', { email: 'ana@lantern.example' });
    await sandbox.slack.person('fin').presses(question(), 'Approve');
    await privateMessage(sandbox, 'fin', 'You asked for that yourself');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is not approved by a stranger, nor by somebody without the right', async () => {
    const { sandbox, question } = await asked({
      env: { LAMPLIGHTER_EVERYONE: 'none', LAMPLIGHTER_ADMINS: 'U0ANA000001' },
    });
    await sandbox.slack.person('bob').presses(question(), 'Approve');
    await privateMessage(sandbox, 'bob', 'You need the operator role');
    await sandbox.slack.person('guest').presses(question(), 'Refuse');
    await sandbox.settled();
    // Nor do they decide it where the instance has changed since, or read that it has.
    sandbox.hosting.changeStatus(101, 'stopped');
    for (const who of ['bob', 'guest']) {
      const before = privateTexts(sandbox, who).length;
      await sandbox.slack.person(who).presses(question(), 'Approve');
      await sandbox.slack.until(() => privateTexts(sandbox, who).length > before);
      expect(privateTexts(sandbox, who).at(-1)).toMatch(/You need/);
    }
    await sandbox.settled();
    expect(sandbox.slack.read(question())).toContain('must approve it');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is one call where two say yes in one instant', async () => {
    const { sandbox, question } = await asked();
    const both = ['bob', 'fin'].map((who) => sandbox.slack.person(who).presses(question(), 'Approve'));
    await Promise.all(both);
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    expect([...privateTexts(sandbox, 'bob'), ...privateTexts(sandbox, 'fin')].join()).toMatch(
      /approved that|already restarting/,
    );
  });

  it('is asked again where the instance has changed meanwhile', async () => {
    const { sandbox, question } = await asked();
    sandbox.hosting.recreateInstance(101, 901);
    await sandbox.slack.person(APPROVER).presses(question(), 'Approve');
    await privateMessage(sandbox, APPROVER, 'The instance has changed since that was asked');
    await ends(sandbox, question, 'The instance has changed since this was asked.');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it.each([
    ['Refuse', 'bob', '⛔ Refused by @bob.'],
    ['Cancel the request', 'ana', '⚪ Canceled by @ana.'],
  ])('is not done after "%s", and says who said so', async (label, who, words) => {
    const { sandbox, question } = await asked();
    await sandbox.slack.person(who).presses(question(), label);
    await ends(sandbox, question, words);
    await expect(sandbox.slack.person(APPROVER).presses(question(), 'Approve')).rejects.toThrow();
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is canceled by nobody else but its asker', async () => {
    const { sandbox, question } = await asked();
    for (const [who, words] of [
      ['bob', 'Only @ana can cancel that. You can refuse it.'],
      ['guest', 'Only @ana can cancel that.'],
    ] as const) {
      await sandbox.slack.person(who).presses(question(), 'Cancel the request');
      await sandbox.slack.until(() => privateTexts(sandbox, who).length > 0);
      expect(privateTexts(sandbox, who)).toEqual([words]);
    }
    expect(sandbox.slack.read(question())).toContain('must approve it');
  });

  it.each([
    ['a role that is taken back', 'revoke operator @ana'],
    ['one that was narrowed', 'revoke operator @ana on web-*'],
  ])('is withdrawn once its asker has lost the right to it: %s', async (_, words) => {
    const on = words.includes(' on ') ? ' on web-*' : '';
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'viewer', LAMPLIGHTER_APPROVE: 'web-*' } });
    await answerTo(sandbox, 'admin', `/lamplighter access grant operator @ana${on}`);
    await answerTo(sandbox, 'ana', '/instances restart web-1');
    const question = await sandbox.slack.until(() => botMessages(sandbox)[0]);
    await answerTo(sandbox, 'admin', `/lamplighter access ${words}`);
    await sandbox.slack.until(() => sandbox.slack.read(question).includes('Canceled'));
    expect(sandbox.slack.read(question)).toBe(
      '🔐 @ana asks to restart web-1 (101).\n⚪ Canceled, because @ana no longer has the right to it. Nothing was done.',
    );
    expect(await answerTo(sandbox, 'admin', '/lamplighter audit')).toContain(
      'expired: the person who asked has lost the right to it',
    );
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('an admin does alone with a reason, and all admins are notified', async () => {
    const { sandbox } = await asked({ env: { LAMPLIGHTER_ADMINS: 'U0ADA000001,U0FIN000001' } });
    await sandbox.slack.person('admin').types('#ops', '/instances restart web-2 --override "it is down"');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-2')));
    const fin = sandbox.slack.person('fin');
    await sandbox.slack.until(() => fin.dms.length > 0);
    expect(sandbox.slack.read(fin.dms[0]!)).toContain(
      '@admin asked to restart web-2 (102) without the approval that it needs: "it is down".',
    );
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('that no admin wants to override still waits, and those who approve read why', async () => {
    const { sandbox } = await asked();
    expect(await answerTo(sandbox, 'ana', '/instances restart web-2 --override "it is down"')).toContain(
      'Only an admin can go ahead without an approval. Your reason is shown to the people who can approve it.',
    );
    await sandbox.slack.until(() =>
      readAll(sandbox).some((text) => text.includes('restart web-2') && text.includes('it is down')),
    );
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('survives the bot: asked of one process, approved with another', async () => {
    const { sandbox, question } = await asked();
    await sandbox.stopBots();
    await sandbox.startBot();
    await sandbox.slack.person(APPROVER).presses(question(), 'Approve');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
    await ends(sandbox, question, '✅ Approved by @bob.');
    expect(powerCalls(sandbox)).toBe(1);
  });
});
