import type { Changing } from './changing.ts';
import { choicesOf } from '../lookup/choices.ts';
import type { Permission } from '../policy/permissions.ts';
import type { OperationKind } from '../operations/kind.ts';
import type { Route, AuditAttempt } from '../intake/route.ts';
import type { Args, Declared } from './declaration.ts';
import { kindOf, type KindDeps } from './kind-of.ts';
import type { Approval } from '../approvals/approval.ts';
import type { Ask, Reply } from '../ask/ask.ts';
import { goOnWithRest, retryFailed } from './after-batch.ts';
import { beginApproved } from './approve-change.ts';
import { cameOfAsking } from './ask-approval.ts';
import type { Batch } from '../batches/batch.ts';
import type { SeveralWords } from '../batches/words.ts';
import { examine, type Examined } from './examine.ts';
import { withPriority } from '../../platform/hosting/in-background.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { isAboutSeveral } from '../lookup/several.ts';
import { parseChangeWords, type LookedUp, lookUp, namesInstance } from './find-asked.ts';
import { isPickedPlace } from '../lists/asked-page.ts';
import {
  AT_ONCE_OPTION,
  checkCount,
  confirmSeveral,
  showPicked,
  showSeveral,
  showThose,
  type Those,
} from './several.ts';
import { severalRouteId } from './several-messages.ts';
import { rehearse, type Rehearsed } from './rehearse.ts';
import { checkTyped, requestChange } from './start-change.ts';

/** A verb that changes something, ready for the core: its route, and the kind of its operations. */
export interface Change {
  readonly id: string;
  readonly verb: string;
  readonly permission: Permission;
  /** The route that is typed, and the one that confirms several instances where it takes them. */
  routes(deps: Changing): readonly Route[];
  /** How it speaks of several instances; undefined where it takes one at a time. */
  readonly several: SeveralWords | undefined;
  /** Asks once more for what failed in a batch of this kind. Throws a Refusal. */
  retry(deps: Changing, ask: Ask, batch: Batch, audit: AuditAttempt): Promise<Reply>;
  /** Asks whether to go on with what a batch of this kind did not begin. Throws a Refusal. */
  goOn(deps: Changing, ask: Ask, batch: Batch, audit: AuditAttempt): Promise<Reply>;
  /** Asks whether to do it with exactly these instances. Throws a Refusal. */
  showThose(deps: Changing, ask: Ask, those: Those, audit: AuditAttempt): Promise<Reply>;
  /** Looks which of several instances somebody may change now, for others to read. */
  examine(
    deps: Pick<Changing, 'access' | 'approvalRules' | 'operations'>,
    asker: Pick<Ask, 'actor' | 'place'>,
    instances: readonly Instance[],
  ): Promise<Examined>;
  kind(deps: KindDeps): OperationKind;
  /** What somebody asked for, whether they may or not. Throws a Refusal where it isn't about one exact instance. */
  lookUp(deps: Changing, ask: Ask): Promise<LookedUp>;
  /**
   * Walks the whole way of it but the last call, and changes nothing. `ask`: the words after the verb. Throws a Refusal where they
   * mean no instance, and HostingError.
   */
  rehearse(deps: Changing, ask: Ask): Promise<Rehearsed>;
  /** Begins what one person asked for and the actor of `ask` has approved. Throws a Refusal. */
  approve(deps: Changing, ask: Ask, approval: Approval, audit: AuditAttempt): Promise<Reply>;
}

/** Takes a declaration in. All that a verb is stands in it. */
export function change<A extends Args>(given: Declared<A>): Change {
  const declared = given.several
    ? { ...given, options: { ...given.options, [AT_ONCE_OPTION]: '10' } }
    : given;
  const { words } = declared;
  const { id, verb, spoken, permission, usage, summary, passes, confirm } = declared;
  const typedRoute = (deps: Changing): Route => ({
    id,
    verb,
    spoken,
    permission,
    writes: true,
    namesInstances: true,
    usage,
    summary,
    label: (typed, named) => anywayLabel(verb, typed, named) ?? offeredLabel(words.offered, typed, named),
    handle: async (ask, audit) =>
      (await ofSeveral(declared, deps, ask, audit))?.reply ?? requestChange(declared, deps, ask, audit),
    came: (ask) => cameOfAsking(deps, ask),
    ...(confirm?.how === 'typed' ? { check: (ask) => checkTyped(declared, deps, ask) } : {}),
    isAskable: (ask) => namesInstance(declared, deps, ask),
  });
  return {
    id,
    verb,
    permission,
    several: declared.several && {
      verb,
      doing: words.doing,
      done: words.done,
      opposite: declared.several.opposite,
      ...(declared.several.leavesDone ? { leavesDone: true } : {}),
    },
    retry: (deps, ask, batch, audit) => retryFailed(declared, readingFirst(deps), ask, batch, audit),
    goOn: (deps, ask, batch, audit) => goOnWithRest(declared, readingFirst(deps), ask, batch, audit),
    showThose: (deps, ask, those, audit) => showThose(declared, readingFirst(deps), ask, those, audit),
    routes: (deps) => [
      // Who only looks for a choice comes after those who change something.
      {
        ...typedRoute(readingFirst(deps)),
        choices: (typed, mayPick) => choicesOf(deps.hosting, typed, mayPick, passes),
      },
      ...(declared.several ? [severalRoute(declared, readingFirst(deps))] : []),
    ],
    lookUp: (deps, ask) => lookUp(declared, readingFirst(deps), ask),
    rehearse: (deps, ask) => rehearse(declared, readingFirst(deps), ask),
    examine: (deps, asker, instances) => examine(declared, deps, asker, instances, undefined, true),
    kind: (deps) => kindOf(declared, deps),
    approve: (deps, ask, approval, audit) =>
      beginApproved(declared, readingFirst(deps), ask, approval, audit),
  };
}

/** "Cancel subscription of web-1 (101)", where a button says more than the verb that is typed; undefined where it doesn't. */
function offeredLabel(
  offered: string | undefined,
  typed: readonly string[],
  named: (word: string) => string,
): string | undefined {
  if (offered === undefined || typed.length === 0 || typed.some((word) => word.startsWith('--')))
    return undefined;
  return `${offered} ${typed.map(named).join(', ')}`;
}

/** "Restart web-1 (101) anyway: it hangs", in spite of a freeze; undefined for words that don't say why. */
function anywayLabel(
  verb: string,
  typed: readonly string[],
  named: (word: string) => string,
): string | undefined {
  const at = typed.indexOf('--override');
  const why = typed.slice(at + 1).join(' ');
  if (at < 0 || why === '') return undefined;
  const words = typed.slice(0, at);
  const because = words.indexOf('--because');
  const those = because < 0 ? words : words.toSpliced(because, 2);
  return `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${those.map(named).join(' ')} anyway: ${why}`;
}

/** What is read for a change comes before polls. */
function readingFirst<D extends Pick<Changing, 'hosting'>>(deps: D): D {
  return { ...deps, hosting: withPriority(deps.hosting, 'change') };
}

/** What words for several instances are answered with; undefined where they are about one. */
async function ofSeveral<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  ask: Ask,
  audit: AuditAttempt,
): Promise<{ readonly reply: Reply } | undefined> {
  if (declared.several && isPickedPlace(ask.value))
    return { reply: await showPicked(declared, deps, ask, audit) };
  if (!declared.several || ask.value !== undefined || ask.picked !== undefined) return undefined;
  const words = parseChangeWords(ask.words, declared.example, declared.options, declared.takesEnd);
  return (await isAboutSeveral(deps.favorites, words.names))
    ? showSeveral(declared, deps, ask, words, audit)
    : undefined;
}

function severalRoute<A extends Args>(declared: Declared<A>, deps: Changing): Route {
  const { id, verb, permission } = declared;
  return {
    id: severalRouteId(id),
    verb,
    permission,
    writes: true,
    summary: `${verb} the instances that were shown`,
    handle: (ask, audit) => confirmSeveral(declared, deps, ask, audit),
    came: () => Promise.resolve('nothing'),
    check: (ask) => checkCount(deps, ask),
    isAskable: false,
  };
}
