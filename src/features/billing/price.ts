import { type Amount, add, compare, parseAmount, subtract, sum, ZERO } from '../../core/money/amount.ts';
import { counted } from '../../core/money/counted.ts';
import type { Access } from '../../core/policy/access.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask } from '../../core/ask/ask.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { HostingService, Instance, Power } from '../../platform/hosting/service.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { lastsWords } from './balance/messages.ts';
import { inWords } from './balance/offered.ts';
import { costsOf } from './usage/costs.ts';
import { findReading, type Reading } from './balance/reading.ts';
import { runwayOf } from './balance/runway.ts';

interface PriceDeps {
  readonly hosting: HostingService;
  readonly access: Access;
  /** How credits are called. */
  readonly unit: string;
  readonly now: () => number;
}

/**
 * What a power action of several changes in a day's cost and in the runway, as sentences: nothing for a restart, where the
 * service gives no figures, or for a person who may not see the balance.
 */
export function createPrice({
  hosting: given,
  access,
  unit,
  now,
}: PriceDeps): (power: Power, instances: readonly Instance[], ask: Ask) => Promise<readonly Phrase[]> {
  const hosting = inWords(given);
  return async (power, instances, { actor, place: { channelId } }) => {
    if (power === 'restart') return [];
    const { allowed } = await access.check(actor, 'billing:read', 'all', { channelId });
    if (!allowed) return [];
    const [known, reading] = await Promise.all([
      unlessAway(costsOf(hosting), new Map()),
      unlessAway(findReading(hosting, now), undefined),
    ]);
    // What is paid in another way costs the same, whether it runs or not.
    const byDay = instances.filter(({ isPaidByDay }) => isPaidByDay);
    const costs = byDay.flatMap(
      ({ id, dailyCostCredits }) => parseAmount(known.get(id) ?? dailyCostCredits) ?? [],
    );
    const cost = sum(costs);
    if (compare(cost, ZERO) <= 0) return [];
    const part =
      costs.length < byDay.length
        ? say` for the ${costs.length} whose cost is known`
        : byDay.length < instances.length
          ? say` for the ${byDay.length} paid by the day`
          : say``;
    const what =
      power === 'stop'
        ? say`Saves at most ${counted(cost, unit)} a day${part}.`
        : say`Costs about ${counted(cost, unit)} a day more${part}.`;
    return [what, ...(reading ? runwayWords(power, reading, cost, unit) : [])];
  };
}

/** What is read, or `none` where it can't be had now: that is no reason to keep anybody from acting. */
export async function unlessAway<T>(reading: Promise<T>, none: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Refusal || error instanceof HostingError) return none;
    throw error;
  }
}

function runwayWords(power: Power, reading: Reading, cost: Amount, unit: string): readonly Phrase[] {
  const { balance, perDay, asOf } = reading;
  if (!perDay) return [];
  const after = power === 'stop' ? subtract(perDay, cost) : add(perDay, cost);
  // A figure of the service that contradicts the others says nothing.
  if (compare(after, ZERO) < 0) return [];
  const then = { perDay: after, runway: runwayOf(balance, after, asOf) };
  return [say`The balance now: ${lastsWords(reading, unit)}. After that: ${lastsWords(then, unit)}.`];
}
