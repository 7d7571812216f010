import {
  type FittedModel,
  FLOOR,
  type Fits,
  TREND_DAYS,
  weekdayAt,
  fitAll,
  offBest,
  type SeenDay,
} from './models.ts';
import { dot } from './regression.ts';
import { type Chance, createChance, drawUnusual, gammaShare, findUnusual, type Unusual } from './unusual.ts';

/** What the days that were seen tell: what is usual, by the models, and what was unusual beside it. */
export interface Fit {
  readonly fits: Fits;
  readonly unusual: Unusual;
  /** Which of the newest look booked in part only, so that they don't count. */
  readonly late: readonly number[];
}

/** The service may book the newest days in part only. */
const MAX_LATE_DAYS = 3;
/** A newest day below nine in ten of what its models expect is taken for one of those. */
const LATE_SPREADS = 1.28;
/** Days that are needed to tell what the newest ones should have cost. */
const MIN_SURE_DAYS = 6;

/** What days tell of which at least one cost something; the oldest first. Pure. */
export function fitDays(seen: readonly SeenDay[], weekdayOfToday: number): Fit {
  const late = findLate(seen, weekdayOfToday);
  const sure = seen.filter(({ time }) => !late.includes(time));
  const first = fitAll(sure, weekdayOfToday);
  const episodes = findUnusual(sure, first);
  const unusual = new Set(episodes.flat());
  const fits =
    unusual.size === 0
      ? first
      : fitAll(
          sure.filter((one) => !unusual.has(one)),
          weekdayOfToday,
        );
  const off = offBest(fits);
  const excesses = episodes.map((days) =>
    days.reduce((total, one) => total + Math.max(0, off?.(one).excess ?? 0), 0),
  );
  return { fits, unusual: { excesses, days: sure.length }, late };
}

/** Which of the newest days look booked in part only: the newest, and those before it without one that looks whole. */
function findLate(seen: readonly SeenDay[], weekdayOfToday: number): number[] {
  const sure = seen.filter(({ time }) => time < -MAX_LATE_DAYS);
  if (sure.length < MIN_SURE_DAYS) return [];
  const off = offBest(fitAll(sure, weekdayOfToday));
  if (!off) return [];
  const newest = seen.filter(({ time }) => time >= -MAX_LATE_DAYS).toReversed();
  const whole = newest.findIndex((one) => off(one).spreads > -LATE_SPREADS);
  return newest.slice(0, whole === -1 ? undefined : whole).map(({ time }) => time);
}

/** So many futures are drawn: the range that they give moves by less than 2 in 100 with more of them. */
export const PATHS = 500;

/** What a day costs in one future, by its time; times are to be asked for in order. */
export type Path = (time: number) => number;

/** No day costs more than e to the power of this times the mean. */
const MAX_LOG = 7;
const BLOCK_DAYS = 7;
/** The day on which what wanders takes its step, counted from today. */
const STEP_DAY = 3;

/**
 * One of the futures, the same for the same `index`: a model, what it may be given what was seen, off it whole weeks of
 * what was seen, so that what comes on several days together comes so again, and beside it what is unusual. Floats.
 */
export function pathOf({ fits, unusual }: Pick<Fit, 'fits' | 'unusual'>, index: number): Path {
  const chance = createChance(index);
  const { model, regression, residuals, widening } = pickModel(fits, (index + 0.5) / PATHS);
  // By how much the true noise may differ from what few days show of it: chi-squared.
  const noise = 1 / Math.sqrt(Math.max(0.1, gammaShare(regression.freedom / 2, chance)));
  const normals = regression.mean.map(() => chance.normal());
  const spread = regression.noise * noise * widening;
  const drawn = regression.mean.map(
    (mean, row) => mean + spread * dot(regression.spread[row] ?? [], normals),
  );
  const [first = 0, ...rest] = drawn;
  const slope = model.shape === 'level' ? 0 : (rest[7] ?? 0) / TREND_DAYS;
  const bend = model.shape === 'trend' ? (rest[8] ?? 0) / TREND_DAYS ** 2 : 0;
  const nextResidual = drawResiduals(residuals, chance);
  const nextUnusual = drawUnusual(unusual, chance);
  let level = first;
  return (time) => {
    if (time > 0 && time % 7 === STEP_DAY) level += chance.normal() * model.wandersBy;
    const expected =
      level + slope * time + bend * time ** 2 + (rest[weekdayAt(time, fits.weekdayOfToday)] ?? 0);
    const off = nextResidual() * noise;
    const cost = model.isLog ? Math.exp(Math.min(expected + off, MAX_LOG)) - FLOOR : expected * (1 + off);
    return (Math.max(0, cost) + nextUnusual()) * fits.mean;
  };
}

function pickModel({ models }: Fits, share: number): FittedModel {
  let left = share;
  const picked = models.find(({ weight }) => (left -= weight) < 0) ?? models.at(-1);
  if (!picked) throw new Error('there is no model');
  return picked;
}

/** Blocks of what was seen. */
function drawResiduals(residuals: readonly number[], chance: Chance): () => number {
  const count = residuals.length;
  const block = Math.min(BLOCK_DAYS, Math.max(1, Math.floor(count / 4)));
  let at = 0;
  let left = 0;
  return () => {
    if (left === 0) {
      at = Math.floor(chance.next() * count);
      left = block;
    }
    left--;
    return residuals[at++ % count] ?? 0;
  };
}
