import { z } from 'zod';
import type { Adapter, ServiceRead, Write } from '../adapter.ts';
import type { HostingFault } from '../hosting-error.ts';
import { wordIn } from '../readers.ts';
import { pagedByToken } from '../paging.ts';
import type { Action, BegunAction, Instance, Power, Status, WriteAnswer } from '../service.ts';
import { signedForAws } from '../signed-for-aws.ts';
import { type LeaveOut, listWire, readAs, readRecord, Unreadable } from '../unreadable.ts';

/**
 * Instances of Amazon Lightsail in one region, by its published API of 2016-11-28. The key is `ACCESS_KEY_ID:SECRET_ACCESS_KEY`, and
 * HOSTING_API_URL names the region: https://lightsail.eu-central-1.amazonaws.com. An instance goes by its name, which no other of the
 * region has.
 */

/** The last second that a date can hold. */
const LAST_S = 8.64e12;
/** A time in seconds, as its JSON has them. */
const seconds = z
  .number()
  .min(0)
  .max(LAST_S)
  .transform((at) => at * 1_000);
const instanceWire = z.object({
  name: z.string(),
  state: z.object({ name: z.string() }),
  createdAt: seconds.nullish(),
  location: z.object({ regionName: z.string().nullish() }).nullish(),
  tags: z.array(z.object({ key: z.string(), value: z.string().nullish() })).nullish(),
  bundleId: z.string().nullish(),
  publicIpAddress: z.string().nullish(),
});
const pageWire = z.object({ instances: listWire(z.unknown()), nextPageToken: z.unknown().optional() });
const operationWire = z.object({
  id: z.string(),
  resourceName: z.string(),
  status: z.string(),
  errorDetails: z.string().nullish(),
});
const begunWire = z.object({
  operations: listWire(operationWire.extend({ operationType: z.string(), createdAt: seconds })),
  nextPageToken: z.unknown().optional(),
});
const errorWire = z.object({ __type: z.string() });

const STATUSES: Readonly<Record<string, Status>> = {
  pending: 'provisioning',
  running: 'running',
  stopping: 'stopping',
  stopped: 'stopped',
  'shutting-down': 'deleting',
  terminated: 'deleted',
};
const CALLS: Readonly<Record<Power, string>> = {
  start: 'StartInstance',
  stop: 'StopInstance',
  restart: 'RebootInstance',
};
const TYPES: Readonly<Record<string, BegunAction['does']>> = {
  StartInstance: 'start',
  StopInstance: 'stop',
  RebootInstance: 'restart',
};
const STATES: Readonly<Record<string, Action['state']>> = {
  Completed: 'done',
  Succeeded: 'done',
  Failed: 'failed',
};
/** By the name of the exception, where its status is that of others: each is a 400. */
const FAULTS: Readonly<Record<string, HostingFault>> = {
  NotFoundException: 'not-found',
  AccessDeniedException: 'forbidden',
  UnauthenticatedException: 'unauthorized',
  OperationFailureException: 'wrong-state',
  ThrottlingException: 'rate-limited',
  UnrecognizedClientException: 'unauthorized',
  InvalidSignatureException: 'unauthorized',
  ExpiredTokenException: 'unauthorized',
};

/** What each call is to have: which operation it is stands in a header, and its arguments in the body. */
const asking = (operation: string) => ({
  path: '/',
  headers: {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': `Lightsail_20161128.${operation}`,
  },
});

function instanceOf(record: unknown, leaveOut?: LeaveOut): Instance {
  const { name, state, createdAt, location, tags, bundleId, publicIpAddress } = readRecord(
    instanceWire,
    record,
    ['name', 'state'],
    leaveOut,
  );
  return {
    id: name,
    name,
    status: wordIn(STATUSES, state.name) ?? 'unknown',
    statusWord: state.name,
    can: {},
    ...(createdAt ? { createdAt: new Date(createdAt).toISOString() } : {}),
    ...(bundleId ? { tier: bundleId } : {}),
    ...(publicIpAddress ? { ipAddress: publicIpAddress } : {}),
    ...(location?.regionName ? { region: location.regionName } : {}),
    ...(tags ? { labels: tags.map(({ key, value }) => (value ? `${key}=${value}` : key)) } : {}),
  };
}

const act = (instanceName: string, operation: string, more: object = {}): Write<WriteAnswer> => ({
  ...asking(operation),
  method: 'POST',
  body: { instanceName, ...more },
  decode: ({ body }) => {
    const { operations } = readAs(z.object({ operations: z.array(operationWire) }), body);
    const own = operations.find(({ resourceName }) => resourceName === instanceName);
    if (!own) throw new Unreadable('names no operation of this instance');
    return { actionId: own.id };
  },
});

const actionOf = ({ status, errorDetails }: z.output<typeof operationWire>): Action => ({
  state: wordIn(STATES, status) ?? 'running',
  ...(errorDetails ? { said: errorDetails } : {}),
});

const action = (operationId: string): ServiceRead<Action> => ({
  ...asking('GetOperation'),
  post: { operationId },
  decode: ({ body }) => actionOf(readAs(z.object({ operation: operationWire }), body).operation),
});

const begun: Adapter['instances']['begun'] = (resourceName) => ({
  ...asking('GetOperationsForResource'),
  post: { resourceName },
  decode: ({ body }) => {
    const { operations, nextPageToken } = readAs(begunWire, body);
    return {
      actions: operations.map((one) => ({
        id: one.id,
        does: wordIn(TYPES, one.operationType),
        startedAt: one.createdAt,
        ...actionOf(one),
      })),
      hasMore: (nextPageToken ?? '') !== '',
    };
  },
});

export const adapter: Adapter = {
  name: 'Amazon Lightsail',
  prefix: '',
  auth: signedForAws('lightsail'),
  // No figure is published that counts for all of its calls: a cautious one.
  limit: { requests: 120, seconds: 60 },
  showsWithinMs: 30_000,
  isError: (body) => errorWire.safeParse(body).success,
  faultOf: ({ body }) => {
    const { __type } = readAs(errorWire, body);
    return wordIn(FAULTS, __type.replace(/^.*#/, ''));
  },
  // "These resources accrue charges even when they are in the stopped state":
  // https://docs.aws.amazon.com/lightsail/latest/userguide/amazon-lightsail-frequently-asked-questions-faq-billing-and-account-management.html
  stoppedCosts: 'A stopped instance still costs; only deleting it ends that.',
  deletion: {
    notOffered: 'Delete its instances in the Lightsail console, which shows what goes and what stays.',
  },
  instances: {
    list: {
      ...asking('GetInstances'),
      post: {},
      items: (body) => readAs(pageWire, body).instances,
      item: instanceOf,
      paging: (page) =>
        pagedByToken(page, 'pageToken', readAs(pageWire, page.answer.body).nextPageToken, undefined),
    },
    one: (instanceName) => ({
      ...asking('GetInstance'),
      post: { instanceName },
      decode: ({ body }, leaveOut) =>
        instanceOf(readAs(z.object({ instance: z.unknown() }), body).instance, leaveOut),
    }),
    power: (id, verb) => act(id, CALLS[verb]),
    // "Only use the force parameter if your instance is stuck in the stopping state":
    // https://docs.aws.amazon.com/lightsail/2016-11-28/api-reference/API_StopInstance.html
    force: { stop: (id) => act(id, 'StopInstance', { force: true }) },
    action,
    begun,
  },
};
