import {
  channel,
  group,
  join,
  person,
  type Phrase,
  say,
  time,
  toPlainText,
} from '../../platform/slack/phrase.ts';
import type { Decision, Policy, AccessRule } from './decide.ts';
import type { Freeze } from './freeze.ts';
import { type About, BY_POLICY_FILE, type Grant, type Narrow } from './grant.ts';
import type { Narrowing } from './narrow.ts';
import { leastRoleWith, type Permission, type Role } from './permissions.ts';
import { nameOf } from '../instances/messages.ts';

type No = Extract<Decision, { allowed: false }>;

const MAX_NAMED = 5;

export const PURPOSES: Readonly<Record<Permission, string>> = {
  'instances:read': 'see instances',
  'instances:power': 'start, stop or restart instances',
  'instances:delete': 'delete instances',
  'instances:watch': 'have a channel hear of changes to instances',
  'instances:place': 'choose what a channel hears of instances',
  'addons:read': 'see add-ons',
  'addons:change': 'add or remove add-ons',
  'usage:read': 'see what is spent, and on what',
  'billing:read': 'see what is spent, and on what',
  'billing:ack': 'take an alert of what is spent',
  'billing:alerts': 'set and answer alerts of what is spent',
  'billing:place': 'choose a channel in which everyone sees what is spent',
  'operations:read': 'see what is running',
  'operations:cancel': 'cancel what waits to be done',
  'access:grant': 'say who may do what',
  'access:freeze': 'freeze instances or end a freeze',
  'audit:read': 'see who did what',
  'bot:examine': 'examine how the bot is set up',
};

/**
 * A no for lack of rights: what is missing first, then who can help. Nothing else is shown. `isQuestion`: it was only asked
 * whether it is allowed, so that nothing was to be done.
 */
export function refusedAccess(
  no: No,
  permission: Permission,
  policy: Policy,
  { isQuestion = false, about = 'any' }: { readonly isQuestion?: boolean; readonly about?: About } = {},
): Phrase {
  if (no.reason === 'not checked') {
    const so = isQuestion || permission.endsWith(':read') ? '' : ', so nothing was done';
    if (no.isOfMarks)
      return say`I couldn't check what the policy says of its labels or its region, because the hosting service doesn't tell me these now${so}. Try again in a minute.`;
    return no.isOfDatabase
      ? say`I couldn't check your role, because I can't reach my database right now${so}. Try again in a minute.`
      : say`I couldn't check your role with Slack${so}. Try again in a minute.`;
  }
  if (no.reason === 'frozen' && no.freeze) {
    const done = isQuestion ? say`` : say` Nothing was done.`;
    return [...frozenWords(no.freeze), ...done, ...whoCanGoOn(no, policy)];
  }
  // What a channel is limited to, no role changes.
  if (isOfChannel(no.reason)) return missing(no, permission, about);
  const help = whoCanHelp(adminsOf(policy), policy.rolesFile);
  const frozen = no.freeze ? say` A role alone is not enough: ${frozenWords(no.freeze)}` : say``;
  return [...missing(no, permission, about), ...help, ...frozen];
}

/** Why nothing can be changed now, for a place where a button would stand; undefined where it isn't for a freeze. */
export function frozenLine(decision: Decision, policy: Policy): Phrase | undefined {
  if (decision.allowed || decision.reason !== 'frozen' || !decision.freeze) return undefined;
  return say`🧊 ${frozenWords(decision.freeze)}${whoCanGoOn(decision, policy)}`;
}

/** Who can end a freeze or go on in spite of it, and for an admin how. */
function whoCanGoOn({ mayOverride, isNarrowed, freeze }: No, policy: Policy): Phrase {
  if (mayOverride && isNarrowed) return say` As an admin, you can go ahead with --override "why".`;
  if (mayOverride) {
    const on = freeze?.on ? say` on ${freeze.on.join(',')}` : say``;
    return say` As an admin, you can end the freeze with /lamplighter thaw${on}, or go ahead with --override "why".`;
  }
  const admins = adminsOf(policy);
  if (admins.length === 0) return whoCanHelp(admins, policy.rolesFile);
  return say` ${named(admins)} can end the freeze, or make the change anyway.`;
}

const OF_PLACE: ReadonlySet<No['reason']> = new Set([
  'channel',
  'channel without it',
  'agent',
  'agent without it',
  'agent once',
  'other account place',
  'other account person',
]);

/** Whether it is the place or the account that says no, whatever roles there are. */
export function isOfChannel(reason: No['reason']): boolean {
  return OF_PLACE.has(reason);
}

/** What is missing, in one sentence. */
function missing({ reason, grant, isAdmin }: No, permission: Permission, about: About): Phrase {
  const purpose = PURPOSES[permission];
  const role = leastRoleWith(permission);
  const yours = grant ? say`Your ${grant.role} role${narrowWords(grant)}` : say`Your role`;
  const once = grant?.once && say`You were allowed to ${onceWhat(grant)} once`;
  switch (reason) {
    case 'not a full member':
      return say`You need to be a full member of this workspace to ${purpose}. Guests and people from other organizations need a role of their own.`;
    case 'deactivated':
      return say`Your account is deactivated, so you can't ${purpose}.`;
    case 'expired':
      if (grant?.revoked)
        return say`${person(grant.revoked.by)} took your ${grant.role} role back, so you can't ${purpose} any more.`;
      return grant?.until === undefined || grant.once?.usedBy !== undefined
        ? say`What you were allowed once has been used, so you need the ${role} role to ${purpose}.`
        : once
          ? say`${once}, until ${time(grant.until)}. That time has passed, so you can't ${purpose} any more.`
          : say`${yours} ended ${time(grant.until)}, so you can't ${purpose} any more.`;
    case 'other place':
      return say`${yours} doesn't count in this channel, so you can't ${purpose} here.`;
    case 'other instances':
      if (once && typeof about !== 'string') return say`${once}. That doesn't cover ${nameOf(about)}.`;
      if (typeof about === 'string')
        return say`${yours} is for some instances alone, so you can't ${purpose}: that is about all of them.`;
      return say`${yours} doesn't cover this instance, so you can't ${purpose} with it.`;
    case 'channel':
      return say`${isAdmin ? 'You are an admin, but the' : 'The'} policy doesn't let anyone ${purpose} from this channel. Ask in another one.`;
    case 'channel without it':
      if (typeof about === 'string')
        return say`${isAdmin ? 'You are an admin, but the' : 'The'} policy keeps some instances out of this channel, so nobody can ${purpose} here: that is about all of them. Ask in another one.`;
      return say`${isAdmin ? 'You are an admin, but the' : 'The'} policy keeps this instance out of this channel. Ask in another one.`;
    case 'agent':
      return say`This agent's role doesn't let it ${purpose}, whatever the person in whose name it asks.`;
    case 'agent without it':
      return typeof about === 'string'
        ? say`This agent is for some instances alone, and that is about all of them.`
        : say`This agent is for some instances alone, and that isn't one of them.`;
    case 'agent once':
      return say`You were allowed to ${purpose} once, which is for you alone and not for an agent.`;
    case 'other account place':
      return say`This account can't be used from here, so you can't ${purpose}. Ask in a channel of its team.`;
    case 'other account person':
      return say`This account isn't one of yours, so you can't ${purpose}.`;
    default:
      return say`You need the ${role} role to ${purpose}.`;
  }
}

/** What somebody wanted reaches beyond what they may. `held`: what their roles are narrowed to. `limit`: the channel's. */
export function beyondRole(
  permission: Permission,
  held: readonly Narrowing[],
  limit: readonly string[] | undefined,
  policy: Policy,
): Phrase {
  const purpose = PURPOSES[permission];
  const isFree = held.some(({ on, in: places, until }) => !on && !places && until === undefined);
  if (isFree && limit)
    return say`From this channel the policy lets people ${purpose} only on ${limit.join(', ')}, so nothing was changed. Ask in another one.`;
  const reach = join(held.map(narrowWords), ', or');
  return say`Your role lets you ${purpose} only${reach}, so nothing was changed. Ask for less, as far as your role reaches.${whoCanHelp(adminsOf(policy), policy.rolesFile)}`;
}

/** What was allowed once has been used by something else. */
export function usedUp(): Phrase {
  return say`What you were allowed once has just been used, so nothing was done.`;
}

/** Who froze what, until when and why. */
export function frozenWords({ by, until, why, on, owner }: Freeze): Phrase {
  const what = on ? on.join(', ') : 'everything';
  const end = until === undefined ? say`` : say` until ${time(until)}`;
  return say`${person(by)} froze ${what}${end}: "${why}".${keptWords({ by, owner })}`;
}

/** Who keeps it now, where that isn't who froze; nothing else. Pure. */
export function keptWords({ by, owner = by }: Pick<Freeze, 'by' | 'owner'>): Phrase {
  return owner === by ? say`` : say` ${person(owner)} has it now.`;
}

type Held = Pick<Grant, 'role' | 'once' | 'target'> & Narrow;

/** "operator on staging-* in #ops until Monday", or "restart web-1 (101) once, until Monday". */
export function roleWords(grant: Held): Phrase {
  const { role, once, until } = grant;
  if (!once) return [...say`${role}`, ...narrowWords(grant)];
  return [...onceWhat(grant), ...say` once`, ...(until === undefined ? [] : say`, until ${time(until)}`)];
}

const AS_ROLE: Readonly<Record<Role, string>> = {
  viewer: 'a viewer',
  operator: 'an operator',
  finance: 'in the finance role',
  admin: 'an admin',
};

/** What somebody holds, after who they are: "is an operator on staging-*", or "can restart web-1 (101) once". */
export function holds(grant: Held, be: 'is' | 'are' | "isn't" | 'is no longer' | 'are no longer'): Phrase {
  if (grant.once) return say`${be.endsWith('no longer') ? 'can no longer' : 'can'} ${roleWords(grant)}`;
  const { until, ...where } = grant;
  if (until === undefined || !be.endsWith('no longer'))
    return [...say`${be} ${AS_ROLE[grant.role]}`, ...narrowWords(grant)];
  const was = be === 'is no longer' ? 'it was' : 'you were';
  return [
    ...say`${be} ${AS_ROLE[grant.role]}`,
    ...narrowWords(where),
    ...say` (${was} until ${time(until)})`,
  ];
}

/** What a grant for once is for: "restart web-1 (101)". */
function onceWhat({ once, role, ...narrow }: Held): Phrase {
  if (once?.what) return once.what;
  const { until: _, ...where } = narrow;
  return [...say`${once ? PURPOSES[once.permission] : role}`, ...narrowWords(where)];
}

function narrowWords({ on, in: places, until, target }: Narrowing & Partial<Pick<Held, 'target'>>): Phrase {
  const isTarget = target && on?.length === 1 && on[0] === target.id;
  const instances = isTarget ? nameOf(target) : (on?.join(', ') ?? '');
  return [
    ...(on ? say` on ${instances}` : []),
    ...(places
      ? say` in ${join(
          places.map((id) => [channel(id)]),
          ', ',
        )}`
      : []),
    ...(until === undefined ? [] : say` until ${time(until)}`),
  ];
}

/** The rule that allows something, for the person. `rolesFile`: the name of the file that roles are kept in, if any. */
export function ruleWords(rule: AccessRule, rolesFile?: string, whose: 'you' | 'they' = 'you'): Phrase {
  if (rule.by === 'admins') return say`${whose} are an admin by the configuration`;
  if (rule.by === 'everyone') return say`every full member is ${rule.role}`;
  const { to, by } = rule.grant;
  const who =
    'userId' in to
      ? say`${whose} ${holds(rule.grant, 'are')}`
      : say`${granteeWords(to)} ${holds(rule.grant, 'is')}`;
  const giver = by === BY_POLICY_FILE ? say`the policy file ${rolesFile ?? ''}` : say`${person(by)}`;
  return say`${who}, given by ${giver}`;
}

/** The rule that allows something, for the audit: people and groups by their ids. */
export function ruleText(rule: AccessRule): string {
  if (rule.by === 'admins') return 'admin, by the configuration';
  if (rule.by === 'everyone') return `${rule.role}, as every full member`;
  const { to, by } = rule.grant;
  const holder = 'userId' in to ? to.userId : to.groupId;
  return toPlainText(
    say`${roleWords(rule.grant)}, given to ${holder} by ${by === BY_POLICY_FILE ? 'the policy file' : by}`,
  );
}

/** The person or the group that holds a grant, as a mention. */
export function granteeWords(to: Grant['to']): Phrase {
  return 'userId' in to ? [person(to.userId)] : [group(to.groupId)];
}

/** Ids of the people who can say yes, the configured ones first. Groups and those who are it for a while are left out. Pure. */
export function adminsOf({ admins, grants }: Policy): readonly string[] {
  const granted = grants === 'unreadable' ? [] : grants;
  const more = granted.flatMap(({ role, to, once, on, in: places, until, revoked }) =>
    role === 'admin' && !revoked && !once && !on && !places && until === undefined && 'userId' in to
      ? [to.userId]
      : [],
  );
  return [...new Set([...admins, ...more])];
}

/** Who can give a role. `rolesFile`: the file that roles are kept in, where they are. */
export function whoCanHelp(admins: readonly string[], rolesFile?: string): Phrase {
  if (admins.length === 0) {
    return rolesFile === undefined
      ? say` Nobody is an admin yet: the person who runs this bot can name admins in LAMPLIGHTER_ADMINS.`
      : say` Roles are kept in ${rolesFile}: the person who keeps that file can give one.`;
  }
  const where = rolesFile === undefined ? say`` : say`; roles are kept in ${rolesFile}`;
  return say` ${named(admins)} can help${where}.`;
}

/** The first few of some people, as mentions. */
export function named(userIds: readonly string[]): Phrase {
  return join(
    userIds.slice(0, MAX_NAMED).map((userId) => [person(userId)]),
    ', ',
  );
}
