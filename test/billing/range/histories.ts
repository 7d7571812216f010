import { createRandom, type Random } from '../../../faults/random.ts';

/** What a simulated account's days are like. The first six are those that the range promises something of. */
export const KINDS = ['steady', 'growing', 'weekly', 'bursts', 'late bookings', 'gaps'] as const;
/** Harder ones, that are told of beside them. */
export const HARDER = ['all of it', 'steps'] as const;
export type Kind = (typeof KINDS)[number] | (typeof HARDER)[number];

/** An account with what can be seen of it, and what comes true after it. Costs are in credits. */
export interface History {
  readonly kind: Kind;
  /** What was seen of each day, the oldest first; the last is yesterday. Undefined: a gap. */
  readonly seen: readonly (number | undefined)[];
  /** What each day costs from today on. */
  readonly truth: readonly number[];
  readonly balance: number;
  /** Unix ms. */
  readonly asOf: number;
  /** When the balance is used up in truth, Unix ms. */
  readonly emptyAt: number;
}

const DAY_MS = 86_400_000;
const FUTURE = 1_000;

/** The history of a seed: the same for the same seed. The true costs go on after the cut as they were before it. */
export function historyOf(kind: Kind, seed: number): History {
  const random = createRandom(seed).fork(kind);
  const past = random.between(10, 90);
  const today = Date.UTC(2026, 0, 1) + random.between(0, 364) * DAY_MS;
  return historyFrom(kind, random, { costs: costsOf(kind, random, past, today), past, today });
}

/** The history of costs of which so many days are past at `today`, Unix ms. */
export function historyFrom(
  kind: Kind,
  random: Random,
  {
    costs,
    past,
    today,
  }: { readonly costs: readonly number[]; readonly past: number; readonly today: number },
): History {
  const asOf = today + Math.floor(random.next() * DAY_MS);
  const truth = costs.slice(past);
  const level = mean(costs.slice(past - 7, past));
  const balance = level * within(random, 4, 60);
  return {
    kind,
    seen: seenOf(kind, random, costs.slice(0, past)),
    truth,
    balance,
    asOf,
    emptyAt: emptyAtOf(truth, balance, asOf),
  };
}

function costsOf(kind: Kind, random: Random, past: number, today: number): number[] {
  const isAll = kind === 'all of it';
  const level = 10 ** within(random, 1, 4);
  const noise = within(random, 0.02, 0.15);
  const growth = kind === 'growing' || isAll ? growthOf(random, past) : () => 1;
  const week = kind === 'weekly' || isAll ? weekOf(random) : () => 1;
  const burst = kind === 'bursts' || isAll ? burstsOf(random) : () => 0;
  const step = kind === 'steps' ? stepsOf(random) : () => 1;
  return Array.from({ length: past + FUTURE }, (_, index) => {
    const weekday = new Date(today + (index - past) * DAY_MS).getUTCDay();
    const ofDay = growth(index) * week(weekday) * step() + burst();
    return level * ofDay * Math.exp(noise * normal(random) - noise ** 2 / 2);
  });
}

/** By so much a day: of what it was at first, or of what it was the day before. It is 1 at the cut. */
function growthOf(random: Random, past: number): (index: number) => number {
  const rate = within(random, 0.002, 0.015);
  const isCompound = random.chance(0.5);
  const at = (index: number): number => (isCompound ? (1 + rate) ** Math.min(index, 400) : 1 + rate * index);
  return (index) => at(index) / at(past);
}

function weekOf(random: Random): (weekday: number) => number {
  const weekend = within(random, 0.3, 0.8);
  const factors = Array.from({ length: 7 }, (_, weekday) =>
    weekday === 0 || weekday === 6 ? weekend : within(random, 0.95, 1.05),
  );
  return (weekday) => factors[weekday] ?? 1;
}

/** On some days something costs up to a few times as much, for one to three days. */
function burstsOf(random: Random): () => number {
  const probability = within(random, 0.03, 0.12);
  let left = 0;
  let size = 0;
  return () => {
    if (left === 0 && random.chance(probability)) {
      left = random.between(1, 3);
      size = -Math.log(1 - random.next()) * 1.5;
    }
    if (left === 0) return 0;
    left--;
    return size;
  };
}

/** Something is started or stopped for good now and then. */
function stepsOf(random: Random): () => number {
  let level = 1;
  return () => {
    if (random.chance(1 / 25)) level *= random.pick([0.7, 0.85, 1.15, 1.3]);
    return level;
  };
}

/** What can be seen of them by now. */
function seenOf(kind: Kind, random: Random, costs: readonly number[]): (number | undefined)[] {
  const isLate = kind === 'late bookings' || kind === 'all of it';
  const late = isLate ? random.between(1, 3) : 0;
  const share = within(random, 0.1, 0.7);
  const booked = costs.map((cost, index) => {
    const age = costs.length - index;
    return age > late ? cost : cost * (1 - (1 - share) * (1 - (age - 1) / late));
  });
  if (kind !== 'gaps' && kind !== 'all of it') return booked;
  const probability = within(random, 0.1, 0.4);
  let left = costs.length - 10;
  return booked.map((cost) => {
    const isGap = left > 0 && random.chance(probability);
    if (isGap) left--;
    return isGap ? undefined : cost;
  });
}

function emptyAtOf(truth: readonly number[], balance: number, asOf: number): number {
  let at = asOf;
  let left = balance;
  for (const cost of truth) {
    const dayEnds = Math.floor(at / DAY_MS) * DAY_MS + DAY_MS;
    const part = cost * ((dayEnds - at) / DAY_MS);
    if (part >= left) return at + (left / cost) * DAY_MS;
    left -= part;
    at = dayEnds;
  }
  return Number.POSITIVE_INFINITY;
}

export function within(random: Random, from: number, to: number): number {
  return from + random.next() * (to - from);
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0) / numbers.length;
}

/** Box and Muller's. */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}
