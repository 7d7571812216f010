import { isSignedFor } from './aws-signature.ts';
import { type Given, type Got, openService } from './outside/small-service.ts';

type State = 'pending' | 'running' | 'shutting-down' | 'terminated' | 'stopping' | 'stopped';

interface Machine {
  readonly id: string;
  readonly tags: readonly (readonly [string, string])[];
  state: State;
  /** It never follows the signal to stop. */
  isStuck?: boolean;
  isProtected?: boolean;
}

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** EC2 in one region, as its API reference has it: form-encoded POSTs, each signed, and answers in XML of 2016-11-15. */
export interface Ec2Double {
  readonly url: string;
  /** Each call that it took, as "StopInstances i-0001 Force". */
  readonly calls: string[];
  readonly machines: Machine[];
  /** The next call of this action is refused so. */
  next?: (Refusal & { action: string }) | undefined;
}

/** https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_InstanceState.html */
const CODES: Readonly<Record<State, number>> = {
  pending: 0,
  running: 16,
  'shutting-down': 32,
  terminated: 48,
  stopping: 64,
  stopped: 80,
};
/** What a state becomes by itself. */
const THEN: Readonly<Partial<Record<State, State>>> = {
  pending: 'running',
  stopping: 'stopped',
  'shutting-down': 'terminated',
};
/** From which states each action is taken, and what it makes of them. */
const ACTIONS: Readonly<Record<string, { readonly from: readonly State[]; readonly to?: State }>> = {
  StartInstances: { from: ['stopped'], to: 'pending' },
  StopInstances: { from: ['running', 'stopping', 'stopped'], to: 'stopping' },
  RebootInstances: { from: ['running'] },
  TerminateInstances: { from: ['running', 'stopped', 'stopping', 'terminated'], to: 'shutting-down' },
};
/** What each action takes. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  DescribeInstances: ['InstanceId.1', 'MaxResults', 'NextToken'],
  StartInstances: ['InstanceId.1'],
  StopInstances: ['InstanceId.1', 'Force'],
  RebootInstances: ['InstanceId.1'],
  TerminateInstances: ['InstanceId.1'],
};
const PER_PAGE = 3;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const answerXml = (action: string, inside: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${action}Response xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">
    <requestId>8f7724cf-496f-496e-8fe3-example</requestId>${inside}\n</${action}Response>`;

export const errorXml = (code: string, message: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Response><Errors><Error><Code>${code}</Code><Message>${escaped(message)}</Message></Error></Errors><RequestID>ea966190-f9aa-478e-9ede-example</RequestID></Response>`;

const stateXml = (name: string, state: State): string =>
  `<${name}><code>${CODES[state]}</code><name>${state}</name></${name}>`;

function instanceXml({ id, tags, state }: Machine): string {
  const isGone = state === 'terminated';
  return `<item>
            <instanceId>${id}</instanceId>
            <imageId>ami-bff32ccc</imageId>
            ${stateXml('instanceState', state)}
            <privateDnsName>${isGone ? '' : `ip-192-168-1-${id.slice(-2)}.eu-central-1.compute.internal`}</privateDnsName>
            <dnsName/>
            <reason/>
            <keyName>my_keypair</keyName>
            <amiLaunchIndex>0</amiLaunchIndex>
            <productCodes/>
            <instanceType>t3.micro</instanceType>
            <launchTime>2026-11-27T10:44:05.000Z</launchTime>
            <placement>
                <availabilityZone>eu-central-1a</availabilityZone>
                <groupName/>
                <tenancy>default</tenancy>
            </placement>
            <monitoring><state>disabled</state></monitoring>
            ${state === 'running' ? '<ipAddress>198.51.100.7</ipAddress>' : ''}
            ${isGone ? '' : '<privateIpAddress>192.168.1.88</privateIpAddress>'}
            <groupSet/>
            <rootDeviceType>ebs</rootDeviceType>
            <rootDeviceName>/dev/xvda</rootDeviceName>
            <tagSet>${tags
              .map(
                ([key, value]) => `<item><key>${escaped(key)}</key><value>${escaped(value)}</value></item>`,
              )
              .join('\n              ')}</tagSet>
            <networkInterfaceSet>${
              isGone
                ? ''
                : `<item>
                    <networkInterfaceId>eni-551ba033</networkInterfaceId>
                    <attachment>
                        <attachmentId>eni-attach-39697adc</attachmentId>
                        <deviceIndex>0</deviceIndex>
                        <status>attached</status>
                        <attachTime>2026-01-05T10:00:00.000Z</attachTime>
                        <deleteOnTermination>true</deleteOnTermination>
                    </attachment>
                </item>`
            }</networkInterfaceSet>
        </item>`;
}

/** Each in a reservation of its own, but the first two, which were launched together. */
function listXml(machines: readonly Machine[], nextToken?: string): string {
  const [first, second, ...others] = machines;
  const reservations = [[first, second], ...others.map((one) => [one])].map(
    (together) =>
      `<item><reservationId>r-1234567890abcdef0</reservationId><ownerId>123456789012</ownerId><groupSet/>
        <instancesSet>${together.map((one) => (one ? instanceXml(one) : '')).join('')}</instancesSet></item>`,
  );
  const next = nextToken === undefined ? '' : `<nextToken>${nextToken}</nextToken>`;
  return answerXml(
    'DescribeInstances',
    `<reservationSet>${machines.length === 0 ? '\n' : reservations.join('')}</reservationSet>${next}`,
  );
}

export async function openEc2(): Promise<Ec2Double> {
  const machines: Machine[] = [
    ['i-0000000000000e501', 'web-1', 'running'],
    ['i-0000000000000e502', 'web-2', 'running'],
    ['i-0000000000000e503', 'db-1', 'running'],
    ['i-0000000000000e504', 'old-1', 'terminated'],
    ['i-0000000000000e505', '', 'stopped'],
  ].map(([id = '', name = '', state]) => ({
    id,
    tags: [
      ['team', name.slice(0, 3)],
      ['cost', '0123'],
      ...(name === '' ? [] : [['Name', name] as const]),
      ['R&D', ''],
    ],
    state: state as State,
  }));
  const refuse = (code: string, message: string, status = 400): [number, string] => [
    status,
    errorXml(code, message),
  ];
  const describe = (asked: URLSearchParams): [number, string] => {
    const id = asked.get('InstanceId.1');
    const most = asked.get('MaxResults');
    if (id !== null && most !== null)
      return refuse('InvalidParameterCombination', 'MaxResults and InstanceId can not be together.');
    if (most !== null && !(Number(most) >= 5 && Number(most) <= 1_000))
      return refuse('InvalidParameterValue', 'MaxResults must be between 5 and 1000.');
    for (const machine of machines) {
      const then = machine.isStuck ? undefined : THEN[machine.state];
      if (then && (id === null || id === machine.id)) machine.state = then;
    }
    if (id !== null) return [200, listXml(machines.filter((one) => one.id === id))];
    const from = Number(asked.get('NextToken') ?? 0);
    const to = from + PER_PAGE;
    return [200, listXml(machines.slice(from, to), to < machines.length ? String(to) : undefined)];
  };
  const run = (action: string, asked: URLSearchParams): [number, string] => {
    const known = PARAMETERS[action];
    if (!known) return refuse('InvalidAction', `The action ${action} is not valid for this web service.`);
    const unknown = [...asked.keys()].find((name) => !['Action', 'Version', ...known].includes(name));
    if (unknown) return refuse('UnknownParameter', `The parameter ${unknown} is not recognized`);
    const id = asked.get('InstanceId.1');
    const machine = machines.find((one) => one.id === id);
    if (id !== null && !/^i-[0-9a-f]{17}$/.test(id))
      return refuse('InvalidInstanceID.Malformed', `Invalid id: "${id}"`);
    if (id !== null && !machine)
      return refuse('InvalidInstanceID.NotFound', `The instance ID '${id}' does not exist`);
    if (action === 'DescribeInstances') return describe(asked);
    const { from, to } = ACTIONS[action]!;
    if (!machine) return refuse('MissingParameter', 'The request must contain the parameter InstanceId');
    if (!from.includes(machine.state))
      return refuse(
        'IncorrectInstanceState',
        `The instance '${machine.id}' is not in a state from which it can be ${action}.`,
      );
    if (action === 'TerminateInstances' && machine.isProtected)
      return refuse(
        'OperationNotPermitted',
        `The instance '${machine.id}' may not be terminated. Modify its 'disableApiTermination' instance attribute and try again.`,
      );
    const before = machine.state;
    if (to && THEN[to] !== before) machine.state = to;
    if (asked.get('Force') === 'true') machine.isStuck = false;
    return [
      200,
      answerXml(
        action,
        action === 'RebootInstances'
          ? '<return>true</return>'
          : `<instancesSet><item><instanceId>${machine.id}</instanceId>${stateXml('currentState', machine.state)}${stateXml('previousState', before)}</item></instancesSet>`,
      ),
    ];
  };
  const double: Ec2Double = { url: '', calls: [], machines };
  const answer = (call: Got): Given => {
    const asked = new URLSearchParams(call.text);
    const action = asked.get('Action') ?? '';
    const isForm = call.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
    if (call.method !== 'POST' || !isForm || asked.get('Version') !== '2016-11-15')
      return refuse('MissingAction', 'No action was supplied with this request.');
    if (!isSignedFor('ec2', ['content-type'], call))
      return refuse('AuthFailure', 'AWS was not able to validate the provided access credentials', 401);
    const isForced = asked.get('Force') === 'true';
    double.calls.push([action, asked.get('InstanceId.1') ?? '', isForced ? 'Force' : ''].join(' ').trim());
    const { next } = double;
    if (next?.action !== action) return run(action, asked);
    double.next = undefined;
    return refuse(next.code, next.message, next.status);
  };
  const { url } = await openService(answer, 'text/xml;charset=UTF-8');
  return Object.assign(double, { url });
}
