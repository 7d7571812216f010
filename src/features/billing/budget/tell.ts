import { isDeepStrictEqual } from 'node:util';
import type { NewPost } from '../../../core/outbox/post.ts';
import { destinationOf } from '../alerts/alert-settings.ts';
import { idOf } from '../../../platform/id.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import type { AtEnd } from '../ledger/at-end.ts';
import { FIGURES, type Billing } from '../billing.ts';
import { type Budget, dueOf, isKnown, isPaceWanted, withTold } from './budgets.ts';
import { reachedMessage } from './messages.ts';
import { monthOf } from '../month/month-words.ts';
import { daysFor } from './spending.ts';

/** Where a budget is told: in its channel while figures may stand there, else where alerts go; undefined for nowhere. */
export async function placeOf(
  { places, alarms, config, admins }: Pick<Billing, 'places' | 'alarms' | 'config' | 'admins'>,
  { channelId }: Pick<Budget, 'channelId'>,
): Promise<{ channelId: string } | { userId: string } | undefined> {
  if (channelId !== undefined && (await places.isAllowed(channelId))) return { channelId };
  return destinationOf((await alarms.get()).settings, config, admins());
}

/**
 * What is written with the end of a reading of the ledger: what budgets of the running month have newly reached, as posts, and that it
 * was told. Nothing where that is nothing. `now`: the calendar's, Unix ms.
 */
export function createTellBudgets(deps: Billing): AtEnd {
  const { budgets: store, outbox } = deps;
  return async (now) => {
    for (;;) {
      const seen = await store.get();
      const told = await toTell(deps, seen.budgets, now);
      if (told.length === 0) return undefined;
      const after = new Map(told.map(({ budget }) => [budget.group, budget]));
      let isMoved = false;
      const part = await store.moving(
        (record) => {
          isMoved = !isDeepStrictEqual(record, seen);
          if (isMoved) return undefined;
          return { budgets: record.budgets.map((one) => after.get(one.group) ?? one) };
        },
        () =>
          outbox.saying(
            told.map(({ post }) => post),
            'moved',
          ),
      );
      if (!isMoved) return part;
    }
  };
}

/** What is to be told now, each with its budget as it is then. */
async function toTell(
  deps: Billing,
  budgets: readonly Budget[],
  now: number,
): Promise<readonly { readonly budget: Budget; readonly post: NewPost }[]> {
  const groups = deps.costGroups();
  const known = budgets.filter((budget) => isKnown(budget, groups));
  if (known.length === 0) return [];
  // On the first of a month, that is the one whose last day was just read.
  const month = monthOf(now - DAY_MS);
  const days = await daysFor(deps.days, { now, month }, known.some(isPaceWanted));
  const told: { budget: Budget; post: NewPost }[] = [];
  for (const budget of known) {
    const { group, amount, setAt } = budget;
    const spending = deps.spendingOf(days, group, groups, { now, month }, isPaceWanted(budget));
    const due = spending ? dueOf(budget, month, spending) : [];
    const to = due.length > 0 ? await placeOf(deps, budget) : undefined;
    if (!spending || !to) continue;
    const value = `${month}/${group}`;
    told.push({
      budget: withTold(budget, month, due),
      post: {
        // Set anew, it is told anew.
        id: idOf(`budget ${JSON.stringify([group, amount, setAt, month, due])}`),
        to,
        content: reachedMessage(budget, due, spending, { unit: deps.unit, now: now - DAY_MS, value }),
        guard: FIGURES,
      },
    });
  }
  return told;
}
