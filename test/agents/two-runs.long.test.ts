import { expect, it } from 'vitest';
import type { FaultPoints } from '../../src/core/base.ts';
import type { AgentStore } from '../../src/features/agents/record.ts';
import type { RequestStore } from '../../src/core/intake/request-store.ts';
import type { Operations } from '../../src/core/operations/operations.ts';
import type { Access } from '../../src/core/policy/access.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { say } from '../../src/platform/slack/phrase.ts';
import { aMoment } from '../support/a-moment.ts';
import { agentWith, tokenOf } from '../support/agent.ts';
import { instead } from '../support/instead.ts';
import { botMessages, play, powerCalls, privateMessage, readAll } from '../support/sandbox.ts';

const RESTART = { verb: 'restart', instance: 'web-1', because: 'deploy 41' };

const notChecked = (): never => {
  throw new Refusal('not-checked', say`I couldn't check your role with Slack, so nothing was done.`);
};

/** Two processes that run one press at once: the first can check no role, and finds that out once the second has begun the change. */
function firstChecksNothing(): FaultPoints {
  const begun = aMoment();
  let checks = 0;
  const checksLate = instead('access', 'require', async (own, ...asked) => {
    const given = asked as Parameters<Access['require']>;
    if (given[3]?.route !== 'instances.restart') return (own as Access).require(...given);
    checks += 1;
    if (checks > 1) return (own as Access).require(...given);
    await begun.comes;
    return notChecked();
  });
  const begins = instead('operations', 'begin', async (own, ...given) => {
    const result = await (own as Operations).begin(...(given as Parameters<Operations['begin']>));
    begun.is();
    return result;
  });
  return (name, part) => checksLate(name, begins(name, part));
}

/** The same, but the second can check no role, has what was proposed open again, and is about to say so when the first begins the change. */
function secondChecksNothing(): FaultPoints {
  const [opened, begun] = [aMoment(), aMoment()];
  let checks = 0;
  const checksOnce = instead('access', 'require', async (own, ...asked) => {
    const given = asked as Parameters<Access['require']>;
    if (given[3]?.route !== 'instances.restart') return (own as Access).require(...given);
    checks += 1;
    if (checks === 2) return notChecked();
    if (checks === 1) await opened.comes;
    return (own as Access).require(...given);
  });
  const opens = instead('agents', 'change', async (own, ...given) => {
    const after = await (own as AgentStore).change(...(given as Parameters<AgentStore['change']>));
    if (after?.proposals.some(({ answer }) => answer === undefined) && checks === 2) opened.is();
    return after;
  });
  const begins = instead('operations', 'begin', async (own, ...given) => {
    const result = await (own as Operations).begin(...(given as Parameters<Operations['begin']>));
    begun.is();
    return result;
  });
  const decidesLate = instead('requests', 'decide', async (own, ...given) => {
    const asked = given as Parameters<RequestStore['decide']>;
    if (asked[0].route === 'agents.begin') await begun.comes;
    return (own as RequestStore).decide(...asked);
  });
  return (name, part) => checksOnce(name, opens(name, begins(name, decidesLate(name, part))));
}

it.each([
  ['first', firstChecksNothing],
  ['second', secondChecksNothing],
])(
  'a press on what an agent proposed that two processes run at once leaves nothing to press once one has begun it: the %s can check no role',
  async (_which, twoRuns) => {
    const sandbox = await play({ bot: false, env: { LAMPLIGHTER_AGENTS: 'yes' } });
    const { slack } = sandbox;
    const both = twoRuns();
    await sandbox.startBot({}, both);
    await sandbox.startBot({}, both);
    const agent = await agentWith(sandbox, await tokenOf(sandbox, 'deploy-bot as @ana in #ops'));
    const { reference } = await agent.calls('propose_change', {
      verb: 'restart',
      instance: 'web-1',
      because: 'deploy 41',
    });
    const message = await slack.until(() => botMessages(sandbox)[0]);
    await slack.person('bob').presses(message, 'Go ahead');
    await slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1 (101)')));
    await sandbox.settled();
    expect(readAll(sandbox).join('\n')).not.toContain('[ Go ahead ]');
    expect(await agent.calls('get_proposal', { reference })).toMatchObject({
      state: 'begun',
      outcome: 'done',
    });
    expect(powerCalls(sandbox)).toBe(1);
  },
);

it('what an agent proposed can be pressed again where the press was canceled before the change began', async () => {
  const [beginning, canceled] = [aMoment(), aMoment()];
  const faultPoints = instead('operations', 'begin', async (own, ...given) => {
    beginning.is();
    await canceled.comes;
    return (own as Operations).begin(...(given as Parameters<Operations['begin']>));
  });
  const sandbox = await play({ env: { LAMPLIGHTER_AGENTS: 'yes' }, faultPoints });
  const { slack } = sandbox;
  const agent = await agentWith(sandbox, await tokenOf(sandbox, 'deploy-bot as @ana in #ops'));
  const { reference } = await agent.calls('propose_change', RESTART);
  const message = await slack.until(() => botMessages(sandbox)[0]);
  await slack.person('bob').presses(message, 'Go ahead');
  await beginning.comes;
  await slack.person('bob').mentions('#ops', 'cancel');
  await privateMessage(sandbox, 'bob', 'Canceled "go ahead with a proposal"');
  canceled.is();
  await sandbox.settled();
  expect(slack.read(message)).toContain('[ Go ahead ]');
  expect(await agent.calls('get_proposal', { reference })).toMatchObject({ state: 'waiting' });
  expect(powerCalls(sandbox)).toBe(0);
});
