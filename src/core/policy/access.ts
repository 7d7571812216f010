import { Refusal } from '../refusal.ts';
import { asError } from '../../platform/log/as-error.ts';
import type { Actor } from '../../platform/slack/ids.ts';
import type { Log } from '../../platform/log/log.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import type { People, Standing } from '../../platform/slack/people.ts';
import { refusedAccess } from './messages.ts';
import type { Permission } from './permissions.ts';
import { type Decision, decide, needsStanding, type Policy } from './policy.ts';

/** The one door to rights, used by every way in and again before a call leaves. */
export interface Access {
  /** `isFresh`: by what Slack says now, for what can't be undone. */
  check(actor: Actor, permission: Permission, options?: { isFresh?: boolean }): Promise<Decision>;
  /** Throws a Refusal that says what is missing and who can give it. */
  require(actor: Actor, permission: Permission): Promise<void>;
}

export function createAccess(policy: Policy, people: People, log: Pick<Log, 'limited'>): Access {
  /** Undefined where Slack can't say; then nobody may do anything that hangs on it. */
  const standingOf = async (actor: Actor, isFresh: boolean): Promise<Standing | undefined> => {
    try {
      return await people.standing(actor.userId, actor.teamId, isFresh);
    } catch (error) {
      const fault = slackErrorOf(error);
      log.limited(`checking a role with Slack: ${fault.code}`, asError(error));
      return undefined;
    }
  };
  const check: Access['check'] = async (actor, permission, { isFresh = false } = {}) => {
    const standing = needsStanding(policy, actor.userId) ? await standingOf(actor, isFresh) : undefined;
    return decide(policy, permission, { userId: actor.userId, standing });
  };
  return {
    check,
    require: async (actor, permission) => {
      const decision = await check(actor, permission);
      if (!decision.allowed) {
        throw noAccess(decision.reason, permission, policy.admins);
      }
    },
  };
}

/** A no for lack of rights, or because nobody could tell. */
export function noAccess(
  reason: Extract<Decision, { allowed: false }>['reason'],
  permission: Permission,
  admins: readonly string[],
): Refusal {
  const code = reason === 'not checked' ? 'not-checked' : 'no-right';
  return new Refusal(code, refusedAccess(reason, permission, admins));
}
