import { describe, expect, it } from 'vitest';
import { eraseKeys } from '../../src/platform/redis/connection.ts';
import { workspaceKeys } from '../../src/core/workspaces/installation.ts';
import { installs, LANTERN, newestToken, OLD_KEY, openScene, QUARRY, TOKENS_LIVE_MS } from './scene.ts';

const MINUTE_MS = 60_000;

describe('an uninstall', () => {
  it('erases the installation, whose token is used by nobody after it', async () => {
    const scene = await openScene({ tokensLiveMs: TOKENS_LIVE_MS });
    const parts = await scene.process();
    for (const { id } of [LANTERN, QUARRY]) await installs(scene, parts, id);
    await parts.tokens.of(LANTERN.id);
    scene.pass(MINUTE_MS);
    await scene.slack.oauth.uninstall(LANTERN.id);
    expect(await parts.erased(LANTERN.id, scene.now())).toBe(true);
    expect(await parts.store.list()).toEqual([QUARRY.id]);
    await expect(parts.tokens.of(LANTERN.id)).rejects.toThrow('account_inactive');
    expect(await parts.tokens.of(QUARRY.id)).toBe(newestToken(scene, QUARRY.id));
    expect(await parts.erased(LANTERN.id, scene.now())).toBe(false);
  });

  it('of which Slack tells late does not erase what was installed after it', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    await installs(scene, parts);
    await scene.slack.oauth.uninstall(LANTERN.id);
    const at = scene.now();
    scene.pass(MINUTE_MS);
    await installs(scene, parts);
    scene.slack.failNext('auth.test', { error: 'token_revoked' });
    expect(await parts.erased(LANTERN.id, at)).toBe(false);
    expect(await parts.tokens.of(LANTERN.id)).toBe(newestToken(scene));
  });

  it('is not made of the end of an older token while Slack takes the one in use, or says only that it ended', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    await installs(scene, parts);
    scene.pass(MINUTE_MS);
    expect(await parts.erased(LANTERN.id, scene.now())).toBe(false);
    scene.slack.failNext('auth.test', { error: 'token_expired' });
    expect(await parts.erased(LANTERN.id, scene.now())).toBe(false);
    expect(await parts.store.list()).toEqual([LANTERN.id]);
  });

  it('erases while Slack can not be asked, and what can not be decrypted', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    const before = await scene.process({ keys: OLD_KEY });
    await installs(scene, before, LANTERN.id);
    await installs(scene, parts, QUARRY.id);
    scene.pass(MINUTE_MS);
    scene.slack.dropNext('auth.test');
    expect(await parts.erased(QUARRY.id, scene.now())).toBe(true);
    expect(await parts.erased(LANTERN.id, scene.now())).toBe(true);
    // What else is kept of them is to be erased.
    const left = (await parts.redis.keys('*')).filter((name) => !name.startsWith(workspaceKeys.consent('')));
    expect(left).toEqual([workspaceKeys.leaving]);
  });

  it('erases nothing more once the bot is installed again', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    await installs(scene, parts);
    await scene.slack.oauth.uninstall(LANTERN.id);
    scene.pass(MINUTE_MS);
    expect(await parts.erased(LANTERN.id, scene.now())).toBe(true);
    const erase = (keys: readonly string[]): Promise<boolean> => parts.store.erase(LANTERN.id, keys);
    await parts.redis.mset('own:1', 'old', 'other:1', 'stays');
    await eraseKeys(parts.redis, 'own:', erase);
    expect(await parts.redis.mget('own:1', 'other:1')).toEqual([null, 'stays']);
    await parts.redis.set('own:1', 'old');
    await eraseKeys(parts.redis, 'own:', async (keys) => {
      await installs(scene, parts);
      await parts.redis.set('own:1', 'new');
      return erase(keys);
    });
    expect(await parts.redis.get('own:1')).toBe('new');
  });

  it('during a refresh does not bring the installation back', async () => {
    const scene = await openScene({ tokensLiveMs: TOKENS_LIVE_MS });
    const parts = await scene.process();
    await installs(scene, parts);
    scene.pass(TOKENS_LIVE_MS - MINUTE_MS);
    const held = scene.slack.hold('oauth.v2.access', { when: 'after' });
    await parts.tokens.of(LANTERN.id);
    await held.arrived;
    await scene.slack.oauth.uninstall(LANTERN.id);
    expect(await parts.erased(LANTERN.id, scene.now())).toBe(true);
    held.release();
    await parts.tokens.drain();
    expect(await parts.store.list()).toEqual([]);
    await expect(parts.tokens.of(LANTERN.id)).rejects.toThrow('account_inactive');
  });
});
