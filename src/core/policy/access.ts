import type { Commit } from '../records/commit.ts';
import { asError, type Log } from '../../platform/log/log.ts';
import type { Actor } from '../../platform/slack/ids.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import type { People, Standing } from '../../platform/slack/people.ts';
import { type AccessStore, usedUpBy } from './access-record.ts';
import {
  type Decision,
  decide,
  grantsThatMay,
  isForOnce,
  type Person,
  type Policy,
  type AccessRule,
  rulesOf,
} from './decide.ts';
import type { About, AskedRight } from './grant.ts';
import { type Marks, withMarks, withMarksOfAll } from './marks.ts';
import type { PolicyTarget } from './pattern.ts';
import { noAccess } from './no-access.ts';
import { mayHaveLeft } from './through.ts';
import { createWithin, type WithinRights } from './within.ts';
import { isChange, type Permission, PERMISSIONS } from './permissions.ts';
import type { Base } from '../base.ts';

/** Where a right is asked for, and how carefully. */
interface At extends Partial<Pick<AskedRight, 'channelId' | 'route' | 'operationId' | 'exceptFrom'>> {
  /** By what Slack says now: for what can't be undone, or, just before any call, of the groups that a role hangs on. */
  readonly isFresh?: boolean | 'groups';
  /** An admin goes on in spite of a freeze. */
  readonly override?: boolean;
}

/** The one door to rights, used by every way in and again before a call leaves. */
export interface Access extends WithinRights {
  check(actor: Actor, permission: Permission, about: About, at?: At): Promise<Decision>;
  /** The same for a full member of whom nothing is known but that they are in a user group. */
  checkMember(groupId: string, permission: Permission, about: About, at?: At): Promise<Decision>;
  /**
   * Whether there may be an instance for it, for several permissions at once, with one look at the person and at who may what,
   * which is given as well.
   */
  checkEach(
    actor: Actor,
    permissions: ReadonlySet<Permission>,
    at: Pick<At, 'channelId'>,
  ): Promise<{ readonly policy: Policy; readonly decisions: ReadonlyMap<Permission, Decision> }>;
  /** Gives the rule that allows it. Throws a Refusal that says what is missing and who can give it. */
  require(actor: Actor, permission: Permission, about: About, at?: At): Promise<AccessRule>;
  /** Which instances it is allowed for: one look-up for a whole list. */
  which(
    actor: Actor,
    permission: Permission,
    channelId: string | undefined,
  ): Promise<(about: PolicyTarget | 'all') => boolean>;
  /** The same with what allows or refuses each. `override`: an admin goes on in spite of a freeze. */
  decisions(
    actor: Actor,
    permission: Permission,
    at: Pick<At, 'channelId' | 'route' | 'operationId' | 'override'>,
  ): Promise<(about: PolicyTarget | 'all') => Decision>;
  /** All that somebody holds, and what they meet who asks for something here. */
  rules(
    actor: Actor,
    channelId: string,
  ): Promise<{ readonly policy: Policy; readonly rules: readonly AccessRule[]; readonly decision: Decision }>;
  /** Who may what, as things stand. */
  policy(): Promise<Policy>;
  /**
   * The part of a commit that uses up what these rules allow once, for one operation or request: it is used up only where that is done.
   * Throws a Refusal where another has used it.
   */
  using(rules: readonly (AccessRule | undefined)[], operationId: string): Promise<Commit<'moved'>>;
  /** The same in a commit of its own, for what is only shown. */
  use(rules: readonly (AccessRule | undefined)[], operationId: string): Promise<void>;
}

export interface AccessDeps extends Pick<Base, 'userGroups'> {
  /** What is configured now; the rest is read from the record. Grants stand in place of those that were given in Slack. */
  readonly fixed: () => Pick<Policy, 'admins' | 'everyone' | 'channels'> &
    Partial<Pick<Policy, 'grants' | 'rolesFile' | 'reach'>>;
  readonly people: Pick<People, 'standing'>;
  readonly store: AccessStore;
  /** Asked only where something goes by labels or regions. */
  readonly marks: Marks;
  readonly now: () => number;
  readonly log: Pick<Log, 'limited'>;
}

export function createAccess(deps: AccessDeps): Access {
  const policy = (): Promise<Policy> => readPolicy(deps);
  const { look, lookAtMany } = createLook(deps);
  const check: Access['check'] = async (actor, permission, about, at = {}) => {
    const { policy: read, person, asked } = await look(actor, permission, about, at);
    return decide(read, person, asked, at.override);
  };
  return {
    check,
    checkMember: async (groupId, permission, about, { channelId, route } = {}) => {
      const groups = new Set([groupId]);
      const person: Person = { userId: '', standing: 'member', groups, unreadGroups: new Set() };
      const read = await policy();
      const asked = {
        permission,
        about: await withMarks(deps.marks, read, undefined, about),
        channelId,
        route,
      };
      return decide(read, person, { ...asked, now: deps.now() });
    },
    checkEach: async (actor, permissions, at) => {
      const now = deps.now();
      const each = [...permissions].map((permission): AskedRight => ({
        ...at,
        permission,
        about: 'any',
        now,
      }));
      const read = await policy();
      const person = await personOf(deps, read, actor, each, { isFresh: false, isForAll: false });
      const decisions = new Map(each.map((asked) => [asked.permission, decide(read, person, asked)]));
      return { policy: read, decisions };
    },
    policy,
    require: async (actor, permission, about, at = {}) => {
      const decision = await check(actor, permission, about, at);
      if (!decision.allowed) throw noAccess(decision, permission, await policy(), about);
      return decision.rule;
    },
    using: async (rules, operationId) => {
      if (!rules.some(isForOnce)) return {};
      return (await deps.store.moving((record) => usedUpBy(operationId, rules, record))) ?? {};
    },
    use: async (rules, operationId) => {
      if (!rules.some(isForOnce)) return;
      await deps.store.change((record) => usedUpBy(operationId, rules, record), { survives: true });
    },
    decisions: async (actor, permission, { override, ...at }) => {
      const { policy: read, person, askedOf } = await lookAtMany(actor, permission, at);
      return (about) => decide(read, person, askedOf(about), override);
    },
    which: async (actor, permission, channelId) => {
      const { policy: read, person, askedOf } = await lookAtMany(actor, permission, { channelId });
      const isAllowed = (about: About): boolean => decide(read, person, askedOf(about)).allowed;
      // A freeze is of each instance; of anything else, who may it for all may it for each.
      const isForAll = !isChange(permission) && isAllowed('all');
      return (about) => isForAll || isAllowed(about);
    },
    ...createWithin(async (actor, permission, at) => look(actor, permission, 'any', at, true)),
    rules: async (actor, channelId) => {
      const now = deps.now();
      const read = await policy();
      const each = PERMISSIONS.map((permission): AskedRight => ({
        permission,
        about: 'any',
        channelId,
        now,
      }));
      const person = await personOf(deps, read, actor, each, { isFresh: false, isForAll: true });
      const asked: AskedRight = { permission: 'instances:read', about: 'any', channelId, now };
      return { policy: read, rules: rulesOf(read, person, now), decision: decide(read, person, asked) };
    },
  };
}

/** Reads who may what, and who somebody is, for one target or for many. */
function createLook(deps: AccessDeps) {
  const look = async (
    actor: Actor,
    permission: Permission,
    about: About,
    at: At,
    isForAll = false,
  ): Promise<{ policy: Policy; person: Person; asked: AskedRight }> => {
    const { isFresh = false, override: _, ...where } = at;
    const policy = await readPolicy(deps);
    const marked = await withMarks(deps.marks, policy, actor.through, about);
    const asked = { ...where, permission, about: marked, now: deps.now() };
    return { policy, person: await personOf(deps, policy, actor, [asked], { isFresh, isForAll }), asked };
  };
  /** `askedOf`: what is asked of each target. */
  const lookAtMany = async (
    actor: Actor,
    permission: Permission,
    at: At,
  ): Promise<{ policy: Policy; person: Person; askedOf: (about: About) => AskedRight }> => {
    const { policy, person, asked } = await look(actor, permission, 'any', at, true);
    const marked = await withMarksOfAll(deps.marks, policy, actor.through);
    return { policy, person, askedOf: (about) => ({ ...asked, about: marked(about) }) };
  };
  return { look, lookAtMany };
}

async function readPolicy({ fixed, store, log }: AccessDeps): Promise<Policy> {
  try {
    const { grants, freezes } = await store.get();
    return { grants, freezes, ...fixed() };
  } catch (error) {
    log.limited('reading who may what', asError(error));
    return { grants: 'unreadable', freezes: 'unreadable', ...fixed() };
  }
}

/** Looks up of a person only what something of `each` hangs on. `isForAll`: it is asked for many targets at once. */
async function personOf(
  deps: AccessDeps,
  policy: Policy,
  actor: Actor,
  each: readonly AskedRight[],
  { isFresh, isForAll }: { readonly isFresh: boolean | 'groups'; readonly isForAll: boolean },
): Promise<Person> {
  const { userId, through } = actor;
  const unknown: Person = {
    userId,
    through,
    standing: undefined,
    groups: new Set(),
    unreadGroups: new Set(),
  };
  if (policy.admins.includes(userId) && !mayHaveLeft(through)) return unknown;
  // Who is granted something by id need not be looked up, but for what can't be undone: they may have left.
  const isKnown = isFresh !== true && !isForAll && each.every((one) => decide(policy, unknown, one).allowed);
  if (isKnown) return unknown;
  const groupIds = new Set(
    each
      .flatMap((one) => grantsThatMay(policy, { ...one, about: 'any' }))
      .flatMap(({ to }) => ('groupId' in to ? [to.groupId] : [])),
  );
  // Without a role that hangs on it, who somebody is can't matter, but to an agent of theirs.
  const isAsked = isFresh === true || groupIds.size > 0 || policy.everyone !== 'none' || mayHaveLeft(through);
  const [standing, members] = await Promise.all([
    isAsked ? standingOf(deps, actor, isFresh === true) : undefined,
    Promise.all(
      [...groupIds].map(
        async (groupId) => [groupId, await isIn(deps, groupId, userId, isFresh !== false)] as const,
      ),
    ),
  ]);
  const those = (is: boolean | undefined): ReadonlySet<string> =>
    new Set(members.filter(([, isMember]) => isMember === is).map(([groupId]) => groupId));
  return { userId, through, standing, groups: those(true), unreadGroups: those(undefined) };
}

/** Undefined where Slack can't say; then nobody may do anything that hangs on it. */
async function standingOf(
  { people, log }: AccessDeps,
  actor: Actor,
  isFresh: boolean,
): Promise<Standing | undefined> {
  try {
    return await people.standing(actor.userId, actor.teamId, isFresh);
  } catch (error) {
    log.limited(`checking a role with Slack: ${slackErrorOf(error).code}`, asError(error));
    return undefined;
  }
}

async function isIn(
  { userGroups, log }: AccessDeps,
  groupId: string,
  userId: string,
  isFresh: boolean,
): Promise<boolean | undefined> {
  try {
    return (await userGroups.members(groupId, isFresh)).has(userId);
  } catch (error) {
    log.limited(`reading a user group: ${slackErrorOf(error).code}`, asError(error));
    return undefined;
  }
}
