import * as z from 'zod';
import { adapter } from '../../../src/platform/hosting/adapters/scaleway.ts';
import type { Status } from '../../../src/platform/hosting/service.ts';
import type { Contract } from './contract.ts';

const strict = z.strictObject;
const isoTime = z.iso.datetime({ offset: true });
const action = z.enum([
  'poweron',
  'backup',
  'stop_in_place',
  'poweroff',
  'terminate',
  'reboot',
  'enable_routed_ip',
]);
const ip = strict({
  id: z.uuid(),
  address: z.ipv4(),
  gateway: z.string(),
  netmask: z.string(),
  family: z.enum(['inet', 'inet6']),
  dynamic: z.boolean(),
  provisioning_mode: z.enum(['manual', 'dhcp', 'slaac']),
  ipam_id: z.uuid(),
  state: z.enum(['detached', 'attached', 'pending', 'error']),
  tags: z.array(z.string()),
});

const server = strict({
  id: z.uuid(),
  name: z.string(),
  arch: z.enum(['x86_64', 'arm64']),
  organization: z.uuid(),
  project: z.uuid(),
  allowed_actions: z.array(action),
  boot_type: z.enum(['local', 'bootscript', 'rescue']),
  commercial_type: z.string(),
  creation_date: isoTime,
  modification_date: isoTime,
  dns: z.string().nullable(),
  dynamic_ip_required: z.boolean(),
  enable_ipv6: z.boolean(),
  end_of_service: z.boolean(),
  extra_networks: z.array(z.unknown()),
  filesystems: z.array(z.unknown()),
  hostname: z.string(),
  image: z.null(),
  ipv6: z.null(),
  location: z.null(),
  mac_address: z.string(),
  maintenances: z.array(z.unknown()),
  placement_group: z.null(),
  private_ip: z.null(),
  private_nics: z.array(z.unknown()),
  protected: z.boolean(),
  public_ip: ip.nullable(),
  public_ips: z.array(ip),
  routed_ip_enabled: z.boolean(),
  security_group: strict({ id: z.uuid(), name: z.string() }),
  state: z.enum(['running', 'stopped', 'stopped in place', 'starting', 'stopping', 'locked']),
  state_detail: z.string(),
  tags: z.array(z.string()),
  volumes: z.record(z.string(), z.unknown()),
  zone: z.string().regex(/^[a-z]{2}-[a-z]{3}-\d$/),
  admin_password_encrypted_value: z.string().optional(),
});

const uuid = (n: number): string => `6a3d62f7-8852-4dd2-b16a-${String(n).padStart(12, '0')}`;
const IP = {
  id: uuid(900),
  address: '198.51.100.7',
  gateway: '62.210.0.1',
  netmask: '32',
  family: 'inet',
  dynamic: false,
  provisioning_mode: 'dhcp',
  ipam_id: uuid(900),
  state: 'attached',
  tags: [],
};
/** A server as the API gives it, of which the tests change what they are about. */
export const SERVER = {
  id: uuid(1),
  name: 'web-1',
  arch: 'x86_64',
  organization: uuid(500),
  project: uuid(500),
  allowed_actions: ['poweroff', 'terminate', 'reboot', 'stop_in_place', 'backup'],
  boot_type: 'local',
  commercial_type: 'PLAY2-NANO',
  creation_date: '2026-01-05T10:00:00.652219+00:00',
  modification_date: '2026-01-06T10:00:00.652219+00:00',
  dns: `${uuid(1)}.pub.instances.scw.cloud`,
  dynamic_ip_required: false,
  enable_ipv6: false,
  end_of_service: false,
  extra_networks: [],
  filesystems: [],
  hostname: 'web-1',
  image: null,
  ipv6: null,
  location: null,
  mac_address: 'de:00:00:00:00:01',
  maintenances: [],
  placement_group: null,
  private_ip: null,
  private_nics: [],
  protected: false,
  public_ip: IP,
  public_ips: [IP],
  routed_ip_enabled: true,
  security_group: { id: uuid(600), name: 'Default security group' },
  state: 'running',
  state_detail: 'booted',
  tags: ['prod'],
  volumes: {
    0: { boot: false, id: uuid(700), state: 'available', volume_type: 'sbs_volume', zone: 'fr-par-1' },
  },
  zone: 'fr-par-1',
  admin_password_encrypted_value: 'c2VjcmV0',
};
export const TASK = {
  task: {
    id: uuid(800),
    description: 'server_batch_poweroff',
    href_from: `/servers/${uuid(1)}/action`,
    href_result: `/servers/${uuid(1)}`,
    progress: 0,
    started_at: '2026-01-06T08:00:00.067932+00:00',
    status: 'pending',
    terminated_at: null,
    zone: 'fr-par-1',
  },
};
const STATES: Readonly<Record<string, Status>> = {
  running: 'running',
  stopped: 'stopped',
  starting: 'starting',
  stopping: 'stopping',
};
const others = ['stopped', 'stopped in place', 'starting', 'stopping', 'locked'].map((state, nth) => ({
  ...SERVER,
  id: uuid(nth + 10),
  state,
  allowed_actions: [],
  public_ip: null,
  public_ips: [],
}));
const page = (servers: readonly unknown[], total = servers.length) => ({
  headers: { 'x-total-count': String(total) },
  body: { servers },
});
const read = z.object({ id: z.string(), name: z.string(), state: z.string(), zone: z.string() });

export const scaleway: Contract = {
  adapter,
  shapes: {
    list: strict({ servers: z.array(server) }),
    one: strict({ server }),
    power: strict({
      task: strict({
        id: z.uuid(),
        description: z.string(),
        href_from: z.string(),
        href_result: z.string().nullable(),
        progress: z.int(),
        started_at: isoTime,
        status: z.enum(['pending', 'started', 'success', 'failure', 'retry']),
        terminated_at: isoTime.nullable(),
        zone: z.string(),
      }),
    }),
    refusal: z.looseObject({ message: z.string(), type: z.string() }),
  },
  lists: [
    page([SERVER, ...others], 102),
    page([{ ...SERVER, id: uuid(20), name: 'web-2' }], 102),
    ...Array.from({ length: 8 }, () => page([])),
    page([{ ...SERVER, id: uuid(30), name: 'mil', zone: 'it-mil-1' }]),
  ],
  records: (body) => {
    const { servers, server: one } = z
      .object({ servers: z.array(z.unknown()).catch([]), server: z.unknown().optional() })
      .catch({ servers: [], server: undefined })
      .parse(body);
    return [...servers, one];
  },
  alone: (record) => ({ server: record }),
  essential: ['id', 'name', 'state', 'zone'],
  truth: (record) => {
    const { data } = read.safeParse(record);
    if (!data) return undefined;
    const { zone, id, name, state } = data;
    const status = Object.hasOwn(STATES, state) ? STATES[state]! : 'unknown';
    return { id: `${zone}.${id}`, name, status };
  },
  id: `fr-par-1.${uuid(1)}`,
  requests: z.union([
    strict({
      method: z.literal('GET'),
      path: z
        .string()
        .regex(
          /^\/instance\/v1\/zones\/[a-z]{2}-[a-z]{3}-\d\/servers(?:\/[0-9a-f-]{36}|\?per_page=(?:100|[1-9]\d?)(?:&page=\d+)?)$/,
        ),
    }),
    strict({
      method: z.literal('POST'),
      path: z.string().regex(/^\/instance\/v1\/zones\/[a-z]{2}-[a-z]{3}-\d\/servers\/[0-9a-f-]{36}\/action$/),
      body: strict({ action }),
    }),
  ]),
};
