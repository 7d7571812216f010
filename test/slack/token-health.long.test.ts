import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { SCOPES } from '../../sandbox/slack/index.ts';
import { play, ready, urlOf } from '../support/sandbox.ts';
import { askUntil } from '../support/until.ts';

async function readiness(sandbox: Sandbox): Promise<{ status: number; slack: string | undefined }> {
  const response = await fetch(urlOf(sandbox, '/readyz'));
  const { checks } = (await response.json()) as { checks: Record<string, string> };
  return { status: response.status, slack: checks['slack'] };
}

/** Resolves once readiness says why not. */
async function unready(sandbox: Sandbox): Promise<unknown> {
  return askUntil(
    () => readiness(sandbox),
    ({ status }) => status !== 200,
  );
}

describe('a bot says that it is not ready, and why,', () => {
  it.each(['token_expired', 'invalid_auth', 'account_inactive', 'not_authed', 'token_revoked'])(
    'once Slack answers %s, and finds out by itself when Slack takes the token again',
    async (code) => {
      const sandbox = await play();
      const { slack } = sandbox;
      expect(await readiness(sandbox)).toEqual({ status: 200, slack: 'ok' });
      slack.failNext('chat.postMessage', { error: code });
      const probe = slack.hold('auth.test');
      await slack.person('ana').types('#ops', '/instances restart web-1');
      expect(await unready(sandbox)).toEqual({ status: 503, slack: code });
      // A bot that is sent no more requests would never try the token again.
      probe.release();
      await ready(sandbox);
    },
  );

  it('for as long as the token is revoked', async () => {
    const sandbox = await play({ isRefused: true });
    const { slack } = sandbox;
    slack.revokeToken(slack.botToken);
    await slack.person('ana').types('#ops', '/instances restart web-1');
    expect(await unready(sandbox)).toEqual({ status: 503, slack: 'token_revoked' });
    slack.restoreToken(slack.botToken);
    await slack.person('bob').types('#ops', '/instances restart web-2');
    await ready(sandbox);
  });

  it('from its start where the app was installed without the right to post', async () => {
    const sandbox = await play({
      isRefused: true,
      slack: { scopes: SCOPES.filter((scope) => scope !== 'chat:write') },
    });
    expect(await readiness(sandbox)).toEqual({ status: 503, slack: 'missing_scope:chat:write' });
  });

  it('while it may post nothing, and not for a scope that it can do without', async () => {
    const sandbox = await play({ isRefused: true });
    const { slack } = sandbox;
    slack.setScope('chat:write', false);
    await slack.person('ana').types('#ops', '/instances restart web-1');
    expect(await unready(sandbox)).toEqual({ status: 503, slack: 'missing_scope:chat:write' });
    slack.setScope('chat:write', true);
    slack.setScope('channels:history', false);
    await slack.person('ana').types('#ops', '/instances restart web-2');
    await ready(sandbox);
    slack.loseAnswerOfNext('chat.postMessage');
    await slack.person('ana').types('#ops', '/instances restart db-1');
    await slack.until(() => slack.calls.some(({ error }) => error === 'missing_scope'));
    expect(await readiness(sandbox)).toEqual({ status: 200, slack: 'ok' });
  });
});
