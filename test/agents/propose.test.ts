import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { createAgentStore } from '../../src/features/agents/record.ts';
import { HOUR_MS } from '../../src/platform/time/duration.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { play, powerCalls, privateTexts, runToEnd, urlOf } from '../support/sandbox.ts';
import { agentWith, signed, slackbotOf, tokenOf } from '../support/agent.ts';

const AGENTS = { LAMPLIGHTER_AGENTS: 'yes' };
const RESTART = { verb: 'restart', instance: 'web-1', because: 'it leaks memory' };

/** The proposal that somebody reads in the bot's direct messages. */
function proposed(sandbox: Sandbox, who = 'ana', nth = 0): Promise<PostedMessage> {
  return sandbox.slack.until(() => all(sandbox, who)[nth]);
}

/** All that were proposed to somebody. */
function all(sandbox: Sandbox, who: string): readonly PostedMessage[] {
  return sandbox.slack.person(who).dms.filter((message) => sandbox.slack.read(message).startsWith('🤖'));
}

/** Has all that was proposed and answered been so much earlier. */
async function earlier(sandbox: Sandbox, byMs: number): Promise<void> {
  const redis = new Redis(sandbox.redisUrl);
  await createAgentStore(redis).change(({ proposals, ...record }) => ({
    ...record,
    proposals: proposals.map(({ answer, ...one }) => ({
      ...one,
      at: one.at - byMs,
      ...(answer ? { answer: { ...answer, at: answer.at - byMs } } : {}),
    })),
  }));
  redis.disconnect();
}

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

/** A press as anybody with a signed request could send it. */
async function forges(sandbox: Sandbox, who: string, value: string, action = 'agents.begin'): Promise<void> {
  const { id, record } = sandbox.slack.person(who);
  const payload = JSON.stringify({
    type: 'block_actions',
    user: { id, team_id: record.teamId },
    team: { id: record.teamId },
    channel: { id: sandbox.slack.channel('#ops').id },
    container: { channel_id: sandbox.slack.channel('#ops').id },
    actions: [{ type: 'button', block_id: 'b', action_id: action, value }],
  });
  const body = new URLSearchParams({ payload }).toString();
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...signed(sandbox.slack.signingSecret, body),
  };
  const answer = await fetch(urlOf(sandbox, '/slack/events'), { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
}

describe('what an agent proposes', () => {
  it('begins once its person presses, and the agent hears how it ended', async () => {
    const sandbox = await play({ env: AGENTS });
    const slackbot = await slackbotOf(sandbox, 'ana');
    const { reference, state } = await slackbot.calls('propose_change', RESTART);
    expect(state).toBe('waiting');
    const message = await proposed(sandbox);
    expect(sandbox.slack.read(message)).toMatch(
      /^🤖 Slackbot proposes to restart web-1 \(101\), in the name of @ana\.\nBecause: it leaks memory\nNothing has been done\. You can press until /,
    );
    expect(powerCalls(sandbox)).toBe(0);
    await sandbox.slack.person('ana').presses(message, 'Go ahead');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    expect(sandbox.slack.read(await proposed(sandbox))).toContain('👉 @ana pressed Go ahead.');
    const texts = sandbox.slack.person('ana').dms.map((one) => sandbox.slack.read(one));
    expect(texts.join('\n')).toContain('proposed by Slackbot: it leaks memory');
    expect(await slackbot.calls('get_proposal', { reference })).toMatchObject({
      state: 'begun',
      outcome: 'done',
      answeredBy: 'U0ANA000001',
    });
  });

  it('is proposed once, however often it is asked', async () => {
    const sandbox = await play({ env: AGENTS });
    const slackbot = await slackbotOf(sandbox, 'ana');
    const asked = await Promise.all(
      Array.from({ length: 5 }, () => slackbot.calls('propose_change', RESTART)),
    );
    expect(new Set(asked.map(({ reference }) => reference)).size).toBe(1);
    await sandbox.said();
    expect(all(sandbox, 'ana')).toHaveLength(1);
  });

  it('does nothing where it is declined', async () => {
    const sandbox = await play({ env: AGENTS });
    const slackbot = await slackbotOf(sandbox, 'ana');
    const { reference } = await slackbot.calls('propose_change', RESTART);
    await sandbox.slack.person('ana').presses(await proposed(sandbox), 'Decline');
    await sandbox.settled();
    expect(sandbox.slack.read(await proposed(sandbox))).toContain('⛔ @ana declined. Nothing was done.');
    expect((await slackbot.calls('get_proposal', { reference })).state).toBe('declined');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is asked of nobody again for an hour once it was declined, however it is worded', async () => {
    const sandbox = await play({ env: AGENTS });
    const slackbot = await slackbotOf(sandbox, 'ana');
    const { reference } = await slackbot.calls('propose_change', RESTART);
    await sandbox.slack.person('ana').presses(await proposed(sandbox), 'Decline');
    await sandbox.settled();
    const again = { ...RESTART, because: 'it really leaks memory' };
    expect(await slackbot.isRefused('propose_change', again)).toMatch(
      /^A person has declined that\. It can be proposed again from /,
    );
    expect((await slackbot.calls('propose_change', { ...RESTART, instance: 'web-2' })).state).toBe('waiting');
    const bobs = await slackbotOf(sandbox, 'bob');
    expect((await bobs.calls('propose_change', RESTART)).state).toBe('waiting');
    await earlier(sandbox, HOUR_MS);
    const anew = await slackbot.calls('propose_change', again);
    expect(anew).toMatchObject({ state: 'waiting', because: again.because });
    expect(anew.reference).not.toBe(reference);
  });

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

  it('is answered once, whatever is pressed at the same time', async () => {
    const sandbox = await play({ env: AGENTS });
    const slackbot = await slackbotOf(sandbox, 'ana');
    const { reference } = await slackbot.calls('propose_change', RESTART);
    const message = await proposed(sandbox);
    const ana = sandbox.slack.person('ana');
    const labels = ['Go ahead', 'Decline', 'Go ahead', 'Decline'];
    const pressed = await Promise.all(labels.map((label) => ana.presses(message, label)));
    await sandbox.settled();
    const said = new Set(pressed.flatMap(({ ephemeral }) => ephemeral));
    const { state } = await slackbot.calls('get_proposal', { reference });
    expect(powerCalls(sandbox)).toBe(state === 'begun' ? 1 : 0);
    const late = [...said].filter((one) =>
      /(?:declined|pressed Go ahead for) that/.test(sandbox.slack.read(one)),
    );
    expect(late).toHaveLength(3);
  });

  it('asks once more for what is protected', async () => {
    const sandbox = await play({ env: { ...AGENTS, LAMPLIGHTER_PROTECTED: 'web-*' } });
    const slackbot = await slackbotOf(sandbox, 'ana');
    const { reference } = await slackbot.calls('propose_change', RESTART);
    const message = await proposed(sandbox);
    expect(sandbox.slack.read(message)).toContain('It asks once more before anything is done.');
    const pressed = await sandbox.slack.person('ana').presses(message, 'Go ahead');
    const question = await sandbox.slack.until(() => pressed.ephemeral[0]);
    expect(powerCalls(sandbox)).toBe(0);
    expect(sandbox.slack.read(question)).toContain('web-1');
    expect((await slackbot.calls('get_proposal', { reference })).state).toBe('asked');
    await sandbox.slack.person('ana').presses(question, 'Restart');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    expect(await slackbot.calls('get_proposal', { reference })).toMatchObject({
      state: 'begun',
      outcome: 'done',
    });
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

  it('is none for who may not do it, for what is frozen, and for what is not possible', async () => {
    const sandbox = await play({ env: { ...AGENTS, LAMPLIGHTER_EVERYONE: 'viewer' } });
    const [ana, admin] = [await slackbotOf(sandbox, 'ana'), await slackbotOf(sandbox, 'admin')];
    expect(await ana.isRefused('propose_change', RESTART)).toContain('You need the operator role');
    expect(await admin.isRefused('propose_change', { ...RESTART, verb: 'start' })).toContain('running');
    expect(await admin.isRefused('propose_change', { ...RESTART, instance: 'web-*' })).toBeTruthy();
    expect(await admin.isRefused('propose_change', { ...RESTART, instance: 'nothing' })).toContain(
      'No instance',
    );
    await runToEnd(sandbox, 'admin', '/lamplighter freeze "an audit"');
    expect(await admin.isRefused('propose_change', RESTART)).toContain('an audit');
    await sandbox.said();
    for (const who of ['ana', 'admin']) expect(all(sandbox, who)).toEqual([]);
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

  it('is pressed with the rights of that moment', async () => {
    const sandbox = await play({ env: { ...AGENTS, LAMPLIGHTER_EVERYONE: 'none' } });
    await runToEnd(sandbox, 'admin', '/lamplighter access grant operator @ana');
    const slackbot = await slackbotOf(sandbox, 'ana');
    await slackbot.calls('propose_change', RESTART);
    const message = await proposed(sandbox);
    await runToEnd(sandbox, 'admin', '/lamplighter access revoke operator @ana');
    const pressed = await sandbox.slack.person('ana').presses(message, 'Go ahead');
    expect(sandbox.slack.read(await sandbox.slack.until(() => pressed.ephemeral[0]))).toContain('took your');
    expect(powerCalls(sandbox)).toBe(0);
    await runToEnd(sandbox, 'admin', '/lamplighter access grant operator @ana');
    await sandbox.slack.person('ana').presses(message, 'Go ahead');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('is not done to another instance that has taken its name', async () => {
    const sandbox = await play({ env: AGENTS });
    const slackbot = await slackbotOf(sandbox, 'ana');
    await slackbot.calls('propose_change', RESTART);
    const message = await proposed(sandbox);
    sandbox.hosting.recreateInstance(101, 901);
    const pressed = await sandbox.slack.person('ana').presses(message, 'Go ahead');
    await sandbox.slack.until(() => pressed.ephemeral[0]);
    expect(powerCalls(sandbox)).toBe(0);
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

  it('is withdrawn with all others where its person stops the agent, which then proposes nothing', async () => {
    const sandbox = await play({ env: AGENTS });
    const slackbot = await slackbotOf(sandbox, 'ana');
    await slackbot.calls('propose_change', RESTART);
    await slackbot.calls('propose_change', { ...RESTART, instance: 'web-2' });
    const message = await proposed(sandbox, 'ana', 1);
    await sandbox.slack.person('ana').presses(message, 'Stop this agent');
    await sandbox.settled();
    for (const nth of [0, 1])
      expect(sandbox.slack.read(await proposed(sandbox, 'ana', nth))).toContain('@ana stopped the agent');
    expect(await slackbot.isRefused('propose_change', RESTART)).toContain('stopped this agent');
    const bobs = await slackbotOf(sandbox, 'bob');
    expect((await bobs.calls('propose_change', RESTART)).state).toBe('waiting');
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

  it('is nobody else’s to see', async () => {
    const sandbox = await play({ env: AGENTS });
    const [ana, bob] = [await slackbotOf(sandbox, 'ana'), await slackbotOf(sandbox, 'bob')];
    const { reference } = await ana.calls('propose_change', RESTART);
    expect(await bob.isRefused('get_proposal', { reference })).toContain('no proposal of yours');
    expect(all(sandbox, 'bob')).toEqual([]);
  });

  it.each(['agents.begin', 'agents.decline', 'agents.stop'])(
    'is answered by nobody else who knows its id: %s',
    async (action) => {
      const sandbox = await play({ env: AGENTS });
      const slackbot = await slackbotOf(sandbox, 'ana');
      await slackbot.calls('propose_change', RESTART);
      const id = /"value":"([\w-]{22})"/.exec(JSON.stringify((await proposed(sandbox)).content))?.[1] ?? '';
      await forges(sandbox, 'bob', id, action);
      await sandbox.slack.until(() => privateTexts(sandbox, 'bob')[0]);
      await sandbox.settled();
      expect(privateTexts(sandbox, 'bob')[0]).toContain('too old');
      expect(sandbox.slack.read(await proposed(sandbox))).toContain('[ Go ahead ]');
      expect(powerCalls(sandbox)).toBe(0);
    },
  );

  it('can be pressed for four hours', async () => {
    const sandbox = await play({ env: AGENTS });
    const slackbot = await slackbotOf(sandbox, 'ana');
    const { reference } = await slackbot.calls('propose_change', RESTART);
    const message = await proposed(sandbox);
    await earlier(sandbox, 4 * HOUR_MS);
    const pressed = await sandbox.slack.person('ana').presses(message, 'Go ahead');
    expect(sandbox.slack.read(await sandbox.slack.until(() => pressed.ephemeral[0]))).toContain('too old');
    expect((await slackbot.calls('get_proposal', { reference })).state).toBe('expired');
    expect(powerCalls(sandbox)).toBe(0);
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
