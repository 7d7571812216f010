import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Alarm,
  alarmSchema,
  findOpen,
  NO_ALARM,
  type Notice,
} from '../../src/features/billing/alerts/alarm.ts';
import { acked, snoozed } from '../../src/features/billing/alerts/react.ts';
import { thresholdsOf } from '../../src/features/billing/alerts/alert-settings.ts';
import { balanceCommand } from '../../src/features/billing/alerts/balance-command.ts';
import { balanceFace } from '../../src/features/billing/alerts/balance-face.ts';
import { balanceMeasure } from '../../src/features/billing/alerts/balance-measure.ts';
import { judge, type Look, type Rules } from '../../src/features/billing/alerts/judge.ts';
import { type Level, levelOf, rank } from '../../src/features/billing/alerts/level.ts';
import { noticeMessage } from '../../src/features/billing/alerts/messages.ts';
import type { BalanceRead } from '../../src/features/billing/alerts/balance-read.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { toText } from '../../src/platform/slack/phrase.ts';
import { runs } from '../support/runs.ts';
import { posted, rulesOf, thresholdsIn } from './judged.ts';

/** How many walks are made; each is many readings long. */
const WALKS = runs(30_000);
const OUTAGES = runs(5_000);
const MINUTE_MS = 60_000;
const thresholds = thresholdsIn('days', 5n, 2n);

/** U2 is told where nobody is on it. */
const TO_U2: Rules['steps'] = [
  { afterMs: TIMINGS.escalateAfterMs, people: [{ userId: 'U2', isAway: false }], isRead: true },
];

const rules = (id: number, more: Partial<Rules> = {}): Rules =>
  rulesOf(balanceMeasure(thresholds), { newId: `episode-${id}`, ...more });

const readAt = (balance: number, at: number): BalanceRead => ({
  balance: String(balance),
  perDay: '100',
  at,
  list: { at, isWhole: true, instances: [] },
});

/** One look as the job makes it: again while what was read contradicts what counts. Gives how often it read. */
function lookAt(
  before: Alarm,
  read: (at: number) => Look,
  now: number,
  given: Rules,
  see: (judged: Alarm) => void = () => undefined,
): { alarm: Alarm; posts: Notice[]; count: number } {
  let alarm = before;
  const posts: Notice[] = [];
  let count = 0;
  do {
    const look = read(now + count);
    const judged = judge(alarm, look, given, now + count);
    see(judged);
    const after = posted(judged);
    alarm = after.alarm;
    posts.push(...after.posts);
    count++;
    if (typeof look !== 'object') break;
  } while (alarm.doubt && count < 20);
  return { alarm, posts, count };
}

const ofMoney = (posts: readonly Notice[]): Notice[] =>
  posts.filter(({ kind }) => ['card', 'worse', 'recovered'].includes(kind));

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

const kept = (alarm: Alarm): Alarm => alarmSchema.parse(JSON.parse(JSON.stringify(alarm)));

describe('a balance that walks about', () => {
  it('is reported at most once for each crossing, at the very look, and never from a failed one', () => {
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
            alarm = kept(alarm);
            continue;
          }
          if (one.do === 'drift') balance = Math.max(-50, balance + one.by);
          if (one.do === 'jump') balance = one.to;
          const was = alarm.level;
          const isFirst = alarm.seen === undefined;
          const read = (at: number): Look => (one.do === 'fail' ? undefined : readAt(balance, at));
          const { alarm: after, posts, count } = lookAt(alarm, read, now, rules(index));
          const moneyPosts = ofMoney(posts);
          if (one.do === 'fail') {
            hold(moneyPosts.length === 0 && after.level === was, 'a failed look says nothing of the money');
          } else {
            const level =
              levelOf({ balance: amountOf(balance), perDay: amountOf(100) }, thresholds, was) ?? 'ok';
            hold(after.level === level, 'the level is that of the readings');
            // A crossing to the worse, or to the end, is one post; anything else is none.
            const worse = was === 'ok' ? 'card' : 'worse';
            const over = level === 'ok' && was !== 'ok' ? 'recovered' : undefined;
            const crossed = rank(level) > rank(was) ? worse : over;
            hold(moneyPosts.map(({ kind }) => kind).join() === (crossed ?? ''), 'one post for a crossing');
            hold(
              crossed === undefined || crossed === 'recovered' || moneyPosts[0]?.level === level,
              'at its level',
            );
            const most = isFirst || level === was ? 1 : rank(level) > rank(was) ? 2 : 3;
            hold(count <= most, 'a fall is believed at the second reading, a rise at the third');
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

/** Looks with two copies of the balance behind one address, each answer from one of them. */
function looksAt(copies: (call: number) => number, looks: number): string[] {
  let alarm = lookAt(NO_ALARM, (at) => readAt(1_000, at), 1_000_000, rules(0)).alarm;
  let calls = 0;
  const kinds: string[] = [];
  for (let index = 1; index <= looks; index++) {
    const at = 1_000_000 + index * MINUTE_MS;
    const look = lookAt(alarm, (now) => readAt(copies(calls++), now), at, rules(index));
    alarm = look.alarm;
    kinds.push(...ofMoney(look.posts).map(({ kind, level }) => `${kind} ${level ?? ''}`.trim()));
  }
  return kinds;
}

describe('a service that answers from two copies of the balance, of which one lags', () => {
  it.each([
    ['one after the other, the old one first', (call: number) => (call % 2 ? 100 : 1_000)],
    ['one after the other, the new one first', (call: number) => (call % 2 ? 1_000 : 100)],
    ['the old one at each third call', (call: number) => (call % 3 ? 100 : 1_000)],
  ])('%s, is one warning and no all-clear until they agree', (_how, copies) => {
    expect(looksAt(copies, 30)).toEqual(['card critical']);
    // The old copy has caught up, and then there is a top-up.
    expect(looksAt((call) => (call < 40 ? copies(call) : 1_000), 60)).toEqual(['card critical', 'recovered']);
  });

  it.each([100, 0, -1, 1_000_000])('a single answer of %i is not told', (odd) => {
    expect(looksAt((call) => (call === 3 ? odd : 1_000), 8)).toEqual([]);
  });

  it('a dip to exactly zero is told at its second reading', () => {
    expect(looksAt((call) => (call === 3 || call === 4 ? 0 : 1_000), 4)).toEqual(['card empty']);
  });
});

/** What happens to an account of three instances, each of which costs 20 a day. */
const event = fc.oneof(
  { weight: 4, arbitrary: fc.constant('midnight' as const) },
  { weight: 2, arbitrary: fc.constantFrom('top up 30' as const, 'top up 5000' as const) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('resume one' as const, 'resume all' as const, 'delete a paused one' as const),
  },
  { weight: 1, arbitrary: fc.constantFrom('list is away' as const, 'list is back' as const) },
  { weight: 1, arbitrary: fc.constantFrom('ack' as const, 'snooze' as const, 'other thresholds' as const) },
  { weight: 1, arbitrary: fc.constantFrom('off and on' as const, 'restart' as const, 'fail' as const) },
);

const ALL_IS_WELL = /✅|fine again|lasts long enough|nothing costs anything|Nothing is low|runs again: /i;

it('while something is paused because the credit ran out, or nothing is left, no message says that all is well', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 200 }),
      fc.array(event, { minLength: 3, maxLength: 25 }),
      (opening, events) => {
        let alarm: Alarm = NO_ALARM;
        let now = 1_800_000_000_000;
        let balance = opening;
        const status = new Map<string, 'running' | 'paused'>(['a', 'b', 'c'].map((id) => [id, 'running']));
        let isListed = true;
        let line = thresholds;
        const paused = (): string[] => [...status].filter(([, is]) => is === 'paused').map(([id]) => id);
        const read = (at: number): BalanceRead => ({
          balance: String(balance),
          perDay: String(20 * (status.size - paused().length)),
          at,
          ...(isListed
            ? {
                list: {
                  at,
                  isWhole: true,
                  instances: [...status].map(([id, is]) => ({
                    id,
                    name: id,
                    dailyCostCredits: '20',
                    status: is,
                    isPaidByDay: true as const,
                  })),
                },
              }
            : {}),
        });
        const face = balanceFace('credits', {});
        const config = {
          warn: undefined,
          critical: undefined,
          budget: undefined,
          channels: [],
          escalateTo: [],
        };
        // At first all of them run.
        alarm = lookAt(alarm, read, now, rules(-1, { steps: TO_U2 })).alarm;
        for (const [index, one] of events.entries()) {
          now += 5 * MINUTE_MS;
          if (one === 'midnight')
            for (const [id, is] of status) {
              if (is === 'paused') continue;
              if (balance < 20) status.set(id, 'paused');
              else balance -= 20;
            }
          if (one === 'top up 30') balance += 30;
          if (one === 'top up 5000') balance += 5_000;
          const [first] = paused();
          if (one === 'resume one' && first !== undefined) status.set(first, 'running');
          if (one === 'resume all') for (const id of paused()) status.set(id, 'running');
          if (one === 'delete a paused one' && first !== undefined) status.delete(first);
          if (one === 'list is away' || one === 'list is back') isListed = one === 'list is back';
          if (one === 'ack' && findOpen(alarm, 'low')) alarm = acked(alarm, undefined, 'U1', now);
          if (one === 'snooze' && findOpen(alarm, 'low'))
            alarm = snoozed(alarm, undefined, 'U1', 3_600_000, now);
          if (one === 'other thresholds')
            line = line === thresholds ? thresholdsIn('days', 2n, 1n) : thresholds;
          if (one === 'restart') alarm = kept(alarm);
          const given = rules(index, { measure: balanceMeasure(line), steps: TO_U2 });
          // What a closed card says of it is read, too.
          const see = (judged: Alarm): void => {
            const isOut = paused().length > 0 || (balance <= 0 && status.size > 0);
            const isKnown = judged.level === 'paused' || isListed || alarm.level === 'paused';
            if (!isOut || !isKnown) return;
            const texts = judged.episodes.flatMap((episode) =>
              episode.notices
                .filter(({ kind, message }) => kind === 'card' || message.state === 'waiting')
                .map((notice) => noticeMessage(episode, notice, face, 'story').lines.map(toText).join('\n')),
            );
            const settings = {
              ...judged.settings,
              warn: line === thresholds ? '5d' : '2d',
              critical: line === thresholds ? '2d' : '1d',
            };
            const state = judged.doubt
              ? []
              : [
                  balanceCommand(config, 'credits', (set) => thresholdsOf(set, config)).stateWords({
                    ...judged,
                    settings,
                  }),
                ];
            const words = [...texts, ...state.flatMap((phrase) => (phrase ? [toText(phrase)] : []))];
            const lie = words.find((text) =>
              ALL_IS_WELL.test(text.replace(/What was paused runs again: .*|\S+ isn't paused.*/g, '')),
            );
            if (lie !== undefined) throw new Error(`${lie}\n${JSON.stringify([...status])} ${balance}`);
          };
          if (one === 'off and on') {
            alarm = posted(judge(alarm, undefined, { ...given, isOff: true }, now)).alarm;
            now += MINUTE_MS;
          }
          const before = alarm.level;
          const look = lookAt(alarm, one === 'fail' ? () => undefined : read, now, given, see);
          alarm = look.alarm;
          const isFull = one !== 'fail' && isListed && !alarm.doubt;
          if (isFull && paused().length > 0) {
            hold(alarm.level === 'paused', 'what is paused because the credit ran out is an outage');
            const told = look.posts.map(({ kind }) => kind);
            const isNew = before !== 'paused';
            hold(!isNew || told.includes(before === 'ok' ? 'card' : 'worse'), 'an outage is a post');
            hold(!isNew || told.includes('escalation'), 'an outage is escalated at once');
          }
          if (isFull && paused().length === 0) hold(alarm.level !== 'paused', 'an outage ends');
        }
      },
    ),
    { numRuns: OUTAGES },
  );
});

function amountOf(value: number): { units: bigint; scale: number } {
  return { units: BigInt(value), scale: 0 };
}
