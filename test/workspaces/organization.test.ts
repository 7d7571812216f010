import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ORGANIZATION } from '../../sandbox/people.ts';
import type { SlackDouble } from '../../sandbox/slack/index.ts';
import { workspaceKeys } from '../../src/core/workspaces/installation.ts';
import { powerCalls } from '../support/sandbox.ts';
import { answerTo, restarted } from './asked.ts';
import { LANTERN, QUARRY } from './scene.ts';
import { playTwoWorkspaces, type TwoWorkspaces } from './two-workspaces.ts';

const NOT_INSTALLED = "I'm not installed in this workspace";

/** A bot that may be installed in an organization, of which both workspaces are. */
function playOrganization(teams: readonly string[] = [ORGANIZATION.id]): Promise<TwoWorkspaces> {
  return playTwoWorkspaces({
    isRefused: true,
    slack: { inOrganization: true },
    env: { SLACK_TEAMS: teams.join(',') },
  });
}

function keysOf({ sandbox }: TwoWorkspaces): (team: string) => Promise<string[]> {
  const redis = new Redis(sandbox.redisUrl);
  onTestFinished(() => redis.disconnect());
  return (team) => redis.keys(`{lamplighter}:@${team}:*`);
}

const restarts = async (slack: SlackDouble, name: string): Promise<void> => {
  await slack.person('ana').types('#ops', `/instances restart ${name}`);
  await slack.until(() => restarted(slack));
};

describe('the bot in a whole organization', () => {
  it('works in the workspaces that its admin adds it to, each for itself, and in no other', async () => {
    const playing = await playOrganization();
    const { sandbox, lantern, quarry, installs } = playing;
    const page = await installs(ORGANIZATION.id);
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('installed in Lantern Group') });
    expect(page.text).toContain('An admin of the organization adds it to workspaces in Slack.');
    expect(await answerTo(lantern, '/instances')).toContain(NOT_INSTALLED);
    await lantern.oauth.grants([LANTERN.id]);
    await restarts(lantern, 'web-1');
    expect(await answerTo(quarry, '/instances')).toContain(NOT_INSTALLED);
    await lantern.oauth.grants([QUARRY.id]);
    await restarts(quarry, 'web-2');
    await answerTo(lantern, '/instances save crew-9 = name:web-*');
    expect(await answerTo(quarry, '/instances favorites')).not.toContain('crew-9');
    for (const slack of [lantern, quarry]) {
      await slack.person('ana').opensHome();
      await slack.until(() => slack.person('ana').home && true);
    }
    expect(powerCalls(sandbox)).toBe(2);
    // Slack asks a token of an organization which workspace is meant.
    expect(lantern.refusals.map(({ answer }) => answer)).toEqual([]);
    expect(quarry.refusals.map(({ answer }) => answer)).toEqual([]);
  });

  it('answers somebody of another workspace of it by what they used, and its doctor finds the token right', async () => {
    const { lantern, installs } = await playOrganization();
    await installs(ORGANIZATION.id);
    await lantern.oauth.grants([LANTERN.id]);
    await restarts(lantern, 'web-1');
    const card = lantern.channel('#ops').messages.find(({ bot_id }) => bot_id !== undefined);
    if (!card) throw new Error('no card');
    lantern.channel('#ops').add('grace');
    await lantern.person('grace').usesShortcut('instances.act', card);
    await lantern.until(() => lantern.channel('#ops').ephemeralFor('grace')[0]);
    await lantern.person('admin').types('#ops', '/lamplighter doctor');
    const said = await lantern.until(() =>
      lantern
        .channel('#ops')
        .ephemeralFor('admin')
        .map((one) => lantern.read(one))
        .find((text) => text.includes('The Slack token')),
    );
    expect(said).toContain('The Slack token works: I am lamplighter in Lantern Group.');
  });

  it('taken away from a workspace, it erases what it kept there, and goes on in the other', async () => {
    const playing = await playOrganization();
    const { lantern, quarry, installs } = playing;
    const keys = keysOf(playing);
    await installs(ORGANIZATION.id);
    await lantern.oauth.grants([LANTERN.id, QUARRY.id]);
    await answerTo(lantern, '/instances save crew-9 = name:web-*');
    await answerTo(quarry, '/instances save crew-8 = name:web-*');
    await lantern.oauth.revokes([LANTERN.id]);
    await expect.poll(() => keys(LANTERN.id)).toEqual([]);
    expect(await answerTo(lantern, '/instances')).toContain(NOT_INSTALLED);
    expect(await answerTo(quarry, '/instances favorites')).toContain('crew-8');
    expect(lantern.oauth.tokensOf(ORGANIZATION.id)).toHaveLength(1);
    await lantern.oauth.grants([LANTERN.id]);
    expect(await answerTo(lantern, '/instances favorites')).toContain('There are no favorites yet');
    // What Slack says late of before is not what it lists now.
    await answerTo(lantern, '/instances save crew-7 = name:web-*');
    await lantern.oauth.tellsAgain('team_access_revoked', [LANTERN.id]);
    expect(await answerTo(lantern, '/instances favorites')).toContain('crew-7');
  });

  it("a workspace's own installation counts first, and what it kept stays where the organization's counts again", async () => {
    const playing = await playOrganization([ORGANIZATION.id, LANTERN.id]);
    const { sandbox, lantern, installs, uninstalls } = playing;
    await installs(ORGANIZATION.id);
    await lantern.oauth.grants([LANTERN.id]);
    await answerTo(lantern, '/instances save crew-9 = name:web-*');
    await installs(LANTERN.id);
    const before = lantern.calls.length;
    expect(await answerTo(lantern, '/instances favorites')).toContain('crew-9');
    await restarts(lantern, 'web-1');
    expect(lantern.calls.slice(before).map(({ method }) => method)).toContain('chat.postMessage');
    await uninstalls(LANTERN.id);
    expect(await answerTo(lantern, '/instances favorites')).toContain('crew-9');
    const redis = new Redis(sandbox.redisUrl);
    onTestFinished(() => redis.disconnect());
    expect(await redis.zrange(workspaceKeys.leaving, '0', '-1')).toEqual([]);
  });

  it('removed from it, it erases what it kept in each of its workspaces', async () => {
    const playing = await playOrganization();
    const { lantern, quarry, installs, uninstalls } = playing;
    const keys = keysOf(playing);
    await installs(ORGANIZATION.id);
    await lantern.oauth.grants([LANTERN.id, QUARRY.id]);
    for (const slack of [lantern, quarry]) await answerTo(slack, '/instances save crew-9 = name:web-*');
    await uninstalls(ORGANIZATION.id);
    for (const { id } of [LANTERN, QUARRY]) await expect.poll(() => keys(id)).toEqual([]);
    expect(await answerTo(quarry, '/instances')).toContain(NOT_INSTALLED);
  });
});
