import type { Route } from '../../../core/intake/route.ts';
import { Refusal } from '../../../core/refusal.ts';
import { say } from '../../../platform/slack/phrase.ts';
import { amountOf } from '../ledger/daily-costs.ts';
import type { Day } from '../ledger/day.ts';
import { EXPECTED_ROUTE, expectedMessage, quietWords } from './messages.ts';
import { postIdOf } from './tell.ts';
import type { Billing } from '../billing.ts';

/** The press on a day that was told: what it came from is left in peace for the rest of the month. Its value is the day. */
export function expectedRoute({ days, outbox, calendar, unit }: Billing): Route {
  return {
    id: EXPECTED_ROUTE,
    verb: 'expect a cost',
    permission: 'billing:alerts',
    writes: true,
    summary: 'say that what a day cost more is expected',
    isAskable: false,
    handle: async ({ actor, value = '' }) => {
      if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) throw gone();
      const now = await calendar.today();
      const words = (record: Day) => ({
        cost: amountOf(record.booked?.total ?? '0'),
        unit,
        month: new Date(record.spike?.expected?.at ?? now).toISOString().slice(0, 7),
      });
      const moved = await days.change(
        value,
        now,
        (record) =>
          record.spike && !record.spike.expected
            ? { ...record, spike: { ...record.spike, expected: { by: actor.userId, at: now } } }
            : undefined,
        async (next) => {
          const { spike } = next;
          if (!spike) return {};
          const content = expectedMessage(value, spike, { ...words(next), by: actor.userId });
          return outbox.saying([{ id: postIdOf(value), content, isEdit: true }], 'moved');
        },
      );
      const record = moved ?? (await days.list(value, value))[0]?.record;
      if (!record?.spike?.expected) throw gone();
      return { lines: [say`🔕 ${quietWords(record.spike.from, words(record))}`] };
    },
  };
}

function gone(): Refusal {
  return new Refusal('changed', say`I don't know any more what that day cost, so nothing was done.`);
}
