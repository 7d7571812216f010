import type { Sandbox } from '../sandbox/sandbox.ts';
import type { RedisGroup } from '../sandbox/redis-nodes.ts';
import type { Aims } from './aims.ts';
import type { Fleet } from './fleet.ts';
import type { Blow } from './schedule.ts';
import { wait } from './wait.ts';

/** The blows that are dealt to a run, and how many of them hit something. */
export interface Blows {
  readonly kills: Readonly<Record<'worker' | 'web' | 'redis', number>>;
  readonly pauses: number;
  /** Primaries of several Redis that stood still and came back. */
  readonly redisPauses: number;
  /** Deals all of them, each in its time. */
  deal(blows: readonly Blow[], until: (atMs: number) => Promise<void>): Promise<void>;
}

interface Targets {
  readonly sandbox: Sandbox;
  readonly fleet: Fleet;
  readonly group: RedisGroup | undefined;
  /** When a Redis with replicas is hit. */
  readonly aims: Aims;
}

export function createBlows(targets: Targets): Blows {
  const { group } = targets;
  const kills = { worker: 0, web: 0, redis: 0 };
  let pauses = 0;
  let redisPauses = 0;
  const inject = async (blow: Blow): Promise<void> => {
    if (!(await hit(targets, blow))) return;
    if (blow.do === 'kill redis' && group && isPause(blow)) redisPauses++;
    else if (blow.do === 'kill redis') kills.redis++;
    else if (blow.do === 'kill worker') kills.worker++;
    else if (blow.do === 'kill web') kills.web++;
    else pauses++;
  };
  return {
    kills,
    get pauses() {
      return pauses;
    },
    get redisPauses() {
      return redisPauses;
    },
    deal: async (blows, until) => {
      const strikeInTime = async (blow: Blow): Promise<void> => {
        await until(blow.atMs);
        await inject(blow);
      };
      const others = blows.filter((blow) => blow.do !== 'kill redis').map(strikeInTime);
      // One Redis at a time: it can't be killed while it is down already.
      const oneByOne = async (): Promise<void> => {
        const startedAt = performance.now();
        for (const blow of blows.filter((one) => one.do === 'kill redis')) {
          // A takeover lasts longer than the time between two of them, and later nobody asks for anything.
          if (group && performance.now() - startedAt > blow.atMs + LATE_MS) continue;
          await strikeInTime(blow);
        }
      };
      await Promise.all([oneByOne(), ...others]);
    },
  };
}

const PAUSED_MS = 4_000;
const LATE_MS = 500;

/** Of five blows to a Redis with replicas, two are pauses. */
function isPause({ which }: Blow): boolean {
  return which % 5 < 2;
}

/** Gives false where there was nothing to hit. */
async function hit({ sandbox, fleet, group, aims }: Targets, blow: Blow): Promise<boolean> {
  switch (blow.do) {
    case 'kill worker':
      return fleet.kill('worker', blow.which);
    case 'kill web':
      return fleet.kill('web', blow.which);
    case 'pause worker':
      return fleet.pause('worker', blow.which, blow.forMs);
    case 'pause web':
      return fleet.pause('web', blow.which, blow.forMs);
    case 'kill redis':
      if (group) await aims.next();
      if (group && isPause(blow)) {
        // Longer than it takes Sentinel to have another take over.
        await group.pause(PAUSED_MS);
        await group.inStep(1);
        return true;
      }
      await sandbox.redis?.kill();
      await wait(blow.forMs);
      await sandbox.redis?.restart();
      return true;
  }
}
