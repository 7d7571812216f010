import { describe, expect, it } from 'vitest';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { propose } from '../../src/app/propose.ts';
import { tokenOf } from '../support/agent.ts';
import { answerTo, botMessages, play, powerCalls, urlOf } from '../support/sandbox.ts';

const RESTART = ['restart', 'web-1', '--because', 'deploy 41', '--wait'];

interface Run {
  readonly lines: string[];
  readonly exitCode: Promise<number>;
}

/** The command, as a runbook has it. */
function run(sandbox: Sandbox, token: string, args: readonly string[]): Run {
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const options = { url: urlOf(sandbox, '/mcp'), token, say, lookEveryMs: 20 };
  return { lines, exitCode: propose(args, options) };
}

async function open(): Promise<{ readonly sandbox: Sandbox; readonly token: string }> {
  const sandbox = await play({ env: { LAMPLIGHTER_AGENTS: 'yes' } });
  return { sandbox, token: await tokenOf(sandbox, 'deploy-bot as @ana in #ops') };
}

function proposed(sandbox: Sandbox): Promise<PostedMessage> {
  return sandbox.slack.until(() => botMessages(sandbox)[0]);
}

describe('the command that proposes a change', () => {
  it('waits until a person has pressed and it is done', async () => {
    const { sandbox, token } = await open();
    const { lines, exitCode } = run(sandbox, token, RESTART);
    await sandbox.slack.person('bob').presses(await proposed(sandbox), 'Go ahead');
    expect(await exitCode).toBe(0);
    expect(lines).toEqual([
      expect.stringMatching(/^Proposed to restart web-1 \(101\)\. Reference \S{8}\.$/),
      'Waiting for a person.',
      'Begun by U0BOB000001. It ended as: done.',
    ]);
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('ends with a fault where it is declined, and where it fails', async () => {
    const { sandbox, token } = await open();
    const declined = run(sandbox, token, RESTART);
    await sandbox.slack.person('ana').presses(await proposed(sandbox), 'Decline');
    expect(await declined.exitCode).toBe(1);
    expect(declined.lines.at(-1)).toBe('Declined by U0ANA000001. Nothing was done.');
    sandbox.hosting.failNext({ method: 'POST', path: /restart$/ }, 403, 1);
    const failed = run(sandbox, token, ['restart', 'web-2', '--because', 'deploy 41', '--wait']);
    const again = await sandbox.slack.until(() => botMessages(sandbox)[1]);
    await sandbox.slack.person('ana').presses(again, 'Go ahead');
    expect(await failed.exitCode).toBe(1);
    expect(failed.lines.at(-1)).toBe('Begun by U0ANA000001. It ended as: failed.');
  });

  it('says why nothing is proposed', async () => {
    const { sandbox, token } = await open();
    const none = run(sandbox, token, ['restart', 'nothing', '--because', 'deploy 41']);
    expect(await none.exitCode).toBe(1);
    expect(none.lines).toEqual([expect.stringContaining('nothing')]);
    await answerTo(sandbox, 'admin', '/lamplighter agent revoke deploy-bot');
    const revoked = run(sandbox, token, RESTART);
    expect(await revoked.exitCode).toBe(1);
    expect(revoked.lines).toEqual(['The token is not known: it is revoked, or over.']);
  });

  it('says that nobody knows where the bot does not answer', async () => {
    const { sandbox, token } = await open();
    const url = urlOf(sandbox, '/mcp');
    await sandbox.stopBots();
    const lines: string[] = [];
    expect(await propose(RESTART, { url, token, say: (line) => lines.push(line) })).toBe(3);
    expect(lines).toEqual([expect.stringContaining('nobody knows whether it was proposed')]);
  });

  it.each([[[]], [['restart']], [['restart', 'web-1']], [['restart', 'web-1', '--force']]])(
    'says how it is used for %j',
    async (args) => {
      const lines: string[] = [];
      expect(
        await propose(args, { url: 'http://127.0.0.1:1', token: 'x', say: (line) => lines.push(line) }),
      ).toBe(2);
      expect(lines[0]).toBe('Usage:');
    },
  );
});
