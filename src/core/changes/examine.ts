import { approvalOf } from '../policy/pattern.ts';
import { wayOn } from '../policy/no-access.ts';
import type { Decision, AccessRule } from '../policy/decide.ts';
import type { Operations } from '../operations/operations.ts';
import { lockOf } from '../operations/operation.ts';
import { isSame } from '../instances/facts.ts';
import { nameOf, statusOf } from '../instances/messages.ts';
import type { Ask } from '../ask/ask.ts';
import type { Shown } from '../batches/batch.ts';
import type { Preview } from '../batches/preview.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { person, type Phrase, say, toText } from '../../platform/slack/phrase.ts';
import type { Args, Declared } from './declaration.ts';
import type { Changing } from './changing.ts';

/** Who asks, and where; `shownAt`: when they were shown what they say yes to, Unix ms. */
type Asker = Pick<Ask, 'actor' | 'place'> & { readonly shownAt?: number };

/** Which of several instances can be changed now, each with what allows it, and why the others can't. */
export interface Examined {
  readonly chosen: readonly { readonly instance: Instance; readonly rule: AccessRule }[];
  readonly skipped: readonly {
    readonly id: string;
    readonly name: string;
    readonly why: Phrase;
    /** Set where its person may not do it, and time alone won't change that. */
    readonly isForbidden?: true;
  }[];
  /** Those of them that a freeze alone stands in the way of. */
  readonly frozen: readonly Instance[];
  /** How who asks may go on where a freeze is in the way of all of these. */
  readonly wayOn?: ReturnType<typeof wayOn> | undefined;
}

const ASK_SINGLY = say`run it separately`;

/**
 * Looks at each instance: rights, approvals, who is on it, and what the verb itself says. `isReadByOthers`: what is said is
 * read by others than the one whose rights are looked at.
 */
export async function examine<A extends Args>(
  declared: Declared<A>,
  { access, approvalRules, operations }: Pick<Changing, 'access' | 'approvalRules' | 'operations'>,
  { actor, place: { channelId }, shownAt }: Asker,
  instances: readonly Instance[],
  override: string | undefined,
  isReadByOthers = false,
): Promise<Examined> {
  const { verb, permission, id: route, several } = declared;
  const decide = await access.decisions(actor, permission, {
    channelId,
    route,
    override: override !== undefined,
  });
  const shown = shownAt === undefined ? undefined : { userId: actor.userId, shownAt };
  const examined = await Promise.all(
    instances.map(async (instance) => {
      const decision = decide(instance);
      const why =
        notAllowed(verb, decision, isReadByOthers ? actor.userId : undefined) ??
        (approvalOf(approvalRules(), verb, instance) ? say`needs an approval; ${ASK_SINGLY}` : undefined) ??
        (await taken(operations, instance.id)) ??
        (await several?.skip(instance, shown));
      return { instance, decision, why };
    }),
  );
  const no = examined.flatMap(({ decision }) =>
    !decision.allowed && decision.reason === 'frozen' ? [wayOn(decision)] : [],
  );
  return {
    wayOn: no.length > 0 && no.every(({ mayOverride }) => mayOverride) ? no[0] : undefined,
    chosen: examined.flatMap(({ instance, decision, why }) =>
      why === undefined && decision.allowed ? [{ instance, rule: decision.rule }] : [],
    ),
    skipped: examined.flatMap(({ instance: { id, name }, decision, why }) =>
      why ? [{ id, name, why, ...(isForbidden(decision) ? { isForbidden: true as const } : {}) }] : [],
    ),
    frozen: examined.flatMap(({ instance, decision }) =>
      !decision.allowed && decision.reason === 'frozen' ? [instance] : [],
    ),
  };
}

/** Whether a no is for want of a right: a freeze ends, and who can't be looked up now may be later. */
export function isForbidden(decision: Decision): boolean {
  return !decision.allowed && decision.reason !== 'frozen' && decision.reason !== 'not checked';
}

/** `userId`: whose rights they are, where others read it. */
function notAllowed(verb: string, decision: Decision, userId: string | undefined): Phrase | undefined {
  const who = userId === undefined ? say`you` : say`${person(userId)}`;
  if (!decision.allowed) {
    if (decision.reason === 'frozen') return say`is frozen`;
    if (decision.reason === 'not checked')
      return say`can't be checked: I couldn't find out whether ${who} may ${verb} it`;
    return userId === undefined ? say`is not yours to ${verb}` : say`is not for ${who} to ${verb}`;
  }
  const { rule } = decision;
  // Once is for one operation, and nobody could say which.
  return rule.by === 'grant' && rule.grant.once
    ? say`was allowed to ${who} for once; ${ASK_SINGLY}`
    : undefined;
}

async function taken(operations: Operations, instanceId: string): Promise<Phrase | undefined> {
  const holder = await operations.findHolder(lockOf(instanceId));
  if (!holder || holder.outcome || !operations.knows(holder)) return undefined;
  return say`is ${operations.kindOf(holder).doing} already, asked by ${person(holder.actor.userId)}`;
}

/** What is different from what a person was shown, each as a sentence; nothing where all is as it was. Pure. */
export function differences(
  { chosen }: Pick<Preview, 'chosen'>,
  now: readonly Instance[],
  { skipped }: Pick<Examined, 'skipped'>,
): readonly Phrase[] {
  const byId = new Map(now.map((instance) => [instance.id, instance]));
  const skips = new Map(skipped.map((one) => [one.id, one]));
  return chosen.flatMap((shown) => {
    const instance = byId.get(shown.id);
    const skip = skips.get(shown.id);
    const changed = instance ? changeOf(shown, instance) : say`${nameOf(shown)} is gone`;
    // What became of an instance is for those alone who may do something with it.
    if (changed && !skip?.isForbidden) return [changed];
    return skip ? [say`${nameOf(shown)} ${skip.why}`] : [];
  });
}

function changeOf(shown: Shown, now: Instance): Phrase | undefined {
  if (now.name !== shown.name) return say`${nameOf(shown)} is called ${now.name} now`;
  if (!isSame(shown, now)) return say`${nameOf(shown)} is a different instance now`;
  return now.status === shown.status ? undefined : say`${nameOf(shown)} is ${statusOf(now)} now`;
}

/** Those that are left out, by the reason. Pure. */
export function byReason(
  skipped: Preview['skipped'],
): readonly { readonly why: Phrase; readonly those: Preview['skipped'] }[] {
  const groups = new Map<string, { why: Phrase; those: Preview['skipped'] }>();
  for (const one of skipped) {
    const known = groups.get(toText(one.why));
    if (known) known.those.push(one);
    else groups.set(toText(one.why), { why: one.why, those: [one] });
  }
  return [...groups.values()].toSorted((one, other) => other.those.length - one.those.length);
}
