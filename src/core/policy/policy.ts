import type { Standing } from '../../platform/slack/people.ts';
import { type Permission, type Role, ROLE_PERMISSIONS } from './permissions.ts';

export interface Policy {
  readonly admins: readonly string[];
  readonly everyone: Role | 'none';
}

export type Decision =
  | { readonly allowed: true; readonly rule: 'admin' | 'everyone' }
  | {
      readonly allowed: false;
      readonly reason: 'no role' | 'role too small' | 'not a full member' | 'not checked';
    };

/** Whether admins alone decide: then nobody's standing need be looked up. */
export function needsStanding(policy: Policy, userId: string): boolean {
  return !policy.admins.includes(userId) && policy.everyone !== 'none';
}

/** May this person? Closed by default: no rule means no; a standing that could not be read means no. */
export function decide(
  policy: Policy,
  permission: Permission,
  person: { userId: string; standing: Standing | undefined },
): Decision {
  if (policy.admins.includes(person.userId)) return { allowed: true, rule: 'admin' };
  if (policy.everyone === 'none') return { allowed: false, reason: 'no role' };
  if (person.standing === undefined) return { allowed: false, reason: 'not checked' };
  if (person.standing !== 'member') return { allowed: false, reason: 'not a full member' };
  if (!ROLE_PERMISSIONS[policy.everyone].includes(permission))
    return { allowed: false, reason: 'role too small' };
  return { allowed: true, rule: 'everyone' };
}
