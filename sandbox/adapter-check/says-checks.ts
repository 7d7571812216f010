import type { Adapter } from '../../src/platform/hosting/adapter.ts';
import type { Balance, HostingService, Instance } from '../../src/platform/hosting/service.ts';
import { attempt, doubt, few, fault, type Finding, notTried, ok, wordsOf } from './finding.ts';

/** What an adapter says by itself, and nobody asks the service for. */

const LEAVES_OUT = 'left out of the list';
const PAUSED = 'why it is paused';
const PROVES = 'proved by its action';

/** Whether what the list never has can stand in a sentence: "GPU Droplets are not in this list". */
export function leftOut({ instances: { leavesOut } }: Adapter): Finding {
  if (leavesOut === undefined) return ok(LEAVES_OUT, 'nothing, says the adapter');
  return /^\p{Lu}[^\n]*[^\s.,;:!?]$/u.test(leavesOut)
    ? ok(LEAVES_OUT, leavesOut)
    : fault(LEAVES_OUT, `${JSON.stringify(leavesOut)} does not begin a sentence, as "GPU Droplets" does`);
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
