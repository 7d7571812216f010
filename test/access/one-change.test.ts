import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import {
  answerTo,
  answeredWith,
  botMessages,
  play,
  powerCalls,
  privateTexts,
  readAll,
} from '../support/sandbox.ts';

const LINE = '/instances restart web-1';

function withApproval(timings: object = {}): Promise<Sandbox> {
  return play({
    timings,
    env: {
      LAMPLIGHTER_ADMINS: 'U0ADA000001',
      LAMPLIGHTER_EVERYONE: 'operator',
      LAMPLIGHTER_APPROVE: 'web-*',
    },
  });
}

function questions({ slack, ...sandbox }: Sandbox): PostedMessage[] {
  return botMessages({ slack, ...sandbox }).filter((one) => slack.read(one).includes('asks to restart'));
}

async function question(sandbox: Sandbox): Promise<PostedMessage> {
  return sandbox.slack.until(() => questions(sandbox)[0]);
}

describe('what waits for an approval is asked once:', () => {
  it('the same person, twice, reads that it waits', async () => {
    const sandbox = await withApproval();
    await answerTo(sandbox, 'ana', LINE);
    const card = await question(sandbox);
    expect(await answerTo(sandbox, 'ana', `${LINE} --because "again"`)).toMatch(
      /You asked to restart web-1 \(101\) .*, and that still waits for an approval\. See it/,
    );
    await sandbox.slack.person('bob').presses(card, 'Approve');
    await sandbox.settled();
    expect(questions(sandbox)).toHaveLength(1);
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('another person joins it, and is mentioned at its end', async () => {
    const sandbox = await withApproval();
    await answerTo(sandbox, 'ana', LINE);
    const card = await question(sandbox);
    expect(await answerTo(sandbox, 'fin', LINE)).toMatch(
      /@ana asked to restart web-1 \(101\) .*, and that still waits .* I'll tell you how it ends\./,
    );
    await sandbox.slack.person('bob').presses(card, 'Approve');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => /@ana @fin .*Restarted|@fin/.test(text)));
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('who joined reads that it was refused', async () => {
    const sandbox = await withApproval();
    await answerTo(sandbox, 'ana', LINE);
    const card = await question(sandbox);
    await answerTo(sandbox, 'fin', LINE);
    await sandbox.slack.person('bob').presses(card, 'Refuse');
    const told = (): string =>
      sandbox.slack
        .person('fin')
        .dms.map((one) => sandbox.slack.read(one))
        .join();
    await sandbox.slack.until(() => told().includes('Refused by @bob'));
    expect(told()).toContain('@ana asked to restart web-1 (101), as you did.');
  });

  it('two at once are one', async () => {
    const sandbox = await withApproval();
    await Promise.all(['ana', 'fin', 'bob'].map((who) => sandbox.slack.person(who).types('#ops', LINE)));
    await question(sandbox);
    await sandbox.settled();
    expect(questions(sandbox)).toHaveLength(1);
  });

  it('another instance, or another verb, is another', async () => {
    const sandbox = await withApproval();
    await answerTo(sandbox, 'ana', LINE);
    for (const line of ['/instances restart web-2', '/instances stop web-1'])
      expect(await answerTo(sandbox, 'ana', line)).toContain('Somebody else must approve that');
    await sandbox.slack.until(
      () => botMessages(sandbox).filter((one) => sandbox.slack.read(one).includes('asks to')).length === 3,
    );
  });
});

describe('a yes is looked at again, since what was said yes to may be done by now:', () => {
  it('an approval, where the instance was restarted since', async () => {
    const sandbox = await withApproval();
    await answerTo(sandbox, 'ana', LINE);
    const card = await question(sandbox);
    await sandbox.slack.person('admin').types('#ops', `${LINE} --override "it burns"`);
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
    await sandbox.settled();
    await sandbox.slack.person('bob').presses(card, 'Approve');
    await sandbox.slack.until(() =>
      privateTexts(sandbox, 'bob').some((text) => text.includes('was started or restarted since')),
    );
    await sandbox.slack.until(() => sandbox.slack.read(card).includes('The instance has changed since this'));
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('two questions that stand open for one thing', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_PROTECTED: 'web-1' } });
    const { slack } = sandbox;
    const [first, second] = [
      await answeredWith(sandbox, 'ana', LINE),
      await answeredWith(sandbox, 'bob', LINE),
    ];
    await slack.person('ana').presses(first, 'Restart');
    await slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
    await sandbox.settled();
    await slack.person('bob').presses(second, 'Restart');
    await slack.until(() =>
      privateTexts(sandbox, 'bob').some((text) => /restarted .* ago/.test(text) && text.includes('@ana')),
    );
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('and nothing new is asked where nothing was done since', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_PROTECTED: 'web-1' } });
    await sandbox.slack.person('ana').presses(await answeredWith(sandbox, 'ana', LINE), 'Restart');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
  });
});
