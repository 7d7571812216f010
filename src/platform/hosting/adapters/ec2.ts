import { z } from 'zod';
import type { Adapter, Write } from '../adapter.ts';
import type { HostingFault } from '../hosting-error.ts';
import { wordIn, mustBeAbout } from '../readers.ts';
import { pagedByToken } from '../paging.ts';
import type { Instance, Power, Status, WriteAnswer } from '../service.ts';
import { signedForAws } from '../signed-for-aws.ts';
import { type LeaveOut, readAs, readRecord, Unreadable } from '../unreadable.ts';
import { readXml, xmlList } from '../xml.ts';

/**
 * Instances of Amazon EC2 in one region, by its published API of 2016-11-15, which answers in XML:
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/Welcome.html · The key is `ACCESS_KEY_ID:SECRET_ACCESS_KEY`, and
 * HOSTING_API_URL names the region: https://ec2.eu-central-1.amazonaws.com
 */

const VERSION = '2016-11-15';
/** A thousand would be taken, and could be longer than any answer may be. */
const PER_PAGE = '100';

const attachmentWire = z.object({
  deviceIndex: z.string(),
  networkCardIndex: z.string().optional(),
  attachTime: z.string(),
});
/** https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_Instance.html */
const instanceWire = z.object({
  instanceId: z.string(),
  instanceState: z.object({ name: z.string() }),
  tagSet: xmlList('item', z.object({ key: z.string(), value: z.string().optional() })).optional(),
  instanceType: z.string().optional(),
  ipAddress: z.string().optional(),
  privateIpAddress: z.string().optional(),
  privateDnsName: z.string().optional(),
  placement: z.object({ availabilityZone: z.string().optional() }).optional(),
  rootDeviceType: z.string().optional(),
  networkInterfaceSet: xmlList('item', z.object({ attachment: attachmentWire })).optional(),
});
const reservationWire = z.object({ instancesSet: xmlList('item', z.unknown()) });
const pageWire = z.object({
  DescribeInstancesResponse: z.object({
    reservationSet: xmlList('item', reservationWire),
    nextToken: z.unknown().optional(),
  }),
});
/** https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_InstanceStateChange.html */
const changeWire = z.object({ instanceId: z.string(), currentState: z.object({ name: z.string() }) });
/** https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html#api-error-response */
const errorWire = z.object({
  Response: z.object({
    Errors: xmlList('Error', z.object({ Code: z.string(), Message: z.string().optional() })).refine(
      (errors) => errors.length > 0,
    ),
  }),
});

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-instance-lifecycle.html */
const STATUSES: Readonly<Record<string, Status>> = {
  // Also of one that was stopped and is started again.
  pending: 'starting',
  running: 'running',
  stopping: 'stopping',
  stopped: 'stopped',
  'shutting-down': 'deleting',
  terminated: 'deleted',
};
const ACTIONS: Readonly<Record<Power, string>> = {
  start: 'StartInstances',
  stop: 'StopInstances',
  restart: 'RebootInstances',
};
/** By code, where its status is that of others: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html */
const FAULTS: Readonly<Record<string, HostingFault>> = {
  'InvalidInstanceID.NotFound': 'not-found',
  'InvalidInstanceID.Malformed': 'not-found',
  IncorrectInstanceState: 'wrong-state',
  IncorrectState: 'wrong-state',
  // "You might be trying to terminate an instance that has termination protection enabled", of which no list says a word.
  OperationNotPermitted: 'protected',
  UnauthorizedOperation: 'forbidden',
  OptInRequired: 'forbidden',
  PendingVerification: 'forbidden',
  Blocked: 'forbidden',
  AuthFailure: 'unauthorized',
  InvalidClientTokenId: 'unauthorized',
  SignatureDoesNotMatch: 'unauthorized',
  MissingAuthenticationToken: 'unauthorized',
  RequestLimitExceeded: 'rate-limited',
};

/** https://docs.aws.amazon.com/AWSEC2/latest/APIReference/Query-Requests.html */
const asking = (action: string, more: Readonly<Record<string, string>>): URLSearchParams =>
  new URLSearchParams({ Action: action, Version: VERSION, ...more });

function instanceOf(record: unknown, leaveOut?: LeaveOut): Instance {
  const wire = readRecord(instanceWire, record, ['instanceId', 'instanceState'], leaveOut);
  const { instanceId: id, instanceState, tagSet, networkInterfaceSet, placement } = wire;
  const name = tagSet?.find(({ key }) => key === 'Name')?.value;
  const labels = tagSet?.filter(({ key }) => key !== 'Name');
  // It has an address of the outside only while it runs.
  const ipAddress = wire.ipAddress || wire.privateIpAddress;
  // Its launchTime is that of its last start. Its primary interface came with it, and can't be detached:
  // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/using-eni.html
  const primary = networkInterfaceSet?.find(
    ({ attachment: { deviceIndex, networkCardIndex = '0' } }) =>
      deviceIndex === '0' && networkCardIndex === '0',
  );
  const createdAt = primary?.attachment.attachTime;
  return {
    id,
    name: name || id,
    status: wordIn(STATUSES, instanceState.name) ?? 'unknown',
    statusWord: instanceState.name,
    // "You can't stop or hibernate instance store-backed instances":
    // https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_StopInstances.html
    can: wire.rootDeviceType === 'instance-store' ? { stop: false } : {},
    ...(createdAt ? { createdAt } : {}),
    ...(wire.instanceType ? { tier: wire.instanceType } : {}),
    ...(ipAddress ? { ipAddress } : {}),
    ...(wire.privateDnsName ? { hostname: wire.privateDnsName } : {}),
    ...(placement?.availabilityZone ? { region: placement.availabilityZone } : {}),
    ...(labels ? { labels: labels.map(({ key, value }) => (value ? `${key}=${value}` : key)) } : {}),
  };
}

const recordsOf = (body: unknown): readonly unknown[] =>
  readAs(pageWire, body).DescribeInstancesResponse.reservationSet.flatMap(({ instancesSet }) => instancesSet);

/** It answers with the state of each instance that it was asked about, before and now. */
const act = (
  id: string,
  action: string,
  more: Readonly<Record<string, string>> = {},
): Write<WriteAnswer> => ({
  method: 'POST',
  path: '/',
  body: asking(action, { 'InstanceId.1': id, ...more }),
  decode: ({ body }) => {
    const wire = z.object({ [`${action}Response`]: z.object({ instancesSet: xmlList('item', changeWire) }) });
    const [change, ...others] = readAs(wire, body)[`${action}Response`]?.instancesSet ?? [];
    if (!change || others.length > 0) throw new Unreadable('not about one instance');
    mustBeAbout(id, change.instanceId);
    return { status: wordIn(STATUSES, change.currentState.name) ?? 'unknown' };
  },
});

/**
 * "This operation is asynchronous; it only queues a request", and "if an instance does not cleanly shut down within a few minutes,
 * Amazon EC2 performs a hard reboot": https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_RebootInstances.html
 */
const reboot = (id: string): Write<WriteAnswer> => ({
  ...act(id, ACTIONS.restart),
  decode: ({ body }) => {
    readAs(z.object({ RebootInstancesResponse: z.object({ return: z.literal('true') }) }), body);
    return {};
  },
});

export const adapter: Adapter = {
  name: 'Amazon EC2',
  prefix: '',
  auth: signedForAws('ec2'),
  readBody: readXml,
  // A guess, and a cautious one: each action has a bucket of its own, refilled at another rate and shared by the whole account:
  // https://docs.aws.amazon.com/ec2/latest/devguide/ec2-api-throttling.html
  limit: { requests: 120, seconds: 60 },
  // "The result might not be immediately visible": https://docs.aws.amazon.com/ec2/latest/devguide/eventual-consistency.html
  showsWithinMs: 60_000,
  isError: (body) => errorWire.safeParse(body).success,
  faultOf: ({ body }) => {
    const [error] = readAs(errorWire, body).Response.Errors;
    return error && wordIn(FAULTS, error.Code);
  },
  sentenceOf: (body) => {
    const [error] = readAs(errorWire, body).Response.Errors;
    // What follows can be read only by whoever may have it decoded.
    return (error?.Message || error?.Code)?.split('Encoded authorization failure message:')[0]?.trimEnd();
  },
  // "We don't charge usage for a stopped instance", "we do charge for the storage":
  // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Stop_Start.html · and for each public IPv4 address that is kept:
  // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/elastic-ip-addresses-eip.html
  stoppedCosts: 'A stopped instance costs only its EBS volumes and its Elastic IP addresses.',
  // "All attached Amazon EBS volumes that are configured to be deleted on termination are also permanently deleted", and "all data
  // stored on instance store volumes is permanently lost":
  // https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_TerminateInstances.html
  deletion: {
    takes: [
      'its instance, with all that is on its instance store volumes',
      'its EBS volumes that are set to be deleted with it, as the root volume mostly is',
    ],
    leaves: 'Its other EBS volumes and its Elastic IP addresses stay and still cost',
    inShort: 'The volumes that are set to be deleted with it are gone, permanently.',
  },
  instances: {
    list: {
      path: '/',
      post: asking('DescribeInstances', { MaxResults: PER_PAGE }),
      items: recordsOf,
      item: instanceOf,
      paging: (page) => {
        const { nextToken } = readAs(pageWire, page.answer.body).DescribeInstancesResponse;
        return pagedByToken(page, 'NextToken', nextToken, undefined);
      },
    },
    one: (id) => ({
      path: '/',
      post: asking('DescribeInstances', { 'InstanceId.1': id }),
      decode: ({ body }, leaveOut) => {
        const [own, ...others] = recordsOf(body).map((record) => instanceOf(record, leaveOut));
        if (!own || others.length > 0) throw new Unreadable('not about one instance');
        return own;
      },
    }),
    power: (id, verb) => (verb === 'restart' ? reboot(id) : act(id, ACTIONS[verb])),
    // "If the graceful shutdown fails to complete within the timeout period, the instance shuts down forcibly":
    // https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_StopInstances.html
    force: { stop: (id) => act(id, 'StopInstances', { Force: 'true' }) },
    remove: (id) => act(id, 'TerminateInstances'),
  },
};
