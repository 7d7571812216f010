import { describe, expect, it } from 'vitest';
import { verifyAudit } from '../../src/core/audit/audit-reader.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { messageWith } from '../support/asking.ts';
import { answerTo, play, privateMessage, privateTexts, readAll } from '../support/sandbox.ts';
import { connectTo } from '../support/shared-redis.ts';

async function asked(): Promise<{ sandbox: Sandbox; question: PostedMessage }> {
  const sandbox = await play({
    env: {
      LAMPLIGHTER_ADMINS: 'U0ADA000001',
      LAMPLIGHTER_EVERYONE: 'operator',
      LAMPLIGHTER_APPROVE: 'web-*',
    },
  });
  await answerTo(sandbox, 'ana', '/instances restart web-1');
  const question = await messageWith(sandbox, 'asks to');
  return { sandbox, question };
}

const audit = (sandbox: Sandbox, words = ''): Promise<string> =>
  answerTo(sandbox, 'admin', `/lamplighter audit${words}`);

describe('the audit of what a second person must approve', () => {
  it('has the change under its own verb and its asker, and the press that approved it by itself', async () => {
    const { sandbox, question } = await asked();
    await sandbox.slack.person('bob').presses(question, 'Approve');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
    await sandbox.settled();
    const all = await audit(sandbox);
    expect(all).toMatch(
      /@ana · restart web-1 \(101\): done · operator, as every full member · approved by @bob · Request /,
    );
    expect(all).toMatch(
      /@bob · approve "restart web-1 \(101\)": done · operator, as every full member · Request /,
    );
    expect(all).toMatch(/@ana · restart web-1 \(101\): waiting for approval · /);
    expect(all).not.toContain('@ana · approve');
    // What bob approved has ended, although its end is ana's.
    expect(await audit(sandbox, ' @bob')).toContain('2 attempts');
    for (const who of ['@ana', '@bob'])
      expect(await audit(sandbox, ` ${who}`)).toMatch(
        /@ana · restart web-1 \(101\): done · .* approved by @bob/,
      );
    expect(await answerTo(sandbox, 'ana', '/instances history web-1')).toMatch(
      /@ana · restart: done, after \d+ s · approved by @bob/,
    );
    expect(await verifyAudit(connectTo(sandbox))).toMatchObject({ count: 4, fault: undefined });
  });

  it('says of nobody who was refused that they approved it', async () => {
    const { sandbox, question } = await asked();
    await sandbox.slack.person('guest').presses(question, 'Approve');
    await sandbox.slack.until(() => privateTexts(sandbox, 'guest').length > 0);
    await answerTo(sandbox, 'admin', '/lamplighter freeze "release"');
    await sandbox.slack.person('admin').presses(question, 'Approve');
    await sandbox.slack.until(() =>
      privateTexts(sandbox, 'admin').join().includes('or go ahead with --override'),
    );
    const all = await audit(sandbox);
    expect(all).toContain(
      '@guest · approve "restart web-1 (101)": refused: they have no right to it · Request ',
    );
    expect(all).toContain('@admin · approve "restart web-1 (101)": refused: it was frozen · Request ');
    expect(all).toContain('@admin · freeze release: done');
    expect(all).not.toContain('approved by');
  });

  it.each([
    ['Refuse', 'bob', 'refuse'],
    ['Cancel the request', 'ana', 'withdraw'],
  ])('has "%s" as what it was', async (label, who, verb) => {
    const { sandbox, question } = await asked();
    await sandbox.slack.person(who).presses(question, label);
    await sandbox.slack.until(() => sandbox.slack.read(question).includes(' by @'));
    await sandbox.settled();
    expect(await audit(sandbox)).toContain(`@${who} · ${verb} "restart web-1 (101)": done`);
  });
});

describe('the audit', () => {
  it('mentions the people of a role and shows its end as a time, while the file keeps the ids', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_ADMINS: 'U0ADA000001' } });
    await answerTo(sandbox, 'admin', '/lamplighter access grant operator @bob in #ops for 8h');
    await answerTo(sandbox, 'bob', '/instances stop web-1 --dry-run');
    const all = await audit(sandbox);
    expect(all).toContain('@admin · access grant operator @bob in #ops for 8h: done');
    expect(all).toMatch(
      /@bob · stop web-1 \(101\): a dry run · operator in #ops until [A-Z].* (AM|PM), given to @bob by @admin · Request /,
    );
    await answerTo(sandbox, 'admin', '/lamplighter thaw');
    expect(await audit(sandbox)).toContain('@admin · thaw: refused: nothing was frozen');
    await audit(sandbox, ' --csv');
    const files = sandbox.slack.person('admin').dms.flatMap((one) => one.files);
    expect(files[0]?.bytes.toString('utf8')).toContain('given to U0BOB000001 by U0ADA000001');
  });

  it('says to whom an admin gave what they asked for', async () => {
    const sandbox = await play({
      env: { LAMPLIGHTER_ADMINS: 'U0ADA000001', LAMPLIGHTER_EVERYONE: 'viewer' },
    });
    await answerTo(sandbox, 'ana', '/instances restart web-1');
    const no = await privateMessage(sandbox, 'ana', 'You need the operator role');
    await sandbox.slack.person('ana').presses(no, 'Ask them');
    const ask = await sandbox.slack.until(() => sandbox.slack.person('admin').dms[0]);
    await sandbox.slack.person('admin').presses(ask, 'Allow for 8 h');
    await sandbox.slack.until(() => sandbox.slack.person('ana').dms.length > 0);
    const all = await audit(sandbox);
    expect(all).toContain('@admin · allow for 8 hours web-1 (101) for @ana: done');
    expect(all).toContain('@ana · ask for a role: done');
  });
});
