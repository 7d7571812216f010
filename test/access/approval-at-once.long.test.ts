import { describe, expect, it } from 'vitest';
import { messageWith } from '../support/asking.ts';
import { answerTo, play, powerCalls, privateTexts } from '../support/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { startKilled } from '../support/road.ts';

const env = { LAMPLIGHTER_APPROVE: 'web-*' };

async function asks(sandbox: Sandbox): Promise<PostedMessage> {
  await answerTo(sandbox, 'ana', '/instances restart web-1');
  return messageWith(sandbox, 'asks to restart');
}

describe('two people who decide an approval at once', () => {
  it('get the refusal if it was first: nothing is done, and who approves reads who refused', async () => {
    const sandbox = await play({ env, timings: { apiTimeoutMs: 20_000 } });
    const question = await asks(sandbox);
    const look = sandbox.hosting.hold({ method: 'GET', path: /\/instances\/101$/ }, 'after');
    await sandbox.slack.person('bob').presses(question, 'Approve');
    await look.arrived;
    await sandbox.slack.person('fin').presses(question, 'Refuse');
    await sandbox.slack.until(() => sandbox.slack.read(question).includes('⛔ Refused by @fin.'));
    look.release();
    await sandbox.slack.until(() => privateTexts(sandbox, 'bob').join().includes('@fin refused that'));
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
    expect(sandbox.slack.read(question)).toContain('⛔ Refused by @fin. Nothing was done.');
  });

  it('get the approval if it was first, even from a bot that was killed right then', async () => {
    const sandbox = await play({ bot: false, env });
    const { killed } = await startKilled(sandbox, 'operations.begin 1');
    const question = await asks(sandbox);
    void sandbox.slack.person('bob').presses(question, 'Approve');
    await killed;
    await sandbox.startBot();
    await sandbox.slack.person('fin').presses(question, 'Refuse', { version: 0 });
    await sandbox.slack.until(() => privateTexts(sandbox, 'fin').join().includes('@bob approved that'));
    await sandbox.slack.until(() => sandbox.slack.read(question).includes('✅ Approved by @bob.'));
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
  });
});
