import type { NamedDay } from '../ledger/day.ts';
import { fitOf, type Per } from '../why/rates.ts';
import { costsOf } from '../why/series.ts';

const PERS: readonly Per[] = ['hour', 'day'];

/**
 * Whether it is known that an hour, or a day, of each tier that was charged on `day` cost as much as on the days `before` it: nothing
 * charged speaks against it, and of each tier something speaks for it. Pure.
 */
export function areSamePrices(before: readonly NamedDay[], day: NamedDay): boolean {
  const [charged, known] = [new Set<string>(), new Set<string>()];
  for (const one of costsOf(before, [day], () => true, [...before, day]).series) {
    const [now] = one.now;
    if (!now || now.own === 0n) continue;
    const { tier } = now;
    const fits = PERS.flatMap((per) => fitOf([...one.before, now], per) ?? []);
    const steady = fits.filter(({ steps }) => steps === 0);
    if (tier === undefined || steady.length === 0) return false;
    charged.add(tier);
    const isKnown = steady.some(({ levels }) =>
      levels.some(
        ({ tier: of, exact }) => of === tier && exact && exact[0] < day.day && exact[1] === day.day,
      ),
    );
    if (isKnown) known.add(tier);
  }
  return charged.size > 0 && [...charged].every((tier) => known.has(tier));
}
