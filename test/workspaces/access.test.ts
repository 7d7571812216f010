import { describe, expect, it } from 'vitest';
import { ORGANIZATION } from '../../sandbox/people.ts';
import { workspaceKeys } from '../../src/core/workspaces/installation.ts';
import { DAY_MS } from '../../src/platform/time/duration.ts';
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

const ORG = ORGANIZATION.id;
const allowed = [ORG, LANTERN.id];

/** A bot that is installed in an organization, of whose workspaces these were added. */
async function openOrganization(
  granted: readonly string[],
  options: Parameters<typeof openScene>[0] = {},
): Promise<{ scene: Scene; parts: BotParts }> {
  const scene = await openScene(options);
  const parts = await scene.process({ allowed });
  await installs(scene, parts, ORG);
  await scene.slack.oauth.grants(granted);
  await parts.access.ask(ORG);
  return { scene, parts };
}

const leaving = async ({ store }: BotParts): Promise<readonly string[]> =>
  (await store.listLeaving()).map(({ teamId }) => teamId);
/** Slack has left it out of its list for so long. */
const backdate = async ({ redis }: BotParts, teamId: string, ms: number): Promise<void> => {
  const grant = { enterpriseId: ORG, missingSince: Date.now() - ms };
  await redis.hset(workspaceKeys.granted, teamId, JSON.stringify(grant));
};

describe("an organization's installation", () => {
  it('counts in the workspaces that Slack lists, all pages of them', async () => {
    const many = Array.from({ length: 1_200 }, (_, index) => `T0MANY${index}`);
    const { scene, parts } = await openOrganization([LANTERN.id, ...many]);
    expect(await parts.store.list()).toHaveLength(1_201);
    expect(await parts.tokens.of(LANTERN.id)).toBe(newestToken(scene, ORG));
    expect(await parts.tokens.of(QUARRY.id).catch(String)).toContain('account_inactive');
  });

  it('of a list that breaks off changes nothing', async () => {
    const { scene, parts } = await openOrganization([LANTERN.id]);
    scene.slack.failNext('auth.teams.list', { body: { ok: true, teams: 'no list' } });
    await expect(parts.access.ask(ORG, [LANTERN.id])).rejects.toThrow('unreadable');
    scene.slack.failNext('auth.teams.list', { error: 'fatal_error' });
    await expect(parts.access.ask(ORG, [LANTERN.id])).rejects.toThrow('fatal_error');
    expect(await parts.store.list()).toEqual([LANTERN.id]);
  });

  it('is asked for once a minute by all processes together', async () => {
    const { scene, parts } = await openOrganization([LANTERN.id]);
    const other = await scene.process({ allowed });
    expect([await parts.access.due(), await other.access.due(), await parts.access.due()]).toEqual([
      [ORG],
      [],
      [],
    ]);
  });

  // What a wrong list would erase doesn't come back.
  it('counts not where Slack leaves a workspace out, whose things stay for a day or until Slack says that it was taken away', async () => {
    const { scene, parts } = await openOrganization([LANTERN.id, QUARRY.id]);
    await scene.slack.oauth.revokes([LANTERN.id, QUARRY.id]);
    await parts.access.ask(ORG);
    expect([await parts.store.list(), await leaving(parts)]).toEqual([[], []]);
    await parts.access.ask(ORG, [QUARRY.id]);
    expect(await leaving(parts)).toEqual([QUARRY.id]);
    await backdate(parts, LANTERN.id, DAY_MS - HOUR_MS);
    await parts.access.ask(ORG);
    expect(await leaving(parts)).toEqual([QUARRY.id]);
    await backdate(parts, LANTERN.id, DAY_MS + HOUR_MS);
    await parts.access.ask(ORG);
    expect((await leaving(parts)).toSorted()).toEqual([LANTERN.id, QUARRY.id]);
    await scene.slack.oauth.grants([LANTERN.id]);
    await parts.access.ask(ORG);
    expect([await parts.store.list(), await leaving(parts)]).toEqual([[LANTERN.id], [QUARRY.id]]);
  });

  it('has one token for all of its workspaces, which is refreshed once', async () => {
    const { scene, parts } = await openOrganization([LANTERN.id, QUARRY.id], {
      tokensLiveMs: TOKENS_LIVE_MS,
    });
    const first = newestToken(scene, ORG);
    const asking = (): Promise<string[]> =>
      Promise.all([LANTERN.id, QUARRY.id, ORG].map((id) => parts.tokens.of(id)));
    expect(await asking()).toEqual([first, first, first]);
    scene.pass(TOKENS_LIVE_MS);
    const next = await asking();
    expect(next).toEqual(next.map(() => newestToken(scene, ORG)));
    expect(next[0]).not.toBe(first);
    expect(scene.slack.oauth.refreshes).toBe(1);
  });

  it('is not erased where Slack says so of one of its workspaces, whatever it says of the token', async () => {
    const { scene, parts } = await openOrganization([LANTERN.id]);
    const later = (): number => scene.now() + HOUR_MS;
    scene.slack.failNext('auth.test', { error: 'token_expired' });
    expect(await parts.erased(LANTERN.id, later())).toBe(false);
    await scene.slack.oauth.uninstall(ORG);
    expect(await parts.erased(LANTERN.id, later())).toBe(false);
    expect(await parts.store.list()).toEqual([LANTERN.id]);
    expect(await parts.erased(ORG, later())).toBe(false);
    expect(await parts.erased(ORG, later())).toBe(true);
    expect([await parts.store.organizations(), await leaving(parts)]).toEqual([[], [LANTERN.id]]);
  });
});
