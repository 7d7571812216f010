import { grantsOf, isOfAdmin, type Policy } from './decide.ts';
import { type AskedRight, whyNot } from './grant.ts';
import { ROLE_PERMISSIONS } from './permissions.ts';

/**
 * Who may do what is asked, beside some people: by their ids, and whether every full member may. `isOfAdmins`: only who may do it
 * as an admin. Pure.
 */
export function othersWhoMay(
  policy: Policy,
  asked: AskedRight,
  besides: readonly string[],
  isOfAdmins = false,
): {
  readonly userIds: readonly string[];
  readonly groupIds: readonly string[];
  readonly isEverybody: boolean;
} {
  const { admins, everyone } = policy;
  const those = grantsOf(policy).filter(
    (grant) => whyNot(grant, asked) === undefined && (!isOfAdmins || isOfAdmin({ by: 'grant', grant })),
  );
  const userIds = [...admins, ...those.flatMap(({ to }) => ('userId' in to ? [to.userId] : []))];
  return {
    userIds: [...new Set(userIds)].filter((userId) => !besides.includes(userId)),
    groupIds: [...new Set(those.flatMap(({ to }) => ('groupId' in to ? [to.groupId] : [])))],
    isEverybody: !isOfAdmins && everyone !== 'none' && ROLE_PERMISSIONS[everyone].includes(asked.permission),
  };
}
