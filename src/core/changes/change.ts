import { choicesOf } from '../lookup/choices.ts';
import type { Permission } from '../policy/permissions.ts';
import type { OperationKind } from '../operations/kind.ts';
import type { Route } from '../routing/route.ts';
import type { Args, Declared } from './declaration.ts';
import { kindOf, type KindDeps } from './kind-of.ts';
import type { Approval } from '../approvals/approval.ts';
import type { Ask, Note, Reply } from '../routing/route.ts';
import { beginApproved } from './approve-change.ts';
import type { RequestDeps } from './begin-change.ts';
import { checkTyped, type LookedUp, lookUp, namesInstance, requestChange } from './start-change.ts';

/** A verb that changes something, ready for the core: its route, and the kind of its operations. */
export interface Change {
  readonly id: string;
  readonly permission: Permission;
  route(deps: RequestDeps): Route;
  kind(deps: KindDeps): OperationKind;
  /** What somebody asked for, whether they may or not. Throws a Refusal where it isn't about one exact instance. */
  lookUp(deps: RequestDeps, ask: Ask): Promise<LookedUp>;
  /** Begins what one person asked for and the actor of `ask` has approved. Throws a Refusal. */
  approve(deps: RequestDeps, ask: Ask, approval: Approval, note: Note): Promise<Reply>;
}

/** Takes a declaration in. All that a verb is stands in it. */
export function change<A extends Args>(declared: Declared<A>): Change {
  const { id, verb, synonyms, permission, usage, summary, passes, confirm } = declared;
  return {
    id,
    permission,
    route: (deps) => ({
      id,
      verb,
      ...(synonyms === undefined ? {} : { synonyms }),
      permission,
      writes: true,
      usage,
      summary,
      handle: (ask, note) => requestChange(declared, deps, ask, note),
      ...(confirm?.how === 'typed' ? { check: (ask) => checkTyped(declared, deps, ask) } : {}),
      isAskable: (ask) => namesInstance(declared, deps, ask),
      choices: (typed, mayPick) => choicesOf(deps.hosting, typed, mayPick, passes),
    }),
    lookUp: (deps, ask) => lookUp(declared, deps, ask),
    kind: (deps) => kindOf(declared, deps),
    approve: (deps, ask, approval, note) => beginApproved(declared, deps, ask, approval, note),
  };
}
