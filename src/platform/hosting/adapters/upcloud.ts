import { z } from 'zod';
import type { Adapter, Write } from '../adapter.ts';
import type { Answer } from '../answer.ts';
import { wordIn, mustBeAbout, nothingSaid } from '../readers.ts';
import type { HostingFault } from '../hosting-error.ts';
import { onOnePage } from '../paging.ts';
import type { Forcible, Instance, Power, Status, WriteAnswer } from '../service.ts';
import { type LeaveOut, listWire, readAs, readRecord } from '../unreadable.ts';

/**
 * UpCloud's servers, by its published API 1.3: https://developers.upcloud.com/1.3/8-servers/
 * An answer may hold the password of a remote console, which is never read.
 */

const serverWire = z.object({
  uuid: z.string(),
  title: z.string(),
  state: z.string(),
  hostname: z.string().nullish(),
  plan: z.string().nullish(),
  zone: z.string().nullish(),
  tags: z.object({ tag: listWire(z.string()) }).nullish(),
  labels: z.object({ label: listWire(z.object({ key: z.string(), value: z.string() })) }).nullish(),
  /** Only where one server is asked for. */
  ip_addresses: z
    .object({
      ip_address: listWire(z.object({ access: z.string(), address: z.string(), family: z.string() })),
    })
    .nullish(),
});
const ESSENTIAL = ['uuid', 'title', 'state'];
const serversWire = z.object({ servers: z.object({ server: listWire(z.unknown()) }).nullable() });
const oneWire = z.object({ server: z.unknown() });
const errorWire = z.union([
  z.object({ error: z.object({ error_code: z.string(), error_message: z.string() }) }),
  // Newer parts of the API write theirs so.
  z.object({ type: z.string(), title: z.string(), status: z.number() }),
]);

/**
 * `maintenance` is whatever the service does with a server meanwhile, a start and a stop too. From `error` it comes back by
 * itself: https://developers.upcloud.com/1.3/8-servers/
 */
const STATUSES: Readonly<Record<string, Status>> = { started: 'running', stopped: 'stopped', error: 'error' };
/** How long the system of a server may take to shut down before it is started again. A restart without this is refused. */
const RESTART_WITHIN_S = '120';

/** What each way of stopping is asked with; figures are texts here. */
const ASKED: Readonly<Record<Power | `force-${Forcible}`, readonly [path: string, body: unknown]>> = {
  start: ['start', { server: {} }],
  // Without a timeout, after which it would be stopped hard.
  stop: ['stop', { stop_server: { stop_type: 'soft' } }],
  restart: [
    'restart',
    { restart_server: { stop_type: 'soft', timeout: RESTART_WITHIN_S, timeout_action: 'ignore' } },
  ],
  'force-stop': ['stop', { stop_server: { stop_type: 'hard' } }],
  'force-restart': ['restart', { restart_server: { stop_type: 'hard' } }],
};

/** What the statuses don't say: 403 also stands for limits of the account, and 409 for a zone that is full. */
const FAULTS: Readonly<Record<string, HostingFault>> = {
  SERVER_CORE_LIMIT_REACHED: 'refused',
  SERVER_RESOURCES_UNAVAILABLE: 'refused',
  TRIAL_PLAN: 'refused',
};

function faultOf({ body }: Answer): HostingFault | undefined {
  const { data } = errorWire.safeParse(body);
  const code = data && 'error' in data ? data.error.error_code : '';
  return wordIn(FAULTS, code);
}

function instanceOf(record: unknown, leaveOut?: LeaveOut): Instance {
  const wire = readRecord(serverWire, record, ESSENTIAL, leaveOut);
  const { uuid, title, state, hostname, plan, zone, tags, labels } = wire;
  const publicIp = wire.ip_addresses?.ip_address.find(
    ({ access, family }) => access === 'public' && family === 'IPv4',
  );
  const marks = [
    ...(tags?.tag ?? []),
    ...(labels?.label ?? []).map(({ key, value }) => (value === '' ? key : `${key}=${value}`)),
  ];
  return {
    id: uuid,
    name: title,
    status: wordIn(STATUSES, state) ?? 'unknown',
    statusWord: state,
    can: {},
    ...(plan ? { tier: plan } : {}),
    ...(publicIp ? { ipAddress: publicIp.address } : {}),
    ...(hostname ? { hostname } : {}),
    ...(zone ? { region: zone } : {}),
    ...(tags || labels ? { labels: marks } : {}),
  };
}

/** It answers with the server as it was when it was asked, and lists no actions. */
const act = (id: string, asked: keyof typeof ASKED): Write<WriteAnswer> => {
  const [path, body] = ASKED[asked];
  return {
    method: 'POST',
    path: `/server/${id}/${path}`,
    body,
    decode: (answer) => {
      mustBeAbout(id, instanceOf(readAs(oneWire, answer.body).server).id);
      return {};
    },
  };
};

export const adapter: Adapter = {
  name: 'UpCloud',
  origin: 'https://api.upcloud.com',
  prefix: '/1.3',
  // None is published.
  limit: { requests: 120, seconds: 60 },
  showsWithinMs: 30_000,
  faultOf,
  isError: (body) => errorWire.safeParse(body).success,
  // "IP addresses, storages and backups continue to be charged" of servers that have been shut down:
  // https://upcloud.com/docs/getting-started/accounts/account-balance/ · What a plan costs then isn't said there.
  stoppedCosts: 'A stopped server still costs its storages, their backups and its IP addresses.',
  // Without `storages=1` its storages stay. It is asked for without, because that would take every storage that is attached:
  // https://developers.upcloud.com/1.3/8-servers/ · A floating address can stand alone, as the account's limit of those says:
  // https://developers.upcloud.com/1.3/3-accounts/
  deletion: {
    takes: ['its server'],
    leaves:
      'Its storages, with all data and backups, stay and still cost until somebody deletes them at UpCloud, and a floating IP address may stay too',
    inShort: 'The server goes, permanently; its storages stay.',
    onlyStopped: true,
  },
  instances: {
    list: {
      path: '/server',
      items: (body) => readAs(serversWire, body).servers?.server ?? [],
      item: instanceOf,
      paging: onOnePage,
    },
    one: (id) => ({
      path: `/server/${id}`,
      decode: ({ body }, leaveOut) => instanceOf(readAs(oneWire, body).server, leaveOut),
    }),
    power: act,
    force: { stop: (id) => act(id, 'force-stop'), restart: (id) => act(id, 'force-restart') },
    remove: (id) => ({ method: 'DELETE', path: `/server/${id}`, decode: nothingSaid }),
  },
};
