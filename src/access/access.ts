import { Refusal } from '../errors.ts';
import type { Actor } from '../feature.ts';
import type { People } from '../slack/people.ts';
import { refusedAccess } from './messages.ts';
import type { Permission } from './permissions.ts';
import { type Decision, decide, needsStanding, type Policy } from './policy.ts';

/** The one door to rights, used by every way in and again before a call leaves. */
export interface Access {
  check(actor: Actor, permission: Permission): Promise<Decision>;
  /** Throws a Refusal that says what is missing and who can give it. */
  require(actor: Actor, permission: Permission): Promise<void>;
}

export function createAccess(policy: Policy, people: People): Access {
  const check = async (actor: Actor, permission: Permission): Promise<Decision> => {
    const standing = needsStanding(policy, actor.userId)
      ? await people.standing(actor.userId, actor.teamId).catch(() => undefined)
      : undefined;
    return decide(policy, permission, { userId: actor.userId, standing });
  };
  return {
    check,
    require: async (actor, permission) => {
      const decision = await check(actor, permission);
      if (!decision.allowed) {
        throw new Refusal('no-right', refusedAccess(decision.reason, permission, policy.admins));
      }
    },
  };
}
