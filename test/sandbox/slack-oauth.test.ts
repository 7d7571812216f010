import { describe, expect, it, onTestFinished } from 'vitest';
import { createSlackDouble, type SlackDouble, type SlackDoubleOptions } from '../../sandbox/slack/index.ts';
import { openService } from '../clouds/outside/small-service.ts';

const CLIENT = { client_id: '1.1', client_secret: 'secret' };
const QUARRY = { id: 'T0QUARRY001', name: 'Quarry', domain: 'quarry' };
const BACK = 'https://bot.example/back';

async function open(options: SlackDoubleOptions = {}): Promise<{ slack: SlackDouble; url: string }> {
  const slack = createSlackDouble({
    oauth: { clientId: '1.1', clientSecret: 'secret', teams: [QUARRY] },
    ...options,
  });
  const { apiUrl } = await slack.start();
  onTestFinished(() => slack.stop());
  return { slack, url: new URL(apiUrl).origin };
}

async function call(
  url: string,
  method: string,
  args: Record<string, string>,
  token?: string,
): Promise<unknown> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/${method}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(args),
  });
  return answer.json();
}

function consent(slack: SlackDouble, url: string): string {
  const page = `${url}/oauth/v2/authorize?client_id=1.1&scope=commands&state=s&redirect_uri=${BACK}`;
  return new URL(slack.oauth.answers(page, QUARRY.id)).searchParams.get('code') ?? '';
}

async function install(
  slack: SlackDouble,
  url: string,
): Promise<{ access_token: string; refresh_token: string }> {
  const args = { ...CLIENT, code: consent(slack, url), redirect_uri: BACK };
  return (await call(url, 'oauth.v2.access', args)) as { access_token: string; refresh_token: string };
}

const no = (error: string): object => ({ ok: false, error });

describe('the page of consent', () => {
  it('leads back with a code and the state, or with access_denied', async () => {
    const { url } = await open();
    const page = `${url}/oauth/v2/authorize?client_id=1.1&scope=commands&state=s&redirect_uri=${BACK}`;
    expect(await (await fetch(page)).text()).toContain('Allow in Quarry');
    const yes = await fetch(`${page}&answer=${QUARRY.id}`, { redirect: 'manual' });
    expect(yes.status).toBe(302);
    expect(yes.headers.get('location')).toMatch(/^https:\/\/bot\.example\/back\?state=s&code=code-/);
    const denied = await fetch(`${page}&answer=deny`, { redirect: 'manual' });
    expect(denied.headers.get('location')).toBe(`${BACK}?state=s&error=access_denied`);
    expect((await fetch(page.replace('1.1', '2.2'))).status).toBe(400);
  });
});

describe('oauth.v2.access', () => {
  it('gives one token for a code, and only to the app and for the address that it was asked for', async () => {
    const { slack, url } = await open();
    const code = consent(slack, url);
    const args = { ...CLIENT, code, redirect_uri: BACK };
    expect(await call(url, 'oauth.v2.access', { ...args, client_id: '2.2' })).toEqual(
      no('invalid_client_id'),
    );
    expect(await call(url, 'oauth.v2.access', { ...args, client_secret: 'x' })).toEqual(
      no('bad_client_secret'),
    );
    expect(await call(url, 'oauth.v2.access', { ...args, redirect_uri: 'x' })).toEqual(
      no('bad_redirect_uri'),
    );
    expect(await call(url, 'oauth.v2.access', { ...args, code: 'x' })).toEqual(no('invalid_code'));
    expect(await call(url, 'oauth.v2.access', args)).toMatchObject({
      ok: true,
      team: { id: QUARRY.id, name: 'Quarry' },
      token_type: 'bot',
    });
    expect(await call(url, 'oauth.v2.access', args)).toEqual(no('code_already_used'));
  });

  it('takes a refresh token once, keeps two tokens, and lets them end', async () => {
    let ahead = 0;
    const { slack, url } = await open({
      clock: () => Date.now() + ahead,
      oauth: { clientId: '1.1', clientSecret: 'secret', teams: [QUARRY], tokensLiveMs: 43_200_000 },
    });
    const first = await install(slack, url);
    const refresh = (token: string): Promise<unknown> =>
      call(url, 'oauth.v2.access', { ...CLIENT, grant_type: 'refresh_token', refresh_token: token });
    const second = (await refresh(first.refresh_token)) as typeof first;
    expect(second).toMatchObject({ ok: true, expires_in: 43_200 });
    expect(await refresh(first.refresh_token)).toEqual(no('invalid_refresh_token'));
    expect(await call(url, 'auth.test', {}, first.access_token)).toMatchObject({ team_id: QUARRY.id });
    const third = (await refresh(second.refresh_token)) as typeof first;
    expect(await call(url, 'auth.test', {}, first.access_token)).toEqual(no('token_revoked'));
    ahead = 43_200_000;
    expect(await call(url, 'auth.test', {}, third.access_token)).toEqual(no('token_expired'));
    expect(slack.oauth.refreshes).toBe(2);
  });
});

it('a token of another workspace says who it is, reaches nothing of the sandbox, and can be revoked', async () => {
  const { slack, url } = await open();
  const { access_token: token } = await install(slack, url);
  expect(await call(url, 'auth.test', {}, token)).toMatchObject({
    team_id: QUARRY.id,
    user_id: 'U0LAMPRY001',
  });
  expect(await call(url, 'users.info', { user: 'U0ANA000001' }, token)).toEqual(
    no('team_access_not_granted'),
  );
  expect(await call(url, 'auth.revoke', {}, token)).toEqual({ ok: true, revoked: true });
  expect(await call(url, 'auth.test', {}, token)).toEqual(no('token_revoked'));
});

it('an uninstall revokes every token of that workspace, and the bot hears of it twice', async () => {
  const bot = await openService(() => [200]);
  const { slack, url } = await open({ events: ['app_uninstalled', 'tokens_revoked'] });
  slack.connect({ requestUrl: `${bot.url}/slack/events` });
  await install(slack, url);
  await slack.oauth.uninstall(QUARRY.id);
  expect(slack.oauth.tokensOf(QUARRY.id)).toEqual([]);
  expect(bot.calls.map(({ body }) => body)).toMatchObject([
    { team_id: QUARRY.id, event: { type: 'app_uninstalled' } },
    { team_id: QUARRY.id, event: { type: 'tokens_revoked', tokens: { bot: ['U0LAMPRY001'] } } },
  ]);
});
