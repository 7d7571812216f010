import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { BoundedMap } from '../bounded-map.ts';

/** Who is in a user group, as Slack tells. */
export interface UserGroups {
  /** Ids of its members. Throws when Slack can't say. `isFresh`: nothing that was said a moment ago will do. */
  members(groupId: string, isFresh?: boolean): Promise<ReadonlySet<string>>;
}

const REMEMBERED_MS = 30_000;
const MAX_REMEMBERED = 500;

const usersSchema = z.object({ users: z.array(z.string()) });

/**
 * Remembers members for half a minute, in this process alone. Without that, each command asks Slack about each group that has a role,
 * and after about twenty in a minute (tier 2) the answer is a 429.
 */
export function createUserGroups(web: WebClient): UserGroups {
  const remembered = new BoundedMap<string, { members: ReadonlySet<string>; until: number }>(MAX_REMEMBERED);
  return {
    members: async (groupId, isFresh = false) => {
      const known = remembered.get(groupId);
      if (!isFresh && known && known.until > performance.now()) return known.members;
      const answer = await web.usergroups.users.list({ usergroup: groupId });
      const members = new Set(usersSchema.parse(answer).users);
      remembered.set(groupId, { members, until: performance.now() + REMEMBERED_MS });
      return members;
    },
  };
}
