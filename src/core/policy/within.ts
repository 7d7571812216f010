import type { Actor } from '../../platform/slack/ids.ts';
import { Refusal } from '../refusal.ts';
import { type Decision, decide, heldBy, limitIn, narrowedHere, type Person, type Policy } from './decide.ts';
import type { AskedRight } from './grant.ts';
import { beyondRole } from './messages.ts';
import { isMet, type Narrowing } from './narrow.ts';
import { noAccess } from './no-access.ts';
import type { Permission } from './permissions.ts';

/** `isFresh`: by what Slack says now. */
interface At extends Partial<Pick<AskedRight, 'channelId' | 'route' | 'operationId'>> {
  readonly isFresh?: true;
}

/** What of a narrowing somebody may; undefined where it reaches beyond theirs. */
type Within = (wanted: Narrowing) => Narrowing | undefined;

/** How far a permission reaches that somebody has: what they give, take or set lies within it. */
export interface WithinRights {
  within(actor: Actor, permission: Permission, channelId: string | undefined): Promise<Within>;
  /** Whether a pattern may mean something that it reaches. */
  meets(
    actor: Actor,
    permission: Permission,
    channelId: string | undefined,
  ): Promise<(pattern: string) => boolean>;
  /** The same as `within` for all of some, or nothing. Throws a Refusal that says how far it reaches. */
  requireWithin(
    actor: Actor,
    permission: Permission,
    at: Pick<At, 'route' | 'operationId'> & { readonly channelId: string },
    wanted: readonly Narrowing[],
  ): Promise<readonly Narrowing[]>;
}

/** `look`: who somebody is, for a permission that is asked for any instance, and who may what. */
export function createWithin(
  look: (
    actor: Actor,
    permission: Permission,
    at: At,
  ) => Promise<{ readonly policy: Policy; readonly person: Person; readonly asked: AskedRight }>,
): WithinRights {
  const holds = async (
    actor: Actor,
    permission: Permission,
    at: At,
  ): Promise<{
    readonly policy: Policy;
    readonly held: readonly Narrowing[];
    readonly asked: AskedRight;
    readonly decision: Decision;
  }> => {
    const { policy, person, asked } = await look(actor, permission, at);
    const decision = decide(policy, person, asked);
    return { policy, held: decision.allowed ? heldBy(policy, person, asked) : [], asked, decision };
  };
  return {
    within: async (actor, permission, channelId) => {
      const { policy, held, asked } = await holds(actor, permission, { channelId });
      return (wanted) => narrowedHere(policy, held, asked, wanted);
    },
    meets: async (actor, permission, channelId) => {
      const { policy, held } = await holds(actor, permission, { channelId });
      const limits = [limitIn(policy, channelId), actor.through ?? {}];
      return (pattern) => isMet(pattern, held) && limits.every(({ on }) => isMet(pattern, [{ on }]));
    },
    requireWithin: async (actor, permission, at, wanted) => {
      // What is set with it lasts.
      const { policy, held, asked, decision } = await holds(actor, permission, { ...at, isFresh: true });
      if (!decision.allowed) throw noAccess(decision, permission, policy);
      return wanted.map((one) => {
        const narrowed = narrowedHere(policy, held, asked, one);
        const { on } = limitIn(policy, at.channelId);
        if (!narrowed) throw new Refusal('no-right', beyondRole(permission, held, on, policy));
        return narrowed;
      });
    },
  };
}
