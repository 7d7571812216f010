import type { QueuePlace } from '../../src/platform/hosting/budget.ts';
import type { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import { adapter as instanceHosting } from '../../src/platform/hosting/adapters/instance-hosting.ts';
import { aboutOf } from '../../src/platform/hosting/client.ts';
import { errorOfAnswer, errorOfFailure } from '../../src/platform/hosting/errors.ts';
import type { HostingService, Instance, Power, Status } from '../../src/platform/hosting/service.ts';
import { SlackError } from '../../src/platform/slack/errors.ts';
import type { Message } from '../../src/platform/slack/message.ts';
import type { Messenger } from '../../src/platform/slack/messenger.ts';
import type { Decision } from '../../src/core/policy/decide.ts';
import type { Pause } from './in-memory.ts';
import { instance, NOW, timings } from './operation.ts';

/** How the next call fares; when the list is used up, everything goes well. */
export type Luck = 'well' | 'answer lost' | 'lost on the way' | 'refused';

/** One instance and one channel, the truth that all workers act on. */
export interface SmallWorld {
  now: number;
  readonly luck: Luck[];
  /** What the next questions for a right are answered; when the list is used up, everybody may. */
  readonly rights: Decision[];
  /** Its places in the queue as it asks for a call; once the list is used up, it gets one. */
  readonly places: QueuePlace[];
  /** What travels by itself, no matter which process dies: resolves when it arrives. */
  travel: (what: string) => Promise<void>;
  /** Calls for a power action that left and are not known to have done nothing. */
  unproven: number;
  executions: number;
  status: Status;
  settledAt: number;
  settled: Status;
  /** What stands in Slack. */
  readonly messages: { key: string; ts: string; message: Message }[];
}

export function createSmallWorld(
  status: Status,
  luck: readonly Luck[],
  rights: readonly Decision[],
  places: readonly QueuePlace[],
): SmallWorld {
  return {
    now: NOW,
    luck: [...luck],
    rights: [...rights],
    places: [...places],
    travel: () => Promise.resolve(),
    unproven: 0,
    executions: 0,
    status,
    settledAt: 0,
    settled: status,
    messages: [],
  };
}

const ACTION_MS = 3_000;
const WAYS = { start: 'starting', stop: 'stopping', restart: 'restarting' } as const;
const TARGETS = { start: 'running', stop: 'stopped', restart: 'running' } as const;
const SOURCES = { start: 'stopped', stop: 'running', restart: 'running' } as const;

function statusOf(world: SmallWorld): Status {
  return world.now >= world.settledAt ? world.settled : world.status;
}

const never = (): Promise<never> => Promise.reject(new Error('not asked for here'));
const lostAnswer = (): HostingError => errorOfFailure('asking', new Error('reset'));
const httpError = (status: number, headers: Record<string, string> = {}): HostingError =>
  errorOfAnswer('asking', { status, headers, body: { error: { code: 'x', message: 'no' } } }, 0);

/** The hosting service as one worker reaches it: a call's effect and its answer are two waits. */
export function createSmallHosting(world: SmallWorld, pause: Pause): HostingService {
  const power = async (what: Power, luck: Luck): Promise<void> => {
    await world.travel(`the ${what} arrives`);
    if (luck === 'lost on the way') return;
    if (luck === 'refused') throw httpError(429, { 'retry-after': '1' });
    if (statusOf(world) !== SOURCES[what]) throw httpError(409);
    world.executions += 1;
    world.status = WAYS[what];
    world.settled = TARGETS[what];
    world.settledAt = world.now + ACTION_MS;
  };
  const find = async (): Promise<Instance> => {
    const luck = world.luck.shift() ?? 'well';
    await pause('poll');
    const answer = instance(statusOf(world));
    await pause('is shown');
    if (luck === 'well') return answer;
    throw luck === 'refused' ? httpError(503) : lostAnswer();
  };
  return {
    about: aboutOf(instanceHosting),
    findAction: never,
    findActions: () => never,
    listBegun: async () => undefined,
    listInstances: async () => ({ instances: [await find()] }),
    findLastList: async () => undefined,
    checkKey: async () => [],
    findShown: async () => undefined,
    countListPages: async () => 1,
    listEveryMs: async () => 0,
    findInstance: find,
    powerInstance: async (_id, what, options) => {
      const luck = world.luck.shift() ?? 'well';
      await pause('its call from the budget');
      await options?.beforeSend?.({ method: 'POST' });
      world.unproven += 1;
      let fault: unknown;
      await power(what, luck).catch((error: unknown) => {
        fault = error;
        world.unproven -= 1;
      });
      await pause('the answer');
      if (fault) throw fault;
      if (luck !== 'well') throw lostAnswer();
      return { status: WAYS[what] };
    },
    forceInstance: never,
    deleteInstance: never,
    getBalance: never,
    getSpending: never,
    getUsage: never,
    listCharges: never,
    listBills: never,
    listTransactions: never,
    listAddons: never,
    addAddon: never,
    removeAddon: never,
    writeQueue: {
      takeOrWait: async () => {
        await pause('its place in the queue');
        return world.places.shift();
      },
      leave: () => pause('the queue is left'),
    },
    close: () => Promise.resolve(),
  };
}

/** Slack as one worker reaches it: what is sent stands there within a call's time limit, or never. */
export function createSmallMessenger(world: SmallWorld, pause: Pause): Messenger {
  const send = async (what: string, land: () => void): Promise<void> => {
    const luck = world.luck.shift() ?? 'well';
    const leftAt = world.now;
    await world.travel(`the ${what} arrives`);
    const isInTime = world.now - leftAt <= timings.slackTimeoutMs;
    if (isInTime && (luck === 'well' || luck === 'answer lost')) land();
    await pause('the answer');
    if (luck === 'refused') throw new SlackError('ratelimited', { outcome: 'not-done', retryAfterMs: 1_000 });
    if (luck !== 'well' || !isInTime) throw new SlackError('unreachable', { outcome: 'unknown' });
  };
  return {
    post: async (address, message, key) => {
      let ts = '';
      await send('post', () => {
        ts = `${world.messages.length + 1}.0`;
        world.messages.push({ key, ts, message });
      });
      return { channelId: address.channelId, ts };
    },
    update: async (posted, message) =>
      send('edit', () => {
        const standing = world.messages.find((one) => one.ts === posted.ts);
        if (standing) standing.message = message;
      }),
    findOnPage: async (address, key) => {
      const luck = world.luck.shift() ?? 'well';
      await pause('look it up');
      const found = world.messages.filter((one) => one.key === key);
      await pause('is looked up');
      if (luck !== 'well') throw new SlackError('ratelimited', { outcome: 'not-done' });
      return { found: found.map(({ ts }) => ({ channelId: address.channelId, ts })), next: undefined };
    },
    remove: never,
    directChannel: never,
    openModal: never,
    whisper: never,
  };
}
