import { describe, expect, it } from 'vitest';
import { slackbotOf } from '../support/agent.ts';
import { answerTo, play } from '../support/sandbox.ts';

const ENV = { LAMPLIGHTER_AGENTS: 'yes', LAMPLIGHTER_EVERYONE: 'viewer' };
const RESTART = { verb: 'restart', instance: 'web-1', because: 'deploy 41' };

describe('what an agent is refused', () => {
  it('fills no audit, however often it is asked', async () => {
    const sandbox = await play({ env: ENV });
    const slackbot = await slackbotOf(sandbox, 'ana');
    for (let nth = 0; nth < 60; nth += 1) await slackbot.isRefused('examine_bot');
    expect(await answerTo(sandbox, 'admin', '/lamplighter audit Slackbot')).toMatch(/^40 attempts/);
  });

  it('is there where nothing was refused for want of a right only if it was to be done', async () => {
    const sandbox = await play({ env: { ...ENV, LAMPLIGHTER_EVERYONE: 'operator' } });
    const slackbot = await slackbotOf(sandbox, 'ana');
    await slackbot.calls('list_instances');
    await slackbot.isRefused('get_instance', { instance: 'nothing' });
    await slackbot.isRefused('get_history', { instance: 'nothing' });
    expect(await answerTo(sandbox, 'admin', '/lamplighter audit Slackbot')).toContain('nothing about');
    await slackbot.isRefused('propose_change', { ...RESTART, verb: 'start' });
    await slackbot.calls('propose_change', RESTART);
    const audit = await answerTo(sandbox, 'admin', '/lamplighter audit Slackbot');
    expect(audit).toContain('Slackbot, in the name of @ana · start web-1 (101): refused: ');
    expect(audit).toContain('Slackbot, in the name of @ana · restart web-1 (101): waiting to be confirmed');
  });
});
