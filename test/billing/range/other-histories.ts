import { createRandom, type Random } from '../../../faults/random.ts';
import { type History, historyFrom, type Kind, normal, within } from './histories.ts';

/**
 * The same kinds of accounts, made in two other ways each: what holds of one way of making growth or bursts alone, says little of accounts.
 * What is not told apart here is as in the first way: steady, but for the noise.
 */
export const WAYS = ['one by one', 'in waves'] as const;
export type Way = (typeof WAYS)[number];

const DAY_MS = 86_400_000;
const FUTURE = 1_000;

/** What a day costs by its index and its weekday, beside the noise; days are asked for in order. */
type CostOf = (index: number, weekday: number) => number;

const MADE: Record<Way, (kind: Kind, random: Random, past: number) => CostOf> = {
  'one by one': (kind, random, past) => {
    if (kind === 'growing') return fleet(random, past);
    if (kind === 'weekly') {
      const factors = Array.from({ length: 7 }, () => Math.exp(0.35 * normal(random)));
      return (_, weekday) => factors[weekday] ?? 1;
    }
    if (kind === 'bursts') {
      const probability = within(random, 0.05, 0.2);
      return () => 1 + (random.chance(probability) ? within(random, 0.3, 2.5) : 0);
    }
    return kind === 'steps' ? stepping(random, 1 / 30, 0.25) : () => 1;
  },
  'in waves': (kind, random, past) => {
    if (kind === 'growing') return saturating(random, past);
    if (kind === 'weekly') {
      const low = within(random, 0.1, 0.6);
      const factors = [low, within(random, 0.9, 1.1), 1, 1, 1, within(random, 0.7, 1), low * 1.2];
      return (_, weekday) => factors[weekday] ?? 1;
    }
    if (kind === 'bursts') return longBursts(random);
    return kind === 'steps' ? stepping(random, 1 / 14, 0.12) : () => 1;
  },
};

/** The history of a seed, as historyOf's. */
export function otherHistoryOf(way: Way, kind: Kind, seed: number): History {
  const random = createRandom(seed).fork(`${way} ${kind}`);
  const past = random.between(10, 90);
  const today = Date.UTC(2026, 0, 1) + random.between(0, 364) * DAY_MS;
  const costOf = MADE[way](kind, random, past);
  const level = 10 ** within(random, 1.5, 4);
  const noise = way === 'one by one' ? evenNoise(random) : lastingNoise(random);
  const costs = Array.from({ length: past + FUTURE }, (_, index) => {
    const weekday = new Date(today + (index - past) * DAY_MS).getUTCDay();
    return Math.max(0, level * costOf(index, weekday) * noise());
  });
  return historyFrom(kind, random, { costs, past, today });
}

/** Instances are added one by one, as they come; it is 1 at the cut. */
function fleet(random: Random, past: number): CostOf {
  let count = random.between(15, 60);
  const perDay = within(random, 0.003, 0.015) * count;
  const counts = Array.from({ length: past + FUTURE }, () => (count += arrivals(random, perDay)));
  const at = (index: number): number => counts[index] ?? count;
  return (index) => at(index) / at(past);
}

/** How many come on a day, distributed as Poisson's. */
function arrivals(random: Random, perDay: number): number {
  let count = 0;
  for (let left = random.next(); left > Math.exp(-perDay) && count < 20; count++) left *= random.next();
  return count;
}

/** It grows ever faster, then ever more slowly. */
function saturating(random: Random, past: number): CostOf {
  const middle = within(random, -20, 200);
  const days = within(random, 30, 120);
  const at = (index: number): number => 0.3 + 2.5 / (1 + Math.exp(-(index - past - middle) / days));
  return (index) => at(index) / at(past);
}

/** Something runs for two to five days. */
function longBursts(random: Random): CostOf {
  const probability = within(random, 0.02, 0.08);
  let left = 0;
  let size = 0;
  return () => {
    if (left === 0 && random.chance(probability)) {
      left = random.between(2, 5);
      size = within(random, 0.5, 2);
    }
    if (left === 0) return 1;
    left--;
    return 1 + size;
  };
}

function stepping(random: Random, probability: number, spread: number): CostOf {
  let level = 1;
  return () => {
    if (random.chance(probability)) level *= Math.exp(spread * normal(random));
    return level;
  };
}

function evenNoise(random: Random): () => number {
  const spread = within(random, 0.01, 0.2) * Math.sqrt(3);
  return () => 1 + spread * (2 * random.next() - 1);
}

/** A day is a little like the day before it. */
function lastingNoise(random: Random): () => number {
  const spread = within(random, 0.03, 0.12);
  const shared = within(random, 0, 0.4);
  let off = 0;
  return () => {
    off = shared * off + Math.sqrt(1 - shared ** 2) * normal(random);
    return Math.exp(spread * off);
  };
}
