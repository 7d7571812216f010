import * as z from 'zod';
import { adapter } from '../../../src/platform/hosting/adapters/ovhcloud.ts';
import type { Status } from '../../../src/platform/hosting/service.ts';
import type { Contract } from './contract.ts';

const strict = z.strictObject;
/** Every word that a status may be. */
const STATES: Readonly<Record<string, Status | 'unknown'>> = {
  ACTIVE: 'running',
  BUILD: 'provisioning',
  BUILDING: 'provisioning',
  DELETED: 'deleted',
  DELETING: 'deleting',
  ERROR: 'error',
  HARD_REBOOT: 'restarting',
  MIGRATING: 'migrating',
  PASSWORD: 'unknown',
  PAUSED: 'paused',
  REBOOT: 'restarting',
  REBUILD: 'rebuilding',
  RESCUE: 'unknown',
  RESCUED: 'unknown',
  RESCUING: 'unknown',
  RESIZE: 'resizing',
  RESIZED: 'unknown',
  RESUMING: 'unknown',
  REVERT_RESIZE: 'resizing',
  SHELVED: 'unknown',
  SHELVED_OFFLOADED: 'unknown',
  SHELVING: 'unknown',
  SHUTOFF: 'stopped',
  SNAPSHOTTING: 'unknown',
  SOFT_DELETED: 'unknown',
  STOPPED: 'stopped',
  SUSPENDED: 'paused',
  UNKNOWN: 'unknown',
  UNRESCUING: 'unknown',
  UNSHELVING: 'unknown',
  VERIFY_RESIZE: 'unknown',
};
const both = {
  id: z.uuid(),
  name: z.string(),
  status: z.enum(Object.keys(STATES)),
  created: z.iso.datetime(),
  currentMonthOutgoingTraffic: z.int().nullable(),
  ipAddresses: z.array(
    strict({
      gatewayIp: z.string().nullable(),
      ip: z.string(),
      networkId: z.string(),
      type: z.string(),
      version: z.union([z.literal(4), z.literal(6)]),
    }),
  ),
  monthlyBilling: z.null(),
  operationIds: z.array(z.string()),
  planCode: z.string().nullable(),
  region: z.string(),
};
const listed = strict({
  ...both,
  flavorId: z.uuid(),
  imageId: z.uuid(),
  sshKeyId: z.string().nullable(),
});
const detailed = strict({
  ...both,
  flavor: z.looseObject({ id: z.uuid(), name: z.string() }),
  image: z.looseObject({ id: z.uuid(), name: z.string() }),
  rescuePassword: z.string().nullable(),
  sshKey: z.null(),
});

const uuid = (n: number): string => `5f2c1a7e-32db-4b09-9f5f-${String(n).padStart(12, '0')}`;
const BOTH = {
  id: uuid(1),
  name: 'web-1',
  status: 'ACTIVE',
  created: '2026-01-05T10:00:00Z',
  currentMonthOutgoingTraffic: null,
  ipAddresses: [
    { gatewayIp: null, ip: '10.1.0.4', networkId: uuid(90), type: 'private', version: 4 },
    { gatewayIp: '2001:db8::1', ip: '2001:db8::4', networkId: uuid(91), type: 'public', version: 6 },
    { gatewayIp: '203.0.113.1', ip: '203.0.113.4', networkId: uuid(91), type: 'public', version: 4 },
  ],
  monthlyBilling: null,
  operationIds: [],
  planCode: 'b3-8.consumption',
  region: 'GRA11',
};
/** An instance as the list has it. */
export const LISTED = { ...BOTH, flavorId: uuid(80), imageId: uuid(81), sshKeyId: null };
/** The same alone. */
export const DETAILED = {
  ...BOTH,
  flavor: { id: uuid(80), name: 'b3-8' },
  image: { id: uuid(81), name: 'Debian 12' },
  rescuePassword: 'aabbccdd',
  sshKey: null,
};
const path = (ending: string) =>
  z.string().regex(new RegExp(String.raw`^/v1/cloud/project/\{project\}/instance/[0-9a-f-]{36}${ending}$`));
const post = z.literal('POST');
const read = z.object({ id: z.string(), name: z.string(), status: z.string() });

export const ovhcloud: Contract = {
  adapter,
  shapes: {
    list: z.array(listed),
    one: detailed,
    power: z.null(),
    refusal: strict({
      message: z.string(),
      class: z.string().optional(),
      errorCode: z.string().optional(),
      httpCode: z.string().optional(),
    }),
  },
  lists: [{ body: Object.keys(STATES).map((status, nth) => ({ ...LISTED, id: uuid(nth + 1), status })) }],
  records: (body) => (Array.isArray(body) ? (body as unknown[]) : [body]),
  alone: (record) => record,
  essential: ['id', 'name', 'status'],
  truth: (record) => {
    const { data } = read.safeParse(record);
    if (!data) return undefined;
    const { id, name, status } = data;
    return { id, name, status: (Object.hasOwn(STATES, status) ? STATES[status] : undefined) ?? 'unknown' };
  },
  id: uuid(1),
  requests: z.union([
    strict({
      method: z.literal('GET'),
      path: z.union([z.literal('/v1/cloud/project/{project}/instance'), path('')]),
    }),
    strict({ method: post, path: path('/(?:start|stop|shelve|unshelve)') }),
    strict({ method: post, path: path('/reboot'), body: strict({ type: z.enum(['soft', 'hard']) }) }),
    strict({ method: z.literal('DELETE'), path: path('') }),
  ]),
};
