import fc from 'fast-check';
import { describe, it } from 'vitest';
import {
  type Alarm,
  alarmSchema,
  type Episode,
  findOpen,
  NO_ALARM,
} from '../../src/features/billing/alerts/alarm.ts';
import { balanceMeasure } from '../../src/features/billing/alerts/balance-measure.ts';
import { judge, type Rules } from '../../src/features/billing/alerts/judge.ts';
import { type Level, levelOf, rank } from '../../src/features/billing/alerts/level.ts';
import type { Thresholds } from '../../src/core/money/threshold.ts';
import type { BalanceSeen as Seen } from '../../src/features/billing/alerts/balance-seen.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { runs } from '../support/runs.ts';

/** How many walks are made; each is many readings long. */
const WALKS = runs(50_000);
const MINUTE_MS = 60_000;
const thresholds: Thresholds = {
  warn: { in: 'days', amount: { units: 5n, scale: 0 } },
  critical: { in: 'days', amount: { units: 2n, scale: 0 } },
};

function rules(id: number, more: Partial<Rules> = {}): Rules {
  return {
    measure: balanceMeasure(thresholds),
    isOff: false,
    to: { channelId: 'C1' },
    escalateTo: [],
    newId: `episode-${id}`,
    timings: TIMINGS,
    ...more,
  };
}

const seenAt = (balance: number, at: number): Seen => ({
  balance: String(balance),
  perDay: '100',
  at,
  running: [],
  runningCount: 0,
});

/** Slack takes everything at once. */
function said(alarm: Alarm): {
  alarm: Alarm;
  posts: { kind: string; level: Level | undefined; episode: string }[];
} {
  const posts: { kind: string; level: Level | undefined; episode: string }[] = [];
  const episodes = alarm.episodes.map((episode): Episode => ({
    ...episode,
    notices: episode.notices.map((notice) => {
      if (notice.message.state !== 'waiting') return notice;
      posts.push({ kind: notice.kind, level: notice.level, episode: episode.id });
      const message = { ...notice.message, state: 'sent', shown: '', channelId: 'C1', ts: '1.1' } as const;
      return { ...notice, message };
    }),
  }));
  // What is over and reported is forgotten; the telling itself has tests of its own.
  const after = { ...alarm, episodes: episodes.filter(({ closed }) => !closed) };
  return { alarm: after, posts };
}

/** A balance that drifts, jumps, wobbles around a line, can't be read, or is not looked at for days. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -40, max: 10 }).map((by) => ({ do: 'drift', by }) as const) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 1_200 }).map((to) => ({ do: 'jump', to }) as const) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(199, 200, 201, 499, 500, 501, 0, 1).map((to) => ({ do: 'jump', to }) as const),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'fail' } as const) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 3_000 }).map((minutes) => ({ do: 'sleep', minutes }) as const),
  },
);

/** Millions of these are checked, for which `expect` is too slow. */
function hold(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what);
}

describe('a balance that walks about', () => {
  it('is reported at most once for each crossing, at the very reading, and never from a failed one', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
        let alarm: Alarm = NO_ALARM;
        let now = 1_800_000_000_000;
        let balance = 1_000;
        let announced: Level = 'ok';
        for (const [index, one] of steps.entries()) {
          now += 5 * MINUTE_MS;
          if (one.do === 'sleep') {
            // Nobody runs meanwhile, and a process that begins again knows what Redis kept.
            now += one.minutes * MINUTE_MS;
            alarm = alarmSchema.parse(JSON.parse(JSON.stringify(alarm)));
            continue;
          }
          if (one.do === 'drift') balance = Math.max(-50, balance + one.by);
          if (one.do === 'jump') balance = one.to;
          const was = alarm.level;
          const judged = judge(
            alarm,
            one.do === 'fail' ? undefined : seenAt(balance, now),
            rules(index),
            now,
          );
          const { alarm: after, posts } = said(judged);
          const moneyPosts = posts.filter(({ kind }) => ['card', 'worse', 'recovered'].includes(kind));
          if (one.do === 'fail') {
            hold(moneyPosts.length === 0 && after.level === was, 'a failed look says nothing of the money');
          } else {
            const level =
              levelOf({ balance: amountOf(balance), perDay: amountOf(100) }, thresholds, was) ?? 'ok';
            hold(after.level === level, 'the level is that of the reading');
            // A crossing to the worse, or to the end, is one post; anything else is none.
            const worse = was === 'ok' ? 'card' : 'worse';
            const over = level === 'ok' && was !== 'ok' ? 'recovered' : undefined;
            const crossed = rank(level) > rank(was) ? worse : over;
            hold(moneyPosts.map(({ kind }) => kind).join() === (crossed ?? ''), 'one post for a crossing');
            hold(
              crossed === undefined || crossed === 'recovered' || moneyPosts[0]?.level === level,
              'at its level',
            );
            announced = level;
          }
          hold(after.level === announced, 'what was reported last is what counts');
          hold((findOpen(after, 'low') !== undefined) === (announced !== 'ok'), 'low is an open episode');
          alarm = after;
        }
      }),
      { numRuns: WALKS },
    );
  });
});

function amountOf(value: number): { units: bigint; scale: number } {
  return { units: BigInt(value), scale: 0 };
}
