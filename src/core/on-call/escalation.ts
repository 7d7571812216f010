import { asError } from '../../platform/log/log.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import { isGroupId } from '../../platform/slack/ids.ts';
import type { Base } from '../base.ts';
import { z } from 'zod';

/** The admins of the account, as they are then. */
export const ADMINS = 'admins';
export const MAX_STEPS = 5;
/** So many people and user groups a step names at most. */
export const MAX_WHO = 10;

/** People, user groups or the admins who hear of what nobody is on, so long after that began. */
export const stepSchema = z.object({
  /** Since nobody has been on it. */
  afterMs: z.number().min(0),
  /** Ids of people and user groups, or `admins`. */
  who: z.array(z.string().regex(/^(?:admins|[UWS][A-Z0-9_]{1,63})$/)).min(1),
});
export type Step = z.infer<typeof stepSchema>;

/** A step with those whom it is for now. */
export interface StepNow {
  readonly afterMs: number;
  readonly people: readonly Reachable[];
  /** It is known of everybody in it whether they may hear. */
  readonly isRead: boolean;
}

/** Somebody who may hear of it. `isAway`: their notifications are paused, so that nothing reaches them now. */
interface Reachable {
  readonly userId: string;
  readonly isAway: boolean;
}

/** Who is to have heard. */
export interface Hearing {
  readonly people: readonly string[];
  /** Why nobody is reached though all steps are over: everybody in them is `away`, or there is `nobody` who may hear. */
  readonly unreached?: 'away' | 'nobody';
}

/**
 * Who is to have heard of what nobody has been on for `sinceMs`. A step that reaches nobody, because nobody is in it or all are
 * away, is followed by the next at once. Pure.
 */
export function hearing(steps: readonly StepNow[], sinceMs: number): Hearing {
  const heard = new Set<string>();
  let isReached = false;
  for (const [at, { afterMs, people, isRead }] of steps.entries()) {
    const isBefore = sinceMs < afterMs;
    if (isBefore && (at === 0 || isReached)) return { people: [...heard] };
    // Whoever can't be read now may be there: the next step waits for its time.
    isReached ||= !isRead;
    for (const { userId, isAway } of people) {
      heard.add(userId);
      isReached ||= !isAway;
    }
  }
  if (steps.length === 0 || isReached) return { people: [...heard] };
  return { people: [...heard], unreached: heard.size > 0 ? 'away' : 'nobody' };
}

/** So long after nobody is on it the next step is due; undefined where none is left. Pure. */
export function nextStepMs(steps: readonly Pick<Step, 'afterMs'>[], sinceMs: number): number | undefined {
  return steps.map(({ afterMs }) => afterMs).find((afterMs) => afterMs > sinceMs);
}

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
