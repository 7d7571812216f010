import { choicesOf } from '../lookup/resolve.ts';
import type { OperationKind } from '../operations/kind.ts';
import type { Route } from '../routing/route.ts';
import type { Args, Declared } from './declaration.ts';
import { kindOf, type KindDeps } from './kind-of.ts';
import { checkTyped, type RequestDeps, requestChange } from './start-change.ts';

/** A verb that changes something, ready for the core: its route, and the kind of its operations. */
export interface Change {
  readonly id: string;
  route(deps: RequestDeps): Route;
  kind(deps: KindDeps): OperationKind;
}

/** Takes a declaration in. All that a verb is stands in it. */
export function change<A extends Args>(declared: Declared<A>): Change {
  const { id, verb, synonyms, permission, usage, summary, passes, confirm } = declared;
  return {
    id,
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
      choices: (typed, mayPick) => choicesOf(deps.hosting, typed, mayPick, passes),
    }),
    kind: (deps) => kindOf(declared, deps),
  };
}
