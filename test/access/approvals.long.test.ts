import { describe, expect, it } from 'vitest';
import { answerTo, powerCalls, privateTexts, readAll } from '../support/sandbox.ts';
import { says } from '../sentences/says.ts';
import { APPROVER, asked, ends } from './approving.ts';

describe('what a second person must approve', () => {
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

  it('waits through a freeze, in which its asker keeps the right to it', async () => {
    const { sandbox, question } = await asked();
    await answerTo(sandbox, 'admin', '/lamplighter freeze "release"');
    await answerTo(sandbox, 'admin', '/lamplighter thaw');
    await sandbox.slack.person(APPROVER).presses(question(), 'Approve');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
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
});
