import type { Adapter } from '../../src/platform/hosting/adapter.ts';
import type { AtZero, Balance, HostingService, Instance } from '../../src/platform/hosting/service.ts';
import { attempt, doubt, few, fault, type Finding, notTried, ok, wordsOf } from './finding.ts';

/** What an adapter says by itself, and nobody asks the service for. */

const LEAVES_OUT = 'left out of the list';
const AT_END = 'canceled at an end';
const PAUSED = 'why it is paused';
const PROVES = 'proved by its action';
const DELETION = 'what a deletion does';
const ZERO = 'what happens at zero';

/** Whether what the list never has can stand in a sentence: "Bare metal servers are not in this list". */
export function leftOut({ instances: { leavesOut } }: Adapter): Finding {
  if (leavesOut === undefined) return ok(LEAVES_OUT, 'nothing, says the adapter');
  return /^\p{Lu}[^\n]*[^\s.,;:!?]$/u.test(leavesOut)
    ? ok(LEAVES_OUT, leavesOut)
    : fault(
        LEAVES_OUT,
        `${JSON.stringify(leavesOut)} does not begin a sentence, as "Bare metal servers" does`,
      );
}

const SENTENCE = /^\p{Lu}[^\n]*\.$/u;
const NO_STOP = /[^\s.,;:!?]$/;

/** Whether what an adapter says of deletions, of what stops and of zero reads well where people read it. Pure. */
export function sentences({ deletion, instances, stoppedCosts, billing }: Adapter): readonly Finding[] {
  const atZero = billing?.kind === 'prepaid' ? billing.atZero : undefined;
  return [
    ofDeletion(deletion, instances.remove !== undefined),
    ...(stoppedCosts === undefined
      ? []
      : [told('what a stopped one costs', stoppedCosts, SENTENCE, 'a sentence with its full stop')]),
    ...(atZero ? [ofZero(atZero)] : []),
  ];
}

function ofDeletion(deletion: Adapter['deletion'], isOffered: boolean): Finding {
  if ('notOffered' in deletion)
    return isOffered
      ? fault(DELETION, 'is said not to be offered, and the adapter has instances.remove')
      : told(DELETION, deletion.notOffered, SENTENCE, 'a sentence with its full stop');
  if (!isOffered) return fault(DELETION, 'is told, and the adapter has no instances.remove');
  const { takes, leaves, inShort } = deletion;
  const item = takes.find((one) => !NO_STOP.test(one));
  if (item !== undefined) return told(DELETION, item, NO_STOP, 'an item of a list, without a full stop');
  if (!NO_STOP.test(leaves)) return told(DELETION, leaves, NO_STOP, 'a sentence without its full stop');
  return told(DELETION, inShort, SENTENCE, 'a sentence with its full stop');
}

function ofZero({ does, deletes = 'never' }: AtZero): Finding {
  const odd = [does, deletes].find((words) => !/^\p{Ll}[^\n]*$/u.test(words) || !NO_STOP.test(words));
  return odd === undefined
    ? ok(ZERO, `the host ${does} them`)
    : fault(ZERO, `${JSON.stringify(odd)} does not go on after "the host", as "pauses" does`);
}

function told(check: string, words: string, form: RegExp, what: string): Finding {
  return form.test(words) ? ok(check, words) : fault(check, `${JSON.stringify(words)} is not ${what}`);
}

/** Whether each instance that is paused has a reason that the balance bears out, and no other has one. */
export async function pausedReasons(
  { about, ...hosting }: Pick<HostingService, 'about' | 'getBalance'>,
  all: readonly Instance[],
): Promise<Finding> {
  const odd = all.filter(({ status, pausedFor }) => status !== 'paused' && pausedFor !== undefined);
  if (odd.length > 0) return fault(PAUSED, `${few(odd.map(({ id }) => id))}: has a reason and is not paused`);
  const paused = all.filter(({ status }) => status === 'paused');
  if (paused.length === 0) return notTried(PAUSED, 'nothing is paused');
  const short = paused.filter(({ pausedFor }) => pausedFor === 'no-credit');
  if (short.length > 0 && about.offers.billing !== 'prepaid')
    return fault(PAUSED, `${few(short.map(({ id }) => id))}: no-credit, where nothing is paid before`);
  const balance = short.length === 0 ? undefined : await attempt(() => hosting.getBalance());
  if (balance && 'fault' in balance) return doubt(PAUSED, wordsOf(balance.fault));
  const richer = short.filter((one) => paysFor(balance?.value, one));
  if (richer.length > 0)
    return fault(
      PAUSED,
      `${few(richer.map(({ id }) => id))}: no-credit, and ${balance?.value?.credits ?? ''} is left for a day of it`,
    );
  const unsaid = paused.filter(({ pausedFor }) => pausedFor === undefined);
  return unsaid.length > 0
    ? doubt(PAUSED, `${few(unsaid.map(({ id }) => id))}: the bot says that the service doesn't say why`)
    : ok(PAUSED, few(paused.map(({ id, pausedFor = '' }) => `${id} ${pausedFor}`)));
}

/**
 * Whether the end of a term can stand in a sentence, and one of `all` shows that it is canceled. `lacking`: what it is where none
 * does.
 */
export function atItsEnd(
  { deletion }: Adapter,
  all: readonly Pick<Instance, 'endsAt'>[],
  lacking: (check: string, said: string) => Finding,
): Finding {
  if ('notOffered' in deletion || deletion.atEndOf === undefined)
    return ok(AT_END, 'a deletion deletes at once, says the adapter');
  const { atEndOf } = deletion;
  if (!/^(?!(?:the )?end\b)[^\n]*[^\s.,;:!?]$/iu.test(atEndOf))
    return fault(AT_END, `${JSON.stringify(atEndOf)} does not follow "the end of", as "its paid month" does`);
  return all.some(({ endsAt }) => endsAt !== undefined)
    ? ok(AT_END, atEndOf)
    : lacking(AT_END, 'nothing has endsAt, without which the bot never calls one canceled');
}

function paysFor(balance: Balance | undefined, { dailyCostCredits }: Instance): boolean {
  const [left, cost] = [Number(balance?.credits), Number(dailyCostCredits)];
  return left > 0 && left >= cost;
}

/** Whether what an action is said to prove can be asked for, and its action as well. */
export function proves({ instances: { actionProves = [], action, force } }: Adapter): Finding {
  if (actionProves.length === 0) return ok(PROVES, 'nothing, says the adapter');
  if (!action) return fault(PROVES, 'the adapter reads no action, so that none can prove anything');
  const forced = actionProves.filter((one) => one.startsWith('force-'));
  return forced.length > 0 && !force
    ? fault(PROVES, `${forced.join(', ')}: the adapter forces nothing`)
    : ok(PROVES, actionProves.join(', '));
}
