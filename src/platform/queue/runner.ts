import { atMost } from '../time/at-most.ts';
import type { Cause, RunJob } from './run-job.ts';
import { createTurns } from './turns.ts';

/**
 * Jobs that run in the process that woke them, without a queue in between. A job is there at most once and never runs
 * beside itself here; that no other process runs it meanwhile is for those who keep its records to say.
 */
export interface Runner {
  /** Whether a job of this name runs here: its name was given, and the runner has started and is not being drained. */
  takes(name: string): boolean;
  /** Has a job run soon; once more where it runs already. `group`: jobs of the same name and group share their turns. */
  wake(name: string, id: string, cause: Cause, group?: string): void;
  /** Whether a job runs here now, or is about to as soon as there is room. */
  holds(name: string, id: string): boolean;
  /** Ids of the jobs of this name that have run, or been about to, for at least `forMs`. */
  held(name: string, forMs: number): string[];
  start(run: RunJob): void;
  /** Takes no new job, forgets those that wait, and waits for the running ones, at most `limitMs`. */
  drain(limitMs: number): Promise<void>;
}

interface Held {
  readonly name: string;
  readonly id: string;
  readonly group: string;
  readonly since: number;
  cause: Cause;
  isRunning: boolean;
  /** Why it is to run once more. */
  again: Cause | undefined;
}

/** Most of them wait for Slack or for the hosting service. */
const MAX_AT_ONCE = 200;
/** Where hundreds of one group are woken, each step of another group's job would wait for a step of all that run. */
const MAX_OF_GROUP = 24;
/** A job that runs for longer waits for Slack or for the hosting service, and keeps nobody of its group back. */
const TURN_MS = 500;
const MAX_TIMER_MS = 2 ** 31 - 1;

export function createRunner(names: readonly string[]): Runner {
  const keyOf = (name: string, id: string): string => `${name} ${id}`;
  const held = new Map<string, Held>();
  const turns = createTurns<Held>(({ name, group }) => keyOf(name, group), MAX_OF_GROUP);
  const timers = new Map<string, NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  let run: RunJob | undefined;

  const takes = (name: string): boolean =>
    run !== undefined && !stopping.signal.aborted && names.includes(name);

  const runOnce = async (job: Held, runJob: RunJob): Promise<void> => {
    const { name, id, group } = job;
    const key = keyOf(name, id);
    const delayMs = await runJob(name, id, stopping.signal, job.cause);
    held.delete(key);
    if (job.again !== undefined) wake(name, id, job.again, group);
    else if (delayMs !== undefined && takes(name)) {
      const timer = setTimeout(() => wake(name, id, 'elsewhere', group), Math.min(delayMs, MAX_TIMER_MS));
      timers.set(key, timer);
    }
  };
  const fill = (): void => {
    while (running.size < MAX_AT_ONCE) {
      const job = run && turns.take();
      if (!run || !job) return;
      job.isRunning = true;
      const leaveRoom = (): void => {
        turns.leave(job);
        fill();
      };
      const turn = setTimeout(leaveRoom, TURN_MS).unref();
      const one = runOnce(job, run).finally(() => {
        clearTimeout(turn);
        running.delete(one);
        leaveRoom();
      });
      running.add(one);
    }
  };
  const wake = (name: string, id: string, cause: Cause, group = ''): void => {
    if (!takes(name)) return;
    const key = keyOf(name, id);
    clearTimeout(timers.get(key));
    timers.delete(key);
    const known = held.get(key);
    if (known?.isRunning) known.again = moreOf(known.again, cause);
    else if (known) known.cause = moreOf(known.cause, cause);
    else {
      const job = { name, id, group, since: performance.now(), cause, isRunning: false, again: undefined };
      held.set(key, job);
      turns.wait(job);
      fill();
    }
  };

  return {
    takes,
    wake,
    holds: (name, id) => held.has(keyOf(name, id)),
    held: (name, forMs) => {
      const before = performance.now() - forMs;
      return [...held.values()].filter((job) => job.name === name && job.since <= before).map(({ id }) => id);
    },
    start: (runJob) => {
      run = runJob;
    },
    drain: async (limitMs) => {
      stopping.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      for (const { name, id } of turns.giveUp()) held.delete(keyOf(name, id));
      await atMost(limitMs, Promise.all(running));
    },
  };
}

const CAUSES: readonly Cause[] = ['here', 'elsewhere', 'taken over'];

/** The one of two causes that asks for more care. */
function moreOf(one: Cause | undefined, other: Cause): Cause {
  return one !== undefined && CAUSES.indexOf(one) > CAUSES.indexOf(other) ? one : other;
}
