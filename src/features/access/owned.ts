import { passedOn } from '../../core/policy/access-record.ts';
import { type Freeze, isFrozen, keeperOf } from '../../core/policy/freeze.ts';
import type { Grant } from '../../core/policy/grant.ts';
import { roleWords } from '../../core/policy/messages.ts';
import type { Owned, OwnedSource } from '../../core/policy/owned.ts';
import { listWaiting } from '../../core/policy/access-requests.ts';
import { say, time } from '../../platform/slack/phrase.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { approvalWaits, openGrantsOf, requestWaits } from './holdings.ts';
import type { Approvals } from '../../core/approvals/approvals.ts';
import type { Bot } from '../../core/bot/bot.ts';

/** The freezes that somebody keeps, and what they wait for or hold that can't be anybody else's. */
export function ownedAccess({
  accessStore,
  approvals,
  accessRequests,
  clock,
}: Pick<Bot, 'accessStore' | 'accessRequests' | 'clock'> & {
  readonly approvals: Pick<Approvals, 'listOpen'>;
}): OwnedSource {
  return {
    name: 'access',
    list: async (userId) => {
      const [{ freezes, grants }, waiting, requests] = await Promise.all([
        accessStore.get(),
        approvals.listOpen(),
        listWaiting(accessRequests),
      ]);
      const now = clock.now();
      return [
        ...freezes.filter((one) => isFrozen(one, now) && keeperOf(one) === userId).map(freezeOwned),
        ...waiting
          .filter(({ actor }) => actor.userId === userId)
          .map((one): Owned => ({
            id: one.id,
            line: approvalWaits(one),
            needs: { permission: 'instances:read', of: [one.instance] },
            stays: say`Who asked can't change. They can cancel it, and somebody else can ask for the same.`,
          })),
        ...requests
          .filter((one) => one.userId === userId)
          .map((one): Owned => ({
            id: one.id,
            line: requestWaits(one),
            needs: { permission: 'access:grant', of: one.target ? [one.target] : [] },
            stays: say`A right is asked for by whoever is to have it.`,
          })),
        ...openGrantsOf(grants, userId, now).flatMap((one) => endingSoon(one, now)),
      ];
    },
    moving: (ids, { from, to, at }) =>
      accessStore.moving((record) => passedOn(record, ids, { from, to, at })),
  };
}

function freezeOwned({ id, on, until, why }: Freeze): Owned {
  const what = on ? on.join(', ') : 'everything';
  const end = until === undefined ? say`` : say` until ${time(until)}`;
  return {
    id,
    line: say`freeze of ${what}${end}: "${why}".`,
    needs: { permission: 'access:freeze', of: [], ...(on ? { within: { on, until } } : {}) },
  };
}

/** A right that ends within a day: who goes on without it has to know. */
function endingSoon(grant: Grant, now: number): readonly Owned[] {
  const { id, until } = grant;
  if (until === undefined || until - now > DAY_MS) return [];
  return [
    {
      id,
      line: say`${roleWords(grant)}.`,
      needs: { permission: 'access:grant', of: [] },
      stays: say`A right doesn't move; it ends ${time(until)}.`,
    },
  ];
}
