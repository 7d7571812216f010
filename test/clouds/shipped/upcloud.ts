import * as z from 'zod';
import { adapter } from '../../../src/platform/hosting/adapters/upcloud.ts';
import type { Status } from '../../../src/platform/hosting/service.ts';
import type { Contract } from './contract.ts';

const strict = z.strictObject;
const figure = z.string().regex(/^\d+$/);
const inBrief = {
  core_number: figure,
  hostname: z.string(),
  labels: strict({ label: z.array(strict({ key: z.string(), value: z.string() })) }),
  license: z.int(),
  memory_amount: figure,
  plan: z.string(),
  plan_ipv4_bytes: figure,
  plan_ipv6_bytes: figure,
  progress: figure.optional(),
  state: z.enum(['started', 'stopped', 'maintenance', 'error']),
  tags: strict({ tag: z.array(z.string()) }),
  title: z.string(),
  uuid: z.uuid(),
  zone: z.string(),
};
const details = strict({
  ...inBrief,
  boot_order: z.string(),
  firewall: z.enum(['on', 'off']),
  host: z.number(),
  ip_addresses: strict({
    ip_address: z.array(
      strict({
        access: z.enum(['public', 'utility', 'private']),
        address: z.string(),
        family: z.enum(['IPv4', 'IPv6']),
      }),
    ),
  }),
  metadata: z.enum(['yes', 'no']),
  networking: z.looseObject({}),
  nic_model: z.string(),
  remote_access_enabled: z.enum(['yes', 'no']),
  remote_access_password: z.string(),
  simple_backup: z.string(),
  storage_devices: z.looseObject({}),
  timezone: z.string(),
  video_model: z.string(),
});

const uuid = (n: number): string => `0077fa3d-32db-4b09-9f5f-${String(n).padStart(12, '0')}`;
/** A server as a list has it. */
export const SERVER = {
  core_number: '1',
  hostname: 'web-1.example.com',
  labels: { label: [{ key: 'env', value: 'prod' }] },
  license: 0,
  memory_amount: '2048',
  plan: '1xCPU-2GB',
  plan_ipv4_bytes: '3565675343',
  plan_ipv6_bytes: '4534432',
  state: 'started',
  tags: { tag: ['web'] },
  title: 'web-1',
  uuid: uuid(1),
  zone: 'fi-hel1',
};
/** What is said of it alone. */
export const DETAILS = {
  boot_order: 'cdrom,disk',
  firewall: 'on',
  host: 7653311107,
  ip_addresses: {
    ip_address: [
      { access: 'utility', address: '10.6.3.95', family: 'IPv4' },
      { access: 'public', address: '198.51.100.9', family: 'IPv4' },
      { access: 'public', address: '2001:db8::9', family: 'IPv6' },
    ],
  },
  metadata: 'yes',
  networking: { interfaces: { interface: [] } },
  nic_model: 'virtio',
  remote_access_enabled: 'yes',
  remote_access_password: 'aabbccdd',
  simple_backup: 'no',
  storage_devices: { storage_device: [] },
  timezone: 'UTC',
  video_model: 'cirrus',
};
const STATES: Readonly<Record<string, Status>> = { started: 'running', stopped: 'stopped', error: 'error' };
const soft = z.literal('soft');
const hard = z.literal('hard');
const seconds = z.string().regex(/^(?:[1-9]\d?|[1-5]\d\d|600)$/);
const path = (ending: string) =>
  z.string().regex(new RegExp(String.raw`^/1\.3/server/[0-9a-f-]{36}${ending}$`));
const read = z.object({ uuid: z.string(), title: z.string(), state: z.string() });

export const upcloud: Contract = {
  adapter,
  shapes: {
    list: strict({ servers: strict({ server: z.array(strict(inBrief)) }) }),
    one: strict({ server: details }),
    power: strict({ server: details }),
    refusal: z.union([
      strict({ error: strict({ error_code: z.string().regex(/^[A-Z_]+$/), error_message: z.string() }) }),
      strict({ type: z.url(), title: z.string(), status: z.int(), correlation_id: z.string() }),
    ]),
  },
  records: (body) => {
    const { servers, server } = z
      .object({
        servers: z.object({ server: z.array(z.unknown()) }).catch({ server: [] }),
        server: z.unknown().optional(),
      })
      .catch({ servers: { server: [] } })
      .parse(body);
    return [...servers.server, ...(server === undefined ? [] : [server])];
  },
  alone: (record) => ({ server: record }),
  essential: ['uuid', 'title', 'state'],
  truth: (record) => {
    const { data } = read.safeParse(record);
    if (!data) return undefined;
    const { uuid: id, title: name, state } = data;
    return { id, name, status: (Object.hasOwn(STATES, state) ? STATES[state] : undefined) ?? 'unknown' };
  },
  id: uuid(1),
  requests: z.union([
    strict({ method: z.literal('GET'), path: z.union([z.literal('/1.3/server'), path('')]) }),
    strict({ method: z.literal('POST'), path: path('/start'), body: strict({ server: strict({}) }) }),
    strict({
      method: z.literal('POST'),
      path: path('/stop'),
      body: strict({
        stop_server: strict({ stop_type: z.union([soft, hard]), timeout: seconds.optional() }),
      }),
    }),
    strict({
      method: z.literal('POST'),
      path: path('/restart'),
      body: strict({
        restart_server: z.union([
          strict({ stop_type: hard }),
          // A gentle one is refused without a timeout.
          strict({ stop_type: soft, timeout: seconds, timeout_action: z.enum(['ignore', 'destroy']) }),
        ]),
      }),
    }),
    strict({ method: z.literal('DELETE'), path: path('(?:\\?storages=[01])?') }),
  ]),
};
