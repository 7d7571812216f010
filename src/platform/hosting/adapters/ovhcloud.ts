import { z } from 'zod';
import type { Adapter, Write } from '../adapter.ts';
import { isId } from '../address.ts';
import type { Answer } from '../answer.ts';
import type { Auth } from '../auth.ts';
import { wordIn, nothingSaid } from '../readers.ts';
import type { HostingFault } from '../hosting-error.ts';
import { onOnePage } from '../paging.ts';
import type { Instance, Status, WriteAnswer } from '../service.ts';
import { type LeaveOut, listWire, readAs, readRecord, Unreadable } from '../unreadable.ts';

/**
 * OVHcloud's Public Cloud instances, of one project, by its published API v1: https://eu.api.ovh.com/console/?section=%2Fcloud
 * An answer may hold the password of a rescue system, which is never read.
 */

const instanceWire = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  created: z.string().nullish(),
  planCode: z.string().nullish(),
  region: z.string().nullish(),
  ipAddresses: z.array(z.object({ ip: z.string(), type: z.string(), version: z.number() })).nullish(),
});
const ESSENTIAL = ['id', 'name', 'status'];
const tokenWire = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
/** The newer parts of the API give a class, the older ones a code or nothing beside the message. */
const errorWire = z.union([
  z.object({ message: z.string(), class: z.string() }),
  z.object({ message: z.string(), errorCode: z.string() }),
  z.strictObject({ message: z.string() }),
]);

/** Those that mean one of the bot's for certain: what is shelved, rescued or snapshotted keeps its own word. */
const STATUSES: Readonly<Record<string, Status>> = {
  ACTIVE: 'running',
  BUILD: 'provisioning',
  BUILDING: 'provisioning',
  REBOOT: 'restarting',
  HARD_REBOOT: 'restarting',
  SHUTOFF: 'stopped',
  STOPPED: 'stopped',
  PAUSED: 'paused',
  SUSPENDED: 'paused',
  RESIZE: 'resizing',
  REVERT_RESIZE: 'resizing',
  MIGRATING: 'migrating',
  REBUILD: 'rebuilding',
  DELETING: 'deleting',
  DELETED: 'deleted',
  ERROR: 'error',
};

/** Of the credentials, where the status is 403 as for a right that is missing. */
const FAULTS: Readonly<Record<string, HostingFault>> = {
  INVALID_CREDENTIAL: 'unauthorized',
  NOT_CREDENTIAL: 'unauthorized',
};

function faultOf({ body }: Answer): HostingFault | undefined {
  const { data } = errorWire.safeParse(body);
  const code = data && 'errorCode' in data ? data.errorCode : '';
  return wordIn(FAULTS, code);
}

/** CLIENT_ID:CLIENT_SECRET:PROJECT_ID. Throws Unreadable. */
function partsOf(key: string): { readonly id: string; readonly secret: string; readonly project: string } {
  const [id, secret, project = '', ...rest] = key.split(':');
  if (!id || !secret || !isId(project) || rest.length > 0)
    throw new Unreadable('the key must be CLIENT_ID:CLIENT_SECRET:PROJECT_ID');
  return { id, secret, project };
}

/**
 * A service account's credentials, exchanged for a token of an hour:
 * https://github.com/ovh/docs/blob/HEAD/pages/account_and_service_management/account_information/authenticate-api-with-service-account/guide.en-gb.md
 */
const auth: Auth = {
  headers: (token) => ({ Authorization: `Bearer ${token}` }),
  inPath: (key) => ({ project: partsOf(key).project }),
  session: (key) => {
    const { id, secret } = partsOf(key);
    return {
      at: 'https://www.ovh.com/auth/oauth2/token',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: id,
        client_secret: secret,
        scope: 'all',
      }),
      decode: ({ body }) => {
        const { access_token, expires_in } = readAs(tokenWire, body);
        return { token: access_token, lastsMs: expires_in * 1_000 };
      },
    };
  },
};

function instanceOf(record: unknown, leaveOut?: LeaveOut): Instance {
  const wire = readRecord(instanceWire, record, ESSENTIAL, leaveOut);
  const { id, name, status, created, planCode, region, ipAddresses } = wire;
  const publicIp = ipAddresses?.find(({ type, version }) => type === 'public' && version === 4);
  return {
    id,
    name,
    status: wordIn(STATUSES, status) ?? 'unknown',
    statusWord: status,
    can: {},
    ...(created ? { createdAt: created } : {}),
    ...(planCode ? { tier: planCode } : {}),
    ...(publicIp ? { ipAddress: publicIp.ip } : {}),
    ...(region ? { region } : {}),
  };
}

const INSTANCES = '/cloud/project/{project}/instance';

/** It answers nothing, which it writes as `null`. */
const taken = (answer: Answer): WriteAnswer => nothingSaid({ ...answer, body: answer.body ?? undefined });

const act = (id: string, action: string, body?: unknown): Write<WriteAnswer> => ({
  method: 'POST',
  path: `${INSTANCES}/${id}/${action}`,
  ...(body === undefined ? {} : { body }),
  decode: taken,
});

const reboot = (id: string, type: 'soft' | 'hard'): Write<WriteAnswer> => act(id, 'reboot', { type });

export const adapter: Adapter = {
  name: 'OVHcloud',
  origin: 'https://eu.api.ovh.com',
  prefix: '/v1',
  auth,
  // None is published.
  limit: { requests: 120, seconds: 60 },
  showsWithinMs: 30_000,
  faultOf,
  isError: (body) => errorWire.safeParse(body).success,
  // "You will still be billed the same price for your instance", and of a shelved one "only for the snapshot":
  // https://github.com/ovh/docs/blob/HEAD/pages/public_cloud/compute/suspend_or_pause_an_instance/guide.en-gb.md
  stoppedCosts: 'A stopped instance still costs the same; only deleting or shelving it ends that.',
  // Volumes, snapshots and floating IPs are resources with calls of their own: https://eu.api.ovh.com/console/?section=%2Fcloud
  deletion: {
    takes: ['its instance, with its local disk'],
    leaves: 'Its volumes, snapshots and floating IPs may stay and still cost: look for them at OVHcloud',
    inShort: 'Its local disk goes with it, permanently.',
  },
  instances: {
    leavesOut: 'Instances of other projects, VPS and dedicated servers',
    list: {
      path: INSTANCES,
      items: (body) => readAs(listWire(z.unknown()), body),
      item: instanceOf,
      paging: onOnePage,
    },
    one: (id) => ({
      path: `${INSTANCES}/${id}`,
      decode: ({ body }, leaveOut) => instanceOf(body, leaveOut),
    }),
    power: (id, verb) => (verb === 'restart' ? reboot(id, 'soft') : act(id, verb)),
    // A stop has one way.
    force: { restart: (id) => reboot(id, 'hard') },
    remove: (id) => ({ method: 'DELETE', path: `${INSTANCES}/${id}`, decode: taken }),
  },
};
