import type { Changing } from './changing.ts';
import { nameOf } from '../instances/messages.ts';
import { beginOperation, refuseIfTaken, subjectOf } from '../operations/begin.ts';
import type { Operation } from '../operations/operation.ts';
import type { AccessRule } from '../policy/decide.ts';
import type { PolicyTarget } from '../policy/pattern.ts';
import type { Ask, Reply } from '../ask/ask.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import type { WaysBack } from '../operations/way-back.ts';
import type { Args, Declared, Checked, ToCheck } from './declaration.ts';

/** What a person said besides what is to be done. */
export interface Reasons {
  readonly because?: string;
  readonly override?: string;
  /** Who gave the approval by which it is begun. */
  readonly approvedBy?: string;
  readonly exceptFrom?: Operation['exceptFrom'];
  /** What allows that person to give it. */
  readonly approving?: AccessRule;
}

export function reasonsOf({
  because,
  override,
}: {
  readonly because?: string;
  readonly override?: string;
}): Pick<Reasons, 'because' | 'override'> {
  return { because, override };
}

/**
 * The rule that allows this person to do this with this instance, here and now. `exceptFrom`: ids of freezes that don't count.
 * Throws a Refusal where none does.
 */
export async function mayChange<A extends Args>(
  { permission }: Declared<A>,
  { access }: Changing,
  { id, route, actor, place: { channelId } }: Pick<Ask, 'id' | 'route' | 'actor' | 'place'>,
  instance: PolicyTarget,
  override: string | undefined,
  exceptFrom?: readonly string[],
): Promise<AccessRule> {
  return access.require(actor, permission, instance, {
    channelId,
    route,
    // Carried out twice, it finds what it has used itself.
    operationId: id,
    override: override !== undefined,
    exceptFrom,
  });
}

/** Whether it is possible now: while somebody's operation runs, who is on it says more than the status. */
export async function checkBefore<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  at: ToCheck<A>,
): Promise<Checked> {
  const { ask, instance, args } = at;
  await refuseIfTaken(deps, ask, { kind: declared.id, instanceId: instance.id, ...partOf(declared, args) });
  return (await declared.check?.(at)) ?? {};
}

export async function begin<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  ask: Ask,
  { instance, args, rule, ...reasons }: { instance: Instance; args: A; rule: AccessRule } & Reasons,
  pressed: Parameters<typeof beginOperation>[3],
): Promise<Reply> {
  const { id, cancelWindowMs } = declared;
  const subject = subjectOf(instance);
  const { wayBack, also } = wayBackOf(declared, deps, ask, { subject, args });
  return beginOperation(
    deps,
    ask,
    {
      kind: id,
      subject,
      args,
      ...partOf(declared, args),
      what: whatOf(declared, instance, args),
      rule,
      ...(cancelWindowMs === undefined ? {} : { cancelWindowMs }),
      ...(wayBack ? { wayBack } : {}),
      ...reasons,
    },
    also ? { ...pressed, also } : pressed,
  );
}

/** What turns it around, from its beginning on; nothing where it stays. Throws a Refusal where the time for that is over. */
function wayBackOf<A extends Args>(
  { turnsBack }: Declared<A>,
  { waysBack }: Changing,
  { id: operationId, actor, place }: Ask,
  { subject: instance, args }: { readonly subject: ReturnType<typeof subjectOf>; readonly args: A },
): Partial<ReturnType<WaysBack['plan']>> {
  const back = turnsBack?.(args);
  return back ? waysBack.plan({ operationId, ...back, actor, place, instance }) : {};
}

/** "restart web-1 (101)". */
export function whatOf<A extends Args>(
  { verb, words, object }: Declared<A>,
  instance: Instance,
  args: A,
): Phrase {
  const it = nameOf(instance);
  return say`${words.verb ?? verb} ${object?.(it, args) ?? it}`;
}

function partOf<A extends Args>({ part }: Declared<A>, args: A): { part?: string } {
  return part ? { part: part(args) } : {};
}

export function targetOf({ id, name }: PolicyTarget): PolicyTarget {
  return { id, name };
}
