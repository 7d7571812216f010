import { describe, expect, it } from 'vitest';
import { workspaceKeys } from '../../src/core/workspaces/installation.ts';
import { createTokenRefresh } from '../../src/core/workspaces/token-refresh.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { takeLock } from '../../src/platform/redis/lock.ts';
import {
  type BotParts,
  HOUR_MS,
  installs,
  LANTERN,
  newestToken,
  openScene,
  QUARRY,
  type Scene,
  TOKENS_LIVE_MS,
} from './scene.ts';

/** How long before its end a token is refreshed, and a little more. */
const ALMOST_ALL_MS = TOKENS_LIVE_MS - HOUR_MS;
const TEAM = LANTERN.id;

/** Processes of a bot that was just installed, with tokens that expire. */
async function openInstalled(count: number): Promise<{ scene: Scene; processes: BotParts[]; first: string }> {
  const scene = await openScene({ tokensLiveMs: TOKENS_LIVE_MS });
  const processes = await Promise.all(Array.from({ length: count }, () => scene.process()));
  await installs(scene, partsOf(processes, 0));
  return { scene, processes, first: newestToken(scene) };
}

function partsOf(processes: readonly BotParts[], index: number): BotParts {
  const parts = processes[index];
  if (!parts) throw new Error(`no process ${index}`);
  return parts;
}

const drain = async (processes: readonly BotParts[]): Promise<unknown> =>
  Promise.all(processes.map(({ tokens }) => tokens.drain()));
const tries = ({ slack }: Scene): number =>
  slack.calls.filter(({ method, args }) => method === 'oauth.v2.access' && 'refresh_token' in args).length;
/** The pause after a failed try ends. */
const unlock = ({ redis }: BotParts): Promise<number> => redis.del(workspaceKeys.refresh(TEAM));

describe('a token', () => {
  it('that lives on is used without asking Slack or Redis', async () => {
    const { scene, processes, first } = await openInstalled(1);
    const { tokens, redis } = partsOf(processes, 0);
    expect(await tokens.of(TEAM)).toBe(first);
    redis.disconnect();
    expect(await tokens.of(TEAM)).toBe(first);
    expect(tries(scene)).toBe(0);
  });

  it('of an app without token rotation is never refreshed', async () => {
    const scene = await openScene();
    const parts = await scene.process();
    await installs(scene, parts);
    scene.pass(1_000 * HOUR_MS);
    expect(await parts.tokens.of(TEAM)).toBe(newestToken(scene));
    expect(tries(scene)).toBe(0);
  });

  it('that ends soon is refreshed once, by twenty requests at once in five processes, which use it meanwhile', async () => {
    const { scene, processes, first } = await openInstalled(5);
    scene.pass(ALMOST_ALL_MS);
    const asking = processes.flatMap(({ tokens }) => [1, 2, 3, 4].map(() => tokens.of(TEAM)));
    expect(new Set(await Promise.all(asking))).toEqual(new Set([first]));
    await drain(processes);
    expect([scene.slack.oauth.refreshes, tries(scene)]).toEqual([1, 1]);
    const next = newestToken(scene);
    expect(next).not.toBe(first);
    for (const { tokens } of processes) expect(await tokens.of(TEAM)).toBe(next);
    expect(tries(scene)).toBe(1);
  });

  it('that has ended is refreshed once, by twenty requests at once in five processes, which wait for the next', async () => {
    const { scene, processes, first } = await openInstalled(5);
    scene.pass(TOKENS_LIVE_MS);
    const asking = processes.flatMap(({ tokens }) => [1, 2, 3, 4].map(() => tokens.of(TEAM)));
    const given = new Set(await Promise.all(asking));
    expect(given).toEqual(new Set([newestToken(scene)]));
    expect(given).not.toContain(first);
    expect([scene.slack.oauth.refreshes, tries(scene)]).toEqual([1, 1]);
  });

  it('is refreshed again and again, each time with what the last refresh gave', async () => {
    const { scene, processes } = await openInstalled(2);
    for (let round = 0; round < 10; round++) {
      scene.pass(TOKENS_LIVE_MS);
      expect(await partsOf(processes, round % 2).tokens.of(TEAM)).toBe(newestToken(scene));
    }
    expect([scene.slack.oauth.refreshes, tries(scene)]).toEqual([10, 10]);
  });

  it('of one workspace is not held up by the refresh of another', async () => {
    const { scene, processes } = await openInstalled(1);
    const parts = partsOf(processes, 0);
    await installs(scene, parts, QUARRY.id);
    scene.pass(TOKENS_LIVE_MS);
    const held = scene.slack.hold('oauth.v2.access');
    const waiting = parts.tokens.of(TEAM);
    await held.arrived;
    expect(await parts.tokens.of(QUARRY.id)).toBe(newestToken(scene, QUARRY.id));
    held.release();
    expect(await waiting).toBe(newestToken(scene));
  });
});

describe('while a refresh is not to be had', () => {
  it('for trouble on the way to Slack, the old token is used, and Slack is asked again later', async () => {
    const { scene, processes, first } = await openInstalled(2);
    scene.pass(ALMOST_ALL_MS);
    scene.slack.dropNext('oauth.v2.access');
    for (const { tokens } of processes) expect(await tokens.of(TEAM)).toBe(first);
    await drain(processes);
    // Until the pause is over nobody asks again.
    for (const { tokens } of processes) expect(await tokens.of(TEAM)).toBe(first);
    await drain(processes);
    expect(tries(scene)).toBe(1);
    await unlock(partsOf(processes, 0));
    expect(await partsOf(processes, 1).tokens.of(TEAM)).toBe(first);
    await drain(processes);
    expect(await partsOf(processes, 1).tokens.of(TEAM)).toBe(newestToken(scene));
    expect(scene.slack.oauth.refreshes).toBe(1);
    expect(partsOf(processes, 0).tokens.faults().size).toBe(0);
  });

  it('for a wrong client secret, no workspace is given up', async () => {
    const { scene, processes, first } = await openInstalled(1);
    const wrong = await scene.process({ clientSecret: 'not-the-client-secret' });
    scene.pass(ALMOST_ALL_MS);
    expect(await wrong.tokens.of(TEAM)).toBe(first);
    await wrong.tokens.drain();
    expect(wrong.tokens.faults().size).toBe(0);
    expect(wrong.lines.join('')).toContain('bad_client_secret');
    await unlock(wrong);
    const { tokens } = partsOf(processes, 0);
    scene.pass(HOUR_MS);
    expect(await tokens.of(TEAM)).toBe(newestToken(scene));
  });

  it('and the token has ended, a call is asked to come back, and nothing is given up', async () => {
    const { scene, processes } = await openInstalled(1);
    const { tokens, redis } = partsOf(processes, 0);
    scene.pass(TOKENS_LIVE_MS);
    await takeLock(redis, workspaceKeys.refresh(TEAM), 'somebody', 60_000);
    await expect(tokens.of(TEAM)).rejects.toMatchObject({
      code: 'token_pending',
      outcome: 'not-done',
      dead: false,
    });
    await unlock(partsOf(processes, 0));
    expect(await tokens.of(TEAM)).toBe(newestToken(scene));
  });

  it('because Redis is away, the token in memory is used for as long as it lives', async () => {
    const { scene, processes, first } = await openInstalled(1);
    const { tokens, redis } = partsOf(processes, 0);
    expect(await tokens.of(TEAM)).toBe(first);
    redis.disconnect();
    scene.pass(ALMOST_ALL_MS);
    expect(await tokens.of(TEAM)).toBe(first);
    await tokens.drain();
    scene.pass(HOUR_MS);
    await expect(tokens.of(TEAM)).rejects.toMatchObject({ code: 'token_pending' });
    expect(tries(scene)).toBe(0);
  });
});

describe('a process that ends after Slack answered and before the new token is written', () => {
  /** What is left then: a refresh token that was used up, and a lock that nobody gives back. */
  async function endsHalfway(scene: Scene, parts: BotParts): Promise<void> {
    const found = await parts.store.find(TEAM);
    await takeLock(parts.redis, workspaceKeys.refresh(TEAM), 'a process that is gone', 60_000);
    await parts.oauth.refresh(found?.rotation?.refreshToken ?? '');
    expect(scene.slack.oauth.refreshes).toBe(1);
  }

  it('leaves the old token, which all use until its end; then the workspace is gone until it is installed again', async () => {
    const { scene, processes, first } = await openInstalled(2);
    const [one, other] = [partsOf(processes, 0), partsOf(processes, 1)];
    scene.pass(ALMOST_ALL_MS);
    await endsHalfway(scene, one);
    expect(await other.tokens.of(TEAM)).toBe(first);
    await other.tokens.drain();
    expect(tries(scene)).toBe(1);
    // The lock ends, and the next process learns that the refresh token is used up.
    await unlock(one);
    expect(await other.tokens.of(TEAM)).toBe(first);
    await other.tokens.drain();
    expect([...other.tokens.faults()]).toEqual([[TEAM, 'invalid_refresh_token']]);
    expect(other.lines.join('')).toContain('has to be installed again');
    expect(await one.tokens.of(TEAM)).toBe(first);
    expect(await one.oauth.isRevoked(first)).toBe(false);
    scene.pass(HOUR_MS);
    for (const { tokens } of processes)
      await expect(tokens.of(TEAM)).rejects.toMatchObject({ code: 'token_expired', outcome: 'not-done' });
    expect(tries(scene)).toBe(2);
    await installs(scene, one);
    expect(await one.tokens.of(TEAM)).toBe(newestToken(scene));
    expect(one.tokens.faults().size).toBe(0);
    other.tokens.forget(TEAM);
    expect(await other.tokens.of(TEAM)).toBe(newestToken(scene));
  });

  it('while somebody installs the bot again does not undo that', async () => {
    const { scene, processes } = await openInstalled(2);
    const [one, other] = [partsOf(processes, 0), partsOf(processes, 1)];
    scene.pass(ALMOST_ALL_MS);
    const held = scene.slack.hold('oauth.v2.access', { when: 'after' });
    await one.tokens.of(TEAM);
    await held.arrived;
    await installs(scene, other);
    const installed = newestToken(scene);
    held.release();
    await one.tokens.drain();
    for (const { tokens } of processes) expect(await tokens.of(TEAM)).toBe(installed);
  });
});

it('a new token that Redis does not take at first is written once Redis is back', async () => {
  const { scene, processes } = await openInstalled(2);
  const { redis, oauth, store } = partsOf(processes, 0);
  let isAway = true;
  const change: typeof store.change = async (teamId, step) => {
    if (!isAway) return store.change(teamId, step);
    isAway = false;
    throw new Error('Connection is closed.');
  };
  const log = createLog('silent', []);
  const refresh = createTokenRefresh({
    store: { ...store, change },
    redis,
    oauth,
    now: scene.now,
    lockMs: 60_000,
    log,
  });
  await refresh(TEAM, () => true);
  expect((await store.find(TEAM))?.token).toBe(newestToken(scene));
  expect(await partsOf(processes, 1).tokens.of(TEAM)).toBe(newestToken(scene));
  expect(scene.slack.oauth.refreshes).toBe(1);
});

it('a workspace without the bot has no token', async () => {
  const scene = await openScene();
  const { tokens } = await scene.process();
  await expect(tokens.of(TEAM)).rejects.toMatchObject({ code: 'account_inactive', outcome: 'not-done' });
  expect(tokens.faults().size).toBe(0);
});

// The guard "refresh: a token of another workspace".
it('a refresh that gives the token of another workspace changes nothing, and is said', async () => {
  const { scene, processes, first } = await openInstalled(1);
  const { store, redis } = partsOf(processes, 0);
  const lines: string[] = [];
  const refresh = createTokenRefresh({
    store,
    redis,
    oauth: {
      refresh: async () => ({
        token: 'xoxb-quarry',
        refreshToken: 'xoxe-q',
        livesMs: HOUR_MS,
        of: QUARRY.id,
      }),
    },
    now: scene.now,
    log: createLog('error', [], { write: (line) => void lines.push(line) }),
  });
  expect(await refresh(TEAM, () => true)).toBeUndefined();
  expect((await store.find(TEAM))?.token).toBe(first);
  expect(lines.join('')).toContain('a refresh gave the token of another workspace, which is not used');
});
