import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { propose } from '../../src/app/propose.ts';
import { agentWith, tokenOf } from '../support/agent.ts';
import { dmWith, readDms } from '../support/asking.ts';
import { answerTo, botMessages, play, runToEnd, urlOf } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const AGENTS = { LAMPLIGHTER_AGENTS: 'yes' };
const RESTART = { verb: 'restart', instance: 'web-1', because: 'deploy 41' };

/** An agent in a channel that is archived once it was added. */
async function archived(): Promise<{ readonly sandbox: Sandbox; readonly token: string }> {
  const sandbox = await play({ env: AGENTS, isRefused: true });
  const token = await tokenOf(sandbox, 'deploy-bot as @ana in #random');
  sandbox.slack.channel('#random').archive();
  return { sandbox, token };
}

describe('the channel in which an agent is to propose', () => {
  it.each([
    ['#shared', 'People from another company read #shared and would see what I post'],
    ['#attic', "I can't post in #attic, so nothing was changed. Invite me first."],
    ['#secret', "I can't post in"],
  ])('is refused where it is %s', async (channel, says) => {
    const sandbox = await play({ env: AGENTS, isRefused: true });
    const said = await answerTo(sandbox, 'admin', `/lamplighter agent add one as @ana in ${channel}`);
    expect(said).toContain(says);
    expect(await answerTo(sandbox, 'admin', '/lamplighter agent')).toContain('There are no agents here yet');
  });

  it('is refused where Slack does not say who reads it', async () => {
    const sandbox = await play({ env: AGENTS });
    sandbox.slack.failNext('conversations.info', { error: 'internal_error' });
    expect(await answerTo(sandbox, 'admin', '/lamplighter agent add one as @ana in #ops')).toContain(
      "I couldn't check with Slack who reads #ops",
    );
  });

  it('is for who may choose what a channel hears of instances, or one that was chosen', async () => {
    const sandbox = await play({ env: { ...AGENTS, LAMPLIGHTER_EVERYONE: 'none' } });
    await runToEnd(sandbox, 'admin', '/lamplighter access grant admin @bob on web-*');
    const adds = (name: string): Promise<string> =>
      answerTo(sandbox, 'bob', `/lamplighter agent add ${name} as @ana on web-* in #ops`);
    expect(await adds('one')).toContain("so you can't choose what a channel hears of instances");
    await runToEnd(sandbox, 'admin', '/lamplighter agent add mine as @admin in #ops');
    expect(await adds('one')).toContain("so you can't choose what a channel hears of instances");
    await runToEnd(sandbox, 'admin', '/instances watch web-1');
    expect(await adds('one')).toContain('Added: one, in the name of @ana');
  });
});

describe('a proposal that Slack takes nowhere', () => {
  it('is known to be read by nobody, to its agent and once to its person', async () => {
    const { sandbox, token } = await archived();
    const agent = await agentWith(sandbox, token);
    const { reference } = await agent.calls('propose_change', RESTART);
    const { reference: second } = await agent.calls('propose_change', { ...RESTART, instance: 'web-2' });
    for (const one of [reference, second])
      await until(async () => (await agent.calls('get_proposal', { reference: one })).state === 'unread');
    const told = await dmWith(sandbox, 'ana', 'nobody can see it');
    expect(sandbox.slack.read(told)).toContain(
      "I can't post what deploy-bot proposes in your name in #random, so nobody can see it.",
    );
    expect(await agent.calls('propose_change', RESTART)).toMatchObject({ reference, state: 'unread' });
    await sandbox.said();
    expect(readDms(sandbox, 'ana').match(/nobody can see it/g)).toHaveLength(1);
    expect(botMessages(sandbox, '#random')).toEqual([]);
  });

  it('says to a runbook that may not read on that it was proposed all the same', async () => {
    const sandbox = await play({ env: { ...AGENTS, LAMPLIGHTER_EVERYONE: 'none' }, isRefused: true });
    await runToEnd(sandbox, 'admin', '/lamplighter access grant operator @ana');
    const lines: string[] = [];
    const ends = propose(['restart', 'web-1', '--because', 'deploy 41', '--wait'], {
      url: urlOf(sandbox, '/mcp'),
      token: await tokenOf(sandbox, 'deploy-bot as @ana in #ops'),
      say: (line: string) => void lines.push(line),
      lookEveryMs: 20,
    });
    await sandbox.slack.until(() => botMessages(sandbox)[0]);
    await runToEnd(sandbox, 'admin', '/lamplighter access revoke operator @ana');
    expect(await ends).toBe(3);
    expect(lines.at(-1)).toMatch(/^It was proposed, but I may not read what became of it: .*operator role/);
  });

  it('is waited for by no runbook', async () => {
    const { sandbox, token } = await archived();
    const lines: string[] = [];
    const options = {
      url: urlOf(sandbox, '/mcp'),
      token,
      say: (line: string) => void lines.push(line),
      lookEveryMs: 20,
    };
    expect(await propose(['restart', 'web-1', '--because', 'deploy 41', '--wait'], options)).toBe(1);
    expect(lines.at(-1)).toBe("Nobody can read it: the bot can't post in its channel. Nothing was done.");
  });
});
