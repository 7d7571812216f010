import { together } from '../../../core/records/commit.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { destinationOf } from '../alerts/alert-settings.ts';
import type { AtEnd } from '../ledger/at-end.ts';
import { dailyCosts, amountOf } from '../ledger/daily-costs.ts';
import { dayAt, startOf, type Day } from '../ledger/day.ts';
import { FIGURES, type Billing } from '../billing.ts';
import { FULL_DAYS, isWorthALook, judge, type JudgedDay, PATTERN_DAYS } from './judge.ts';
import { spikeMessage, type Started, EXPECTED_ROUTE, expectedMessage, quietWords } from './messages.ts';
import type { Route } from '../../../core/intake/route.ts';
import { Refusal } from '../../../core/refusal.ts';
import { say } from '../../../platform/slack/phrase.ts';

/** The id of the message that tells of a day. */
function postIdOf(day: string): string {
  return `spike-${day}`;
}

/**
 * What is written with the end of a reading of the ledger: one day at most that cost far more than its kind does, as a post, and on that
 * day that it was told. `now`: the calendar's, Unix ms. Throws what Redis says.
 */
export function createTellSpikes(deps: Billing): AtEnd {
  const { days, outbox, unit } = deps;
  return async (now) => {
    const yesterday = dayAt(now - DAY_MS);
    const costs = dailyCosts(await days.listCosts(dayAt(now - PATTERN_DAYS * DAY_MS), yesterday));
    if (!isWorthALook(costs)) return undefined;
    const full = await days.list(dayAt(now - FULL_DAYS * DAY_MS), yesterday);
    const judged = judge(costs, full);
    if (!judged) return undefined;
    const to = destinationOf((await deps.alarms.get()).settings, deps.config, deps.admins());
    if (!to) return undefined;
    const content = spikeMessage(judged, unit, await startedIn(deps, judged));
    const part = await days.moving(judged.day, now, (record) =>
      record.spike ? undefined : { ...record, spike: { at: now, from: judged.from } },
    );
    const guard = 'channelId' in to ? { guard: FIGURES } : {};
    return (
      part &&
      together(part, await outbox.saying([{ id: postIdOf(judged.day), to, content, ...guard }], 'moved'))
    );
  };
}

/** Who had the bot start what the day costs more for. */
async function startedIn({ past }: Billing, { day, explanation }: JudgedDay): Promise<readonly Started[]> {
  const [from, to] = [startOf(day), startOf(day) + DAY_MS];
  const started = explanation.changes.flatMap(({ cause }) =>
    cause.kind === 'started' || cause.kind === 'on' ? [cause.id] : [],
  );
  const found = await Promise.all(
    started.map(async (id) => {
      const done = await past.since(id, from);
      const start = done.findLast(
        ({ kind, at, result }) => kind === 'instances.start' && at < to && (result ?? 'done') === 'done',
      );
      return start ? [{ id, userId: start.userId }] : [];
    }),
  );
  return found.flat();
}

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
