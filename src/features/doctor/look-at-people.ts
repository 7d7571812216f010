import { APPROVAL_ROUTES } from '../../core/approvals/messages.ts';
import type { Rehearsed } from '../../core/changes/rehearse.ts';
import { othersWhoMay } from '../../core/policy/others-who-may.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import type { Snoozes } from '../../platform/slack/snoozes.ts';
import type { Others, Standing } from './judge-people.ts';
import type { Bot } from '../../core/bot/bot.ts';

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
    const fault = slackErrorOf(error);
    if (codes.includes(fault.code)) return undefined;
    throw fault;
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
