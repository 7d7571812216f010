import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../src/platform/time/duration.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { play, powerCalls, privateTexts, runToEnd, urlOf } from '../support/sandbox.ts';
import { signed, slackbotOf } from '../support/agent.ts';
import { AGENTS, all, earlier, proposed, RESTART } from './proposing.ts';

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

  it('is nobody else’s to see', async () => {
    const sandbox = await play({ env: AGENTS });
    const [ana, bob] = [await slackbotOf(sandbox, 'ana'), await slackbotOf(sandbox, 'bob')];
    const { reference } = await ana.calls('propose_change', RESTART);
    expect(await bob.isRefused('get_proposal', { reference })).toContain('no proposal of yours');
    expect(all(sandbox, 'bob')).toEqual([]);
  });

  it('is answered by nobody else who knows its id', async () => {
    const sandbox = await play({ env: AGENTS });
    const slackbot = await slackbotOf(sandbox, 'ana');
    await slackbot.calls('propose_change', RESTART);
    const id = /"value":"([\w-]{22})"/.exec(JSON.stringify((await proposed(sandbox)).content))?.[1] ?? '';
    for (const [nth, action] of ['agents.begin', 'agents.decline', 'agents.stop'].entries()) {
      await forges(sandbox, 'bob', id, action);
      await sandbox.slack.until(() => privateTexts(sandbox, 'bob')[nth]);
      await sandbox.settled();
      expect(privateTexts(sandbox, 'bob')[nth], action).toContain('too old');
      expect(sandbox.slack.read(await proposed(sandbox)), action).toContain('[ Go ahead ]');
    }
    expect(powerCalls(sandbox)).toBe(0);
  });

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
});
