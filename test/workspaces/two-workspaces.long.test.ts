import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { workspaceKeys } from '../../src/core/workspaces/installation.ts';
import { powerCalls } from '../support/sandbox.ts';
import { answerTo, readAll, restarted } from './asked.ts';
import { CLIENT, LANTERN, QUARRY } from './scene.ts';
import { playTwoWorkspaces } from './two-workspaces.ts';

describe('the bot in two workspaces', () => {
  it('works in each once it is installed there, and says before that it is not', async () => {
    const { sandbox, lantern, quarry, installs } = await playTwoWorkspaces();
    expect(await answerTo(lantern, '/instances')).toContain("I'm not installed in this workspace");
    expect(await installs(LANTERN.id)).toMatchObject({ status: 200 });
    await lantern.person('ana').types('#ops', '/instances restart web-1');
    await lantern.until(() => restarted(lantern));
    expect(await answerTo(quarry, '/instances')).toContain("I'm not installed in this workspace");
    expect(await installs(QUARRY.id)).toMatchObject({ status: 200 });
    await quarry.person('ana').types('#ops', '/instances restart web-2');
    await quarry.until(() => restarted(quarry));
    for (const slack of [lantern, quarry]) {
      await slack.person('admin').types('#ops', '/lamplighter doctor');
      const said = await slack.until(() =>
        slack
          .channel('#ops')
          .ephemeralFor('admin')
          .map((one) => slack.read(one))
          .find((text) => text.includes('The Slack token')),
      );
      expect(said).toMatch(/✅ The Slack token works/);
      await slack.person('ana').opensHome();
      await slack.until(() => slack.person('ana').home && true);
    }
    expect(readAll(lantern).join('\n')).not.toContain('web-2');
    expect(readAll(quarry).join('\n')).not.toContain('web-1');
    expect(powerCalls(sandbox)).toBe(2);
  });

  // Tokens that live a moment, so that several end while one restart goes on.
  it('of which one alone may install it, with tokens that end: it goes on with new ones', async () => {
    const { lantern, installs } = await playTwoWorkspaces({
      isRefused: true,
      hosting: { powerMs: 2_000 },
      slack: { oauth: { ...CLIENT, tokensLiveMs: 400 } },
      env: { SLACK_TEAMS: LANTERN.id },
    });
    await installs(LANTERN.id);
    await lantern.person('ana').types('#ops', '/instances restart web-1');
    await lantern.until(() => restarted(lantern));
    expect(lantern.oauth.refreshes).toBeGreaterThan(1);
    expect(await installs(QUARRY.id)).toMatchObject({ status: 403 });
  });

  it('keeps what one workspace sets apart from the other, with the same people and channels', async () => {
    const { sandbox, lantern, quarry, installs } = await playTwoWorkspaces();
    await Promise.all([installs(LANTERN.id), installs(QUARRY.id)]);
    for (const line of [
      '/instances save crew-9 = name:web-*',
      '/lamplighter access grant viewer @guest',
      '/lamplighter freeze on db-* "an audit"',
      '/instances watch name:web-*',
    ])
      await answerTo(lantern, line, 'admin');
    for (const [line, words] of [
      ['/instances favorites', /crew-9/],
      ['/lamplighter access', /guest/],
      ['/instances db-1', /an audit/],
      ['/instances watches', /name:web-\*/],
    ] as const) {
      expect(await answerTo(lantern, line, 'admin')).toMatch(words);
      expect(await answerTo(quarry, line, 'admin')).not.toMatch(words);
    }
    const redis = new Redis(sandbox.redisUrl);
    const keys = await redis.keys('*');
    redis.disconnect();
    const shared =
      /^\{lamplighter\}:(budget|instances|workspaces|workspace|owner|clock|sweeper|redis|queue:jobs:(?!T)|queue:jobs:T0(LANTERN|QUARRY)\d+\/):?/;
    expect(
      keys.filter((key) => !/^\{lamplighter\}:@T0(LANTERN|QUARRY)/.test(key) && !shared.test(key)),
    ).toEqual([]);
  });

  // The guard "tokens_revoked of users alone".
  it('stays where somebody takes back their own token, also while Slack can not be asked', async () => {
    const { sandbox, lantern, installs } = await playTwoWorkspaces({ isRefused: true });
    await installs(LANTERN.id);
    await answerTo(lantern, '/instances save crew-9 = name:web-*');
    lantern.failNext('auth.test', { status: 503 });
    await lantern.oauth.revokeOwn(LANTERN.id, 'U0ANA000001');
    expect(await answerTo(lantern, '/instances favorites')).toContain('crew-9');
    const redis = new Redis(sandbox.redisUrl);
    expect(await redis.hkeys('{lamplighter}:workspaces')).toEqual([LANTERN.id]);
    redis.disconnect();
  });

  it('removed from one, it erases what it kept there, and goes on in the other', async () => {
    const { sandbox, lantern, quarry, installs, uninstalls } = await playTwoWorkspaces({ isRefused: true });
    await Promise.all([installs(LANTERN.id), installs(QUARRY.id)]);
    await answerTo(lantern, '/instances save crew-9 = name:web-*');
    await answerTo(quarry, '/instances save crew-8 = name:web-*');
    for (const typing of [lantern, quarry]) await answerTo(typing, '/instances watch name:web-*', 'admin');
    const redis = new Redis(sandbox.redisUrl);
    const keysOf = async (team: string): Promise<string[]> => [
      ...(await redis.keys(`{lamplighter}:@${team}:*`)),
      ...(await redis.keys(`{lamplighter}:queue:jobs:${team}/*`)),
    ];
    for (const { id } of [LANTERN, QUARRY])
      await expect.poll(() => keysOf(id).then(String)).toContain(`queue:jobs:${id}/`);
    await uninstalls(LANTERN.id);
    await expect.poll(() => keysOf(LANTERN.id), { timeout: 20_000 }).toEqual([]);
    expect(await redis.hkeys('{lamplighter}:workspaces')).toEqual([QUARRY.id]);
    redis.disconnect();
    expect(await answerTo(lantern, '/instances')).toContain("I'm not installed in this workspace");
    expect(await answerTo(quarry, '/instances favorites')).toContain('crew-8');
    await installs(LANTERN.id);
    expect(await answerTo(lantern, '/instances favorites')).toContain('There are no favorites yet');
  });

  it('erases what another process was killed before it could erase, and nothing for a list that was lost', async () => {
    const { sandbox, lantern, quarry, installs, startBot } = await playTwoWorkspaces();
    await Promise.all([installs(LANTERN.id), installs(QUARRY.id)]);
    await answerTo(lantern, '/instances save crew-9 = name:web-*');
    await answerTo(quarry, '/instances save crew-8 = name:web-*');
    await sandbox.stopBots();
    const redis = new Redis(sandbox.redisUrl);
    onTestFinished(() => redis.disconnect());
    const favorites = (team: string): Promise<string[]> => redis.keys(`{lamplighter}:@${team}:*favorites`);
    await redis.del(workspaceKeys.installations);
    await redis.zadd(workspaceKeys.leaving, Date.now(), LANTERN.id);
    await startBot();
    expect(await favorites(LANTERN.id)).toEqual([]);
    expect(await favorites(QUARRY.id)).toHaveLength(1);
    await installs(QUARRY.id);
    expect(await answerTo(quarry, '/instances favorites')).toContain('crew-8');
  });

  it('says that it can not tell where what is kept of an installation can not be read', async () => {
    const { sandbox, lantern, installs } = await playTwoWorkspaces();
    const redis = new Redis(sandbox.redisUrl);
    onTestFinished(() => redis.disconnect());
    await redis.hset(workspaceKeys.installations, LANTERN.id, 'not what was written');
    expect(await answerTo(lantern, '/instances')).toContain("I can't tell right now whether I'm installed");
    await installs(LANTERN.id);
    expect(await answerTo(lantern, '/instances')).toContain('instances:');
  });
});
