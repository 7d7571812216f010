import type { Example, Examples, Refusal } from '../../src/platform/hosting/examples.ts';
import type { WriteAnswer } from '../../src/platform/hosting/service.ts';
import { KEY } from './aws-signature.ts';
import { answerXml, errorXml } from './ec2-double.ts';

const id = (n: number): string => `i-0000000000000e50${n}`;

const machine = (n: number, state: string, name: string): string =>
  `<item><instanceId>${id(n)}</instanceId><imageId>ami-bff32ccc</imageId>
    <instanceState><code>16</code><name>${state}</name></instanceState>
    <privateDnsName>ip-192-168-1-88.eu-central-1.compute.internal</privateDnsName><dnsName/><reason/>
    <instanceType>t3.micro</instanceType><launchTime>2026-11-27T10:44:05.000Z</launchTime>
    <placement><availabilityZone>eu-central-1a</availabilityZone><groupName/><tenancy>default</tenancy></placement>
    ${state === 'running' ? '<ipAddress>198.51.100.7</ipAddress>' : ''}<privateIpAddress>192.168.1.88</privateIpAddress><rootDeviceType>ebs</rootDeviceType>
    <tagSet><item><key>Name</key><value>${name}</value></item><item><key>team</key><value>R&amp;D</value></item>
      <item><key>cost</key><value>0123</value></item><item><key>legacy</key><value/></item></tagSet>
    <networkInterfaceSet><item><networkInterfaceId>eni-551ba033</networkInterfaceId><attachment><deviceIndex>0</deviceIndex>
      <status>attached</status><attachTime>2026-01-05T10:00:00.000Z</attachTime></attachment></item></networkInterfaceSet></item>`;

const list = (machines: readonly string[], next = ''): string =>
  answerXml(
    'DescribeInstances',
    `<reservationSet><item><reservationId>r-1</reservationId><groupSet/><instancesSet>${machines.join('')}</instancesSet></item></reservationSet>${next}`,
  );

const change = (action: string, state: string, means: WriteAnswer): Example<WriteAnswer> => ({
  body: answerXml(
    action,
    `<instancesSet><item><instanceId>${id(1)}</instanceId><currentState><code>64</code><name>${state}</name></currentState><previousState><code>16</code><name>running</name></previousState></item></instancesSet>`,
  ),
  means,
});

const no = (means: Refusal['means'], status: number, code: string, says: string): Refusal => ({
  means,
  answer: { status, headers: { 'content-type': 'text/xml;charset=UTF-8' }, body: errorXml(code, says) },
  says,
});

const web = {
  id: id(1),
  name: 'web-1',
  status: 'running',
  statusWord: 'running',
  region: 'eu-central-1a',
  labels: ['team=R&D', 'cost=0123', 'legacy'],
  // Not of its last start, which launchTime says.
  createdAt: '2026-01-05T10:00:00.000Z',
  tier: 't3.micro',
  ipAddress: '198.51.100.7',
  hostname: 'ip-192-168-1-88.eu-central-1.compute.internal',
} as const;

/** What EC2 answers, as its API reference has it. */
export function ec2Played(): Examples {
  return {
    key: KEY,
    list: [
      {
        body: list(
          [machine(1, 'running', 'web-1'), machine(2, 'stopped', '')],
          '<nextToken>eyJ2IjoiMiJ9</nextToken>',
        ),
        means: [web, { id: id(2), name: id(2), status: 'stopped', ipAddress: '192.168.1.88' }],
      },
      {
        body: list([
          machine(3, 'pending', 'db-1'),
          machine(4, 'shutting-down', 'old-1'),
          machine(5, 'terminated', 'old-2'),
        ]),
        means: [
          { id: id(3), name: 'db-1', status: 'starting' },
          { id: id(4), name: 'old-1', status: 'deleting' },
          { id: id(5), name: 'old-2', status: 'deleted' },
        ],
      },
    ],
    one: { body: list([machine(1, 'running', 'web-1')]), means: web },
    power: {
      start: change('StartInstances', 'pending', { status: 'starting' }),
      stop: change('StopInstances', 'stopping', { status: 'stopping' }),
      restart: { body: answerXml('RebootInstances', '<return>true</return>'), means: {} },
    },
    force: { stop: change('StopInstances', 'stopping', { status: 'stopping' }) },
    remove: change('TerminateInstances', 'shutting-down', { status: 'deleting' }),
    refusals: [
      no('unauthorized', 401, 'AuthFailure', 'AWS was not able to validate the provided access credentials'),
      no('unauthorized', 403, 'SignatureDoesNotMatch', 'The signature is another.'),
      no('not-found', 400, 'InvalidInstanceID.NotFound', `The instance ID '${id(9)}' does not exist`),
      no('not-found', 400, 'InvalidInstanceID.Malformed', 'Invalid id'),
      no('wrong-state', 400, 'IncorrectInstanceState', 'The instance is not in a state for that.'),
      no('protected', 400, 'OperationNotPermitted', 'The instance may not be terminated.'),
      no('rate-limited', 503, 'RequestLimitExceeded', 'Request limit exceeded.'),
      no('rate-limited', 400, 'RequestLimitExceeded', 'Request limit exceeded.'),
      no('refused', 400, 'UnsupportedOperation', 'It has no disk that stays.'),
      no('refused', 400, 'constructor', 'A code that every object has'),
      no('forbidden', 403, 'UnauthorizedOperation', 'You are not authorized to perform this operation.'),
      no('unavailable', 500, 'InternalError', 'An internal error has occurred'),
      no('unavailable', 503, 'Unavailable', 'The server is overloaded'),
      // Of a start that finds no machine it may say so after it has begun.
      no('unavailable', 500, 'InsufficientInstanceCapacity', 'There is no machine'),
    ],
  };
}
