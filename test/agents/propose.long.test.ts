import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../src/platform/time/duration.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { play, powerCalls, runToEnd } from '../support/sandbox.ts';
import { agentWith, signed, slackbotOf, tokenOf } from '../support/agent.ts';
import { AGENTS, all, earlier, proposed, RESTART } from './proposing.ts';

/** A proposal as Slack signs it once: each call sends the same bytes to the process that was started last. */
function signedOnce(
  sandbox: Sandbox,
  who: string,
  change: object,
): () => Promise<{ readonly state: string; readonly reference: string }> {
  const { id, record } = sandbox.slack.person(who);
  const slack = { user_id: id, team_id: record.teamId };
  const params = { name: 'propose_change', arguments: change, ['_meta']: { slack } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...signed(sandbox.slack.signingSecret, body),
  };
  return async () => {
    const port = [...sandbox.logs.join('').matchAll(/"port":(\d+)/g)].at(-1)?.[1];
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    const text = await answer.text();
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result.structuredContent;
  };
}

describe('what an agent proposes', () => {
  it('is proposed once by a request that is sent once more to another process, even after it was declined', async () => {
    const sandbox = await play({ env: AGENTS });
    const send = signedOnce(sandbox, 'ana', RESTART);
    const first = await send();
    await sandbox.slack.person('ana').presses(await proposed(sandbox), 'Decline');
    await sandbox.settled();
    await earlier(sandbox, HOUR_MS);
    await sandbox.startBot();
    const again = await send();
    expect(again).toMatchObject({ state: 'declined', reference: first.reference });
    await sandbox.said();
    expect(all(sandbox, 'ana')).toHaveLength(1);
  });

  it('is known to be done after a question, however long its reason is', async () => {
    const sandbox = await play({ env: { ...AGENTS, LAMPLIGHTER_PROTECTED: 'web-*' } });
    const name = `a${'b'.repeat(30)}`;
    const agent = await agentWith(sandbox, await tokenOf(sandbox, `${name} as @ana`));
    const because = 'x'.repeat(300);
    const { reference } = await agent.calls('propose_change', { ...RESTART, because });
    // That it was added is told to @ana as well, before or after.
    const card = await sandbox.slack.until(() =>
      all(sandbox, 'ana').find((message) => sandbox.slack.read(message).includes('[ Go ahead ]')),
    );
    const pressed = await sandbox.slack.person('ana').presses(card, 'Go ahead');
    const question = await sandbox.slack.until(() => pressed.ephemeral[0]);
    await sandbox.slack.person('ana').presses(question, 'Restart');
    await sandbox.settled();
    expect(await agent.calls('get_proposal', { reference })).toMatchObject({
      state: 'begun',
      outcome: 'done',
    });
  });

  it('is none where the service does not say how the instance is', async () => {
    const sandbox = await play({ env: AGENTS });
    const slackbot = await slackbotOf(sandbox, 'ana');
    sandbox.hosting.failNext({ method: 'GET', path: /101$/ }, 500, Number.POSITIVE_INFINITY);
    expect(await slackbot.isRefused('propose_change', RESTART)).toContain('nobody knows whether');
    expect(all(sandbox, 'ana')).toEqual([]);
  });

  it('is none where it needs an approval that nobody could read', async () => {
    const sandbox = await play({ env: { ...AGENTS, LAMPLIGHTER_APPROVE: 'web-*' } });
    const slackbot = await slackbotOf(sandbox, 'ana');
    expect(await slackbot.isRefused('propose_change', RESTART)).toContain('needs an approval');
  });

  it('is declined by its person while it is frozen, and when they may do it no more', async () => {
    const sandbox = await play({ env: { ...AGENTS, LAMPLIGHTER_EVERYONE: 'none' } });
    await runToEnd(sandbox, 'admin', '/lamplighter access grant operator @ana');
    const slackbot = await slackbotOf(sandbox, 'ana');
    await slackbot.calls('propose_change', RESTART);
    await slackbot.calls('propose_change', { ...RESTART, instance: 'web-2' });
    await runToEnd(sandbox, 'admin', '/lamplighter freeze "an audit"');
    await sandbox.slack.person('ana').presses(await proposed(sandbox), 'Decline');
    await sandbox.settled();
    expect(sandbox.slack.read(await proposed(sandbox))).toContain('declined');
    await runToEnd(sandbox, 'admin', '/lamplighter access revoke operator @ana');
    await sandbox.slack.person('ana').presses(await proposed(sandbox, 'ana', 1), 'Stop this agent');
    await sandbox.settled();
    expect(sandbox.slack.read(await proposed(sandbox, 'ana', 1))).toContain('stopped the agent');
  });

  it.each(['--override "x"', '--because', '-name:web-2', '--dry-run for 4h'])(
    'is begun whatever its reason looks like: %s',
    async (because) => {
      const sandbox = await play({ env: AGENTS });
      const slackbot = await slackbotOf(sandbox, 'ana');
      await slackbot.calls('propose_change', { ...RESTART, because });
      await sandbox.slack.person('ana').presses(await proposed(sandbox), 'Go ahead');
      await sandbox.settled();
      expect(sandbox.hosting.calls.filter(({ method }) => method !== 'GET')).toEqual([
        expect.objectContaining({ path: expect.stringMatching(/101\/restart$/) }),
      ]);
      const texts = sandbox.slack.person('ana').dms.map((one) => sandbox.slack.read(one));
      expect(texts.join('\n')).toContain(`Because: proposed by Slackbot: ${because}`);
    },
  );

  it('can be pressed again where the service did not answer', async () => {
    const sandbox = await play({ env: AGENTS });
    const slackbot = await slackbotOf(sandbox, 'ana');
    const { reference } = await slackbot.calls('propose_change', RESTART);
    const message = await proposed(sandbox);
    const mend = sandbox.hosting.failNext({ method: 'GET' }, 500, Number.POSITIVE_INFINITY);
    const pressed = await sandbox.slack.person('ana').presses(message, 'Go ahead');
    await sandbox.slack.until(() => pressed.ephemeral[0]);
    await sandbox.settled();
    expect((await slackbot.calls('get_proposal', { reference })).state).toBe('waiting');
    expect(sandbox.slack.read(message)).toContain('[ Go ahead ]');
    mend();
    await sandbox.slack.person('ana').presses(message, 'Go ahead');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('waits with at most four others', async () => {
    const sandbox = await play({ env: AGENTS });
    const slackbot = await slackbotOf(sandbox, 'ana');
    const { instances } = await slackbot.calls('list_instances', { filter: 'status:running' });
    const refused: string[] = [];
    for (const { id } of instances.slice(0, 6))
      await slackbot
        .calls('propose_change', { ...RESTART, instance: id })
        .catch((error: Error) => refused.push(error.message));
    expect(refused).toEqual([expect.stringContaining('5 proposals wait already')]);
  });

  it('is not begun by somebody else who gives the same reason', async () => {
    const sandbox = await play({ env: { ...AGENTS, LAMPLIGHTER_PROTECTED: 'web-*' } });
    const slackbot = await slackbotOf(sandbox, 'ana');
    const { reference } = await slackbot.calls('propose_change', RESTART);
    const pressed = await sandbox.slack.person('ana').presses(await proposed(sandbox), 'Go ahead');
    await sandbox.slack.until(() => pressed.ephemeral[0]);
    const words = 'web-1 --because "proposed by Slackbot: it leaks memory"';
    await sandbox.slack.person('bob').types('#ops', `/instances restart ${words}`);
    const question = await sandbox.slack.until(() => sandbox.slack.channel('#ops').ephemeralFor('bob')[0]);
    await sandbox.slack.person('bob').presses(question, 'Restart');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    expect((await slackbot.calls('get_proposal', { reference })).state).toBe('asked');
  });

  it('keeps all of its reason', async () => {
    const sandbox = await play({ env: AGENTS });
    const slackbot = await slackbotOf(sandbox, 'ana');
    const because = `${'a leak '.repeat(42)}now`;
    expect(await slackbot.calls('propose_change', { ...RESTART, because })).toMatchObject({ because });
    expect(sandbox.slack.read(await proposed(sandbox))).toContain(because);
  });
});
