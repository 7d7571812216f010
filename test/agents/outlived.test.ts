import { createOneRecord } from '../../src/core/records/one-record.ts';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { AGENTS as KIND } from '../../src/features/agents/record.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { agentWith, slackbotOf, tokenOf } from '../support/agent.ts';
import { answerTo, botMessages, play, powerCalls, runToEnd } from '../support/sandbox.ts';

const AGENTS = { LAMPLIGHTER_AGENTS: 'yes' };
const RESTART = { verb: 'restart', instance: 'web-1', because: 'deploy 41' };

/** Has the time of all agents run out. */
async function runOut(sandbox: Sandbox): Promise<void> {
  const redis = new Redis(sandbox.redisUrl);
  await createOneRecord(redis, KIND).change(({ agents, ...record }) => ({
    ...record,
    agents: agents.map((one) => ({ ...one, until: one.at })),
  }));
  redis.disconnect();
}

describe('what an agent proposes that may not ask any more', () => {
  it('is not proposed where it is revoked while that is looked at', async () => {
    const sandbox = await play({ env: AGENTS, isRefused: true });
    const agent = await agentWith(sandbox, await tokenOf(sandbox, 'deploy-bot as @ana in #ops'));
    const held = sandbox.hosting.hold({ method: 'GET', path: /101$/ });
    const refused = agent.isRefused('propose_change', RESTART);
    await held.arrived;
    await answerTo(sandbox, 'admin', '/lamplighter agent revoke deploy-bot');
    held.release();
    expect(await refused).toBe("This agent can't ask anything any more, so nothing was proposed.");
    await sandbox.said();
    expect(botMessages(sandbox)).toEqual([]);
  });

  it('is begun by no press, and can be declined', async () => {
    const sandbox = await play({ env: AGENTS });
    const agent = await agentWith(sandbox, await tokenOf(sandbox, 'deploy-bot as @ana in #ops'));
    await agent.calls('propose_change', RESTART);
    const message = await sandbox.slack.until(() => botMessages(sandbox)[0]);
    await runOut(sandbox);
    const pressed = await sandbox.slack.person('bob').presses(message, 'Go ahead');
    expect(sandbox.slack.read(await sandbox.slack.until(() => pressed.ephemeral[0]))).toContain(
      "deploy-bot can't ask anything any more, so nothing was done.",
    );
    await sandbox.slack.person('bob').presses(message, 'Decline');
    await sandbox.slack.until(() => sandbox.slack.read(message).includes('@bob declined'));
    expect(powerCalls(sandbox)).toBe(0);
  });
});

describe('an agent that proposes again and again', () => {
  it('is told to wait after twenty times in a minute, and others are not', async () => {
    const sandbox = await play({ env: AGENTS });
    const [ana, bob] = [await slackbotOf(sandbox, 'ana'), await slackbotOf(sandbox, 'bob')];
    for (let nth = 0; nth < 20; nth += 1) await ana.calls('propose_change', RESTART);
    expect(await ana.isRefused('propose_change', RESTART)).toContain('too many requests in a minute');
    expect((await bob.calls('propose_change', RESTART)).state).toBe('waiting');
  });

  it('has Slack asked of its person only for what is not known already', async () => {
    const sandbox = await play({ env: AGENTS });
    const ana = await slackbotOf(sandbox, 'ana');
    const { reference } = await ana.calls('propose_change', RESTART);
    const asked = (): number => sandbox.slack.calls.filter(({ method }) => method === 'users.info').length;
    const before = asked();
    expect((await ana.calls('propose_change', RESTART)).reference).toBe(reference);
    expect(asked()).toBe(before);
    await ana.calls('propose_change', { ...RESTART, instance: 'web-2' });
    expect(asked()).toBeGreaterThan(before);
  });
});

describe('what the audit says of agents', () => {
  it('names the agent and the instance of what was declined, and says when a press came too late', async () => {
    const sandbox = await play({ env: AGENTS });
    const agent = await agentWith(sandbox, await tokenOf(sandbox, 'deploy-bot as @ana in #ops'));
    await agent.calls('propose_change', RESTART);
    const message = await sandbox.slack.until(() => botMessages(sandbox)[0]);
    const bob = sandbox.slack.person('bob');
    await Promise.all([bob.presses(message, 'Decline'), bob.presses(message, 'Decline')]);
    await sandbox.settled();
    const audit = await answerTo(sandbox, 'admin', '/lamplighter audit @bob');
    const that = '@bob · decline a proposal for web-1 \\(101\\)';
    const why = ' · because "proposed by deploy-bot"';
    expect(audit).toMatch(new RegExp(`${that}: done${why}`));
    expect(audit).toMatch(new RegExp(`${that}: refused: it was answered already${why}`));
  });

  it('names an agent that was stopped', async () => {
    const sandbox = await play({ env: AGENTS });
    const agent = await agentWith(sandbox, await tokenOf(sandbox, 'deploy-bot as @ana in #ops'));
    await agent.calls('propose_change', RESTART);
    const message = await sandbox.slack.until(() => botMessages(sandbox)[0]);
    await sandbox.slack.person('bob').presses(message, 'Stop this agent');
    await sandbox.settled();
    expect(await answerTo(sandbox, 'admin', '/lamplighter audit @bob')).toContain(
      '@bob · stop the agent deploy-bot: done',
    );
  });

  it('has what was added and revoked once each, with the names of people and channels', async () => {
    const sandbox = await play({ env: AGENTS });
    await runToEnd(sandbox, 'admin', '/lamplighter agent add deploy-bot as @ana in #ops');
    await runToEnd(sandbox, 'admin', '/lamplighter agent revoke deploy-bot');
    const audit = await answerTo(sandbox, 'admin', '/lamplighter audit @admin');
    expect(audit).toMatch(/^2 attempts/);
    expect(audit).toContain('agent add deploy-bot as @ana in #ops: done');
  });

  it('keeps no token that somebody typed', async () => {
    const sandbox = await play({ env: AGENTS });
    const token = await tokenOf(sandbox, 'deploy-bot as @ana');
    await runToEnd(sandbox, 'admin', `/instances restart web-1 --because "by ${token}"`);
    const agent = await agentWith(sandbox, token);
    await agent.calls('propose_change', { ...RESTART, instance: 'web-2', because: `by ${token}` });
    const audit = await answerTo(sandbox, 'admin', '/lamplighter audit');
    expect(audit).not.toContain(token.split('.').at(-1));
    expect(audit).toContain('by [hidden]');
    expect(sandbox.logs.join('')).not.toContain(token);
  });
});

it('an admin of some instances is offered no name of an agent of others', async () => {
  const sandbox = await play({ env: { ...AGENTS, LAMPLIGHTER_EVERYONE: 'none' } });
  await runToEnd(sandbox, 'admin', '/lamplighter access grant admin @bob on web-*');
  await runToEnd(sandbox, 'admin', '/lamplighter agent add staging-bot as @ana on staging');
  await runToEnd(sandbox, 'admin', '/lamplighter agent add web-bot as @ana on web-1');
  const offered = await answerTo(sandbox, 'bob', '/lamplighter agent revoke');
  expect(offered).toContain('web-bot');
  expect(offered).not.toContain('staging-bot');
  expect(await answerTo(sandbox, 'bob', '/lamplighter agent revoke staging-bto')).not.toContain(
    'staging-bot',
  );
});
