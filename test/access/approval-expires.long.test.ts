import { connectBlocking } from '../../src/platform/redis/connection.ts';
import { describe, expect, it } from 'vitest';
import { APPROVALS } from '../../src/core/approvals/approvals.ts';
import { approvalSchema } from '../../src/core/approvals/approval.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { messageWith } from '../support/asking.ts';
import { answerTo, botMessages, play, powerCalls, privateTexts, readAll } from '../support/sandbox.ts';
import { startProcess } from '../support/process.ts';
import { startKilled } from '../support/road.ts';

/** A request that arrives in time still has as long as this to be answered. */
const ACCEPT_WITHIN_MS = 3_000;
const timings = { approveWithinMs: 1, acceptWithinMs: ACCEPT_WITHIN_MS };
const env = { LAMPLIGHTER_APPROVE: 'web-*' };

/** Ana asks; nobody is there to say yes. */
async function asks(sandbox: Sandbox): Promise<PostedMessage> {
  expect(await answerTo(sandbox, 'ana', '/instances restart web-1')).toContain('else must approve that');
  return messageWith(sandbox, 'asks to restart');
}

async function isExpired(sandbox: Sandbox, question: PostedMessage): Promise<void> {
  await sandbox.slack.until(() => sandbox.slack.read(question).includes('⚪ Nobody approved it in time.'));
  await sandbox.slack.until(() => botMessages(sandbox).length > 1);
  expect(sandbox.slack.read(question)).not.toContain('[');
  const below = botMessages(sandbox).filter((one) => one.thread_ts === question.ts);
  expect(below.map((one) => sandbox.slack.read(one))).toEqual([
    expect.stringContaining('@ana, you asked to restart web-1 (101).\n⚪ Nobody approved it'),
  ]);
  expect(await answerTo(sandbox, 'admin', '/lamplighter audit')).toMatch(
    /@ana · restart web-1 \(101\): expired/,
  );
  expect(readAll(sandbox)).toHaveLength(2);
  expect(sandbox.slack.person('ana').dms).toEqual([]);
  expect(powerCalls(sandbox)).toBe(0);
}

describe('an approval that nobody decides', () => {
  it('expires: nothing is done, its message and its asker read so, and a late yes is refused', async () => {
    const sandbox = await play({ env, timings });
    const question = await asks(sandbox);
    await isExpired(sandbox, question);
    await sandbox.slack.person('bob').presses(question, 'Approve', { version: 0 });
    await sandbox.slack.until(() =>
      privateTexts(sandbox, 'bob').includes('Nobody approved that in time, so nothing was done. Ask again.'),
    );
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is refused a yes that comes too late, even while its message still has buttons', async () => {
    const sandbox = await play({ env, timings: { approveWithinMs: 1 } });
    const question = await asks(sandbox);
    await sandbox.slack.person('bob').presses(question, 'Approve');
    await sandbox.slack.until(() =>
      privateTexts(sandbox, 'bob').includes('Nobody approved that in time, so nothing was done. Ask again.'),
    );
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is given by a yes in time that had to wait until its time was over, because the hosting service put it off', async () => {
    const sandbox = await play({ env, timings: { approveWithinMs: 3_000 } });
    const question = await asks(sandbox);
    sandbox.hosting.failNext({ method: 'GET' }, { answer: 429, done: false, retryAfterSeconds: 4 });
    await sandbox.slack.person('bob').presses(question, 'Approve');
    await sandbox.slack.until(() => sandbox.slack.read(question).includes('✅ Approved by @bob.'));
    expect(privateTexts(sandbox, 'bob')[0]).toContain('It goes on by itself at about');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1 (101)')));
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('expires after the restart of a bot that was killed before', async () => {
    const sandbox = await play({ bot: false, env, timings });
    const bot = await startProcess(sandbox, { timings });
    const question = await asks(sandbox);
    await bot.end('SIGKILL');
    await waitsUntil(await findEnd(sandbox));
    await sandbox.startBot();
    await isExpired(sandbox, question);
  });
});

describe('an approval that was given to a bot which was killed right then', () => {
  it('is shown as given after the restart, even if its time is over by then', async () => {
    const sandbox = await play({ bot: false, env, timings: { ...timings, approveWithinMs: 2_000 } });
    const { killed } = await startKilled(sandbox, 'operations.begin 1');
    const question = await asks(sandbox);
    const endsAt = await findEnd(sandbox);
    void sandbox.slack.person('bob').presses(question, 'Approve');
    await killed;
    await waitsUntil(endsAt);
    await sandbox.startBot();
    await sandbox.slack.until(() => /[✅⚪]/u.test(sandbox.slack.read(question)));
    expect(sandbox.slack.read(question)).toContain('✅ Approved by @bob.');
  });
});

/** When the one open approval is over by the clock, Unix ms, whether or not anybody looks. */
async function findEnd(sandbox: Sandbox): Promise<number> {
  const redis = connectBlocking({ url: sandbox.redisUrl }, () => undefined);
  const [id = ''] = await redis.zrange(APPROVALS.index, '0', '-1');
  const record = await redis.hget(APPROVALS.keyOf(id), 'record');
  redis.disconnect();
  return approvalSchema.parse(JSON.parse(record ?? '')).expiresAt + ACCEPT_WITHIN_MS;
}

/** Resolves at that time, Unix ms: it counts by Redis' clock, which a test can't turn. */
function waitsUntil(at: number): Promise<void> {
  return new Promise((done) => setTimeout(done, at - Date.now()));
}
