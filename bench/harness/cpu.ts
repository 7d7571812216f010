import { readdirSync, readFileSync } from 'node:fs';

/** What the kernel has counted so far, in ticks: the whole machine's time, what of it was busy, and what of that was ours. */
export interface Sample {
  readonly total: number;
  readonly busy: number;
  readonly own: number;
}

const NS_PER_MS = 1_000_000;
/** What Linux calls USER_HZ; the same on every machine that Node runs on. */
const TICK_MS = 10;
/** The columns of /proc/stat that count work: user, nice, system, steal. The others are idling, and interrupts that our own traffic makes. */
const BUSY_COLUMNS = [0, 1, 2, 7];
const COUNTED_COLUMNS = 8;

/** The CPU time that a process has used, all its threads together, in ms. 0 for one that is gone. */
export function cpuMsOf(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const ns = threads.map((thread) => Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]));
    return ns.reduce((sum, one) => sum + one, 0) / NS_PER_MS;
  } catch {
    return (statOf(pid)?.ticks ?? 0) * TICK_MS;
  }
}

/** The resident memory of a process in MiB. */
export function rssMibOf(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1];
  return Number(kib ?? Number.NaN) / 1024;
}

/** What the machine has done up to now, and what of it this process and those below it have. */
export function takeSample(): Sample {
  const [line = ''] = read('/proc/stat').split('\n');
  const columns = line.split(/\s+/).slice(1).map(Number);
  const sum = (indexes: readonly number[]): number =>
    indexes.reduce((total, index) => total + (columns[index] ?? 0), 0);
  return {
    total: sum(Array.from({ length: COUNTED_COLUMNS }, (_, index) => index)),
    busy: sum(BUSY_COLUMNS),
    own: ownTicks(),
  };
}

/** How much of the machine's time between two samples went to processes of others, in percent. Never below 0. */
export function foreignPctOf(before: Sample, after: Sample): number {
  const total = after.total - before.total;
  const foreign = after.busy - before.busy - (after.own - before.own);
  return total <= 0 ? 0 : Math.max(0, (100 * foreign) / total);
}

/** The ticks of this process, of everything that it started, and of what of that has ended. */
function ownTicks(): number {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? []);
  const own = new Set([process.pid]);
  // A child may have a lower pid than its parent, so once is not enough.
  for (let size = 0; size !== own.size;) {
    size = own.size;
    for (const { pid, parent } of all) if (own.has(parent)) own.add(pid);
  }
  return all
    .filter(({ pid }) => own.has(pid))
    .reduce((sum, { ticks, endedTicks }) => sum + ticks + endedTicks, 0);
}

function statOf(pid: number): { pid: number; parent: number; ticks: number; endedTicks: number } | undefined {
  try {
    // The name in brackets may hold blanks and brackets itself.
    const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ').map(Number) ?? [];
    const [, parent = 0] = fields;
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return { pid, parent, ticks: user + system, endedTicks: endedUser + endedSystem };
  } catch {
    return undefined;
  }
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}
