import { describe, expect, it } from 'vitest';
import { play, privateMessage, privateTexts, readAll } from '../support/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/** Calls by which the bot said something to somebody after it had acknowledged. */
function laterAnswers(sandbox: Sandbox): number {
  return sandbox.slack.calls.filter(({ method }) => /response_url|postEphemeral/.test(method)).length;
}

describe('what a command asks to see', () => {
  it('is shown with the acknowledgement once Slack has taken something to press', async () => {
    const sandbox = await play();
    const ana = sandbox.slack.person('ana');
    expect((await ana.types('#ops', '/instances')).body).toBe('');
    await privateMessage(sandbox, 'ana', 'Show one');
    expect(laterAnswers(sandbox)).toBe(1);
    expect((await ana.types('#ops', '/instances')).body).toContain('multi_external_select');
    const [first, second] = privateTexts(sandbox, 'ana');
    expect(second).toBe(first);
    await sandbox.settled();
    expect(laterAnswers(sandbox)).toBe(1);
    expect(privateTexts(sandbox, 'ana')).toHaveLength(2);
  });

  it('can be pressed there as anywhere', async () => {
    const sandbox = await play();
    const ana = sandbox.slack.person('ana');
    await ana.types('#ops', '/instances web-1');
    await privateMessage(sandbox, 'ana', 'web-1 (101)');
    await ana.types('#ops', '/instances db-1');
    const shown = sandbox.slack.channel('#ops').ephemeralFor('ana').at(-1)!;
    expect(sandbox.slack.read(shown)).toContain('db-1 (105)');
    expect(laterAnswers(sandbox)).toBe(1);
    await ana.presses(shown, 'Stop');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('Stopped db-1');
  });

  it('goes the way on which Slack says that it takes no table, for as long as it takes none', async () => {
    const sandbox = await play({ isRefused: true });
    const admin = sandbox.slack.person('admin');
    const ask = async (isAtOnce: boolean): Promise<string> => {
      const before = privateTexts(sandbox, 'admin').length;
      const { body } = await admin.types('#ops', '/billing transactions');
      expect(body !== '').toBe(isAtOnce);
      await sandbox.slack.until(() => privateTexts(sandbox, 'admin').length > before);
      await sandbox.settled();
      return JSON.stringify(sandbox.slack.channel('#ops').ephemeralFor('admin').at(-1)!.content);
    };
    sandbox.slack.failNext(({ method }) => method === 'response_url', { error: 'invalid_blocks' });
    expect(await ask(false)).not.toContain('"table"');
    expect(await ask(false)).toContain('"table"');
    expect(await ask(true)).toContain('"table"');
  });

  it('is shown to nobody who sends the same request again to another process', async () => {
    const sandbox = await play();
    const ana = sandbox.slack.person('ana');
    await ana.types('#ops', '/instances');
    await privateMessage(sandbox, 'ana', 'Show one');
    const interaction = await ana.types('#ops', '/instances');
    expect(interaction.body).toContain('web-1');
    await sandbox.stopBots();
    await sandbox.startBot();
    await ana.types('#ops', '/instances');
    await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length === 3);
    const replayed = await sandbox.slack.replay(interaction.requestId!);
    expect(replayed).toMatchObject({ status: 200, body: '' });
    await sandbox.settled();
    expect(privateTexts(sandbox, 'ana')).toHaveLength(3);
  });

  it('is shown again where Slack sends it again over Socket Mode, which nobody else can', async () => {
    const sandbox = await play({ env: { SLACK_APP_TOKEN: 'xapp-sandbox-app-token' } });
    const ana = sandbox.slack.person('ana');
    await ana.types('#ops', '/instances');
    await privateMessage(sandbox, 'ana', 'Show one');
    const interaction = await ana.types('#ops', '/instances');
    expect(interaction.body).toContain('web-1');
    expect((await sandbox.slack.replay(interaction.requestId!)).body).toContain('web-1');
  });

  it('is read where it is not ready in a moment', async () => {
    const sandbox = await play({ timings: { writeDownWithinMs: 1_000 } });
    const ana = sandbox.slack.person('ana');
    await ana.types('#ops', '/instances');
    await privateMessage(sandbox, 'ana', 'Show one');
    const held = sandbox.hosting.hold({ method: 'GET' });
    const { body } = await ana.types('#ops', '/instances');
    expect(body).toBe('');
    held.release();
    await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length === 2);
    await sandbox.settled();
    expect(privateTexts(sandbox, 'ana')).toHaveLength(2);
  });
});
