import type { Actor } from '../../platform/slack/ids.ts';
import type { Standing } from '../../platform/slack/people.ts';
import { asOf, type Freeze, freezesOf, mayBeFrozen } from './freeze.ts';
import { type AskedRight, type Grant, isOpen, isReached, isUnreached, whyNot } from './grant.ts';
import type { PolicyTarget } from './pattern.ts';
import { type Narrowing, narrowedWithin } from './narrow.ts';
import { outOfReach, type Reach } from './reach.ts';
import { isChange, type Role, ROLE_PERMISSIONS } from './permissions.ts';
import { grantTold, isAbsent, isForThemAlone, mayHaveLeft, whyNotThrough } from './through.ts';

/** Who may do what, as things stand. */
export interface Policy {
  /** Ids of people who may everything, whatever else is set. */
  readonly admins: readonly string[];
  /** The role of every full member. */
  readonly everyone: Role | 'none';
  /** `unreadable`: nobody can tell now, so nothing that hangs on them is allowed. */
  readonly grants: readonly Grant[] | 'unreadable';
  readonly freezes: readonly Freeze[] | 'unreadable';
  /** The name of the policy file, where roles are kept in one and so can't be given in Slack. */
  readonly rolesFile?: string;
  /** What may be done in a channel at most, by its id: the roles, and the instances. A channel that isn't there is not limited. */
  readonly channels: Readonly<Record<string, ChannelLimit>>;
  /** From where and by whom anything can be reached at all; without it, from everywhere and by everybody. */
  readonly reach?: Reach;
}

export interface ChannelLimit {
  readonly roles?: readonly Role[];
  readonly on?: readonly string[];
}

/** A person as far as it could be looked up. */
export interface Person {
  readonly userId: string;
  /** Undefined where it could not be read, or wasn't needed. */
  readonly standing: Standing | undefined;
  /** The groups that they are in, of those that grants name. */
  readonly groups: ReadonlySet<string>;
  /** Groups whose members could not be read. */
  readonly unreadGroups: ReadonlySet<string>;
  /** The program through which they ask: they have no right here that it hasn't. */
  readonly through?: Actor['through'];
}

/** What says yes. */
export type AccessRule =
  | { readonly by: 'admins' }
  | { readonly by: 'everyone'; readonly role: Role }
  | { readonly by: 'grant'; readonly grant: Grant };

export type Reason =
  | 'no role'
  | 'role too small'
  | 'not a full member'
  | 'deactivated'
  | 'not checked'
  | 'expired'
  | 'other place'
  | 'other instances'
  | 'channel'
  | 'channel without it'
  | 'agent'
  | 'agent without it'
  | 'agent once'
  | 'other account place'
  | 'other account person'
  | 'frozen';

export type Decision =
  | { readonly allowed: true; readonly rule: AccessRule }
  | {
      readonly allowed: false;
      readonly reason: Reason;
      /** It wasn't checked since who may what, or what is frozen, couldn't be read. */
      readonly isOfDatabase?: true;
      /** It wasn't checked since nobody could tell which labels the instance has, or where it is. */
      readonly isOfMarks?: true;
      /** The grant that comes nearest, where one is narrowed or over. */
      readonly grant?: Grant;
      /** What is frozen, whatever the reason. */
      readonly freeze?: Freeze;
      /** Who asks may do it with --override "why". */
      readonly mayOverride?: true;
      /** Their role is for some instances alone, so that they can't end a freeze of others. */
      readonly isNarrowed?: true;
      /** Who asks is an admin, and the place says no all the same. */
      readonly isAdmin?: true;
    };

/** From the nearest to a yes to the farthest: of several reasons, the first is said. */
const NEAREST = ['expired', 'target', 'place', 'used'] as const;
const REASON_OF = {
  expired: 'expired',
  used: 'expired',
  target: 'other instances',
  place: 'other place',
} as const satisfies Record<(typeof NEAREST)[number], Reason>;

/**
 * May this person? Closed by default: only a rule that was read allows anything. Pure.
 * `override`: an admin goes on in spite of a freeze.
 */
export function decide(policy: Policy, person: Person, asked: AskedRight, override = false): Decision {
  const far = policy.reach && outOfReach(policy.reach, { ...person, channelId: asked.channelId });
  if (far)
    return { allowed: false, reason: far === 'place' ? 'other account place' : 'other account person' };
  const decision = byRole(policy, person, asked);
  if (!decision.allowed) return { ...decision, ...frozenToo(policy, asked) };
  return (
    inItsPlace(policy, decision.rule, asked) ??
    whyNotThrough(person.through, asked) ??
    whileFrozen(policy, { rule: decision.rule, through: person.through }, asked, override) ??
    decision
  );
}

function byRole(policy: Policy, person: Person, asked: AskedRight): Decision {
  const rule = rulesFor(policy, person).find((one) => carries(one, asked, person));
  if (rule) return { allowed: true, rule };
  if (person.standing === 'deactivated') return { allowed: false, reason: 'deactivated' };
  return { allowed: false, ...reasonOf(policy, person, asked, grantsTo(policy, person).flat()) };
}

function carries(rule: AccessRule, asked: AskedRight, { through }: Pick<Person, 'through'>): boolean {
  if (rule.by === 'grant')
    return whyNot(rule.grant, asked) === undefined && !isForThemAlone(rule.grant, through, asked);
  return rule.by === 'admins' || ROLE_PERMISSIONS[rule.role].includes(asked.permission);
}

/** What was given to somebody, and to the groups that they are in. */
function grantsTo(policy: Policy, { userId, groups }: Person): readonly [readonly Grant[], readonly Grant[]] {
  const grants = grantsOf(policy);
  return [
    grants.filter(({ to }) => 'userId' in to && to.userId === userId),
    grants.filter(({ to }) => 'groupId' in to && groups.has(to.groupId)),
  ];
}

/** Those that can be read; none where they can't. Pure. */
export function grantsOf({ grants }: Policy): readonly Grant[] {
  return grants === 'unreadable' ? [] : grants;
}

/** Every rule that somebody has, whatever it carries, where and when: what is their own first. */
function rulesFor(policy: Policy, person: Person): readonly AccessRule[] {
  const { admins, everyone } = policy;
  if (isAbsent(person)) return [];
  if (admins.includes(person.userId)) return [{ by: 'admins' }];
  if (person.standing === 'deactivated') return [];
  const isMember = person.standing === 'member';
  const [own, ofGroups] = grantsTo(policy, person);
  return [
    ...[...own, ...(isMember ? ofGroups : [])].map((grant): AccessRule => ({ by: 'grant', grant })),
    ...(isMember && everyone !== 'none' ? [{ by: 'everyone', role: everyone } as const] : []),
  ];
}

/** The rules that somebody holds now, wherever they count. Pure. */
export function rulesOf(policy: Policy, person: Person, now: number): readonly AccessRule[] {
  return rulesFor(policy, person).filter(
    (rule) => rule.by !== 'grant' || (isOpen(rule.grant, now) && rule.grant.once?.usedBy === undefined),
  );
}

/** What each rule that carries a permission here and now is narrowed to. Pure. */
export function heldBy(policy: Policy, person: Person, asked: AskedRight): readonly Narrowing[] {
  return rulesFor(policy, person).flatMap((rule): readonly Narrowing[] => {
    if (!carries(rule, asked, person)) return [];
    if (rule.by !== 'grant') return [{}];
    const { grant } = rule;
    // What is allowed once ends with its use, and what was done with it may last.
    return [grant.once ? { on: grant.on, in: grant.in } : grant];
  });
}

/** What may be done at most where something is asked; nothing is said where it is not limited. Pure. */
export function limitIn({ channels }: Policy, channelId: string | undefined): ChannelLimit {
  return (channelId === undefined ? undefined : channels[channelId]) ?? {};
}

/** The instances, places and time of `wanted` as far as somebody has them here; undefined where it would reach beyond. Pure. */
export function narrowedHere(
  policy: Policy,
  held: readonly Narrowing[],
  { channelId }: AskedRight,
  wanted: Narrowing,
): Narrowing | undefined {
  const { on } = limitIn(policy, channelId);
  const theirs = narrowedWithin(wanted, held);
  return theirs && on ? narrowedWithin(theirs, [{ on }]) : theirs;
}

/** Why nothing allows it: what couldn't be read first, since it might. */
function reasonOf(
  policy: Policy,
  person: Person,
  asked: AskedRight,
  grants: readonly Grant[],
): { reason: Reason; isOfDatabase?: true; isOfMarks?: true; grant?: Grant } {
  if (policy.grants === 'unreadable') return { reason: 'not checked', isOfDatabase: true };
  const mayHangOn = grantsThatMay(policy, asked);
  const isUnread = mayHangOn.some(({ to }) => 'groupId' in to && person.unreadGroups.has(to.groupId));
  const isOfRole = policy.everyone !== 'none';
  const isGroupMember = mayHangOn.some(({ to }) => 'groupId' in to && person.groups.has(to.groupId));
  const isAsked = isOfRole || isGroupMember || mayHaveLeft(person.through);
  if (isUnread || (person.standing === undefined && isAsked)) return { reason: 'not checked' };
  const { through } = person;
  if (grants.some((one) => whyNot(one, asked) === undefined && isForThemAlone(one, through, asked)))
    return { reason: 'agent once' };
  if (grants.some((one) => whyNot(one, asked) === 'target' && isUnreached(one.on, asked)))
    return { reason: 'not checked', isOfMarks: true };
  for (const why of NEAREST) {
    const grant = grants.find((one) => whyNot(one, asked) === why);
    if (grant) return { reason: REASON_OF[why], grant: grantTold(grant, through) };
  }
  if (grants.length > 0) return { reason: 'role too small' };
  if (!isOfRole) return { reason: 'no role' };
  return { reason: person.standing === 'member' ? 'role too small' : 'not a full member' };
}

/** Grants to groups that would carry what is asked to those who are in them. */
export function grantsThatMay(policy: Policy, asked: AskedRight): readonly Grant[] {
  return grantsOf(policy).filter((grant) => 'groupId' in grant.to && whyNot(grant, asked) === undefined);
}

function inItsPlace(policy: Policy, rule: AccessRule, asked: AskedRight): Decision | undefined {
  const { permission, channelId } = asked;
  const { roles, on } = limitIn(policy, channelId);
  const isOfRole = !roles || roles.some((role) => ROLE_PERMISSIONS[role].includes(permission));
  const isAdmin = isOfAdmin(rule) ? { isAdmin: true as const } : {};
  if (!isOfRole) return { allowed: false, reason: 'channel', ...isAdmin };
  if (isReached(on, asked)) return undefined;
  if (isUnreached(on, asked)) return { allowed: false, reason: 'not checked', isOfMarks: true };
  return { allowed: false, reason: 'channel without it', ...isAdmin };
}

/** A freeze that stands in the way besides a missing role. One of some instances would tell their names. */
function frozenToo({ freezes }: Policy, { permission, about, now }: AskedRight): { freeze?: Freeze } {
  if (!isChange(permission) || freezes === 'unreadable') return {};
  const target = targetIn(about);
  const [freeze] = freezesOf(freezes, target, now);
  return freeze ? { freeze: asOf(freeze, target) } : {};
}

function targetIn(about: AskedRight['about']): PolicyTarget | undefined {
  return typeof about === 'string' ? undefined : about;
}

/** Whether a rule allows one thing, once. Pure. */
export function isForOnce(rule: AccessRule | undefined): rule is Extract<AccessRule, { by: 'grant' }> {
  return rule?.by === 'grant' && rule.grant.once !== undefined;
}

/** Whether a rule allows it as an admin: not where an admin has only allowed it once. Pure. */
export function isOfAdmin(rule: AccessRule): boolean {
  return rule.by === 'admins' || (rule.by === 'grant' && rule.grant.role === 'admin' && !rule.grant.once);
}

function whileFrozen(
  { freezes }: Policy,
  { rule, through }: { readonly rule: AccessRule } & Pick<Person, 'through'>,
  { permission, about, now, exceptFrom = [] }: AskedRight,
  override: boolean,
): Decision | undefined {
  if (!isChange(permission)) return undefined;
  const isAdmin = isOfAdmin(rule);
  if (freezes === 'unreadable')
    return isAdmin ? undefined : { allowed: false, reason: 'not checked', isOfDatabase: true };
  // Before an instance is known it is only asked whether there may be one.
  const target = targetIn(about);
  const unexcepted = freezes.filter(({ id }) => !exceptFrom.includes(id));
  const [freeze] = target ? freezesOf(unexcepted, target, now) : [];
  if (isAdmin && override) return undefined;
  if (!freeze)
    return target && mayBeFrozen(unexcepted, target, now)
      ? { allowed: false, reason: 'not checked', isOfMarks: true }
      : undefined;
  const isNarrowed = (rule.by === 'grant' && rule.grant.on !== undefined) || through?.on !== undefined;
  return {
    allowed: false,
    reason: 'frozen',
    freeze: isNarrowed ? asOf(freeze, target) : freeze,
    ...(isAdmin ? { mayOverride: true } : {}),
    ...(isNarrowed ? { isNarrowed } : {}),
  };
}
