import { describe, expect, it } from 'vitest';
import type { SlackFault } from '../../sandbox/slack/api/faults.ts';
import type { FaultPoints } from '../../src/core/base.ts';
import { play, powerCalls, privateMessage, privateTexts } from '../support/sandbox.ts';

/** A process that is gone before it can answer anybody. */
const diesBeforeItAnswers: FaultPoints = (name, part) =>
  name === 'responder' ? { ...part, tell: () => new Promise<never>(() => undefined) } : part;

describe('what was acknowledged is answered', () => {
  it('by another process where the one that took a question is gone', async () => {
    const sandbox = await play({ bot: false, timings: { readWithinMs: 100 } });
    await sandbox.startBot({ LAMPLIGHTER_ROLE: 'web' }, diesBeforeItAnswers);
    const { status } = await sandbox.slack.person('ana').types('#ops', '/instances web-1');
    expect(status).toBe(200);
    await sandbox.startBot();
    await privateMessage(sandbox, 'ana', 'web-1 (101)');
    await sandbox.settled();
    expect(privateTexts(sandbox, 'ana')).toHaveLength(1);
  });

  it('before it is acknowledged where nothing can be written down', async () => {
    const sandbox = await play({ ownRedis: true });
    await sandbox.redis!.kill();
    const held = sandbox.slack.hold('response_url');
    // A table takes a way on which Slack says whether it takes it.
    const turn = sandbox.slack.person('admin').types('#ops', '/billing transactions');
    await held.arrived;
    let isAcknowledged = false;
    void turn.then(() => (isAcknowledged = true));
    // What must not happen has no sign to wait for.
    await new Promise((done) => setTimeout(done, 200));
    expect(isAcknowledged).toBe(false);
    held.release();
    expect((await turn).status).toBe(200);
    expect(privateTexts(sandbox, 'admin')[0]).toContain('transactions');
    await sandbox.redis!.restart();
  });

  it('with its acknowledgement where nothing can be written down and there is nothing that Slack may refuse', async () => {
    const sandbox = await play({ ownRedis: true });
    await sandbox.redis!.kill();
    const interaction = await sandbox.slack.person('ana').types('#ops', '/instances web-1');
    expect(interaction.body).toContain('web-1 (101)');
    await sandbox.redis!.restart();
  });

  it('once Slack takes it, however long its trouble lasts', async () => {
    let isInTrouble = true;
    const weather = ({ method }: { method: string }): SlackFault | undefined =>
      isInTrouble && /response_url|postEphemeral/.test(method) ? { status: 500 } : undefined;
    const sandbox = await play({ slack: { weather } });
    await sandbox.slack.person('ana').types('#ops', '/instances restart no-such');
    // As long as one answer tries by itself: nothing but time shows that it has given up.
    await sandbox.slack.until(() => sandbox.logs.some((line) => line.includes('answering the person')), {
      timeoutMs: 15_000,
    });
    isInTrouble = false;
    await privateMessage(sandbox, 'ana', 'no-such');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('in direct messages where nothing can be written to where it was asked', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    slack.failNext('response_url', { status: 404 });
    slack.failNext('chat.postEphemeral', { error: 'channel_not_found' });
    await slack.person('ana').types('#ops', '/instances restart no-such');
    const [direct] = await slack.until(() => {
      const { dms } = slack.person('ana');
      return dms.length > 0 && dms;
    });
    expect(direct && slack.read(direct)).toContain('no-such');
    await sandbox.settled();
  });
});
