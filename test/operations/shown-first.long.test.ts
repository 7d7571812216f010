import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { SCOPES } from '../../sandbox/slack/api/tokens.ts';
import { play, powerCalls, privateMessage, privateTexts, readAll, SOON_FOUND } from '../support/sandbox.ts';

/** Long enough for a call that would leave without being shown. */
const HELD_MS = 300;

async function postsFail(sandbox: Sandbox, times: number): Promise<void> {
  for (let count = 0; count < times; count++) sandbox.slack.failNext('chat.postMessage', { status: 500 });
}

describe('before anything is asked of the hosting service', () => {
  it('the card stands in the channel', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    const held = slack.hold('chat.postMessage');
    await slack.person('ana').mentions('#ops', 'restart web-1');
    await held.arrived;
    // What must not happen has no sign to wait for.
    await new Promise((done) => setTimeout(done, HELD_MS));
    expect(powerCalls(sandbox)).toBe(0);
    held.release();
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    expect(readAll(sandbox)[0]).toContain('Restarted web-1 (101)');
  });

  it('who asked reads it alone where Slack takes no card just then', async () => {
    const sandbox = await play({ timings: SOON_FOUND });
    await postsFail(sandbox, 3);
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    const notice = await privateMessage(sandbox, 'ana', 'Restarting web-1 (101)');
    expect(sandbox.slack.read(notice)).toContain('so I tell you alone');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    expect(readAll(sandbox)[0]).toContain('Restarted web-1 (101)');
  });
});

describe('where Slack refuses the bot', () => {
  it.each([
    ['its token was revoked', 'token_revoked', undefined],
    ['it may not write', 'missing_scope', SCOPES.filter((scope) => scope !== 'chat:write')],
  ])('nothing is done and the person reads why: %s', async (_why, code, scopes) => {
    const sandbox = await play({ isRefused: true, ...(scopes && { slack: { scopes } }) });
    const { slack } = sandbox;
    if (scopes === undefined) slack.revokeToken(slack.botToken);
    await slack.person('admin').types('#ops', '/instances restart web-1');
    const notice = await privateMessage(sandbox, 'admin', 'Did not restart web-1 (101)');
    expect(slack.read(notice)).toContain(`Slack refuses the bot (${code})`);
    expect(slack.read(notice)).toContain('Nothing was done');
    // The instance is free again at once, for the next person who asks once it is repaired.
    await slack.person('admin').types('#ops', '/instances stop web-1');
    await privateMessage(sandbox, 'admin', 'Did not stop web-1 (101)');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('nothing is deleted either', async () => {
    const sandbox = await play({ isRefused: true });
    const { slack } = sandbox;
    await slack.person('admin').types('#ops', '/instances delete web-1');
    const view = await slack.until(() => slack.person('admin').views.at(-1));
    slack.revokeToken(slack.botToken);
    await slack.person('admin').submits(view, { field: 'web-1' });
    await slack.until(() => sandbox.logs.some((line) => line.includes('"code":"bot-refused"')));
    expect(sandbox.hosting.countCalls('DELETE', /./)).toBe(0);
  });
});

describe('where nobody can be answered', () => {
  it('nothing is done, and the card says so once Slack takes it', async () => {
    const sandbox = await play({ timings: { ...SOON_FOUND, acceptWithinMs: 900 } });
    const { slack } = sandbox;
    await postsFail(sandbox, 4);
    for (let count = 0; count < 6; count++) slack.failNext('response_url', { status: 500 });
    await slack.person('ana').types('#ops', '/instances restart web-1');
    await slack.until(() => sandbox.logs.some((line) => line.includes('"code":"not-shown"')));
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
    expect(readAll(sandbox)[0]).toContain("Did not restart web-1 (101): Slack didn't accept a message");
  });

  it('nothing is done at once where neither a channel nor direct messages can be written to', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    slack.failNext('chat.postMessage', { error: 'not_in_channel' });
    slack.failNext('conversations.open', { error: 'user_disabled' });
    slack.failNext('response_url', { error: 'used_url' });
    await slack.person('ana').types('#ops', '/instances restart web-1');
    await slack.until(() => sandbox.logs.some((line) => line.includes('"code":"not-shown"')));
    expect(powerCalls(sandbox)).toBe(0);
    expect(privateTexts(sandbox, 'ana')).toEqual([]);
  });
});
