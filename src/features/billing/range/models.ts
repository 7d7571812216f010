import { dot, fitRegression, type Regression } from './regression.ts';

/**
 * The ways in which days may have come about, fitted to those that were seen. Several are held at once, each by how well it
 * tells what was seen: no single one is right for an account. Floats throughout, since it is statistics.
 */

/** One day that was seen. Times count in days from today, which is 0; the past is below it. */
export interface SeenDay {
  readonly time: number;
  readonly cost: number;
}

/** One way in which days come about. Each has a pattern over the week. */
interface Model {
  /** Whether what happens multiplies the cost, or adds to it. */
  readonly isLog: boolean;
  /** What the cost does over weeks: it keeps its level, grows or shrinks evenly, or wanders while it does. */
  readonly shape: 'level' | 'trend' | 'wander';
  /** How far it wanders in a week. */
  readonly wandersBy: number;
  /** How likely that is before any day is seen. */
  readonly before: number;
}

/** A model as the days that were seen have settled it. */
export interface FittedModel {
  readonly model: Model;
  readonly regression: Regression;
  /** How far each day lay off it, in order, widened by what fitting has made them smaller; parts of the cost where they add. */
  readonly residuals: readonly number[];
  /** By how much less is known than by as many independent days: what is unusual comes on several days together. */
  readonly widening: number;
  /** The part of the future that it is believed for: all of them come to 1. */
  readonly weight: number;
}

export interface Fits {
  readonly models: readonly FittedModel[];
  /** The mean cost, which is 1 in them. */
  readonly mean: number;
  /** 0 for Sunday. */
  readonly weekdayOfToday: number;
}

/** How far a day lies off what was expected of it. */
interface Off {
  /** In standard deviations of the noise. */
  readonly spreads: number;
  /** In parts of the mean cost. */
  readonly excess: number;
}

const SHAPES: readonly Omit<Model, 'isLog'>[] = [
  { shape: 'level', wandersBy: 0, before: 0.55 },
  { shape: 'trend', wandersBy: 0, before: 0.3 },
  { shape: 'wander', wandersBy: 0.05, before: 0.1 },
  { shape: 'wander', wandersBy: 0.15, before: 0.1 },
];
const MODELS: readonly Model[] = [true, false].flatMap((isLog) => SHAPES.map((one) => ({ isLog, ...one })));

/** A trend is so many days' growth, of which this is its standard deviation before anything is seen. */
export const TREND_DAYS = 30;
const TREND_SPREAD = 0.3;
/** What grows grows by as much each day, or by as many percent, or by less and less: so much its growth bends in as many days. */
const BEND_SPREAD = 0.02;
const WEEKDAY_SPREAD = 0.3;
/** Any level at all. */
const LEVEL_VARIANCE = 100;
/** So much of the mean cost is added before the logarithm is taken, so that a day without any cost has one. */
export const FLOOR = 0.02;
/** Where what wanders takes its steps: each week, and the newest one sooner. */
const STEPS: readonly number[] = [-3, ...Array.from({ length: 12 }, (_, week) => -7 * (week + 1))];
const MAX_INFLATION = 3;

/** The weekday of a time, 0 for Sunday. */
export function weekdayAt(time: number, weekdayOfToday: number): number {
  return (((time + weekdayOfToday) % 7) + 7) % 7;
}

/** The models, fitted to days of which at least one cost something; the oldest first. Pure. */
export function fitAll(seen: readonly SeenDay[], weekdayOfToday: number): Fits {
  const mean = seen.reduce((total, { cost }) => total + cost, 0) / seen.length || 1;
  const oldest = Math.min(...seen.map(({ time }) => time));
  // A step needs a day or two before it.
  const steps = STEPS.filter((step) => step - 2 >= oldest);
  const fitted = MODELS.map((model) => {
    const rows = seen.map(({ time }) => featuresOf(model, time, weekdayOfToday, steps));
    const targets = seen.map(({ cost }) => scaled(model, cost / mean));
    const regression = fitRegression(rows, targets, variancesOf(model, steps));
    const expected = rows.map((row) => dot(row, regression.mean));
    const left = Math.max(seen.length - regression.settled, seen.length / 4);
    const off = targets.map((target, day) => (target - (expected[day] ?? 0)) * Math.sqrt(seen.length / left));
    // The models are compared by how likely each makes the costs, not their logarithms.
    const jacobian = model.isLog ? targets.reduce((total, target) => total - target, 0) : 0;
    return {
      model,
      regression,
      residuals: model.isLog ? off : off.map((one, day) => one / Math.max(expected[day] ?? 0, 0.1)),
      widening: Math.sqrt(inflationOf(off)),
      log: regression.evidence + jacobian + Math.log(model.before),
    };
  });
  const most = Math.max(...fitted.map(({ log }) => log));
  const total = fitted.reduce((sum, { log }) => sum + Math.exp(log - most), 0);
  return {
    models: fitted.map(({ log, ...one }) => ({ ...one, weight: Math.exp(log - most) / total })),
    mean,
    weekdayOfToday,
  };
}

/** Where each of them stands in the coefficients: the level, seven weekdays, then what the shape needs. */
function featuresOf(
  { shape }: Pick<Model, 'shape'>,
  time: number,
  weekdayOfToday: number,
  steps: readonly number[],
): number[] {
  const today = weekdayAt(time, weekdayOfToday);
  const week = Array.from({ length: 7 }, (_, weekday) => (weekday === today ? 1 : 0));
  if (shape === 'level') return [1, ...week];
  const grown = time / TREND_DAYS;
  if (shape === 'trend') return [1, ...week, grown, grown ** 2];
  return [1, ...week, grown, ...steps.map((step) => (time < step ? 1 : 0))];
}

function variancesOf({ shape, wandersBy }: Model, steps: readonly number[]): number[] {
  const week = Array.from({ length: 7 }, () => WEEKDAY_SPREAD ** 2);
  const more = { level: [], trend: [BEND_SPREAD ** 2], wander: steps.map(() => wandersBy ** 2) }[shape];
  return [LEVEL_VARIANCE, ...week, ...(shape === 'level' ? [] : [TREND_SPREAD ** 2]), ...more];
}

function scaled({ isLog }: Model, cost: number): number {
  return isLog ? Math.log(cost + FLOOR) : cost;
}

/** The variance of a sum of neighbors against that of as many strangers, from what two days next to each other share. */
function inflationOf(off: readonly number[]): number {
  const shared = (lag: number): number => dot(off.slice(lag), off.slice(0, off.length - lag));
  const all = shared(0);
  if (all === 0) return 1;
  return Math.min(MAX_INFLATION, Math.max(1, 1 + ((4 / 3) * shared(1) + (2 / 3) * shared(2)) / all));
}

/** Of a day, how much it cost less or more than the model that is believed most, but for those that wander. Pure. */
export function offBest(fits: Fits): ((day: SeenDay) => Off) | undefined {
  const [best] = fits.models
    .filter(({ model }) => model.shape !== 'wander')
    .toSorted((one, other) => other.weight - one.weight);
  if (!best) return undefined;
  const { model, regression } = best;
  return ({ time, cost }) => {
    const expected = dot(featuresOf(model, time, fits.weekdayOfToday, []), regression.mean);
    const likely = model.isLog ? Math.exp(expected) - FLOOR : expected;
    return {
      spreads: (scaled(model, cost / fits.mean) - expected) / regression.noise,
      excess: cost / fits.mean - likely,
    };
  };
}
