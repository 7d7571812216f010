import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { pings } from '../../sandbox/slack/reading/pings.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { readDms, messageWith } from '../support/asking.ts';
import { answerTo, botMessages, play, readAll } from '../support/sandbox.ts';

const ADA = 'U0ADA000001';
const APPROVE = { LAMPLIGHTER_ADMINS: ADA, LAMPLIGHTER_EVERYONE: 'none', LAMPLIGHTER_APPROVE: 'web-*' };

/** Starts a bot in which these hold the operator role, and has ana ask for what needs an approval. */
async function asked(
  operators: readonly string[],
  options: Parameters<typeof play>[0] = {},
  before: (sandbox: Sandbox) => void = () => undefined,
): Promise<{ sandbox: Sandbox; question: PostedMessage }> {
  const sandbox = await play({ ...options, env: { ...APPROVE, ...options.env } });
  for (const who of ['@ana', ...operators])
    await answerTo(sandbox, 'admin', `/lamplighter access grant operator ${who}`);
  before(sandbox);
  // Who people are is remembered for a minute, by each process alone.
  await sandbox.stopBots();
  await sandbox.startBot();
  await answerTo(sandbox, 'ana', '/instances restart web-1');
  const question = await messageWith(sandbox, 'asks to restart');
  return { sandbox, question };
}

const lastLine = (sandbox: Sandbox, question: PostedMessage): string =>
  sandbox.slack
    .read(question)
    .split('\n')
    .find((line) => line.includes('can you approve it?')) ?? '';

describe('a request that a second person must approve', () => {
  it('asks by name up to three people who hold the role, before who may everything, and never its asker', async () => {
    const { sandbox, question } = await asked(['@bob', '@fin']);
    expect(lastLine(sandbox, question)).toBe('@bob, @fin or @admin, can you approve it?');
    expect(pings(question).users).toEqual(expect.arrayContaining(['U0BOB000001', 'U0FIN000001', ADA]));
  });

  it('asks the user group that holds the role, and nobody of it by themselves', async () => {
    const { sandbox, question } = await asked(['@oncall', '@fin']);
    expect(lastLine(sandbox, question)).toBe('@oncall, can you approve it?');
  });

  it('asks no group in which there is only its asker', async () => {
    const { sandbox, question } = await asked(['@oncall'], {}, ({ slack }) => {
      slack.membersOf('@oncall').delete('bob');
    });
    expect(lastLine(sandbox, question)).toBe('@admin, can you approve it?');
  });

  it('asks nobody by name who has left, is a bot, or has paused notifications', async () => {
    const { sandbox, question } = await asked(['@bob', '@fin', '@guest'], {}, ({ slack }) => {
      slack.setPerson('bob', { isDeleted: true });
      slack.setPerson('fin', { isSnoozed: true });
      slack.setPerson('admin', { isBot: true });
    });
    expect(lastLine(sandbox, question)).toBe('@guest, can you approve it?');
  });

  it('leaves nobody out where Slack gives the bot no scope to see who has paused notifications', async () => {
    const { sandbox, question } = await asked(['@fin'], { isRefused: true }, ({ slack }) => {
      slack.setPerson('fin', { isSnoozed: true });
      slack.failNext('dnd.teamInfo', { error: 'missing_scope' });
    });
    expect(lastLine(sandbox, question)).toBe('@fin or @admin, can you approve it?');
  });

  it('asks them once more below it where nobody has answered for a while, and tells its asker there how it ended', async () => {
    const { sandbox, question } = await asked(['@bob'], {
      timings: { askAgainAfterMs: 1, approveWithinMs: 60_000 },
    });
    const inThread = (): string[] =>
      botMessages(sandbox)
        .filter(({ thread_ts: ts }) => ts === question.ts)
        .map((one) => sandbox.slack.read(one));
    await sandbox.slack.until(() => inThread().length > 0);
    expect(inThread()).toEqual([
      expect.stringMatching(/^@bob or @admin, can you approve this\? It waits until /),
    ]);
    await sandbox.settled();
    await sandbox.slack.person('bob').presses(question, 'Refuse');
    await sandbox.slack.until(() => inThread().length > 1);
    await sandbox.settled();
    expect(inThread().slice(1)).toEqual([
      '@ana, you asked to restart web-1 (101).\n⛔ Refused. Nothing was done.',
    ]);
    expect(readAll(sandbox)).toHaveLength(3);
    expect(readDms(sandbox, 'ana')).not.toContain('restart');
  });

  it('tells its asker below it that it was approved', async () => {
    const { sandbox, question } = await asked(['@bob']);
    await sandbox.slack.person('bob').presses(question, 'Approve');
    await sandbox.slack.until(() =>
      botMessages(sandbox).some(
        (one) =>
          one.thread_ts === question.ts &&
          sandbox.slack.read(one) ===
            '@ana, you asked to restart web-1 (101).\n✅ Approved. Its card shows the progress.',
      ),
    );
    await sandbox.settled();
    // Answered in time, it isn't asked for again.
    expect(readAll(sandbox).join()).not.toContain('can you approve this?');
  });
});
