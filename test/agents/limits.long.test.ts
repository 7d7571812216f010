import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { agentWith, slackbotOf, tokenOf } from '../support/agent.ts';
import { asksThem, dmWith } from '../support/asking.ts';
import { answerTo, play, runToEnd } from '../support/sandbox.ts';

const AGENTS = { LAMPLIGHTER_AGENTS: 'yes' };
const RESTART = { verb: 'restart', instance: 'web-1', because: 'deploy 41' };

/** What ana asked for is allowed to her once. */
async function isAllowedOnce(sandbox: Sandbox, line: string): Promise<void> {
  await asksThem(sandbox, 'ana', line, 'You need the');
  const { slack } = sandbox;
  await slack.person('admin').presses(await dmWith(sandbox, 'admin', '@ana asks to'), 'Allow once');
  await dmWith(sandbox, 'ana', 'once');
}

/** Where the bot that was started last hears agents. */
function newestUrlOf(sandbox: Sandbox): string {
  const port = [...sandbox.logs.join('').matchAll(/"port":(\d+)/g)].at(-1)?.[1];
  return `http://127.0.0.1:${port}/mcp`;
}

describe('an agent for some instances', () => {
  it('reads of a freeze what is said of its own instances', async () => {
    const sandbox = await play({ env: AGENTS });
    const agent = await agentWith(sandbox, await tokenOf(sandbox, 'one as @ana on web-*'));
    await runToEnd(sandbox, 'admin', '/lamplighter freeze on web-1,worker-* "an audit"');
    const no = await agent.isRefused('propose_change', RESTART);
    expect(no).toContain('froze web-1: "an audit".');
    expect(no).not.toContain('worker');
    const slackbot = await slackbotOf(sandbox, 'ana');
    expect(await slackbot.isRefused('propose_change', RESTART)).toContain('froze web-1, worker-*');
  });

  it('reads of a role of its person what is said of its own instances', async () => {
    const sandbox = await play({ env: { ...AGENTS, LAMPLIGHTER_EVERYONE: 'viewer' } });
    await runToEnd(sandbox, 'admin', '/lamplighter access grant operator @ana on web-1,worker-*');
    const agent = await agentWith(sandbox, await tokenOf(sandbox, 'one as @ana on web-*'));
    const no = await agent.isRefused('propose_change', { ...RESTART, instance: 'web-2' });
    expect(no).toContain("Your operator role on web-1 doesn't cover this instance");
    expect(no).not.toContain('worker');
    expect(await agent.isRefused('get_instance', { instance: 'worker-1' })).toBe(
      'This agent is for some instances alone, and none of them is called "worker-1".',
    );
  });

  it('reads of what its person was allowed once no other instance', async () => {
    const sandbox = await play({ env: { ...AGENTS, LAMPLIGHTER_EVERYONE: 'viewer' } });
    await isAllowedOnce(sandbox, '/instances restart worker-1');
    const agent = await agentWith(sandbox, await tokenOf(sandbox, 'one as @ana on web-*'));
    const no = await agent.isRefused('propose_change', RESTART);
    expect(no).toContain('You were allowed to start, stop or restart instances once');
    expect(no).not.toContain('worker');
  });
});

describe('what a person was allowed once', () => {
  it('is not for an agent to read by, and is there still for the person', async () => {
    const sandbox = await play({ env: AGENTS });
    await isAllowedOnce(sandbox, '/lamplighter doctor');
    const agents = [
      await slackbotOf(sandbox, 'ana'),
      await agentWith(sandbox, await tokenOf(sandbox, 'one as @ana admin')),
    ];
    for (const agent of agents)
      expect(await agent.isRefused('examine_bot')).toBe(
        'You were allowed to examine how the bot is set up once, which is for you alone and not for an agent.',
      );
    expect(await answerTo(sandbox, 'ana', '/lamplighter doctor')).toContain('Redis');
    expect(await answerTo(sandbox, 'ana', '/lamplighter doctor')).toContain('has been used');
  });

  it('is proposed by an agent and used by the press', async () => {
    const sandbox = await play({ env: { ...AGENTS, LAMPLIGHTER_EVERYONE: 'viewer' } });
    await isAllowedOnce(sandbox, '/instances restart web-1');
    const slackbot = await slackbotOf(sandbox, 'ana');
    await slackbot.calls('propose_change', RESTART);
    await sandbox.slack.person('ana').presses(await dmWith(sandbox, 'ana', '🤖'), 'Go ahead');
    await sandbox.settled();
    expect(await slackbot.isRefused('propose_change', RESTART)).toContain('has been used');
  });
});

describe('what became of a proposal', () => {
  it('is not read by an agent whose person may not see the instance any more', async () => {
    const sandbox = await play({ env: { ...AGENTS, LAMPLIGHTER_EVERYONE: 'none' } });
    await runToEnd(sandbox, 'admin', '/lamplighter access grant operator @ana');
    const agent = await agentWith(sandbox, await tokenOf(sandbox, 'one as @ana'));
    const { reference } = await agent.calls('propose_change', RESTART);
    await runToEnd(sandbox, 'admin', '/lamplighter access revoke operator @ana');
    expect(await agent.isRefused('get_proposal', { reference })).toContain('took your operator role back');
  });

  it('is not read by a narrower agent that has taken the name of the one that made it', async () => {
    const sandbox = await play({ env: AGENTS });
    const wide = await agentWith(sandbox, await tokenOf(sandbox, 'one as @ana'));
    const { reference } = await wide.calls('propose_change', RESTART);
    await runToEnd(sandbox, 'admin', '/lamplighter agent revoke one');
    const narrow = await agentWith(sandbox, await tokenOf(sandbox, 'one as @ana on staging'));
    expect(await narrow.isRefused('get_proposal', { reference })).toBe(
      'I know of no proposal of yours with that reference.',
    );
  });

  it('is read by the agent that made it, although its person may not see the instance by now', async () => {
    const sandbox = await play({ env: { ...AGENTS, LAMPLIGHTER_EVERYONE: 'none' } });
    for (const some of ['web-*', 'worker-*'])
      await runToEnd(sandbox, 'admin', `/lamplighter access grant operator @ana on ${some}`);
    const agent = await agentWith(sandbox, await tokenOf(sandbox, 'one as @ana'));
    const { reference } = await agent.calls('propose_change', RESTART);
    await runToEnd(sandbox, 'admin', '/lamplighter access revoke operator @ana on web-*');
    expect((await agent.calls('get_proposal', { reference })).state).toBe('waiting');
  });
});

describe('an agent of somebody who has left', () => {
  it.each([
    ['a role of their own', { LAMPLIGHTER_EVERYONE: 'none' }],
    ['a role by the configuration', { LAMPLIGHTER_ADMINS: 'U0ADA000001,U0ANA000001' }],
  ])('reads nothing, although they have %s', async (_, env) => {
    const sandbox = await play({ env: { ...AGENTS, ...env }, isRefused: true });
    await runToEnd(sandbox, 'admin', '/lamplighter access grant operator @ana');
    const token = await tokenOf(sandbox, 'one as @ana');
    const before = await agentWith(sandbox, token);
    expect((await before.calls('list_instances')).instances.length).toBeGreaterThan(5);
    sandbox.slack.setPerson('ana', { isDeleted: true });
    // What Slack said of them stands for a minute in the process that asked.
    await sandbox.stopBots();
    await sandbox.startBot();
    const agent = await agentWith(sandbox, token, newestUrlOf(sandbox));
    for (const name of ['list_instances', 'list_operations', 'list_schedules', 'get_balance', 'examine_bot'])
      expect(await agent.isRefused(name)).toMatch(/account is deactivated/);
    expect(await agent.isRefused('get_instance', { instance: 'web-1' })).toContain('deactivated');
    expect(await agent.isRefused('propose_change', RESTART)).toContain('covers no instance');
  });

  it('reads nothing where it is who added it that has left, and may have its token', async () => {
    const sandbox = await play({ env: AGENTS, isRefused: true });
    const [token, own] = [await tokenOf(sandbox, 'one as @ana'), await tokenOf(sandbox, 'two as @admin')];
    sandbox.slack.setPerson('admin', { isDeleted: true });
    await sandbox.stopBots();
    await sandbox.startBot();
    const agent = await agentWith(sandbox, token, newestUrlOf(sandbox));
    for (const name of ['list_instances', 'list_schedules'])
      expect(await agent.isRefused(name)).toBe(
        'The person who added this agent has left. An admin can revoke it and add it again.',
      );
    expect(await agent.isRefused('propose_change', RESTART)).toContain('has left');
    const theirs = await agentWith(sandbox, own, newestUrlOf(sandbox));
    expect(await theirs.isRefused('list_operations')).toContain('account is deactivated');
  });

  it('reads nothing while Slack does not say whether who added it is there', async () => {
    const sandbox = await play({ env: AGENTS });
    const token = await tokenOf(sandbox, 'one as @ana');
    await sandbox.stopBots();
    await sandbox.startBot();
    const agent = await agentWith(sandbox, token, newestUrlOf(sandbox));
    for (let times = 0; times < 3; times += 1)
      sandbox.slack.failNext('users.info', { error: 'internal_error' });
    expect(await agent.isRefused('list_operations')).toContain(
      "couldn't check with Slack whether the person who added this agent",
    );
    expect(await agent.calls('list_operations')).toBeTruthy();
  });

  it('reads nothing while Slack does not say whether they have', async () => {
    const sandbox = await play({ env: AGENTS });
    const token = await tokenOf(sandbox, 'one as @admin');
    await sandbox.stopBots();
    await sandbox.startBot();
    const agent = await agentWith(sandbox, token, newestUrlOf(sandbox));
    for (let times = 0; times < 3; times += 1)
      sandbox.slack.failNext('users.info', { error: 'internal_error' });
    expect(await agent.isRefused('list_operations')).toContain("couldn't check your role with Slack");
    expect(await agent.calls('list_operations')).toBeTruthy();
  });
});
