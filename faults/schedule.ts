import { type FaultedKind, KINDS } from './kinds.ts';
import { createRandom, type Random } from './random.ts';

/** The families of faults, each of which can be left out when a failure is made smaller. */
export const FAMILIES = [
  'api',
  'slack',
  'workers',
  'webs',
  'redis',
  'pauses',
  'clocks',
  'twice',
  'limits',
  'silence',
] as const;
export type Family = (typeof FAMILIES)[number];
/** All but those under which a run takes longer: Slack's own limits on posts and edits, and approvers who don't come in time. */
export const USUAL_FAMILIES = FAMILIES.filter((family) => family !== 'limits' && family !== 'silence');

/** What is pressed on a request that must be approved; `approve late`: once its time is over. */
export type Deed = 'approve' | 'refuse' | 'withdraw' | 'approve late';
const DECISIONS: readonly (readonly [Deed, ...Deed[]])[] = [
  ['approve'],
  ['approve'],
  ['approve'],
  ['approve', 'approve'],
  ['approve', 'refuse'],
  ['approve', 'withdraw'],
  ['refuse'],
  ['withdraw'],
];

/** What is asked for: one instance, one kind, by one or several people, some of them twice. */
export interface Round {
  readonly atMs: number;
  readonly kind: FaultedKind;
  readonly instanceId: number;
  /** Whether somebody else looks at the instance as well: a question that no record of an operation holds. */
  readonly look: 'command' | 'mention' | undefined;
  /** Whether somebody else presses Cancel as soon as each has asked. */
  readonly cancels: boolean;
  /** What is pressed at once where it must be approved, each by somebody else. */
  readonly decisions: readonly Deed[];
  readonly asks: readonly {
    readonly afterMs: number;
    readonly way: 'command' | 'mention';
    readonly again: boolean;
  }[];
}

/** What is done to the processes, and when. `which` is taken modulo their number. */
export interface Blow {
  readonly atMs: number;
  readonly do: 'kill worker' | 'kill web' | 'kill redis' | 'pause worker' | 'pause web';
  readonly which: number;
  /** How long Redis is away or a process stands still. */
  readonly forMs: number;
}

/** Everything that happens in one run, drawn from its seed alone. */
export interface Schedule {
  readonly seed: number;
  readonly families: readonly Family[];
  readonly rounds: readonly Round[];
  readonly blows: readonly Blow[];
  /** How far the clock of the nth process started is off. */
  readonly clockOffsetMs: (nth: number) => number;
}

const BLOWS: readonly {
  family: Family;
  do: Blow['do'];
  everyMs: number;
  forMs: readonly [number, number];
}[] = [
  { family: 'workers', do: 'kill worker', everyMs: 2_700, forMs: [0, 0] },
  { family: 'webs', do: 'kill web', everyMs: 10_000, forMs: [0, 0] },
  { family: 'redis', do: 'kill redis', everyMs: 2_300, forMs: [10, 200] },
  { family: 'pauses', do: 'pause worker', everyMs: 8_000, forMs: [200, 3_000] },
  { family: 'pauses', do: 'pause web', everyMs: 12_000, forMs: [200, 2_000] },
];
const OFFSETS_MS = [-3_600_000, -30_000, -5_000, 5_000, 30_000, 3_600_000];
/** Ids of instances that nobody else in the sandbox has. */
const FIRST_ID = 100_000;

/** The schedule of a seed: `rounds` instances, one about every `everyMs`, each asked for one of `kinds`. */
export function scheduleOf(
  seed: number,
  rounds: number,
  everyMs: number,
  families: readonly Family[],
  kinds: readonly FaultedKind[] = KINDS,
): Schedule {
  const random = createRandom(seed);
  const lengthMs = rounds * everyMs;
  return {
    seed,
    families,
    rounds: roundsOf(random.fork('rounds'), { count: rounds, everyMs, families, kinds }),
    blows: BLOWS.filter(({ family }) => families.includes(family))
      .flatMap((blow) =>
        timesOf(random.fork(blow.do), blow.everyMs, lengthMs).map((at) => ({
          ...at,
          do: blow.do,
          forMs: at.random.between(...blow.forMs),
        })),
      )
      .map(({ atMs, which, do: what, forMs }) => ({ atMs, which, do: what, forMs }))
      .toSorted((one, other) => one.atMs - other.atMs),
    clockOffsetMs: (nth) => {
      const own = random.fork(`clock ${nth}`);
      return families.includes('clocks') && own.chance(0.3) ? own.pick(OFFSETS_MS) : 0;
    },
  };
}

function timesOf(
  random: Random,
  everyMs: number,
  lengthMs: number,
): { atMs: number; which: number; random: Random }[] {
  const times: { atMs: number; which: number; random: Random }[] = [];
  for (
    let atMs = random.between(300, everyMs);
    atMs < lengthMs;
    atMs += random.between(everyMs / 2, everyMs * 1.5)
  ) {
    times.push({ atMs: Math.round(atMs), which: random.between(0, 99), random });
  }
  return times;
}

function roundsOf(
  random: Random,
  {
    count,
    everyMs,
    families,
    kinds,
  }: {
    readonly count: number;
    readonly everyMs: number;
    readonly families: readonly Family[];
    readonly kinds: readonly FaultedKind[];
  },
): Round[] {
  const looks = random.fork('looks');
  const approvers = random.fork('approvers');
  return Array.from({ length: count }, (_, index) => {
    const look = looks.chance(0.3) ? looks.pick(['command', 'mention'] as const) : undefined;
    const several = families.includes('twice') && random.chance(0.25) ? random.between(2, 3) : 1;
    return {
      atMs: index * everyMs + random.between(0, everyMs),
      kind: random.pick(kinds),
      instanceId: FIRST_ID + index,
      look,
      cancels: random.chance(0.1),
      decisions:
        families.includes('silence') && approvers.chance(0.3) ? ['approve late'] : approvers.pick(DECISIONS),
      asks: Array.from({ length: several }, (__, nth) => ({
        afterMs: nth === 0 ? 0 : random.between(0, 400),
        way: random.chance(0.2) ? ('mention' as const) : ('command' as const),
        again: families.includes('twice') && random.chance(0.1),
      })),
    };
  });
}
