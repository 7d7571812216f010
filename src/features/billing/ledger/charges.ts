import { parseAmount, subtract, toDecimal, ZERO } from '../../../core/money/amount.ts';
import type { Instance } from '../../../platform/hosting/instance.ts';
import type { Charge } from '../../../platform/hosting/month.ts';
import { count, type Maps, toSums } from './booked.ts';
import { totalOf } from './daily-costs.ts';
import type { Charges, NamedDay } from './day.ts';

/** The type of what the service counts and doesn't list. */
export const NOT_LISTED = 'not_listed';

/**
 * What a month has cost so far (`total`, as the service counts it), by what it lists. Its parts come to exactly that. `asOf`: Unix ms.
 * Undefined where the total can't be read. Pure.
 */
export function chargesOf(
  total: string,
  charges: readonly Charge[],
  asOf: number,
  instances?: readonly Instance[],
): Charges | undefined {
  const counted = parseAmount(total);
  if (!counted) return undefined;
  const sums: Maps = new Map();
  const names: Record<string, string> = {};
  for (const { instanceId, name, product, amount } of charges) {
    const id = instanceId ?? name;
    names[id] = name;
    count(sums, product, id, parseAmount(amount) ?? ZERO);
  }
  const used = toSums(sums);
  const rest = subtract(counted, totalOf(used));
  if (rest.units !== 0n) used[NOT_LISTED] = [...(used[NOT_LISTED] ?? []), ['', toDecimal(rest)]];
  return {
    asOf,
    total: toDecimal(counted),
    used,
    names,
    ...(instances ? { instances: knownOf(charges, instances) } : {}),
  };
}

/** A day's reading of the month so far as the one day on which all of it was booked, so that it is told like one. Pure. */
export function asOneDay(day: string, charges: Charges): NamedDay {
  const { asOf, total, used, names } = charges;
  const booked = { asOf, used, added: {}, total, unreadable: 0, names, run: '' };
  return { day, record: { booked, charges } };
}

/** So many labels of an instance are kept. */
const MAX_LABELS = 30;

/** What is known of the instances that are charged. A charge without an id is for the only instance of its name. */
function knownOf(
  charges: readonly Charge[],
  instances: readonly Instance[],
): NonNullable<Charges['instances']> {
  const byId = new Map(instances.map((one) => [one.id, one]));
  const byName = new Map<string, Instance | undefined>();
  for (const one of instances) byName.set(one.name, byName.has(one.name) ? undefined : one);
  return Object.fromEntries(
    charges.flatMap(({ instanceId, name }) => {
      const one = instanceId === undefined ? byName.get(name) : byId.get(instanceId);
      if (!one) return [];
      const { tier, labels } = one;
      const known = {
        ...(tier === undefined ? {} : { tier }),
        ...(labels ? { labels: labels.slice(0, MAX_LABELS) } : {}),
      };
      return [[instanceId ?? name, known]];
    }),
  );
}
