import type { CloudKind } from '../sandbox/clouds/cloud.ts';
import type { RecordedCall } from '../sandbox/hosting/calls.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/sandbox.ts';
import { instance, worldOf } from '../sandbox/world.ts';
import { alertEnv, judgeAlerts, walkBalance } from './alerts.ts';
import { countWrites, type Written } from './books.ts';
import { CHANNELS } from './channels.ts';
import { CLOUD_FAULTED, writtenAt } from './cloud-writes.ts';
import { type FaultedKind, KINDS } from './kinds.ts';
import type { Random } from './random.ts';
import { judgeWatched, walkWatched } from './watches.ts';
import type { Weather } from './weather.ts';

/** What is wrong with what the bot tells by itself, as sentences. */
type Judged = Awaited<ReturnType<typeof judgeAlerts>>;

/** The hosting service of a run: what is done to it, and its own count of what it was asked for. */
export interface Ground {
  add(instanceId: number, name: string, from: FaultedKind['from'], addon?: string): void;
  /** Nothing is done where it is gone. */
  remove(instanceId: number): void;
  /** The calls that would change something, so far. */
  written(): readonly Written[];
  /** Moves about what the bot tells of by itself, until `stop`. */
  walk(random: Random): { stop: () => void };
  /** What went wrong with that. The services are well by now. */
  judge(): Promise<readonly Judged[]>;
}

/** A service that runs are played at. */
export interface GroundKind {
  /** What the sandbox is opened with. */
  readonly options: SandboxOptions;
  readonly env: Readonly<Record<string, string>>;
  of(sandbox: Sandbox): Ground;
}

const POWER_MS = 300;
/** No limit of the service is in the way. */
const RATE_LIMIT = 1_000_000;
/** The channel that hears of the money, and the one that hears of instances nobody asks about. */
const [ALERTED = '', WATCHING = ''] = CHANNELS;

/** The kinds of operations that runs at a service ask for. */
export function kindsAt(service: CloudKind | undefined): readonly FaultedKind[] {
  return service === undefined ? KINDS : CLOUD_FAULTED;
}

/** A service as the ground of a run, in this weather. Without one, the hosting company. */
export function groundKind(service: CloudKind | undefined, weather: Weather): GroundKind {
  return service === undefined ? companyGround(weather) : cloudGround(service, weather);
}

function companyGround(weather: Weather): GroundKind {
  return {
    options: {
      hosting: {
        world: worldOf([]),
        powerMs: POWER_MS,
        deleteMs: POWER_MS,
        rateLimit: RATE_LIMIT,
        weather: weather.hosting,
      },
    },
    env: alertEnv('C0RUN000000'),
    of: companyOf,
  };
}

/** The hosting company of a sandbox as a ground. */
export function companyOf(sandbox: Sandbox): Ground {
  const { hosting } = sandbox;
  const written = countWrites(sandbox);
  return {
    add: (instanceId, name, from, addon) => {
      hosting.addInstance('harbour', instance(instanceId, name, { status: from }));
      if (addon !== undefined) hosting.addAddon(instanceId, addon);
    },
    remove: (instanceId) => {
      if (hosting.statusOf(instanceId) !== 'gone') hosting.removeInstance(instanceId);
    },
    written: () => written,
    walk: (random) => {
      const walks = [
        walkBalance(sandbox, random.fork('balance')),
        walkWatched(sandbox, WATCHING, random.fork('watched')),
      ];
      return { stop: () => walks.forEach((one) => one.stop()) };
    },
    judge: async () => [await judgeAlerts(sandbox, ALERTED), await judgeWatched(sandbox, WATCHING)],
  };
}

/** A cloud has no add-ons and no balance that runs low, and no status that would be reported to its watchers as trouble. */
function cloudGround(service: CloudKind, weather: Weather): GroundKind {
  // Each as it comes: the cloud itself keeps only the latest.
  const calls: RecordedCall[] = [];
  return {
    options: {
      service,
      cloud: {
        machines: [],
        powerMs: POWER_MS,
        deleteMs: POWER_MS,
        rateLimit: RATE_LIMIT,
        minuteLimit: RATE_LIMIT,
        weather: (call) => {
          if (call.method !== 'GET') calls.push(call);
          return weather.cloud(service, call);
        },
      },
    },
    env: {},
    of: ({ cloud }) => {
      if (!cloud) throw new Error(`no cloud ${service}`);
      return {
        add: (instanceId, name, from) => {
          const status = from === 'stopped' ? { status: cloud.words.stopped } : {};
          cloud.add({ id: String(instanceId), name, ...status });
        },
        remove: (instanceId) => {
          if (cloud.machines().some(({ id }) => id === String(instanceId))) cloud.remove(String(instanceId));
        },
        written: () => writtenAt(cloud, calls),
        walk: () => ({ stop: () => undefined }),
        judge: async () => [],
      };
    },
  };
}
