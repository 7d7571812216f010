import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { agentWith, slackbotOf, tokenOf } from '../support/agent.ts';
import { answerTo, play, runToEnd } from '../support/sandbox.ts';
import { dumpOf } from '../support/redis-dump.ts';

const ENV = { LAMPLIGHTER_AGENTS: 'yes', LAMPLIGHTER_EVERYONE: 'viewer' };
const RESTART = { verb: 'restart', instance: 'web-1', because: 'deploy 41' };

/** The lines of the bot's log about calls of agents. */
function logged(sandbox: Sandbox, words: string): readonly Record<string, unknown>[] {
  const lines = sandbox.logs.join('').split('\n');
  return lines.filter((line) => line.includes(words)).map((line) => JSON.parse(line));
}

describe('what an agent is refused', () => {
  it('is in the audit as its own, in the name of its person', async () => {
    const sandbox = await play({ env: ENV });
    const agent = await agentWith(sandbox, await tokenOf(sandbox, 'deploy-bot as @ana on web-*'));
    await agent.isRefused('propose_change', RESTART);
    await agent.isRefused('get_instance', { instance: 'staging' });
    await (await slackbotOf(sandbox, 'ana')).isRefused('examine_bot');
    const audit = await answerTo(sandbox, 'admin', '/lamplighter audit @ana');
    expect(audit).toMatch(
      /deploy-bot, in the name of @ana · restart web-1 \(101\): refused: .+ · because "proposed by deploy-bot: deploy 41"/,
    );
    expect(audit).toMatch(/deploy-bot, in the name of @ana · get_instance staging: refused: /);
    expect(audit).toMatch(/Slackbot, in the name of @ana · doctor: refused: /);
    expect(await answerTo(sandbox, 'admin', '/lamplighter audit deploy-bot')).toMatch(/^2 attempts/);
    expect(await answerTo(sandbox, 'admin', '/lamplighter audit web-1')).toContain('deploy-bot');
    // It was asked in no place of Slack.
    expect(await dumpOf(sandbox.redisUrl, /audit/)).not.toContain('D0AGENT');
  });
});

describe('what a person would ask in words', () => {
  it('is asked by an agent as often as by a person, and all else more often', async () => {
    const sandbox = await play({ env: ENV, timings: { asksPerMinute: 3 } });
    const [ana, bob] = [await slackbotOf(sandbox, 'ana'), await slackbotOf(sandbox, 'bob')];
    const asked = { instance: 'web-1' };
    for (let nth = 0; nth < 3; nth += 1) await ana.calls('get_history', asked);
    expect(await ana.isRefused('get_history', asked)).toContain('too many requests in a minute');
    expect(await ana.isRefused('list_schedules')).toContain('too many requests in a minute');
    for (let nth = 0; nth < 5; nth += 1) await ana.calls('get_instance', asked);
    expect(await bob.calls('get_history', asked)).toBeTruthy();
  });
});

describe('the log of what an agent calls', () => {
  it('names the agent and its person, and never the token', async () => {
    const sandbox = await play({ env: ENV });
    const token = await tokenOf(sandbox, 'deploy-bot as @ana');
    const agent = await agentWith(sandbox, token);
    await agent.calls('list_instances');
    await agent.calls('list_schedules');
    await agent.isRefused('propose_change', RESTART);
    const who = { agent: 'deploy-bot', by: 'U0ANA000001' };
    expect(logged(sandbox, '"answered an agent"')).toEqual([
      expect.objectContaining({ ...who, route: 'list_instances' }),
      expect.objectContaining({ ...who, route: 'instances.schedules' }),
    ]);
    expect(logged(sandbox, '"refused"')).toEqual([
      expect.objectContaining({ ...who, route: 'propose_change', code: 'no-right' }),
    ]);
    expect(sandbox.logs.join('')).not.toContain(token.split('.').at(-1) ?? token);
  });
});

describe('what an agent reads', () => {
  it.each(['admin', 'ana'])(
    'keeps nothing for a press that nobody can make, in the name of @%s',
    async (who) => {
      const sandbox = await play({ env: ENV });
      await runToEnd(sandbox, 'admin', '/instances restart web-1');
      const slackbot = await slackbotOf(sandbox, who);
      const { tools } = await slackbot.client.listTools();
      const kept = (): Promise<string> =>
        dumpOf(
          sandbox.redisUrl,
          /^(?!.*:(?:audit|clock|heartbeat|instances|budget|queue|sweeper|redis:checks))/,
        );
      const before = (await kept()).split('\n').slice(1);
      const readers = tools.filter(({ annotations }) => annotations?.readOnlyHint);
      for (const { name } of readers)
        for (const given of [{}, { instance: 'web-1' }, { instance: 'wbe-1' }, { about: 'wbe-1' }])
          await slackbot.client.callTool({ name, arguments: given });
      expect((await kept()).split('\n').slice(1)).toEqual(before);
    },
  );
});
