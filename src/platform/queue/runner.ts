import { atMost } from '../time/wait.ts';
import type { RunJob } from './run-job.ts';

/**
 * Runs jobs at once in the process that woke them, without Redis in between, few of each channel at a time. Two figures of
 * `npm run bench` need it: a restart in another channel among 500 gets its first message within twice its time alone
 * (channel; through BullMQ, with priorities, it took ten times as long), and a restart sends Redis at most 250 commands
 * (operation; through BullMQ 290). What is lost with the process is found by the sweep.
 */
export interface Runner {
  /** Whether a job of this name runs here: the runner has started with its name and is not being drained. */
  takes(name: string): boolean;
  /** Has a job run soon, never beside itself here; once more where it runs already. */
  wake(name: string, id: string, how?: How): void;
  /** Whether a job runs here now, or is about to. */
  holds(name: string, id: string): boolean;
  /** Runs the jobs of these names from now on. */
  start(names: readonly string[], run: RunJob): void;
  /** Takes no new job, forgets those that wait, and waits for the running ones, at most `limitMs`. */
  drain(limitMs: number): Promise<void>;
}

interface How {
  /** Jobs of the same group share its slots. */
  readonly group?: string;
  /** The process that had it must be gone. */
  readonly isTakenOver?: boolean;
}

interface Held {
  readonly name: string;
  readonly id: string;
  readonly how: How;
  /** It was woken while it ran. */
  again?: How;
}

/** Where hundreds of one group are woken, each step of another group's job would wait for a step of all that run. */
const MAX_OF_GROUP = 24;
/** A job that runs for longer waits for Slack or for the hosting service, and keeps nobody of its group back. */
const SLOT_MS = 500;
const MAX_TIMER_MS = 2 ** 31 - 1;

export function createRunner(): Runner {
  const held = new Map<string, Held>();
  const later = new Map<string, NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const { signal } = stopping;
  const slots = createSlots(MAX_OF_GROUP);
  let run: RunJob | undefined;
  let names: readonly string[] = [];

  const takes = (name: string): boolean => !signal.aborted && names.includes(name);
  const runOnce = async (job: Held, runJob: RunJob): Promise<number | undefined> => {
    const { group = '', isTakenOver = false } = job.how;
    const leave = await slots.enter(`${job.name} ${group}`);
    const timer = setTimeout(leave, SLOT_MS).unref();
    delete job.again;
    const delayMs = signal.aborted ? undefined : await runJob(job.name, job.id, signal, isTakenOver);
    clearTimeout(timer);
    leave();
    return delayMs;
  };
  const begin = async (key: string, job: Held, runJob: RunJob): Promise<void> => {
    const delayMs = await runOnce(job, runJob);
    held.delete(key);
    const { name, id, how, again } = job;
    if (again) wake(name, id, again);
    else if (delayMs !== undefined && takes(name)) {
      const wakeLater = (): void => wake(name, id, { group: how.group });
      later.set(key, setTimeout(wakeLater, Math.min(delayMs, MAX_TIMER_MS)));
    }
  };
  const wake: Runner['wake'] = (name, id, how = {}) => {
    if (!run || !takes(name)) return;
    const key = `${name} ${id}`;
    clearTimeout(later.get(key));
    later.delete(key);
    const known = held.get(key);
    if (known) {
      known.again = how;
      return;
    }
    const job: Held = { name, id, how };
    held.set(key, job);
    const one = begin(key, job, run).finally(() => running.delete(one));
    running.add(one);
  };
  return {
    takes,
    wake,
    holds: (name, id) => held.has(`${name} ${id}`),
    start: (jobs, runJob) => {
      [names, run] = [jobs, runJob];
    },
    drain: async (limitMs) => {
      stopping.abort();
      for (const timer of later.values()) clearTimeout(timer);
      await atMost(limitMs, Promise.all(running));
    },
  };
}

interface Slots {
  /** Resolves once there is room in a group. Gives what makes room again. */
  enter(group: string): Promise<() => void>;
}

/** Has at most `most` of each group at work at once, the others after them in their order. */
export function createSlots(most: number): Slots {
  const groups = new Map<string, { taken: number; readonly waiting: (() => void)[] }>();
  return {
    enter: async (name) => {
      const group = groups.get(name) ?? { taken: 0, waiting: [] };
      groups.set(name, group);
      if (group.taken < most) group.taken += 1;
      else await new Promise<void>((resolve) => group.waiting.push(resolve));
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        const next = group.waiting.shift();
        if (next) return next();
        group.taken -= 1;
        if (group.taken === 0) groups.delete(name);
      };
    },
  };
}
