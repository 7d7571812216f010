import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hearing, nextStepMs, type StepNow } from '../../src/core/on-call/escalation.ts';
import { type Quiet, quietUntil } from '../../src/core/on-call/on-call.ts';
import { clockAt } from '../../src/platform/time/zoned-time.ts';
import { withEscalation, withChanges } from '../../src/features/watches/judge.ts';
import { awake, snoozed, takenOn } from '../../src/features/watches/react.ts';
import { saidBetween } from '../../src/features/watches/said.ts';
import { isOver, type Watch } from '../../src/features/watches/watch.ts';
import { runs } from '../support/runs.ts';

const MINUTE_MS = 60_000;
const ROUTES = { startRoute: 'start', restartRoute: 'restart', storyRoute: 'story' };
const PEOPLE = ['U1', 'U2', 'U3', 'U4'];
/** U1 and U2, then U3, then U4: by the minute. */
const AFTER_MIN = [0, 10, 30];
const IN_STEP: readonly (readonly string[])[] = [['U1', 'U2'], ['U3'], ['U4']];
const begun = (id: string) => ({ what: 'began', id, name: `web-${id}`, trouble: 'error' }) as const;
const over = (id: string) =>
  ({ what: 'ended', id, name: `web-${id}`, trouble: 'error', now: 'running' }) as const;

const NEW: Watch = {
  id: 'w1',
  filters: ['name:web-*'],
  instances: [],
  channelId: 'C1',
  setBy: { userId: 'U9' },
  setAt: 0,
  nextPollAt: 0,
  cards: [],
  count: 0,
};

type Event = {
  readonly do: 'wait' | 'break' | 'mend' | 'take' | 'snooze' | 'wake' | 'away' | 'leave' | 'die';
  readonly of: number;
};
const event: fc.Arbitrary<Event> = fc.record({
  do: fc.constantFrom(
    'wait',
    'wait',
    'wait',
    'break',
    'mend',
    'take',
    'snooze',
    'wake',
    'away',
    'leave',
    'die',
  ),
  of: fc.nat(3),
});

function toggle(those: Set<string>, one: string): void {
  if (!those.delete(one)) those.add(one);
}

/** What happens to one instance, who is there for it, and what was said. */
function createNight() {
  const away = new Set<string>();
  const gone = new Set<string>();
  let watch = NEW;
  let now = 1_000 * MINUTE_MS;
  let isBroken = false;
  /** Since when nobody has been on it, as somebody with a watch in hand would say. */
  let since: number | undefined;
  /** What of that time it was snoozed, as looks saw it. */
  let quietMs = 0;
  let quietFrom: number | undefined;
  const heard = new Map<string, number>();
  const expectHeard: string[] = [];
  const steps = (): readonly StepNow[] =>
    IN_STEP.map((people, at) => ({
      afterMs: (AFTER_MIN[at] ?? 0) * MINUTE_MS,
      people: people.filter((one) => !gone.has(one)).map((userId) => ({ userId, isAway: away.has(userId) })),
      isRead: true,
    }));
  const commit = (next: Watch): void => {
    for (const said of saidBetween(watch, next, ROUTES)) {
      if ('isEdit' in said || !('userId' in said.to)) continue;
      heard.set(said.id, (heard.get(said.id) ?? 0) + 1);
      expectHeard.push(`${said.to.userId} ${since}`);
    }
    watch = next;
  };
  const card = () => watch.cards.at(-1);
  const isQuiet = (): boolean => {
    const { onIt, snoozed: quiet } = card() ?? {};
    return onIt !== undefined || (quiet !== undefined && now < quiet.until);
  };
  const mustHaveHeard = (): readonly string[] => {
    if (!isBroken || since === undefined || isQuiet()) return [];
    const minutes = (now - since - quietMs) / MINUTE_MS;
    const due: string[] = [];
    for (const [at, people] of IN_STEP.entries()) {
      const isReached = due.some((one) => !away.has(one));
      if (minutes < (AFTER_MIN[at] ?? 0) && (at === 0 || isReached)) break;
      due.push(...people.filter((one) => !gone.has(one)));
    }
    return due;
  };
  const look = (changes: Parameters<typeof withChanges>[1] = []): void => {
    const after = withChanges(watch, changes, now, { watchCalmMs: 60 * MINUTE_MS });
    commit(withEscalation(after, () => steps(), now));
    const { onIt, snoozed: quiet } = card() ?? {};
    if (!isBroken || onIt) return;
    if (quiet && now < quiet.until) quietFrom ??= now;
    else if (quietFrom !== undefined) {
      quietMs += now - quietFrom;
      quietFrom = undefined;
    }
  };
  return {
    step: ({ do: what, of }: Event): void => {
      const userId = PEOPLE[of] ?? '';
      now += MINUTE_MS;
      const open = card();
      if (what === 'wait') now += of * 4 * MINUTE_MS;
      if (what === 'away') toggle(away, userId);
      if (what === 'leave') toggle(gone, userId);
      if (open && !isOver(open)) {
        if (what === 'take') commit(takenOn(watch, open.id, userId, now));
        if (what === 'snooze') commit(snoozed(watch, open.id, userId, now + 20 * MINUTE_MS, now));
        if (what === 'wake' && open.snoozed) commit(awake(watch, open.id, now));
      }
      // Whoever looks is gone before anything is written down.
      if (what === 'die') return;
      if (what === 'break' && !isBroken) {
        isBroken = true;
        since = now;
        quietMs = 0;
        quietFrom = undefined;
        return look([begun('1')]);
      }
      if (what === 'mend' && isBroken) {
        isBroken = false;
        return look([over('1')]);
      }
      return look();
    },
    check: (): void => {
      for (const [id, times] of heard) expect(times, id).toBe(1);
      expect(new Set(expectHeard).size).toBe(expectHeard.length);
      const told = (card()?.told ?? []).map(({ to }) => to);
      expect(new Set(told).size).toBe(told.length);
      for (const one of mustHaveHeard()) expect(expectHeard).toContain(`${one} ${since}`);
    },
    looked: (what: Event['do']): boolean => what !== 'die',
  };
}

it('whatever happens in a night, whoever has to hear of an incident has heard of it once', () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 100, maxLength: 100 }), (events) => {
      const night = createNight();
      for (const one of events) {
        night.step(one);
        if (night.looked(one.do)) night.check();
      }
    }),
    { numRuns: runs(200) },
  );
});

const stepsNow: fc.Arbitrary<readonly StepNow[]> = fc
  .array(
    fc.record({
      afterMs: fc.integer({ min: 0, max: 60 }),
      people: fc.array(fc.record({ userId: fc.constantFrom(...PEOPLE), isAway: fc.boolean() }), {
        maxLength: 3,
      }),
      isRead: fc.boolean(),
    }),
    { maxLength: 5 },
  )
  .map((all) => all.toSorted((one, other) => one.afterMs - other.afterMs));

it('nobody who is away is the only one who was told: somebody else is, or the channel', () => {
  fc.assert(
    fc.property(stepsNow, fc.integer({ min: 0, max: 100 }), (steps, sinceMs) => {
      const { people, unreached } = hearing(steps, sinceMs);
      const isAnyDue = steps.some(({ afterMs }, at) => at === 0 && afterMs <= sinceMs);
      const all = steps.flatMap((step) => step.people);
      const isReached = people.some((userId) => all.some((one) => one.userId === userId && !one.isAway));
      const isAnyUnread = steps.some(({ isRead }) => !isRead);
      if (isAnyDue && !isReached && !isAnyUnread)
        expect(unreached).toBe(people.length > 0 ? 'away' : 'nobody');
      if (!isAnyDue) expect(people).toEqual([]);
      // More time never takes anybody away.
      const later = hearing(steps, sinceMs + 5);
      expect(later.people).toEqual(expect.arrayContaining([...people]));
      const next = nextStepMs(steps, sinceMs);
      if (next !== undefined) expect(next).toBeGreaterThan(sinceMs);
    }),
    { numRuns: runs(20_000) },
  );
});

it('a user group that Slack can not tell of keeps its time: nobody is called early for it', () => {
  const away = (userId: string) => ({ userId, isAway: true });
  const steps = [
    { afterMs: 0, people: [away('U1')], isRead: false },
    { afterMs: 10, people: [away('U2')], isRead: true },
  ];
  expect(hearing(steps, 5)).toEqual({ people: ['U1'] });
  expect(hearing(steps, 10)).toEqual({ people: ['U1', 'U2'] });
});

it('quiet hours are the same on every day, also where the clock is set', () => {
  const time = fc.record({ hour: fc.nat(23), minute: fc.nat(59) });
  const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'UTC', 'Asia/Kathmandu');
  fc.assert(
    fc.property(
      time,
      time,
      zone,
      fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true }),
      (from, until, name, date) => {
        const minutes = ({ hour, minute }: { hour: number; minute: number }): number => hour * 60 + minute;
        fc.pre(minutes(from) !== minutes(until));
        const quiet: Quiet = { from, until, zone: name, breaks: [] };
        const at = date.getTime();
        const shown = minutes(clockAt(at, name));
        const isIn =
          minutes(from) < minutes(until)
            ? shown >= minutes(from) && shown < minutes(until)
            : shown >= minutes(from) || shown < minutes(until);
        const end = quietUntil(quiet, at);
        expect(end !== undefined).toBe(isIn);
        if (end === undefined) return;
        expect(end).toBeGreaterThan(at);
        expect(end - at).toBeLessThanOrEqual(25 * 60 * MINUTE_MS);
      },
    ),
    { numRuns: runs(20_000) },
  );
});
