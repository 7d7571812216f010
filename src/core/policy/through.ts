import type { Actor } from '../../platform/slack/ids.ts';
import type { Standing } from '../../platform/slack/people.ts';
import { type AskedRight, type Grant, isReached, isUnreached } from './grant.ts';
import { isMet } from './narrow.ts';
import { isChange, ROLE_PERMISSIONS, ROLES } from './permissions.ts';

/** The program through which somebody asks, if any, and what that may at most. */
type Through = Actor['through'];

/** What an agent may not do, whatever the person in whose name it asks; undefined for nothing. Pure. */
export function whyNotThrough(
  through: Through,
  asked: AskedRight,
):
  | { readonly allowed: false; readonly reason: 'agent' | 'agent without it' }
  | { readonly allowed: false; readonly reason: 'not checked'; readonly isOfMarks: true }
  | undefined {
  if (!through) return undefined;
  const isOfRole = ROLES.some(
    (role) => through.roles.includes(role) && ROLE_PERMISSIONS[role].includes(asked.permission),
  );
  if (!isOfRole) return { allowed: false, reason: 'agent' };
  if (isReached(through.on, asked)) return undefined;
  return isUnreached(through.on, asked)
    ? { allowed: false, reason: 'not checked', isOfMarks: true }
    : { allowed: false, reason: 'agent without it' };
}

/** Whether it has to be looked up that somebody is still there in whose name an agent asks. Pure. */
export function mayHaveLeft(through: Through): boolean {
  return through !== undefined && !through.isThere;
}

/** Whether they have left, or nobody could say. Pure. */
export function isAbsent({
  through,
  standing,
}: {
  readonly through?: Through;
  readonly standing: Standing | undefined;
}): boolean {
  return mayHaveLeft(through) && (standing === undefined || standing === 'deactivated');
}

/**
 * Whether a grant is for its person's own use alone: what an agent reads doesn't use up what was allowed once, so it would go on reading
 * by it. What it proposes is done by a press, which does. Pure.
 */
export function isForThemAlone({ once }: Grant, through: Through, { permission }: AskedRight): boolean {
  return through !== undefined && once !== undefined && !isChange(permission);
}

/** A grant as a no tells of it: through an agent for some instances, without patterns and names of others. Pure. */
export function grantTold(grant: Grant, through: Through): Grant {
  const { on: its } = through ?? {};
  if (!its) return grant;
  const { on, target: _, once, ...rest } = grant;
  const met = on?.filter((pattern) => isMet(pattern, [{ on: its }])) ?? [];
  return {
    ...rest,
    ...(met.length > 0 ? { on: met } : {}),
    ...(once ? { once: { permission: once.permission, usedBy: once.usedBy } } : {}),
  };
}
