import { group, join, person, type Phrase, say } from '../../platform/slack/phrase.ts';
import { type Finding, fault, note, ok, warn } from './finding.ts';
import { APPROVAL_ROUTES } from '../../core/approvals/messages.ts';
import type { Rehearsed } from '../../core/changes/rehearse.ts';
import { othersWhoMay } from '../../core/policy/others-who-may.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import type { Snoozes } from '../../platform/slack/snoozes.ts';
import type { Bot } from '../../core/bot/bot.ts';

/** How somebody stands in Slack, by People; `unknown`: Slack knows nobody of that id. */
type Standing = 'member' | 'guest' | 'external' | 'bot' | 'deactivated' | 'unknown';

/** Who may do something beside its asker, and how they stand now. */
export interface Others {
  readonly userIds: readonly string[];
  /** `userIds`: undefined where Slack has no such group, or a deactivated one. */
  readonly groups: readonly { readonly groupId: string; readonly userIds: readonly string[] | undefined }[];
  /** Whether every full member may. */
  readonly isEverybody: boolean;
  readonly standings: ReadonlyMap<string, Standing>;
  /** Who has paused notifications; undefined where Slack doesn't let the bot ask. */
  readonly snoozed: ReadonlySet<string> | undefined;
}

/** What is asked of them. */
interface WantedPerson {
  /** "restart web-1 (101)". */
  readonly what: Phrase;
  readonly needsApproval: boolean;
  /** Whether somebody asks, who is none of them. */
  readonly hasAsker: boolean;
}

const AWAY: readonly Standing[] = ['bot', 'deactivated', 'unknown'];
const MOST_NAMED = 3;

/** Whether somebody else may do it or approve it, is there and can be reached. Pure. */
export function judgePeople(wanted: WantedPerson, others: Others): readonly Finding[] {
  const { userIds, standings, groups } = others;
  const may = wanted.needsApproval ? say`approve it` : wanted.what;
  const standingOf = (userId: string): Standing => standings.get(userId) ?? 'member';
  const own = userIds.filter((userId) => !AWAY.includes(standingOf(userId)));
  const ofGroups = groups.flatMap((one) => one.userIds ?? []).filter((id) => standingOf(id) === 'member');
  const there = [...new Set([...own, ...ofGroups])];
  return [
    ...userIds
      .filter((userId) => AWAY.includes(standingOf(userId)))
      .map((userId) =>
        warn(
          say`${person(userId)} may ${may} and ${standingOf(userId) === 'deactivated' ? 'is deactivated' : 'is nobody whom Slack knows'}.`,
          say`Take the role back, and give it to somebody who is there.`,
        ),
      ),
    ...groups.flatMap((one) => judgeGroup(one, may, standingOf)),
    ...judgeReach(wanted, others, may, there),
  ];
}

function judgeGroup(
  { groupId, userIds }: Others['groups'][number],
  may: Phrase,
  standingOf: (userId: string) => Standing,
): readonly Finding[] {
  const todo = say`Put somebody into it, or give the role to another group.`;
  if (!userIds) return [warn(say`Slack has no group ${group(groupId)} any more, which may ${may}.`, todo)];
  if (userIds.length === 0) return [warn(say`Nobody else is in ${group(groupId)}, which may ${may}.`, todo)];
  if (userIds.some((userId) => standingOf(userId) === 'member')) return [];
  const why = userIds.every((userId) => standingOf(userId) === 'deactivated')
    ? 'is deactivated'
    : 'is deactivated, a guest or from outside';
  return [warn(say`Everyone else in ${group(groupId)}, which may ${may}, ${why}.`, todo)];
}

function judgeReach(
  { needsApproval, hasAsker, what }: WantedPerson,
  { isEverybody, snoozed }: Others,
  may: Phrase,
  there: readonly string[],
): readonly Finding[] {
  if (isEverybody) return [ok(say`Every full member may ${may}.`)];
  const give = say`To give somebody the right, type /lamplighter access grant operator and their name.`;
  if (there.length === 0) {
    if (!hasAsker) return [fault(say`Nobody who is there may ${what}.`, give)];
    return needsApproval
      ? [fault(say`It needs an approval, and nobody else who is there may give it.`, give)]
      : [warn(say`Nobody else may ${what}: if you are away, nobody can.`, give)];
  }
  // Nobody approves their own request.
  if (needsApproval && !hasAsker && there.length === 1)
    return [fault(say`Only ${named(there)} may ${what} and approve it, and it takes two.`, give)];
  if (!needsApproval) return [ok(say`${named(there)} may ${may} as well.`)];
  if (snoozed && there.every((userId) => snoozed.has(userId)))
    return [
      fault(
        say`Everyone who can approve it has paused notifications: ${named(there)}.`,
        say`Agree with one of them that I may wake them, or give the role to somebody who is awake.`,
      ),
    ];
  const unasked = say`Whether they have paused notifications can't be checked without the scope dnd:read.`;
  return [ok(say`${named(there)} can approve it.`), ...(snoozed ? [] : [note(unasked)])];
}

function named(userIds: readonly string[]): Phrase {
  const names = userIds.slice(0, MOST_NAMED).map((userId) => say`${person(userId)}`);
  const more = userIds.length - names.length;
  return more > 0 ? say`${join(names, ', ')} and ${more} more` : join(names, ' and ');
}

/** So many people and groups are looked up: Slack takes a hundred and twenty such questions a minute. */
const MOST_PEOPLE = 30;
const MOST_GROUPS = 10;

/**
 * Who may do what was rehearsed beside its asker, or approve it where that is needed, and how they stand in Slack now. `asker`:
 * undefined where nobody asks. Gives undefined where who may what can't be read. Throws SlackError.
 */
export async function lookAtPeople(
  {
    access,
    people,
    userGroups,
    snoozes,
    clock,
  }: Pick<Bot, 'clock' | 'people' | 'userGroups' | 'snoozes' | 'access'>,
  { instance, permission, routeId, needsApproval }: Rehearsed,
  { asker, channelId }: { readonly asker: string | undefined; readonly channelId: string | undefined },
): Promise<Others | undefined> {
  const policy = await access.policy();
  if (policy.grants === 'unreadable') return undefined;
  const route = needsApproval ? APPROVAL_ROUTES.approve : routeId;
  const asked = { permission, about: instance, channelId, route, now: clock.now() };
  const besides = asker === undefined ? [] : [asker];
  // Where nobody waits for it, ten instances don't ask Slack ten times for the same people.
  const isFresh = asker !== undefined;
  const { userIds, groupIds, isEverybody } = othersWhoMay(policy, asked, besides);
  const groups = await Promise.all(
    groupIds.slice(0, MOST_GROUPS).map(async (groupId) => {
      const members = await unless(['no_such_subteam', 'subteam_disabled'], () =>
        userGroups.members(groupId, isFresh),
      );
      return { groupId, userIds: members && [...members].filter((userId) => userId !== asker) };
    }),
  );
  const all = new Set([...userIds, ...groups.flatMap((one) => one.userIds ?? [])]);
  const standings = await Promise.all(
    [...all].slice(0, MOST_PEOPLE).map(async (userId): Promise<[string, Standing]> => {
      const standing = await unless(['user_not_found'], () => people.standing(userId, undefined, isFresh));
      return [userId, standing ?? 'unknown'];
    }),
  );
  return {
    userIds,
    groups,
    isEverybody,
    standings: new Map(standings),
    snoozed: needsApproval ? await snoozedAmong(snoozes, [...all].slice(0, MOST_PEOPLE)) : new Set(),
  };
}

/** Undefined where Slack says one of these codes. Throws for any other. */
async function unless<T>(codes: readonly string[], look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    const refused = slackErrorOf(error);
    if (codes.includes(refused.code)) return undefined;
    throw refused;
  }
}

/** Undefined where the bot has no scope to ask. */
async function snoozedAmong(
  snoozes: Snoozes,
  userIds: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  if (userIds.length === 0) return new Set();
  return unless(['missing_scope'], () => snoozes.among(userIds));
}
