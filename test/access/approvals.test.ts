import { describe, expect, it } from 'vitest';
import { answerTo, botMessages, play, powerCalls, privateTexts, readAll } from '../support/sandbox.ts';
import { says } from '../sentences/says.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';

const APPROVER = 'bob';

async function asked(
  options: SandboxOptions = {},
): Promise<{ sandbox: Sandbox; question: () => PostedMessage }> {
  const sandbox = await play({
    ...options,
    env: {
      LAMPLIGHTER_ADMINS: 'U0ADA000001',
      LAMPLIGHTER_EVERYONE: 'operator',
      LAMPLIGHTER_APPROVE: 'web-*',
      ...options.env,
    },
  });
  expect(await answerTo(sandbox, 'ana', '/instances restart web-1 --because "new config"')).toContain(
    'Someone else must approve that. I asked in #ops; nothing has been done yet.',
  );
  const question = (): PostedMessage =>
    botMessages(sandbox).find((one) => sandbox.slack.read(one).includes('asks to restart'))!;
  await sandbox.slack.until(() => question());
  return { sandbox, question };
}

const ends = (sandbox: Sandbox, question: () => PostedMessage, words: string): Promise<unknown> =>
  sandbox.slack.until(() => sandbox.slack.read(question()).includes(words));

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

  it('is withdrawn by "cancel" of its asker alone', async () => {
    const { sandbox, question } = await asked();
    expect(await says(sandbox, 'cancel', { who: APPROVER })).toContain('Nothing is in progress.');
    expect(await says(sandbox, 'never mind', { who: 'ana' })).toContain(
      '[ Cancel: your request to restart web-1 (101) ]',
    );
    expect(await says(sandbox, 'cancel', { who: 'ana' })).toBe(
      'Canceled: your request to restart web-1 (101). Nothing was done.',
    );
    await ends(sandbox, question, '⚪ Canceled by @ana. Nothing was done.');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is not approved by the asker, nor by a second account of theirs', async () => {
    const { sandbox, question } = await asked();
    await sandbox.slack.person('ana').presses(question(), 'Approve');
    await sandbox.slack.until(() =>
      privateTexts(sandbox, 'ana').join().includes('You asked for that yourself'),
    );
    sandbox.slack.setPerson('fin', { email: 'ana@lantern.example' });
    await sandbox.slack.person('fin').presses(question(), 'Approve');
    await sandbox.slack.until(() =>
      privateTexts(sandbox, 'fin').join().includes('You asked for that yourself'),
    );
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is not approved by a stranger, nor by somebody without the right', async () => {
    const { sandbox, question } = await asked({
      env: { LAMPLIGHTER_EVERYONE: 'none', LAMPLIGHTER_ADMINS: 'U0ANA000001' },
    });
    await sandbox.slack.person('bob').presses(question(), 'Approve');
    await sandbox.slack.until(() =>
      privateTexts(sandbox, 'bob').join().includes('You need the operator role'),
    );
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
    await sandbox.slack.until(() =>
      privateTexts(sandbox, APPROVER).join().includes('The instance has changed since that was asked'),
    );
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

  it.each([
    [{ LAMPLIGHTER_EVERYONE: 'operator' }, '@admin or any other full member can.'],
    [{ LAMPLIGHTER_EVERYONE: 'none', LAMPLIGHTER_ADMINS: 'U0ANA000001,U0FIN000001' }, '@fin can.'],
    [
      { LAMPLIGHTER_EVERYONE: 'none', LAMPLIGHTER_ADMINS: 'U0ANA000001' },
      'Nobody else has the operator role for it yet: an admin can give it with /lamplighter access grant.',
    ],
  ])('says who can approve it to who asked for it: %o', async (env, words) => {
    const { sandbox, question } = await asked({ env });
    await sandbox.slack.person('ana').presses(question(), 'Approve');
    await sandbox.slack.until(() =>
      privateTexts(sandbox, 'ana').includes(
        `You asked for that yourself, so someone else must approve it. ${words} Nothing was done.`,
      ),
    );
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
    const sandbox = await play({
      env: {
        LAMPLIGHTER_ADMINS: 'U0ADA000001',
        LAMPLIGHTER_EVERYONE: 'viewer',
        LAMPLIGHTER_APPROVE: 'web-*',
      },
    });
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

  it('waits through a freeze, in which its asker keeps the right to it', async () => {
    const { sandbox, question } = await asked();
    await answerTo(sandbox, 'admin', '/lamplighter freeze "release"');
    await answerTo(sandbox, 'admin', '/lamplighter thaw');
    await sandbox.slack.person(APPROVER).presses(question(), 'Approve');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
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

  it.each([
    ['/instances stop web-2 --override "disk full"', 'stop web-2', 'disk full'],
    ['@lamplighter restart web-2 --override "it hangs"', 'restart web-2', 'it hangs'],
    ['/instances start web-2 --override=traffic', 'start web-2', 'traffic'],
  ])('"%s" of an operator is shown with its words to those who approve', async (line, what, why) => {
    const { sandbox } = await asked();
    if (what.startsWith('start')) sandbox.hosting.changeStatus(102, 'stopped');
    await sandbox.slack.person('ana').types('#ops', line);
    await sandbox.slack.until(() =>
      readAll(sandbox).some((text) => text.includes(`asks to ${what}`) && text.includes(`Because: ${why}`)),
    );
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('of others is done as ever', async () => {
    const { sandbox } = await asked();
    await sandbox.slack.person('ana').types('#ops', '/instances stop db-1');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Stopped db-1')));
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
