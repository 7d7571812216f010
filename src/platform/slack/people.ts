import { setTimeout as wait } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { BoundedMap } from '../bounded-map.ts';
import { slackErrorOf } from './errors.ts';
import type { Identity, Workspace } from './identity.ts';
import { createPeopleList, MAX_LISTED, type User, userSchema } from './people-list.ts';

/** What Slack says a person is, seen from our own workspace. */
export type Standing = 'member' | 'guest' | 'external' | 'bot' | 'deactivated';

/** Who people are, as Slack tells. */
export interface People {
  /**
   * What a person is in our workspace. Throws when Slack can't say. `teamId` is the one their click came with, which
   * in an organization may be another of its workspaces; `isFresh`: nothing that was said a moment ago will do.
   */
  standing(userId: string, teamId: string | undefined, isFresh?: boolean): Promise<Standing>;
  /** The IANA name of the time zone a person is in; undefined where they say none. Throws when Slack can't say. */
  zone(userId: string): Promise<string | undefined>;
  /** What Slack shows of a person after an @; undefined where it says none. Throws when Slack can't say. */
  name(userId: string): Promise<string | undefined>;
  /** The e-mail address of a person's account; undefined where Slack doesn't show it. Throws when Slack can't say. */
  email(userId: string): Promise<string | undefined>;
}

const REMEMBERED_MS = 60_000;
/** All that the list brings, and as many who are not in it. */
const MAX_REMEMBERED = 2 * MAX_LISTED;
/**
 * So many within so long are asked about one by one, and the next are looked up in the list. Slack takes about a hundred
 * calls a minute that each ask about one person (tier 4): https://docs.slack.dev/apis/web-api/rate-limits
 */
const FEW = 5;
const LATELY_MS = 10_000;
const MAX_TRIES = 3;
/** Longer than this nobody waits to be known. */
const MAX_PAUSE_MS = 3_000;

const answerSchema = z.object({ user: userSchema });

/**
 * Remembers people for a minute, in this process alone. The first few within some seconds are asked about one by one; more
 * are looked up together in the workspace's list, and who isn't in it is asked about alone. Without
 * the memory, a list takes three calls of users.info and a restart four, of about a hundred a minute, and Slack refuses the next.
 */
export function createPeople(web: WebClient, identity: Identity): People {
  const remembered = new BoundedMap<string, { readonly user: User; readonly askedAt: number }>(
    MAX_REMEMBERED,
  );
  const remember = (userId: string, user: User, askedAt: number): void => {
    const known = remembered.get(userId);
    // What was asked later is newer, whichever answer came first.
    if (known && known.askedAt > askedAt) return;
    remembered.set(userId, { user, askedAt });
  };
  const recall = (userId: string): User | undefined => {
    const known = remembered.get(userId);
    return known && known.askedAt + REMEMBERED_MS > performance.now() ? known.user : undefined;
  };
  const list = createPeopleList({
    web,
    remember: (user, askedAt) => remember(user.id, user, askedAt),
    goodForMs: REMEMBERED_MS,
  });
  /** Asked again where Slack's own trouble may pass: the person who waits for a refusal waits for nothing. */
  const ask = async (userId: string): Promise<unknown> => {
    for (let tries = 1; ; tries++) {
      try {
        return await web.users.info({ user: userId });
      } catch (error) {
        const { dead, retryAfterMs } = slackErrorOf(error);
        const pauseMs = retryAfterMs ?? 150 * tries;
        if (dead || tries >= MAX_TRIES || pauseMs > MAX_PAUSE_MS) throw error;
        await wait(pauseMs);
      }
    }
  };
  /** When the last looks at one person began, the oldest first. */
  const looks: number[] = [];
  const lookAlone = async (userId: string): Promise<User> => {
    const askedAt = performance.now();
    looks.push(askedAt);
    if (looks.length > FEW) looks.shift();
    const { user } = answerSchema.parse(await ask(userId));
    remember(userId, user, askedAt);
    return user;
  };
  const look = async (userId: string): Promise<User> => {
    if (areMany(looks, performance.now())) await list.read();
    return recall(userId) ?? lookAlone(userId);
  };
  /** Looks that are under way. What one request asks about a person it asks several times at once. */
  const underWay = new Map<string, Promise<User>>();
  const find = (userId: string, isFresh: boolean): Promise<User> => {
    if (isFresh) return lookAlone(userId);
    const known = recall(userId);
    if (known) return Promise.resolve(known);
    const shared = underWay.get(userId);
    if (shared) return shared;
    const looking = look(userId).finally(() => underWay.delete(userId));
    underWay.set(userId, looking);
    return looking;
  };
  return {
    name: async (userId) => {
      const { name, profile } = await find(userId, false);
      return [profile?.display_name, profile?.real_name, name].find((one) => one !== undefined && one !== '');
    },
    zone: async (userId) => (await find(userId, false)).tz,
    email: async (userId) => (await find(userId, false)).profile?.email?.toLowerCase(),
    standing: async (userId, teamId, isFresh = false) => {
      const ours = await identity.workspace();
      const isElsewhere = isOtherWorkspace(teamId, ours);
      // Outside of an organization there is nobody to ask about.
      if (isElsewhere && ours.enterpriseId === undefined) return 'external';
      const user = await find(userId, isFresh);
      if (isElsewhere && !belongsTo(user, ours)) return 'external';
      return standingOf(user, ours);
    },
  };
}

/**
 * Pure: whether so many were asked about lately that the next are looked up together. `looks`: when the last few looks
 * began, the oldest first, and `now`, both in ms of one clock.
 */
function areMany(looks: readonly number[], now: number): boolean {
  const [oldest] = looks;
  return looks.length >= FEW && oldest !== undefined && now - oldest < LATELY_MS;
}

/** Whether a click came from a workspace that is not ours. An `E…` names an organization. */
function isOtherWorkspace(teamId: string | undefined, ours: Workspace): boolean {
  if (teamId === undefined || teamId === ours.teamId) return false;
  if (teamId.startsWith('E')) return ours.enterpriseId !== undefined && teamId !== ours.enterpriseId;
  return true;
}

/** Whether Slack lists a person of our organization as somebody who is in our workspace. */
function belongsTo({ enterprise_user: membership }: User, ours: Workspace): boolean {
  const { enterprise_id: enterpriseId, teams = [] } = membership ?? {};
  const isOurOrganization =
    ours.enterpriseId === undefined || (enterpriseId ?? ours.enterpriseId) === ours.enterpriseId;
  return isOurOrganization && teams.includes(ours.teamId);
}

/** What Slack's flags make of a person, seen from our workspace. */
export function standingOf(user: User, ours: Workspace): Standing {
  if (user.deleted) return 'deactivated';
  // Slack's own robot speaks for the person who set a reminder.
  if (user.is_bot || user.id === 'USLACKBOT') return 'bot';
  const isHere = user.team_id === undefined || user.team_id === ours.teamId || belongsTo(user, ours);
  if (user.is_stranger || !isHere) return 'external';
  if (user.is_restricted || user.is_ultra_restricted) return 'guest';
  return 'member';
}

/** Who is in a user group, as Slack tells. */
export interface UserGroups {
  /** Ids of its members. Throws when Slack can't say. `isFresh`: nothing that was said a moment ago will do. */
  members(groupId: string, isFresh?: boolean): Promise<ReadonlySet<string>>;
}

const MEMBERS_KEPT_MS = 30_000;
const MAX_GROUPS = 500;

const usersSchema = z.object({ users: z.array(z.string()) });

/**
 * Remembers members for half a minute, in this process alone. Without that, each command asks Slack about each group that has a role,
 * and after about twenty in a minute (tier 2) the answer is a 429.
 */
export function createUserGroups(web: WebClient): UserGroups {
  const remembered = new BoundedMap<string, { members: ReadonlySet<string>; until: number }>(MAX_GROUPS);
  return {
    members: async (groupId, isFresh = false) => {
      const known = remembered.get(groupId);
      if (!isFresh && known && known.until > performance.now()) return known.members;
      const answer = await web.usergroups.users.list({ usergroup: groupId });
      const members = new Set(usersSchema.parse(answer).users);
      remembered.set(groupId, { members, until: performance.now() + MEMBERS_KEPT_MS });
      return members;
    },
  };
}
