import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { workspaceKeys } from '../../src/core/workspaces/installation.ts';
import { renderPage } from '../../src/platform/slack/install-pages.ts';
import { ORGANIZATION } from '../../sandbox/people.ts';
import {
  beginInstall,
  type BotParts,
  installs,
  LANTERN,
  locally,
  newestToken,
  openScene,
  PUBLIC_URL,
  QUARRY,
  type Scene,
  show,
  STRANGERS,
} from './scene.ts';

/** Nothing but which consents were used. */
const isEmpty = async ({ redis }: BotParts): Promise<boolean> =>
  (await redis.keys('*')).every((name) => name.startsWith(workspaceKeys.consent('')));
const asked = ({ slack }: Scene, method: string): number =>
  slack.calls.filter((call) => call.method === method).length;

describe('somebody who installs the bot in a workspace on the list', () => {
  it('reads what happens next, says yes at Slack, and reads that it is installed', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    const { page } = await beginInstall(parts);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<h1>Install Lamplighter</h1>');
    const done = await installs(scene, parts);
    expect(done.status).toBe(200);
    expect(done.text).toContain('<h1>Lamplighter is installed in Lantern Works</h1>');
    expect(done.text).toContain('Type /lamplighter help in Slack to begin.');
    expect(await parts.tokens.of(LANTERN.id)).toBe(newestToken(scene));
    expect(await parts.store.find(LANTERN.id)).toMatchObject({
      teamName: 'Lantern Works',
      botUserId: 'U0LAMP00001',
      botId: 'B0LAMP00001',
      installedBy: 'U0ADA000001',
    });
  });

  it('gives that workspace a token of its own', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    await installs(scene, parts, LANTERN.id);
    expect((await installs(scene, parts, QUARRY.id)).text).toContain('installed in Quarry &amp; Sons');
    expect(await parts.store.list()).toEqual([LANTERN.id, QUARRY.id]);
    const [one, other] = await Promise.all([parts.tokens.of(LANTERN.id), parts.tokens.of(QUARRY.id)]);
    expect([one, other]).toEqual([newestToken(scene, LANTERN.id), newestToken(scene, QUARRY.id)]);
    expect(one).not.toBe(other);
  });

  it('a second time has its new token used at once', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    await installs(scene, parts);
    const before = await parts.tokens.of(LANTERN.id);
    await installs(scene, parts);
    expect(await parts.tokens.of(LANTERN.id)).toBe(newestToken(scene));
    expect(newestToken(scene)).not.toBe(before);
  });

  it('is asked for exactly the scopes of the manifest, and comes back to the public address', async () => {
    const scene = await openScene();
    const { authorizeUrl } = await beginInstall(await scene.process());
    const manifest = z
      .object({
        oauth_config: z.object({
          scopes: z.object({ bot: z.array(z.string()), bot_optional: z.array(z.string()) }),
        }),
      })
      .parse(parse(readFileSync('manifest.yml', 'utf8')));
    const address = new URL(authorizeUrl);
    expect(address.searchParams.get('scope')?.split(',')).toEqual([
      ...manifest.oauth_config.scopes.bot,
      ...manifest.oauth_config.scopes.bot_optional,
    ]);
    expect(address.searchParams.get('redirect_uri')).toBe(`${PUBLIC_URL}/slack/oauth_redirect`);
    expect(address.searchParams.get('user_scope') ?? '').toBe('');
    expect((await show(authorizeUrl)).text).toContain('Allow in Lantern Works');
  });

  it('is shown pages that load nothing, run nothing and hand their address to nobody', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    const { page } = await beginInstall(parts);
    for (const { headers } of [
      page,
      await installs(scene, parts),
      await show(`${parts.url}/slack/oauth_redirect`),
    ]) {
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
    expect(page.headers.get('set-cookie')).toMatch(
      /^slack-app-oauth-state=[^;]+; Secure; HttpOnly; SameSite=Lax; Path=\/; Max-Age=600$/,
    );
  });
});

describe('nothing is kept', () => {
  it('of a workspace that is not on the list, and what Slack gave for it is revoked', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    const shown = await installs(scene, parts, STRANGERS.id);
    expect(shown.status).toBe(403);
    expect(shown.text).toContain('This workspace is not on the list of those that may install it.');
    expect(shown.text).toContain('Nothing was kept, and what Slack gave for this was revoked.');
    expect(scene.slack.oauth.tokensOf(STRANGERS.id)).toEqual([]);
    expect(await isEmpty(parts)).toBe(true);
    expect(parts.lines.join('')).toContain('refused an install');
  });

  it('where Slack does not revoke it, and the person is asked to', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    scene.slack.failNext('auth.revoke', { error: 'fatal_error' });
    const shown = await installs(scene, parts, STRANGERS.id);
    expect(shown.status).toBe(403);
    expect(shown.text).toContain('Remove Lamplighter in Slack under Apps');
    expect(await isEmpty(parts)).toBe(true);
  });

  it('of an organization that is not on the list, also where a workspace of it is', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    const shown = await installs(scene, parts, ORGANIZATION.id);
    expect(shown.status).toBe(403);
    expect(shown.text).toContain('This organization is not on the list of those that may install it.');
    expect(scene.slack.oauth.tokensOf(ORGANIZATION.id)).toEqual([]);
    expect(await isEmpty(parts)).toBe(true);
  });

  it('of somebody who cancels at Slack', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    const shown = await installs(scene, parts, 'deny');
    expect(shown).toMatchObject({ status: 403, text: expect.stringContaining('You canceled in Slack') });
    expect(await isEmpty(parts)).toBe(true);
  });

  it.each([
    ['no cookie', () => undefined],
    ['the cookie of another install', (other: string) => other],
    ['a cookie that nobody gave', () => 'slack-app-oauth-state=x'],
  ])('for a link that comes back with %s, and Slack is not even asked', async (_what, cookieOf) => {
    const scene = await openScene();
    const parts = await scene.process();
    const [mine, other] = [await beginInstall(parts), await beginInstall(parts)];
    const back = locally(parts, scene.slack.oauth.answers(mine.authorizeUrl, LANTERN.id));
    const shown = await show(back, cookieOf(other.cookie));
    expect(shown).toMatchObject({ status: 400, text: expect.stringContaining('begun in another browser') });
    expect(asked(scene, 'oauth.v2.access')).toBe(0);
    expect(await isEmpty(parts)).toBe(true);
  });

  it('for a state that somebody made up, also with its cookie', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    const state = 'eyJhbGciOiJub25lIn0.eyJpbnN0YWxsT3B0aW9ucyI6e30sIm5vdyI6IjIwMzAtMDEtMDEifQ.';
    const shown = await show(
      `${parts.url}/slack/oauth_redirect?code=c&state=${state}`,
      `slack-app-oauth-state=${state}`,
    );
    expect(shown.status).toBe(400);
    expect(asked(scene, 'oauth.v2.access')).toBe(0);
  });

  it('for a state that was used, also with a new code and in another process', async () => {
    const scene = await openScene();
    const [parts, other] = [await scene.process(), await scene.process()];
    const { authorizeUrl, cookie } = await beginInstall(parts);
    const [first, second] = [LANTERN.id, QUARRY.id].map((id) => scene.slack.oauth.answers(authorizeUrl, id));
    const both = await Promise.all([
      show(locally(parts, first ?? ''), cookie),
      show(locally(other, second ?? ''), cookie),
    ]);
    expect(both.map(({ status }) => status).toSorted((one, another) => one - another)).toEqual([200, 400]);
    expect(await parts.store.list()).toHaveLength(1);
  });

  it('for a state that was used for another workspace and comes back with a yes', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    const { authorizeUrl, cookie } = await beginInstall(parts);
    const refusal = await show(locally(parts, scene.slack.oauth.answers(authorizeUrl, STRANGERS.id)), cookie);
    expect(refusal.status).toBe(403);
    const again = await show(locally(parts, scene.slack.oauth.answers(authorizeUrl, LANTERN.id)), cookie);
    expect(again).toMatchObject({ status: 400, text: expect.stringContaining('This link was used before.') });
    expect(await isEmpty(parts)).toBe(true);
  });

  it('for a code that was used, and the installation that it made stays', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    const { authorizeUrl, cookie } = await beginInstall(parts);
    const back = locally(parts, scene.slack.oauth.answers(authorizeUrl, LANTERN.id));
    expect((await show(back, cookie)).status).toBe(200);
    const again = await show(back, cookie);
    expect(again).toMatchObject({ status: 400, text: expect.stringContaining('This link was used before.') });
    expect(asked(scene, 'oauth.v2.access')).toBe(1);
    expect(await parts.store.list()).toEqual([LANTERN.id]);
  });

  it('while Slack is down, and the page says to try again', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    scene.slack.dropNext('oauth.v2.access');
    expect(await installs(scene, parts)).toMatchObject({ status: 503 });
    expect(await isEmpty(parts)).toBe(true);
    expect(await installs(scene, parts)).toMatchObject({ status: 200 });
  });

  it('while Redis is away, and the page does not say that it is installed', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    parts.redis.disconnect();
    const shown = await installs(scene, parts);
    expect(shown).toMatchObject({ status: 503, text: expect.stringContaining('may not be installed') });
    expect(shown.text).not.toContain('is installed in');
  });
});

it('no page shows markup of a workspace or of an address as markup', async () => {
  const scene = await openScene();
  const parts = await scene.process({ allowed: [STRANGERS.id] });
  const shown = await installs(scene, parts, STRANGERS.id);
  expect(shown.text).toContain('installed in &lt;script&gt;alert(1)&lt;/script&gt;');
  expect(shown.text).not.toContain('<script');
  for (const query of ['error=<script>1</script>', 'code=<script>1</script>&state=<script>1</script>']) {
    const { text } = await show(
      `${parts.url}/slack/oauth_redirect?${query}`,
      'slack-app-oauth-state=<script>1',
    );
    expect(text).not.toContain('<script');
  }
});

// The guard "install pages: http links only".
it.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'HTTPS//x', ' https://x'])(
  'a page has a link to http and https only, and none to %s',
  (url) => {
    const page = { title: 't', words: ['w'] };
    expect(renderPage({ ...page, link: { label: 'Go', url } })).not.toContain('<a ');
    expect(renderPage({ ...page, link: { label: 'Go', url: 'https://slack.com/x' } })).toContain(
      '<a href="https:',
    );
  },
);
