import { ORGANIZATION } from '../../people.ts';
import { sendEvent, sendOrgEvent } from '../acting/event.ts';
import type { BotAnswer } from '../bot/door.ts';
import type { World } from '../world.ts';
import { answerUrl } from './authorize-page.ts';

/** What a test does to the installations of the app, and sees of them. */
export interface OAuthHandle {
  /**
   * Somebody answers on Slack's page: with the id of a workspace or of the organization, or `deny`. Gives the address that
   * their browser is sent to.
   */
  answers(authorizeUrl: string, answer: string): string;
  /** How often a refresh gave a token. */
  readonly refreshes: number;
  /** The tokens of a workspace that nobody revoked, and what refreshes them; the newest is the last. */
  tokensOf(teamId: string): readonly { readonly token: string; readonly refreshToken: string | undefined }[];
  /** The app is removed from a workspace: its tokens are revoked, and the bot hears of it where it is subscribed. */
  uninstall(teamId: string): Promise<readonly BotAnswer[]>;
  /** The organization's admin adds the app to these workspaces; `isTold`: whether the bot hears of it. */
  grants(teamIds: readonly string[], isTold?: boolean): Promise<void>;
  /** They remove it from these. */
  revokes(teamIds: readonly string[], isTold?: boolean): Promise<void>;
  /** The bot hears of such an event that is about what was so before. */
  tellsAgain(type: 'team_access_granted' | 'team_access_revoked', teamIds: readonly string[]): Promise<void>;
  /** Somebody takes back what they allowed the app for themselves, and the bot hears of it. */
  revokeOwn(teamId: string, userId: string): Promise<void>;
}

export function createOAuthHandle(world: World): OAuthHandle {
  const { installs } = world;
  return {
    answers: (authorizeUrl, answer) => answerUrl(installs, authorizeUrl, answer),
    get refreshes() {
      return installs.refreshed.length;
    },
    tokensOf: (teamId) => installs.grantsIn(teamId),
    grants: async (teamIds, isTold = true) => {
      for (const teamId of teamIds) installs.granted.add(teamId);
      if (isTold) await sendOrgEvent(world, { type: 'team_access_granted', team_ids: teamIds });
    },
    revokes: async (teamIds, isTold = true) => {
      for (const teamId of teamIds) installs.granted.delete(teamId);
      if (isTold) await sendOrgEvent(world, { type: 'team_access_revoked', team_ids: teamIds });
    },
    tellsAgain: async (type, teamIds) => {
      await sendOrgEvent(world, { type, team_ids: teamIds });
    },
    revokeOwn: async (teamId, userId) => {
      const tokens = { oauth: [userId], bot: [] };
      await sendEvent(world, { type: 'tokens_revoked', tokens }, undefined, teamId);
    },
    uninstall: async (teamId) => {
      installs.remove(teamId);
      const revoked = { oauth: [], bot: [installs.botUserIn(teamId)] };
      const events = [{ type: 'app_uninstalled' }, { type: 'tokens_revoked', tokens: revoked }];
      const answers: BotAnswer[] = [];
      for (const event of events) {
        const answer = await (teamId === ORGANIZATION.id
          ? sendOrgEvent(world, event)
          : sendEvent(world, event, undefined, teamId));
        if (answer) answers.push(answer);
      }
      return answers;
    },
  };
}
