import { CLOUD_KINDS, type CloudKind } from '../../sandbox/clouds/cloud.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Timings } from '../../src/core/timings.ts';
import { dumpOf } from '../support/redis-dump.ts';
import { KEY as LIGHTSAIL_KEY } from './aws-signature.ts';
import { openLightsail } from './lightsail-double.ts';
import { KEY as OVHCLOUD_KEY, openOvhCloud, SECRET as OVHCLOUD_SECRET } from './outside/ovhcloud-double.ts';
import { KEY as SCALEWAY_KEY, openScaleway } from './outside/scaleway-double.ts';
import type { Given, SmallService } from './outside/small-service.ts';
import { KEY as UPCLOUD_KEY, openUpCloud } from './outside/upcloud-double.ts';
import { playAt, playOn, writesTo } from './play-on.ts';
import { TASK } from './shipped/scaleway.ts';
import { DETAILS, SERVER } from './shipped/upcloud.ts';

/** What goes wrong with web-1 at a service that the bot runs, whichever it is. */
interface AtCloud {
  readonly sandbox: Sandbox;
  /** How many calls came that change something. */
  countWrites(): number;
  /** The next change is refused, or nobody knows, with that status and these words in the service's own form. */
  answer(status: number, words: string): void;
  /** The next stop is taken, and the machine stays as it is. */
  ignore(): void;
  /** The next stop is answered 504, and the machine is stopped a while later. */
  stopLate(): void;
  /** The service takes no change of the machine, and says so of it in its own way. */
  lock(): void;
  /** The machine runs, and takes changes. */
  unlock(): void;
  /** What nobody may read: the key, and what it was exchanged for. */
  secrets(): readonly string[];
}

/** All that the bot has written down and logged. */
export async function toldBy({ redisUrl, logs }: Sandbox): Promise<string> {
  return `${await dumpOf(redisUrl, /./)}\n${logs.join('')}`;
}

/** How much later, in ms. */
const LATE_MS = 500;

type Open = (timings: Partial<Timings>) => Promise<AtCloud>;

/** Each service for which an adapter comes with the bot, but for the default one. */
export const AT_CLOUDS: Readonly<Record<string, Open>> = {
  ...Object.fromEntries(
    CLOUD_KINDS.map((kind) => [kind, (timings: Partial<Timings>) => atKind(kind, timings)]),
  ),
  scaleway: async (timings) => {
    const cloud = await openScaleway();
    return atSmall(timings, cloud, {
      at: ['scaleway', SCALEWAY_KEY],
      words: { stopped: 'stopped', running: 'running', locked: 'locked' },
      taken: [202, TASK],
      secrets: () => [SCALEWAY_KEY],
      error: (_status, message) => ({ message, type: 'internal_error' }),
    });
  },
  upcloud: async (timings) => {
    const cloud = await openUpCloud();
    return atSmall(timings, cloud, {
      at: ['upcloud', UPCLOUD_KEY],
      words: { stopped: 'stopped', running: 'started', locked: 'maintenance' },
      taken: [200, { server: { ...SERVER, ...DETAILS } }],
      secrets: () => [UPCLOUD_KEY],
      error: (_status, error_message) => ({ error: { error_code: 'INTERNAL_ERROR', error_message } }),
    });
  },
  ovhcloud: async (timings) => {
    const cloud = await openOvhCloud();
    return atSmall(timings, cloud, {
      at: ['ovhcloud', OVHCLOUD_KEY, { HOSTING_LOGIN_URL: `${cloud.url}/auth/oauth2/token` }],
      words: { stopped: 'SHUTOFF', running: 'ACTIVE', locked: 'MIGRATING' },
      taken: [200, null],
      secrets: () => [OVHCLOUD_SECRET, ...cloud.tokens],
      error: (_status, message) => ({ class: 'Server::InternalServerError', message }),
    });
  },
  lightsail: atLightsail,
};

async function atKind(kind: CloudKind, timings: Partial<Timings>): Promise<AtCloud> {
  const { sandbox, cloud } = await playOn(kind, { powerMs: LATE_MS }, { timings });
  const change = { method: 'POST' };
  return {
    sandbox,
    countWrites: () => writesTo(cloud).length,
    answer: (status, message) => void cloud.failNext(change, { kind: 'status', status, message }),
    ignore: () => void cloud.failNext(change, { kind: 'never-stops' }),
    stopLate: () => void cloud.failNext(change, { kind: 'status', status: 504, acts: true }),
    lock: () => cloud.lock('web-1'),
    unlock: () => {
      cloud.unlock('web-1');
      cloud.setStatus('web-1', cloud.words.running);
    },
    secrets: () => [cloud.token],
  };
}

async function atSmall(
  timings: Partial<Timings>,
  cloud: SmallService & { next?: Given | undefined; put(name: string, state: string): void },
  {
    at: [service, key, env = {}],
    words,
    taken,
    error,
    secrets,
  }: {
    readonly secrets: AtCloud['secrets'];
    readonly at: readonly [service: string, key: string, env?: Readonly<Record<string, string>>];
    readonly words: Readonly<Record<'stopped' | 'running' | 'locked', string>>;
    readonly taken: Given;
    readonly error: (status: number, message: string) => unknown;
  },
): Promise<AtCloud> {
  const { sandbox } = await playAt(service, cloud, key, { timings, env });
  const answer: AtCloud['answer'] = (status, message) => {
    cloud.next = [status, error(status, message)];
  };
  return {
    sandbox,
    answer,
    secrets,
    countWrites: () => cloud.writes().filter((line) => !line.includes('/oauth2/')).length,
    ignore: () => {
      cloud.next = taken;
    },
    stopLate: () => {
      answer(504, 'Too late');
      setTimeout(() => cloud.put('web-1', words.stopped), LATE_MS);
    },
    lock: () => cloud.put('web-1', words.locked),
    unlock: () => cloud.put('web-1', words.running),
  };
}

async function atLightsail(timings: Partial<Timings>): Promise<AtCloud> {
  const { cloud, sandbox } = await playAt('lightsail', await openLightsail(), LIGHTSAIL_KEY, { timings });
  const failure = (message: string) => ({ __type: 'com.amazonaws.lightsail#ServiceException', message });
  const [web] = cloud.machines;
  const put = (state: string): void => {
    if (web) web.state = state;
  };
  return {
    sandbox,
    countWrites: () => cloud.calls.filter((call) => !call.startsWith('Get')).length,
    answer: (status, message) => {
      cloud.next = { operation: 'RebootInstance', status, body: failure(message) };
    },
    ignore: () => {
      cloud.isNextIgnored = true;
    },
    stopLate: () => {
      cloud.next = {
        operation: 'StopInstance',
        status: 504,
        body: failure('Too late'),
        lateMs: LATE_MS,
      };
    },
    lock: () => put('pending'),
    unlock: () => put('running'),
    secrets: () => [LIGHTSAIL_KEY.split(':')[1]!],
  };
}
