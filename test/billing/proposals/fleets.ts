import { createRandom, type Random } from '../../../faults/random.ts';
import { type Day, type NamedDay, dayAt, startOf } from '../../../src/features/billing/ledger/day.ts';
import { bookedOf } from '../../support/booked-of.ts';
import { type Known, isOff as isOffThere } from '../../../src/features/billing/proposals/find.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** How finely use is known. */
const PART_MS = 10 * MINUTE_MS;
/** Costs are kept in thousandths. */
const EXACT = 3;

/** A zone's clock is slow to ask, and is the same for half an hour. */
const asked = new Map<string, boolean>();
function isOff(at: number, zone: string): boolean {
  const key = `${zone} ${Math.floor(at / (30 * MINUTE_MS))}`;
  const known = asked.get(key) ?? isOffThere(at, zone);
  asked.set(key, known);
  return known;
}

/** How an instance is used: when it runs, and whether somebody starts or stops it in a night of the last two weeks. */
const USES = ['always', 'touched', 'hours', 'idle', 'young', 'off for days'] as const;
type Use = (typeof USES)[number];
/** What the service takes: by the hour, by what runs at midnight, or for each day on which it ran. */
const CHARGED = ['by the hour', 'at midnight', 'by the day'] as const;
type Charged = (typeof CHARGED)[number];

interface Machine {
  readonly id: string;
  readonly name: string;
  readonly tier: string;
  readonly use: Use;
}
interface Tier {
  readonly charged: Charged;
  /** Thousandths of a credit a day. */
  readonly running: number;
  readonly stopped: number;
}

/** A fleet with what was seen of it, and what is true. */
export interface Fleet {
  readonly machines: readonly Machine[];
  readonly tiers: Readonly<Record<string, Tier>>;
  readonly known: Known;
  /** What a week from today on costs those in thousandths: as they run now, or by the hours of a schedule. */
  readonly weekOf: (ids: readonly string[], isScheduled: boolean) => number;
}

/** The fleet of a seed: the same for the same seed. */
export function fleetOf(seed: number): Fleet {
  const random = createRandom(seed).fork('fleet');
  const zone = ['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kolkata'][random.between(0, 3)] ?? 'UTC';
  const today = Date.UTC(2026, 0, 1) + random.between(0, 364) * DAY_MS;
  const past = random.between(16, 60);
  const tiers: Record<string, Tier> = {};
  const machines: Machine[] = [];
  for (let tier = random.between(1, 3); tier > 0; tier--) {
    const running = random.between(5, 300) * 1_000;
    const share = [0, 0, 30, 60, 97, 100][random.between(0, 5)] ?? 0;
    tiers[`t${tier}`] = {
      charged: CHARGED[random.between(0, 2)] ?? 'at midnight',
      running,
      stopped: (running * share) / 100,
    };
  }
  for (let count = random.between(3, 14); count > 0; count--) {
    const names = ['staging', 'web', 'qa', 'db'];
    machines.push({
      id: String(100 + count),
      name: `${names[random.between(0, 3)] ?? ''}-${count}`,
      tier: Object.keys(tiers)[random.between(0, Object.keys(tiers).length - 1)] ?? '',
      use: USES[random.between(0, USES.length - 1)] ?? 'always',
    });
  }
  const runs = (one: Machine): ((at: number) => boolean) => runsOf(one, random.fork(one.id), today, zone);
  const running = new Map(machines.map((one) => [one.id, runs(one)]));
  const costOn = (one: Machine, day: number, isOn: (at: number) => boolean): number =>
    costOf(tiers[one.tier] ?? { charged: 'by the day', running: 0, stopped: 0 }, day, isOn);
  const days = Array.from({ length: past }, (_, index): NamedDay => {
    const day = today - (past - index) * DAY_MS;
    return dayOf(
      day,
      machines.map((one) => {
        const isOn = running.get(one.id) ?? (() => false);
        return {
          one,
          isOn,
          cost: one.use === 'young' && index < past - 5 ? undefined : costOn(one, day, isOn),
        };
      }),
      random,
    );
  });
  return {
    machines,
    tiers,
    known: {
      days,
      zone,
      mayBe: new Set(machines.map(({ id }) => id)),
      touches: new Map(
        machines.map((one) => [one.id, touchesOf(one, random.fork(`t${one.id}`), today, zone)]),
      ),
    },
    weekOf: (ids, isScheduled) => {
      let sum = 0;
      for (const one of machines.filter(({ id }) => ids.includes(id)))
        for (let day = today; day < today + 7 * DAY_MS; day += DAY_MS)
          sum += costOn(one, day, (at) => !isScheduled || !isOff(at, zone));
      return sum;
    },
  };
}

/** When a machine runs, by its use. */
function runsOf({ use }: Machine, random: Random, today: number, zone: string): (at: number) => boolean {
  const [from, days] = [today - random.between(16, 30) * DAY_MS, random.between(1, 4)];
  switch (use) {
    case 'idle':
      return () => false;
    case 'hours':
      return (at) => !isOff(at, zone);
    case 'off for days':
      // It stood still for some days before the two weeks, from some hour to some other.
      return (at) =>
        at < from + 7 * HOUR_MS || at > from + days * DAY_MS + 16 * HOUR_MS || at > today - 14.5 * DAY_MS;
    case 'always':
    case 'touched':
    case 'young':
      return () => true;
  }
}

function touchesOf({ use }: Machine, random: Random, today: number, zone: string): number[] {
  const touches: number[] = [];
  const isWanted = (at: number): boolean => isOff(at, zone) === (use === 'touched');
  while (touches.length < 3) {
    const at = today - random.between(1, 14 * 24 * 60 - 1) * MINUTE_MS;
    if (isWanted(at)) touches.push(at);
  }
  return touches;
}

function costOf({ charged, running, stopped }: Tier, day: number, isOn: (at: number) => boolean): number {
  if (charged === 'at midnight') return isOn(day) ? running : stopped;
  let parts = 0;
  for (let at = day; at < day + DAY_MS; at += PART_MS) if (isOn(at)) parts++;
  if (charged === 'by the day') return parts > 0 ? running : stopped;
  return Math.round(stopped + ((running - stopped) * parts * PART_MS) / DAY_MS);
}

/** A day as the ledger has it: now and then an hour was not seen. */
function dayOf(
  at: number,
  machines: readonly {
    readonly one: Machine;
    readonly isOn: (at: number) => boolean;
    readonly cost: number | undefined;
  }[],
  random: Random,
): NamedDay {
  let hours = (1 << 24) - 1;
  if (random.chance(0.2)) hours &= ~(1 << random.between(0, 23));
  const instances: Record<string, [string, string, number][]> = {};
  const charges: [string, string][] = [];
  for (const { one, isOn, cost } of machines) {
    if (cost === undefined) continue;
    let ran = 0;
    for (let ms = 0; ms < DAY_MS; ms += PART_MS) if (isOn(at + ms)) ran |= 1 << Math.floor(ms / HOUR_MS);
    (instances[one.tier] ??= []).push([one.id, one.name, ran & hours]);
    if (cost > 0) charges.push([one.id, (cost / 10 ** EXACT).toFixed(EXACT)]);
  }
  const record: Day = {
    seen: { hours, instances },
    booked: bookedOf({ daily_charge: charges }, { asOf: at }),
  };
  return { day: dayAt(startOf(dayAt(at))), record };
}
