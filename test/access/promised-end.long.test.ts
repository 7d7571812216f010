import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { approvalSchema } from '../../src/core/approvals/approval.ts';
import { APPROVALS } from '../../src/core/approvals/approvals.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { dmWith, readDms, messageWith } from '../support/asking.ts';
import { startKilled } from '../support/road.ts';
import { answerTo, play, readAll } from '../support/sandbox.ts';

const LINE = '/instances restart web-1';
const env = { LAMPLIGHTER_APPROVE: 'web-*' };
const TOLD_OF_YES = /@ana asked to restart web-1 \(101\), as you did\.\n✅ Approved by @bob\./;

async function asks(sandbox: Sandbox): Promise<PostedMessage> {
  await answerTo(sandbox, 'ana', LINE);
  return messageWith(sandbox, 'asks to restart');
}

async function joins(sandbox: Sandbox): Promise<void> {
  expect(await answerTo(sandbox, 'fin', LINE)).toContain("I'll tell you how it ends.");
}

function isMentioned(sandbox: Sandbox): boolean {
  return readAll(sandbox).some((text) => text.includes('@fin') && text.includes('Restarted web-1'));
}

describe('who joined what waits for an approval hears how it ends', () => {
  it('also where they joined while somebody was saying yes', async () => {
    const sandbox = await play({ env, timings: { apiTimeoutMs: 20_000 } });
    const card = await asks(sandbox);
    const look = sandbox.hosting.hold({ method: 'GET', path: /\/instances\/101$/ }, 'after');
    await sandbox.slack.person('bob').presses(card, 'Approve');
    await look.arrived;
    await joins(sandbox);
    look.release();
    await sandbox.slack.until(() => isMentioned(sandbox));
    await sandbox.settled();
    expect(readDms(sandbox, 'fin')).toBe('');
  });

  it('also where the bot was killed once it had begun', async () => {
    const sandbox = await play({ bot: false, env });
    const { killed } = await startKilled(sandbox, 'operations.begin 1');
    const card = await asks(sandbox);
    await joins(sandbox);
    void sandbox.slack.person('bob').presses(card, 'Approve');
    await killed;
    await sandbox.startBot();
    await sandbox.slack.until(() => isMentioned(sandbox) || TOLD_OF_YES.test(readDms(sandbox, 'fin')));
  });

  it('also where more joined than are mentioned at an end', async () => {
    const sandbox = await play({ env });
    const card = await asks(sandbox);
    await joins(sandbox);
    const redis = new Redis(sandbox.redisUrl);
    const [id = ''] = await redis.zrange(APPROVALS.index, '0', '-1');
    const record = await redis.hget(APPROVALS.keyOf(id), 'record');
    const approval = approvalSchema.parse(JSON.parse(record ?? ''));
    const others = Array.from({ length: 50 }, (_, at) => `U0OTHER${String(at).padStart(4, '0')}`);
    const followers = [...others, ...(approval.followers ?? [])];
    await redis.hset(APPROVALS.keyOf(id), 'record', JSON.stringify({ ...approval, followers }));
    redis.disconnect();
    await sandbox.slack.person('bob').presses(card, 'Approve');
    expect(sandbox.slack.read(await dmWith(sandbox, 'fin', 'as you did'))).toMatch(TOLD_OF_YES);
  });
});
