import type { FetchFunction, WebClient } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/platform/log/log.ts';
import { createSlackLogger, createWebClient } from '../../src/platform/slack/bolt.ts';
import { slackErrorOf } from '../../src/platform/slack/errors.ts';
import { fetchOf } from '../support/connections.ts';
import { createTokenFetch } from '../../src/platform/slack/token-fetch.ts';
import {
  type BotParts,
  installs,
  LANTERN,
  newestToken,
  openScene,
  QUARRY,
  type Scene,
  TOKENS_LIVE_MS,
} from './scene.ts';

/** The clients that a worker has, over one pool of connections, and the headers that each call carried. */
function clientsOf(
  { apiUrl }: Scene,
  { tokens }: BotParts,
): { of(teamId: string): WebClient; readonly sent: Record<string, string>[] } {
  const sent: Record<string, string>[] = [];
  const pool = fetchOf(apiUrl);
  const counted: FetchFunction = (input, init) => {
    sent.push(init?.headers ?? {});
    return pool(input, init);
  };
  const logger = createSlackLogger(createLog('silent', []));
  return {
    of: (teamId) =>
      createWebClient('', {
        apiUrl,
        timeoutMs: 5_000,
        logger,
        fetch: createTokenFetch(counted, tokens.in(teamId)),
      }),
    sent,
  };
}

const teamOf = async (web: WebClient): Promise<unknown> => (await web.auth.test()).team_id;
const faultOf = (call: Promise<unknown>): Promise<unknown> => call.catch(slackErrorOf);

describe('a client of a worker', () => {
  it('calls with the refreshed token from the call on at which the old one has ended', async () => {
    const scene = await openScene({ tokensLiveMs: TOKENS_LIVE_MS });
    const parts = await scene.process();
    await installs(scene, parts);
    const { of, sent } = clientsOf(scene, parts);
    const web = of(LANTERN.id);
    const first = newestToken(scene);
    await web.auth.test();
    scene.pass(TOKENS_LIVE_MS);
    await web.auth.test();
    const next = newestToken(scene);
    expect(sent.map((one) => one['Authorization'])).toEqual([`Bearer ${first}`, `Bearer ${next}`]);
    expect(scene.slack.refusals).toEqual([]);
  });

  it('reaches its own workspace, whatever others call over the same connections', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    for (const { id } of [LANTERN, QUARRY]) await installs(scene, parts, id);
    const { of, sent } = clientsOf(scene, parts);
    const [one, other] = [of(LANTERN.id), of(QUARRY.id)];
    const teams = await Promise.all([one, other, one, other, other, one].map(teamOf));
    const [A, B] = [LANTERN.id, QUARRY.id];
    expect(teams).toEqual([A, B, A, B, B, A]);
    for (const headers of sent)
      expect(Object.keys(headers).filter((name) => /^authorization$/i.test(name))).toEqual(['Authorization']);
  });

  it('is answered at once with the token that another process has installed meanwhile', async () => {
    const scene = await openScene();
    const [one, other] = [await scene.process(), await scene.process()];
    await installs(scene, one);
    const { of } = clientsOf(scene, one);
    const web = of(LANTERN.id);
    await web.auth.test();
    await scene.slack.oauth.uninstall(LANTERN.id);
    await installs(scene, other);
    expect(await teamOf(web)).toBe(LANTERN.id);
  });

  it('whose token Slack calls expired before its time gets another', async () => {
    const scene = await openScene({ tokensLiveMs: TOKENS_LIVE_MS });
    const parts = await scene.process();
    await installs(scene, parts);
    const web = clientsOf(scene, parts).of(LANTERN.id);
    scene.slack.failNext('auth.test', { error: 'token_expired' });
    expect(await teamOf(web)).toBe(LANTERN.id);
    expect(scene.slack.oauth.refreshes).toBe(1);
  });

  it('asks what is stored once, and not for each call, about a token that Slack goes on refusing', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    await installs(scene, parts);
    let reads = 0;
    const { hget } = parts.redis;
    parts.redis.hget = (...args: Parameters<typeof hget>) => {
      reads++;
      return hget.apply(parts.redis, args);
    };
    const { of, sent } = clientsOf(scene, parts);
    const web = of(LANTERN.id);
    scene.slack.revokeToken(newestToken(scene));
    for (let calls = 0; calls < 5; calls++)
      expect(await faultOf(web.auth.test())).toMatchObject({ code: 'token_revoked' });
    expect([reads, sent.length]).toEqual([2, 5]);
  });

  it('of a workspace that removed the bot is answered as Slack would, and asks nothing of it', async () => {
    const scene = await openScene({ tokensLiveMs: TOKENS_LIVE_MS });
    const parts = await scene.process();
    const { of, sent } = clientsOf(scene, parts);
    expect(await faultOf(of(QUARRY.id).auth.test())).toMatchObject({
      code: 'account_inactive',
      outcome: 'not-done',
    });
    expect(sent).toEqual([]);
  });

  it('whose token is not to be had just now has certainly done nothing', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    await installs(scene, parts);
    const { of, sent } = clientsOf(scene, parts);
    parts.redis.disconnect();
    expect(await faultOf(of(LANTERN.id).chat.postMessage({ channel: 'C1', text: 'x' }))).toMatchObject({
      code: 'unreachable',
      outcome: 'not-done',
      dead: false,
    });
    expect(sent).toEqual([]);
  });

  it('hands on what Slack says beside the answer', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    await installs(scene, parts);
    const answer = await clientsOf(scene, parts).of(LANTERN.id).auth.test();
    expect(answer.response_metadata?.scopes).toContain('chat:write');
  });
});
