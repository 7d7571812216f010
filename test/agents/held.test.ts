import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { agentWith, tokenOf } from '../support/agent.ts';
import { dmWith, readDms } from '../support/asking.ts';
import { answeredWith, answerTo, botMessages, play, powerCalls, runToEnd } from '../support/sandbox.ts';

const ENV = {
  LAMPLIGHTER_AGENTS: 'yes',
  LAMPLIGHTER_ADMINS: 'U0ADA000001',
  LAMPLIGHTER_EVERYONE: 'none',
};
const RESTART = { verb: 'restart', instance: 'web-1', because: 'deploy 41' };

async function open(): Promise<Sandbox> {
  const sandbox = await play({ env: ENV });
  await runToEnd(sandbox, 'admin', '/lamplighter access grant operator @ana');
  return sandbox;
}

/** All that somebody holds, taken back at one press. */
async function takesBack(sandbox: Sandbox, whose: string): Promise<string> {
  const preview = await answeredWith(sandbox, 'admin', `/lamplighter access revoke @${whose}`);
  const text = sandbox.slack.read(preview);
  await sandbox.slack.person('admin').presses(preview, 'Revoke all');
  await sandbox.settled();
  return text;
}

describe('an agent among what a person holds', () => {
  it('is shown to an admin, to its person and under who added it', async () => {
    const sandbox = await open();
    await tokenOf(sandbox, 'deploy-bot as @ana on web-*');
    const shown = await answerTo(sandbox, 'admin', '/lamplighter access show @ana');
    expect(shown).toMatch(
      /agent deploy-bot, in the name of @ana, as an operator at most, on web-\*, until .+\./,
    );
    expect(await answerTo(sandbox, 'ana', '/lamplighter access show @ana')).toContain('agent deploy-bot');
    expect(await answerTo(sandbox, 'admin', '/lamplighter access show @admin')).toContain(
      'added the agent deploy-bot, in the name of @ana',
    );
    expect(await answerTo(sandbox, 'admin', '/lamplighter access show @fin')).not.toContain('deploy-bot');
  });

  it('ends with all that its person holds, with what it proposed, and others go on', async () => {
    const sandbox = await open();
    const [one, two, other] = [
      await agentWith(sandbox, await tokenOf(sandbox, 'one as @ana in #ops')),
      await agentWith(sandbox, await tokenOf(sandbox, 'two as @ana')),
      await agentWith(sandbox, await tokenOf(sandbox, 'other as @admin')),
    ];
    await one.calls('propose_change', RESTART);
    const message = await sandbox.slack.until(() => botMessages(sandbox)[0]);
    const preview = await takesBack(sandbox, 'ana');
    expect(preview).toContain('agent one, in the name of @ana');
    expect(preview).toContain('agent two, in the name of @ana');
    await sandbox.slack.until(() => sandbox.slack.read(message).includes('@admin revoked the agent'));
    for (const gone of [one, two]) await expect(gone.calls('list_instances')).rejects.toThrow();
    expect((await other.calls('list_instances')).instances.length).toBeGreaterThan(5);
    expect(await answerTo(sandbox, 'admin', '/lamplighter access show @ana')).toContain('holds nothing here');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('ends with the access of who added it and was shown its token, which its person hears', async () => {
    const sandbox = await open();
    await runToEnd(sandbox, 'admin', '/lamplighter access grant admin @bob');
    await runToEnd(sandbox, 'bob', '/lamplighter agent add deploy-bot as @ana');
    expect(await takesBack(sandbox, 'bob')).toContain('added the agent deploy-bot, in the name of @ana');
    const told = await dmWith(sandbox, 'ana', 'ended deploy-bot');
    expect(sandbox.slack.read(told)).toContain(
      '@admin ended deploy-bot, which could ask in your name: @bob added it, and their access was taken back.',
    );
    expect(await answerTo(sandbox, 'admin', '/lamplighter agent')).toContain('There are no agents here yet');
    expect(await answerTo(sandbox, 'admin', '/lamplighter access show @ana')).toContain('operator');
  });

  it('is named where the role is taken back by which it was added, as far as it is theirs to end', async () => {
    const sandbox = await open();
    await runToEnd(sandbox, 'admin', '/lamplighter access grant admin @bob on web-*,staging');
    await runToEnd(sandbox, 'admin', '/lamplighter access grant finance @bob');
    await runToEnd(sandbox, 'bob', '/lamplighter agent add web-bot as @ana on web-*');
    await runToEnd(sandbox, 'bob', '/lamplighter agent add other-bot as @ana on staging');
    const revokes = (role: string): Promise<string> =>
      answerTo(sandbox, 'admin', `/lamplighter access revoke ${role} @bob`);
    expect(await revokes('finance')).not.toContain('agent');
    expect(await revokes('admin')).toContain(
      'The agents they added can still ask: web-bot, other-bot. To end one, type /lamplighter agent revoke and its name.',
    );
  });

  it('is shown once more where it was added since all was shown, and is not ended unseen', async () => {
    const sandbox = await open();
    const preview = await answeredWith(sandbox, 'admin', '/lamplighter access revoke @ana');
    await runToEnd(sandbox, 'admin', '/lamplighter agent add late as @ana');
    await sandbox.slack.person('admin').presses(preview, 'Revoke all');
    await sandbox.settled();
    expect(await answerTo(sandbox, 'admin', '/lamplighter agent')).toContain('late, in the name of @ana');
    expect(await answerTo(sandbox, 'admin', '/lamplighter access show @ana')).toContain('operator');
  });

  it.each([
    ['whose name it has', '@admin', 'agent add deploy-bot as @bob'],
    ['who added it', '@bob', 'agent add deploy-bot as @ana'],
  ])('is told of where somebody has left %s', async (_, by, line) => {
    // The word on their role may reach Slack only once they are gone.
    const sandbox = await play({
      env: { ...ENV, LAMPLIGHTER_ADMINS: 'U0ADA000001,U0BOB000001' },
      isRefused: true,
      timings: { checkNamedAfterMs: 0 },
    });
    await runToEnd(sandbox, by.slice(1), `/lamplighter ${line}`);
    sandbox.slack.setPerson('bob', { isDeleted: true });
    await sandbox.stopBots();
    await sandbox.startBot();
    const told = await dmWith(
      sandbox,
      'admin',
      '@bob is deactivated in Slack and still holds one thing here.',
    );
    const press = await sandbox.slack.person('admin').presses(told, 'Revoke all…');
    const [preview] = await sandbox.slack.until(() => press.ephemeral.length > 0 && press.ephemeral);
    expect(sandbox.slack.read(preview!)).toContain('agent deploy-bot');
    expect(readDms(sandbox, 'admin').match(/@bob is deactivated/g)).toHaveLength(1);
  });
});
