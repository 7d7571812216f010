import { scheduleOf, spreadOf } from '../src/core/operations/look-schedule.ts';
import { pauseAfter } from '../src/core/operations/look-times.ts';
import { TIMINGS } from '../src/core/timings.ts';
import { createRandom } from '../faults/random.ts';
import type { Benchmark, Outcome } from './harness/benchmark.ts';
import {
  type Cost,
  costOf,
  type Durations,
  fixedLooks,
  logNormal,
  optimalLooks,
} from './harness/inspection.ts';
import { figure } from './harness/figure.ts';

/** Five kinds of change as they were seen: the median in seconds, and how much they differ. */
const KINDS: readonly (readonly [medianS: number, sigma: number])[] = [
  [9, 0.3],
  [14, 0.35],
  [25, 0.4],
  [38, 0.35],
  [60, 0.3],
];
const SAMPLES = 20;
const DRAWS = 40;
const SEED = 1;

/** A call counts as much as a second of delay. */
const total = ({ calls, meanDelayS }: Cost): number => calls + meanDelayS;

/** When an operation is looked at, in seconds after it was sent, by the pause after each look (both in ms). */
function looksAt(durations: Durations, gapAfter: (ageMs: number) => number): readonly number[] {
  const lastMs = 1_000 * (durations.at(-1) ?? 0);
  const looks: number[] = [];
  for (let atMs = gapAfter(0); ; atMs += gapAfter(atMs)) {
    looks.push(atMs / 1_000);
    if (atMs >= lastMs) return looks;
  }
}

/** When the bot looks at an operation whose kind took so long before. */
function looksOfBot(durations: Durations, samplesMs: readonly number[]): readonly number[] {
  return looksAt(durations, pauseAfter(samplesMs, TIMINGS));
}

/** The same with nothing known of the kind, and by the cheapest pauses alone. */
function cheapestLooks(durations: Durations): readonly number[] {
  const { lookEveryMs: shortestMs, slowLookEveryMs: longestMs } = TIMINGS;
  return looksAt(durations, scheduleOf(spreadOf([]), { shortestMs, longestMs }));
}

async function run(): Promise<Outcome> {
  const kinds = KINDS.map(([medianS, sigma]) => logNormal(medianS, sigma));
  const random = createRandom(SEED);
  const drawn = (durations: Durations): number[] =>
    Array.from(
      { length: SAMPLES },
      () => 1_000 * (durations[Math.floor(random.next() * durations.length)] ?? 0),
    );
  const optimum = (costOfCall: number): Cost =>
    costOf(kinds.map((durations) => ({ durations, looks: optimalLooks(durations, costOfCall) })));
  const fixed = (everyS: number): Cost =>
    costOf(kinds.map((durations) => ({ durations, looks: fixedLooks(durations, everyS) })));
  const best = optimum(1);
  const cold = costOf(kinds.map((durations) => ({ durations, looks: looksOfBot(durations, []) })));
  const learned = costOf(
    Array.from({ length: DRAWS }, () => kinds)
      .flat()
      .map((durations) => ({ durations, looks: looksOfBot(durations, drawn(durations)) })),
  );
  const bestAtCalls = search(optimum, ({ calls }) => calls, learned.calls, 0.02, 8);
  const fixedAtDelay = search(fixed, ({ meanDelayS }) => meanDelayS, learned.meanDelayS, 0.2, 30);
  const row = (name: string, cost: Cost): string[] => [
    name,
    figure(cost.calls),
    figure(cost.meanDelayS),
    figure(cost.p95DelayS),
    figure(total(cost) / total(best)),
  ];
  const rows = [
    ['', 'calls', 'mean delay, s', 'p95, s', '(calls + delay) / optimum'],
    row('optimum of each kind, a call for a second', best),
    row("optimum of each kind with the bot's number of calls", bestAtCalls),
    row('fixed 5 s', fixed(5)),
    row("fixed interval with the bot's mean delay", fixedAtDelay),
    row(
      'exponential, 1 s × 1.5',
      costOf(kinds.map((durations) => ({ durations, looks: exponential(durations) }))),
    ),
    row('the bot, nothing known of the kind', cold),
    row(
      'the bot, nothing known of the kind, without its early looks',
      costOf(kinds.map((durations) => ({ durations, looks: cheapestLooks(durations) }))),
    ),
    row(`the bot, ${SAMPLES} earlier ones of the kind known`, learned),
  ];
  const quiet = { foreignPct: { median: 0, min: 0, max: 0 }, rounds: 1, noisyRounds: 0, measured: {} };
  return {
    tables: [{ title: 'Looks at one pending change', rows, ...quiet }],
    goals: [
      { goal: 'G13 learned', value: total(learned) / total(best) },
      { goal: 'G13 cold', value: total(cold) / total(best) },
      { goal: 'G14', value: learned.calls / fixedAtDelay.calls },
      { goal: 'G15', value: learned.p95DelayS / bestAtCalls.p95DelayS },
    ],
    notes: [
      "Computed, not measured: the bot's own code says when it looks next, and durations are log-normal with medians of 9, 14, 25, 38 and 60 s.",
    ],
  };
}

function exponential(durations: Durations): readonly number[] {
  const looks: number[] = [];
  for (let gapS = 1, atS = 1; ; gapS *= 1.5, atS += gapS) {
    looks.push(atS);
    if (atS >= (durations.at(-1) ?? 0)) return looks;
  }
}

/** The cost whose figure is nearest to what is wanted, by bisection of a parameter with which the figure rises or falls. */
function search(
  at: (parameter: number) => Cost,
  of: (cost: Cost) => number,
  wanted: number,
  from: number,
  to: number,
): Cost {
  let [low, high] = [from, to];
  const rises = of(at(high)) > of(at(low));
  for (let step = 0; step < 12; step++) {
    const middle = Math.sqrt(low * high);
    if (of(at(middle)) < wanted === rises) low = middle;
    else high = middle;
  }
  return at(Math.sqrt(low * high));
}

export const schedule: Benchmark = {
  name: 'schedule',
  what: 'How near the moments at which the bot looks at a change come to the best that are possible.',
  goals: ['G13 learned', 'G13 cold', 'G14', 'G15'],
  peers: ['the optimum of the inspection problem', 'fixed 5 s', 'exponential back-off'],
  rounds: 1,
  isQuick: true,
  run,
};
