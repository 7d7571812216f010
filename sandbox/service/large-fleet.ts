/** How many machines a large fleet has, those included that are there anyway. */
const LARGE = 230;

/** A machine that makes a fleet large. */
export interface ExtraMachine {
  readonly name: string;
  readonly isStopped: boolean;
}

const GROUPS: readonly (readonly [name: string, count: number])[] = [
  ['prod-web', 60],
  ['prod-api', 42],
  ['prod-worker', 36],
  ['prod-db', 12],
  ['staging-web', 18],
  ['staging-api', 14],
  ['batch', 28],
];
/** Every so many is off. */
const STOPPED_EVERY = 17;

/** The machines that fill up a fleet of `count`. The same ones each time. */
export function extraMachines(count: number): readonly ExtraMachine[] {
  const names = GROUPS.flatMap(([group, size]) =>
    Array.from({ length: size }, (_, at) => `${group}-${`${at + 1}`.padStart(2, '0')}`),
  );
  return names
    .slice(0, Math.max(0, LARGE - count))
    .map((name, at) => ({ name, isStopped: at % STOPPED_EVERY === STOPPED_EVERY - 1 }));
}
