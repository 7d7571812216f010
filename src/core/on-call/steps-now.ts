import { asError } from '../../platform/log/log.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import { isGroupId } from '../../platform/slack/ids.ts';
import { ADMINS, type Step, type StepNow } from './escalation.ts';
import type { Base } from '../base.ts';

/** So many people of a step are told at most, whoever is in a group. */
const MAX_TOLD = 50;
/** Who was there a minute ago is taken to be. */
const KNOWN_MS = 60_000;

/** A step with those who may hear. */
interface Allowed {
  readonly afterMs: number;
  readonly userIds: readonly string[];
  /** It is known of everybody in it. */
  readonly isRead: boolean;
}

/** The same as `stepsNow`, whoever is away. */
export async function stepsOfAllowed(
  deps: Pick<Base, 'log' | 'userGroups' | 'admins'>,
  steps: readonly Step[],
  mayHear: (userId: string) => Promise<boolean | undefined>,
): Promise<readonly Allowed[]> {
  const named = await Promise.all(steps.map((step) => namedIn(deps, step)));
  const all = [...new Set(named.flatMap(({ userIds }) => userIds))];
  const may = new Map(await Promise.all(all.map(async (id) => [id, await mayHear(id)] as const)));
  return named.map(({ afterMs, userIds, isRead }) => ({
    afterMs,
    userIds: userIds.filter((userId) => may.get(userId)),
    isRead: isRead && userIds.every((userId) => may.get(userId) !== undefined),
  }));
}

/**
 * The steps with the people whom they are for now. `mayHear`: whether somebody may see what it is about, asked at the moment
 * itself, so that who lost the right hears nothing; undefined where that can't be told now.
 */
export async function stepsNow(
  deps: Pick<Base, 'log' | 'userGroups' | 'snoozes' | 'admins'>,
  steps: readonly Step[],
  mayHear: (userId: string) => Promise<boolean | undefined>,
): Promise<readonly StepNow[]> {
  const allowed = await stepsOfAllowed(deps, steps, mayHear);
  const away = await awayAmong(deps, [...new Set(allowed.flatMap(({ userIds }) => userIds))]);
  return allowed.map(({ userIds, ...step }) => ({
    ...step,
    people: userIds.map((userId) => ({ userId, isAway: away.has(userId) })),
  }));
}

async function namedIn(
  deps: Pick<Base, 'log' | 'userGroups' | 'admins'>,
  { afterMs, who }: Step,
): Promise<Allowed> {
  const each = await Promise.all(
    who.map(async (one) => {
      if (one === ADMINS) return deps.admins();
      return isGroupId(one) ? membersOf(deps, one) : [one];
    }),
  );
  const userIds = [...new Set(each.flatMap((those) => those ?? []))].slice(0, MAX_TOLD);
  return { afterMs, userIds, isRead: each.every((those) => those !== undefined) };
}

/** Who is in a group now; undefined where Slack can't say, until the next look. */
async function membersOf(
  { userGroups, log }: Pick<Base, 'log' | 'userGroups'>,
  groupId: string,
): Promise<readonly string[] | undefined> {
  try {
    return [...(await userGroups.members(groupId))];
  } catch (error) {
    log.limited(`reading a user group: ${slackErrorOf(error).code}`, asError(error));
    return undefined;
  }
}

/** Who of these has paused their notifications; nobody where Slack can't say, or may not. */
async function awayAmong(
  { snoozes, log }: Pick<Base, 'log' | 'snoozes'>,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  try {
    return await snoozes.among(userIds, KNOWN_MS);
  } catch (error) {
    log.limited(`reading who is away: ${slackErrorOf(error).code}`, asError(error));
    return new Set();
  }
}
