import { z } from 'zod';
import { phraseSchema } from '../../platform/slack/phrase.ts';
import { isMeant, isUntold, type PolicyTarget } from './pattern.ts';
import { isWhole, type Permission, PERMISSIONS, ROLE_PERMISSIONS, ROLES } from './permissions.ts';

/** Who gave the grants that stand in the policy file, in place of a person's id. */
export const BY_POLICY_FILE = 'policy';

const slackId = (first: string): z.ZodString =>
  z.string().regex(new RegExp(`^[${first}][A-Za-z0-9_]{1,63}$`));

/** Who holds a role: a person, or everybody who is in a user group at the moment. */
export const granteeSchema = z.union([
  z.object({ userId: slackId('UW') }),
  z.object({ groupId: slackId('S') }),
]);
export type Grantee = z.infer<typeof granteeSchema>;

/** A mention as it arrives: an id, of a person or of a group. Pure. */
export function granteeOf(word: string): Grantee | undefined {
  if (/^[UW][A-Z0-9_]{2,63}$/.test(word)) return { userId: word };
  return /^S[A-Z0-9_]{2,63}$/.test(word) ? { groupId: word } : undefined;
}

/** How a grant is narrowed; what is left out is not. */
const narrowSchema = z.object({
  /** Names of instances, `*` for any run of characters, ids, or `label:team=web` and `region:fra1`; `name:web-1` is never an id. */
  on: z.array(z.string()).optional(),
  /** Ids of channels. */
  in: z.array(slackId('CDG')).optional(),
  /** Redis' clock, Unix ms. */
  until: z.number().optional(),
});
export type Narrow = z.infer<typeof narrowSchema>;

/** One role for one person or group. Times are Redis' clock, Unix ms. */
export const grantSchema = narrowSchema.extend({
  id: z.string(),
  role: z.enum(ROLES),
  to: granteeSchema,
  /** The instance that `on` holds the id of, as it was called: for people to read, and for nothing else. */
  target: z.object({ id: z.string(), name: z.string() }).optional(),
  /**
   * For one permission alone, once: what was allowed to somebody who asked. `route`: for what alone, and `what` in words;
   * `usedBy`: the operation or the request that it was used for.
   */
  once: z
    .object({
      permission: z.enum(PERMISSIONS),
      route: z.string().optional(),
      what: phraseSchema.optional(),
      usedBy: z.string().optional(),
    })
    .optional(),
  by: z.string(),
  at: z.number(),
  /** It was taken back; kept for a while, so that a no can say so. `requestId`: of the request that did. */
  revoked: z.object({ by: z.string(), at: z.number(), requestId: z.string() }).optional(),
});
export type Grant = z.infer<typeof grantSchema>;

/**
 * What a right is asked for. `any`: whether there may be an instance for it, before one is known, and what comes of it is asked
 * again or cut for each; `all`: for every instance there is, and for what is about none. A role for some instances never
 * carries what is for all.
 */
export type About = PolicyTarget | 'any' | 'all';

/** What is asked of the policy. */
export interface AskedRight {
  readonly permission: Permission;
  readonly about: About;
  /** Where it is asked. */
  readonly channelId?: string;
  /** The route that it is asked for; undefined for any of them. */
  readonly route?: string;
  /** The operation or the request that it is asked for, to which a grant for once belongs. */
  readonly operationId?: string;
  /** Ids of freezes from which it is excepted. */
  readonly exceptFrom?: readonly string[];
  /** Redis' clock, Unix ms. */
  readonly now: number;
}

/** Whether what is narrowed to some instances reaches what is asked; without a narrowing, everything. Pure. */
export function isReached(
  on: readonly string[] | undefined,
  { permission, about }: Pick<AskedRight, 'permission' | 'about'>,
): boolean {
  if (!on) return true;
  if (about === 'all' || isWhole(permission)) return false;
  return about === 'any' || isMeant(on, about);
}

/** Whether that can't be said, since nobody knows what the instance is marked with. Pure. */
export function isUnreached(
  on: readonly string[] | undefined,
  { permission, about }: Pick<AskedRight, 'permission' | 'about'>,
): boolean {
  return typeof about !== 'string' && !isWhole(permission) && isUntold(on, about);
}

/** What keeps a grant from carrying what is asked; undefined where it does. Pure. */
export function whyNot(
  grant: Pick<Grant, 'role' | 'on' | 'in' | 'until' | 'once' | 'revoked'>,
  asked: AskedRight,
): 'role' | 'used' | 'expired' | 'place' | 'target' | undefined {
  const { role, on, in: places, until, once } = grant;
  const { permission, channelId, route, operationId, now } = asked;
  if (once ? once.permission !== permission : !ROLE_PERMISSIONS[role].includes(permission)) return 'role';
  if (once?.route !== undefined && route !== undefined && once.route !== route) return 'role';
  if (grant.revoked) return 'expired';
  if (once?.usedBy !== undefined && once.usedBy !== operationId) return 'used';
  if (until !== undefined && now >= until && once?.usedBy === undefined) return 'expired';
  if (places && (channelId === undefined || !places.includes(channelId))) return 'place';
  return isReached(on, asked) ? undefined : 'target';
}

/** Whether a grant still counts. `now`: Redis' clock, Unix ms. Pure. */
export function isOpen({ until, revoked }: Pick<Grant, 'until' | 'revoked'>, now: number): boolean {
  return revoked === undefined && (until === undefined || now < until);
}

/** Whether two grants are for the same, no matter who gave them and when. Pure. */
export function isSameGrant(
  one: Omit<Grant, 'id' | 'by' | 'at'>,
  other: Omit<Grant, 'id' | 'by' | 'at'>,
): boolean {
  const keyOf = ({ role, to, on = [], in: places = [], once }: Omit<Grant, 'id' | 'by' | 'at'>): string =>
    JSON.stringify([role, to, on.toSorted(), places.toSorted(), once?.permission, once?.route]);
  return keyOf(one) === keyOf(other);
}
