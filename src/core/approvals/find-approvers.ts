import type { Ask } from '../ask/ask.ts';
import type { Access } from '../policy/access.ts';
import { othersWhoMay } from '../policy/others-who-may.ts';
import type { PolicyTarget } from '../policy/pattern.ts';
import type { Permission } from '../policy/permissions.ts';
import { asError } from '../../platform/log/log.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import type { Approval } from './approval.ts';
import { APPROVAL_ROUTES } from './messages.ts';
import type { Base } from '../base.ts';

/**
 * Who is asked by name to approve what somebody asks for: the user groups that may, or else up to three people who are there
 * and not snoozed, never the asker. `isOfAdmins`: only admins may. Undefined where nobody is found. Where Slack can't say, nobody is left out. Never throws for
 * what Slack says.
 */
export type FindApprovers = (
  permission: Permission,
  about: PolicyTarget,
  ask: Pick<Ask, 'actor' | 'place'>,
  isOfAdmins?: boolean,
) => Promise<Approval['approvers']>;

const MAX_NAMED = 3;
/** So many are looked up at most to find those. */
const MAX_LOOKED_UP = 10;

export function createFindApprovers(
  deps: Pick<Base, 'clock' | 'log' | 'people' | 'userGroups' | 'snoozes'> & {
    readonly access: Pick<Access, 'policy'>;
  },
): FindApprovers {
  const { access, people, userGroups, snoozes, clock, log } = deps;
  const orElse = async <T>(look: Promise<T>, unknown: T): Promise<T> => {
    try {
      return await look;
    } catch (error) {
      log.limited(`looking for who could approve: ${slackErrorOf(error).code}`, asError(error));
      return unknown;
    }
  };
  return async (permission, about, { actor: { userId: asker }, place: { channelId } }, isOfAdmins) => {
    const policy = await access.policy();
    const asked = { permission, about, channelId, route: APPROVAL_ROUTES.approve, now: clock.now() };
    const { userIds, groupIds } = othersWhoMay(policy, asked, [asker], isOfAdmins);
    const groups = await keep(groupIds.slice(0, MAX_NAMED), async (groupId) => {
      const members = await orElse(userGroups.members(groupId), undefined);
      return !members || [...members].some((userId) => userId !== asker);
    });
    if (groups.length > 0) return { groupIds: groups, userIds: [] };
    // Who holds the role for it is nearer to it than who may everything.
    const isAdmin = (userId: string): boolean => policy.admins.includes(userId);
    const nearest = [...userIds.filter((id) => !isAdmin(id)), ...userIds.filter(isAdmin)].slice(
      0,
      MAX_LOOKED_UP,
    );
    const there = await keep(nearest, async (userId) => {
      const standing = await orElse(people.standing(userId, undefined), undefined);
      return standing !== 'deactivated' && standing !== 'bot';
    });
    const snoozed = there.length === 0 ? new Set() : await orElse(snoozes.among(there), new Set());
    const named = there.filter((userId) => !snoozed.has(userId)).slice(0, MAX_NAMED);
    return named.length === 0 ? undefined : { groupIds: [], userIds: named };
  };
}

/** Those for which it holds, in their order. */
async function keep(ids: readonly string[], holds: (id: string) => Promise<boolean>): Promise<string[]> {
  const held = await Promise.all(ids.map(holds));
  return ids.filter((_id, at) => held[at]);
}
