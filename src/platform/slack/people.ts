import { setTimeout as wait } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { slackErrorOf } from './errors.ts';
import type { Identity, Workspace } from './identity.ts';

/** What Slack says a person is, seen from our own workspace. */
export type Standing = 'member' | 'guest' | 'external' | 'bot' | 'deactivated';

/** Who people are, as Slack tells. */
export interface People {
  /**
   * What a person is in our workspace. Throws when Slack can't say. `teamId` is the one their click came with, which
   * in an organisation may be another of its workspaces; `isFresh`: nothing that was said a moment ago will do.
   */
  standing(userId: string, teamId: string | undefined, isFresh?: boolean): Promise<Standing>;
  /** The IANA name of the time zone a person is in; undefined where they say none. Throws when Slack can't say. */
  zone(userId: string): Promise<string | undefined>;
  /** The e-mail address of a person's account; undefined where Slack doesn't show it. Throws when Slack can't say. */
  email(userId: string): Promise<string | undefined>;
}

const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 5_000;
const MAX_TRIES = 3;
/** Longer than this nobody waits to be known. */
const MAX_PAUSE_MS = 3_000;

const userSchema = z.object({
  user: z.object({
    id: z.string(),
    team_id: z.string().optional(),
    deleted: z.boolean().optional(),
    is_bot: z.boolean().optional(),
    is_restricted: z.boolean().optional(),
    is_ultra_restricted: z.boolean().optional(),
    is_stranger: z.boolean().optional(),
    tz: z.string().optional(),
    profile: z.object({ email: z.string().optional() }).optional(),
    enterprise_user: z
      .object({ enterprise_id: z.string().optional(), teams: z.array(z.string()).optional() })
      .optional(),
  }),
});
type User = z.infer<typeof userSchema>['user'];

export function createPeople(web: WebClient, identity: Identity): People {
  const remembered = new Map<string, { user: User; until: number }>();
  /** Asked again where Slack's own trouble may pass: the person who waits for a refusal waits for nothing. */
  const ask = async (userId: string): Promise<unknown> => {
    for (let tries = 1; ; tries++) {
      try {
        return await web.users.info({ user: userId });
      } catch (error) {
        const { dead, retryAfterMs } = slackErrorOf(error);
        const pauseMs = retryAfterMs ?? 150 * tries;
        if (dead || tries >= MAX_TRIES || pauseMs > MAX_PAUSE_MS) throw error;
        await wait(pauseMs);
      }
    }
  };
  const look = async (userId: string): Promise<User> => {
    const { user } = userSchema.parse(await ask(userId));
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(userId, { user, until: performance.now() + REMEMBERED_MS });
    return user;
  };
  /** Looks that are under way. What one request asks about a person it asks several times at once. */
  const underWay = new Map<string, Promise<User>>();
  const find = (userId: string, isFresh: boolean): Promise<User> => {
    if (isFresh) return look(userId);
    const known = remembered.get(userId);
    if (known && known.until > performance.now()) return Promise.resolve(known.user);
    const shared = underWay.get(userId);
    if (shared) return shared;
    const looking = look(userId).finally(() => underWay.delete(userId));
    underWay.set(userId, looking);
    return looking;
  };
  return {
    zone: async (userId) => (await find(userId, false)).tz,
    email: async (userId) => (await find(userId, false)).profile?.email?.toLowerCase(),
    standing: async (userId, teamId, isFresh = false) => {
      const ours = await identity.workspace();
      const isElsewhere = isOtherWorkspace(teamId, ours);
      // Outside of an organisation there is nobody to ask about.
      if (isElsewhere && ours.enterpriseId === undefined) return 'external';
      const user = await find(userId, isFresh);
      if (isElsewhere && !belongsTo(user, ours)) return 'external';
      return standingOf(user, ours);
    },
  };
}

/** Whether a click came from a workspace that is not ours. An `E…` names an organisation. */
function isOtherWorkspace(teamId: string | undefined, ours: Workspace): boolean {
  if (teamId === undefined || teamId === ours.teamId) return false;
  if (teamId.startsWith('E')) return ours.enterpriseId !== undefined && teamId !== ours.enterpriseId;
  return true;
}

/** Whether Slack lists a person of our organisation as somebody who is in our workspace. */
function belongsTo({ enterprise_user: membership }: User, ours: Workspace): boolean {
  const { enterprise_id: enterpriseId, teams = [] } = membership ?? {};
  const isOurOrganisation =
    ours.enterpriseId === undefined || (enterpriseId ?? ours.enterpriseId) === ours.enterpriseId;
  return isOurOrganisation && teams.includes(ours.teamId);
}

/** What Slack's flags make of a person, seen from our workspace. */
export function standingOf(user: User, ours: Workspace): Standing {
  if (user.deleted) return 'deactivated';
  // Slack's own robot speaks for the person who set a reminder.
  if (user.is_bot || user.id === 'USLACKBOT') return 'bot';
  const isHere = user.team_id === undefined || user.team_id === ours.teamId || belongsTo(user, ours);
  if (user.is_stranger || !isHere) return 'external';
  if (user.is_restricted || user.is_ultra_restricted) return 'guest';
  return 'member';
}
