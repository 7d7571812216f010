import { setTimeout as wait } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Standing } from '../access/policy.ts';
import { slackErrorOf } from './errors.ts';
import type { Identity } from './identity.ts';

/** Who people are, as Slack tells. */
export interface People {
  /**
   * What a person is in our workspace. Throws when Slack can't say. `teamId` is the one their click came with;
   * `isFresh`: nothing that was said a moment ago will do.
   */
  standing(userId: string, teamId: string | undefined, isFresh?: boolean): Promise<Standing>;
}

const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 5_000;
const MOST_TRIES = 3;
const LONGEST_PAUSE_MS = 1_000;

const userSchema = z.object({
  user: z.object({
    id: z.string(),
    team_id: z.string().optional(),
    deleted: z.boolean().optional(),
    is_bot: z.boolean().optional(),
    is_restricted: z.boolean().optional(),
    is_ultra_restricted: z.boolean().optional(),
    is_stranger: z.boolean().optional(),
    enterprise_user: z.object({ teams: z.array(z.string()).optional() }).optional(),
  }),
});
type User = z.infer<typeof userSchema>['user'];

export function createPeople(web: WebClient, identity: Identity): People {
  const remembered = new Map<string, { standing: Standing; until: number }>();
  /** Asked again where Slack's own trouble may pass: whoever waits for a refusal waits for nothing. */
  const ask = async (userId: string): Promise<unknown> => {
    for (let tries = 1; ; tries++) {
      try {
        return await web.users.info({ user: userId });
      } catch (error) {
        const { dead, retryAfterMs } = slackErrorOf(error);
        if (dead || tries >= MOST_TRIES) throw error;
        await wait(Math.min(retryAfterMs ?? 150 * tries, LONGEST_PAUSE_MS));
      }
    }
  };
  return {
    standing: async (userId, teamId, isFresh = false) => {
      const ourTeam = await identity.teamId();
      if (teamId !== undefined && teamId.startsWith('T') && teamId !== ourTeam) return 'external';
      const known = remembered.get(userId);
      if (!isFresh && known && known.until > performance.now()) return known.standing;
      const standing = standingOf(userSchema.parse(await ask(userId)).user, ourTeam);
      if (remembered.size >= MOST_REMEMBERED) remembered.clear();
      remembered.set(userId, { standing, until: performance.now() + REMEMBERED_MS });
      return standing;
    },
  };
}

/** What Slack's flags make of a person, seen from our team. */
export function standingOf(user: User, ourTeam: string): Standing {
  if (user.deleted) return 'deactivated';
  // Slack's own robot speaks for whoever set a reminder.
  if (user.is_bot || user.id === 'USLACKBOT') return 'bot';
  const ours =
    user.team_id === undefined || user.team_id === ourTeam || user.enterprise_user?.teams?.includes(ourTeam);
  if (user.is_stranger || !ours) return 'external';
  if (user.is_restricted || user.is_ultra_restricted) return 'guest';
  return 'member';
}
