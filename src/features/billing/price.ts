import {
  type Amount,
  add,
  compare,
  parseAmount,
  subtract,
  sum,
  ZERO,
  counted,
} from '../../core/money/amount.ts';
import type { Ask } from '../../core/ask/ask.ts';
import type { Instance, Power, Usage } from '../../platform/hosting/service.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { lastsWords } from './balance/messages.ts';
import { inWords } from './balance/offered.ts';
import { unlessAway } from '../../core/refusal.ts';
import { costsIn, haveAddons, runningCostsOf, usageOf, WITHOUT_ADDONS } from './usage/costs.ts';
import { findReading, type Reading, runwayOf } from './balance/reading.ts';
import type { Bot } from '../../core/bot/bot.ts';

const NO_USAGE: Usage = { instances: [], addons: [] };
const NONE: Awaited<ReturnType<typeof runningCostsOf>> = new Map();

/**
 * What a power action of several changes in a day's cost and in the runway, as sentences: nothing for a restart, where the
 * service gives no figures, or for a person who may not see the balance.
 */
export function createPrice({
  hosting: given,
  access,
  unit,
  clock,
}: Pick<Bot, 'hosting' | 'unit' | 'access' | 'clock'>): (
  power: Power,
  instances: readonly Instance[],
  ask: Ask,
) => Promise<readonly Phrase[]> {
  const hosting = inWords(given);
  return async (power, instances, { actor, place: { channelId } }) => {
    if (power === 'restart') return [];
    const { allowed } = await access.check(actor, 'billing:read', 'all', { channelId });
    if (!allowed) return [];
    // What is paid in another way costs the same, whether it runs or not.
    const byDay = instances.filter(({ isPaidByDay }) => isPaidByDay);
    const [read, running, reading] = await Promise.all([
      unlessAway<Usage | undefined>(usageOf(hosting), undefined),
      power === 'start' ? runningCostsOf(hosting, byDay) : NONE,
      unlessAway(findReading(hosting, clock.now), undefined),
    ]);
    // What it costs more depends on what it costs now, which is not nothing just because nobody could read it.
    if (power === 'start' && !read) return [];
    const usage = read ?? NO_USAGE;
    const known = costsIn(usage);
    const costs = byDay.flatMap(({ id, dailyCostCredits }) => {
      const today = parseAmount(known.get(id));
      if (power === 'stop') return today ?? parseAmount(dailyCostCredits) ?? [];
      const then = parseAmount(running.get(id));
      return then ? subtract(then, today ?? ZERO) : [];
    });
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
        ? say`Saves at most ${counted(cost, unit)} a day${part}${haveAddons(usage, byDay) ? WITHOUT_ADDONS : ''}.`
        : say`Costs about ${counted(cost, unit)} a day more${part}.`;
    return [what, ...(reading ? runwayWords(power, reading, cost, unit) : [])];
  };
}

function runwayWords(power: Power, reading: Reading, cost: Amount, unit: string): readonly Phrase[] {
  const { balance, perDay, asOf } = reading;
  if (!perDay) return [];
  const after = power === 'stop' ? subtract(perDay, cost) : add(perDay, cost);
  // A figure of the service that contradicts the others says nothing.
  if (compare(after, ZERO) < 0) return [];
  const then = { perDay: after, runway: runwayOf(balance, after, asOf) };
  const now = reading.isToppedUp ? 'Without a top-up, the balance now' : 'The balance now';
  return [say`${now}: ${lastsWords(reading, unit)}. After that: ${lastsWords(then, unit)}.`];
}
