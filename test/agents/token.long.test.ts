import { describe, expect, it } from 'vitest';
import { answerTo, botMessages, play, powerCalls, readAll, runToEnd, urlOf } from '../support/sandbox.ts';
import { agentWith, tokenOf } from '../support/agent.ts';

const AGENTS = { LAMPLIGHTER_AGENTS: 'yes' };
const RESTART = { verb: 'restart', instance: 'web-1', because: 'deploy 41' };

describe('an agent with a token', () => {
  it('reads and proposes in the name of a person, in its channel, and whoever may goes ahead', async () => {
    const sandbox = await play({ env: AGENTS });
    const agent = await agentWith(sandbox, await tokenOf(sandbox, 'deploy-bot as @ana in #ops'));
    expect((await agent.calls('list_instances')).instances.length).toBeGreaterThan(5);
    const { reference } = await agent.calls('propose_change', RESTART);
    const message = await sandbox.slack.until(() => botMessages(sandbox)[0]);
    expect(sandbox.slack.read(message)).toMatch(
      /^🤖 deploy-bot proposes to restart web-1 \(101\), in the name of @ana\.\nBecause: deploy 41\n/,
    );
    await sandbox.slack.person('bob').presses(message, 'Go ahead');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    expect(readAll(sandbox).join('\n')).toContain('@bob');
    expect(await agent.calls('get_proposal', { reference })).toMatchObject({
      state: 'begun',
      answeredBy: 'U0BOB000001',
      outcome: 'done',
    });
  });

  it('may no more than its role, its instances and its person', async () => {
    const sandbox = await play({ env: { ...AGENTS, LAMPLIGHTER_EVERYONE: 'none' } });
    await runToEnd(sandbox, 'admin', '/lamplighter access grant operator @ana on web-*,staging');
    const agent = await agentWith(sandbox, await tokenOf(sandbox, 'one as @ana on web-*,worker-1'));
    const { instances } = await agent.calls('list_instances');
    expect(instances.map(({ name }) => name)).toEqual(['web-1', 'web-2']);
    for (const instance of ['staging', 'worker-1', '103'])
      expect(await agent.isRefused('get_instance', { instance })).not.toMatch(/running|stopped/);
    expect(await agent.isRefused('propose_change', { ...RESTART, instance: 'staging' })).toBeTruthy();
    expect(await agent.isRefused('get_balance')).toBeTruthy();
    const viewer = await agentWith(sandbox, await tokenOf(sandbox, 'two as @admin viewer'));
    expect((await viewer.calls('list_instances')).instances.length).toBeGreaterThan(5);
    expect(await viewer.isRefused('propose_change', RESTART)).toContain("agent's role doesn't let it");
    expect(await viewer.isRefused('get_balance')).toContain("agent's role doesn't let it");
    expect(await viewer.isRefused('examine_bot')).toContain("agent's role doesn't let it");
    await runToEnd(sandbox, 'admin', '/lamplighter access revoke operator @ana on web-*,staging');
    expect(await agent.isRefused('list_instances')).toContain('role');
  });

  it('sees of its person only what is of its instances', async () => {
    const sandbox = await play({ env: AGENTS });
    await runToEnd(sandbox, 'ana', '/instances schedule worker-1 stop at 20:00');
    const [yes] = sandbox.slack.channel('#ops').ephemeralFor('ana').slice(-1);
    if (yes) await sandbox.slack.person('ana').presses(yes, 'Save');
    await sandbox.settled();
    const wide = await agentWith(sandbox, await tokenOf(sandbox, 'wide as @ana'));
    expect(JSON.stringify(await wide.calls('list_schedules'))).toContain('worker-1');
    const narrow = await agentWith(sandbox, await tokenOf(sandbox, 'narrow as @ana on web-*'));
    expect(JSON.stringify(await narrow.calls('list_schedules'))).not.toContain('worker-1');
    expect(await narrow.isRefused('who_may_do_what')).toContain('some instances alone');
  });

  it('has nothing to press again once it is revoked while a press was under way', async () => {
    const sandbox = await play({ env: AGENTS });
    const agent = await agentWith(sandbox, await tokenOf(sandbox, 'deploy-bot as @ana in #ops'));
    await agent.calls('propose_change', RESTART);
    const message = await sandbox.slack.until(() => botMessages(sandbox)[0]);
    const held = sandbox.hosting.hold({ method: 'GET' });
    await sandbox.slack.person('bob').presses(message, 'Go ahead');
    await held.arrived;
    await answerTo(sandbox, 'admin', '/lamplighter agent revoke deploy-bot');
    sandbox.hosting.changeStatus(101, 'stopped');
    held.release();
    await sandbox.settled();
    await sandbox.slack.until(() => sandbox.slack.read(message).includes('The agent was revoked'));
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('can ask nothing once it is revoked, and what it proposed is withdrawn', async () => {
    const sandbox = await play({ env: AGENTS });
    const token = await tokenOf(sandbox, 'deploy-bot as @ana in #ops');
    const agent = await agentWith(sandbox, token);
    await agent.calls('propose_change', RESTART);
    const message = await sandbox.slack.until(() => botMessages(sandbox)[0]);
    expect(await answerTo(sandbox, 'admin', '/lamplighter agent revoke deploy-bot')).toContain(
      "can't ask anything any more",
    );
    await expect(agent.calls('list_instances')).rejects.toThrow();
    await sandbox.slack.until(() => sandbox.slack.read(message).includes('@admin revoked the agent'));
    expect(sandbox.slack.read(message)).not.toContain('[ Go ahead ]');
    expect(powerCalls(sandbox)).toBe(0);
    expect(await answerTo(sandbox, 'admin', '/lamplighter agent')).toContain('There are no agents here yet');
  });

  it('shows its token once, to who added it, and nowhere else', async () => {
    const sandbox = await play({ env: AGENTS });
    const secret = (await tokenOf(sandbox, 'deploy-bot as @ana')).split('.').at(-1) ?? '';
    expect(secret).toHaveLength(43);
    expect(sandbox.logs.join('')).not.toContain(secret);
    expect(await sandbox.slack.until(() => sandbox.slack.person('ana').dms.at(-1))).toBeTruthy();
    await sandbox.said();
    expect(
      sandbox.slack
        .person('ana')
        .dms.map((one) => sandbox.slack.read(one))
        .join('\n'),
    ).toContain(
      '@admin added an agent that may ask in your name: deploy-bot, in the name of @ana, as an operator at most',
    );
    expect(await answerTo(sandbox, 'admin', '/lamplighter audit')).not.toContain(secret);
  });

  it.each([
    ['nothing', ''],
    ['no token', 'Bearer x'],
    ['one of another secret', `Bearer lamplighter_T0LANTERN01..${'a'.repeat(22)}.${'b'.repeat(43)}`],
    ['one of another workspace', `Bearer lamplighter_T0STRANGE01..${'a'.repeat(22)}.${'b'.repeat(43)}`],
    ['a very long one', `Bearer lamplighter_T0LANTERN01..${'a'.repeat(10_000)}`],
  ])('is not let in with %s', async (_, authorization) => {
    const sandbox = await play({ env: AGENTS });
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const headers = { 'content-type': 'application/json', accept: 'application/json', authorization };
    expect((await fetch(urlOf(sandbox, '/mcp'), { method: 'POST', headers, body })).status).toBe(401);
  });

  it.each([
    ['add', 'Which name?'],
    ['add Deploy as @ana', 'Which name?'],
    ['add slackbot as @ana', 'Which name?'],
    ['add deploy-bot', 'In whose name?'],
    ['add deploy-bot as @ana @bob', 'In whose name?'],
    ['add deploy-bot as @oncall', 'In whose name?'],
    ['add deploy-bot as @ana for 2000d', 'too long'],
    ['add deploy-bot as @gone', 'deactivated'],
    ['add deploy-bot as @ana on wbe-1', 'wbe-1'],
    ['remove deploy-bot', 'add or revoke'],
    ['revoke', 'Which agent?'],
    ['revoke nothing', 'no agent called'],
  ])('is not made by "agent %s"', async (words, says) => {
    const sandbox = await play({ env: AGENTS });
    expect(await answerTo(sandbox, 'admin', `/lamplighter agent ${words}`)).toContain(says);
    expect(await answerTo(sandbox, 'ana', `/lamplighter agent ${words}`)).toContain(
      'You need the admin role',
    );
  });

  it('is shown to and ended by who could have added it', async () => {
    const sandbox = await play({ env: { ...AGENTS, LAMPLIGHTER_EVERYONE: 'none' } });
    await runToEnd(sandbox, 'admin', '/lamplighter access grant admin @bob on web-*');
    await runToEnd(sandbox, 'admin', '/lamplighter agent add one as @ana on staging');
    await runToEnd(sandbox, 'admin', '/lamplighter agent add two as @ana on web-1');
    const seen = await answerTo(sandbox, 'bob', '/lamplighter agents');
    expect(seen).toContain('two, in the name of @ana');
    expect(seen).not.toContain('staging');
    expect(await answerTo(sandbox, 'bob', '/lamplighter agent revoke one')).toContain('only on web-*');
    expect(await answerTo(sandbox, 'admin', '/lamplighter agent')).toContain('one, in the name of @ana');
    expect(await answerTo(sandbox, 'admin', '/lamplighter agent add two as @bob')).toContain(
      'There is an agent called two already',
    );
  });

  it('is not made where agents may not ask', async () => {
    const sandbox = await play({});
    expect(await answerTo(sandbox, 'admin', '/lamplighter agent add one as @ana')).toContain(
      'LAMPLIGHTER_AGENTS=yes',
    );
  });
});
