import { isSignedFor } from './aws-signature.ts';
import { type Given, type Got, openService } from './outside/small-service.ts';

interface Machine {
  readonly name: string;
  state: string;
}

/** Lightsail, as far as its adapter goes: it takes only what is signed as AWS documents it, and its two pages hold two and one. */
export interface LightsailDouble {
  readonly url: string;
  /** Each call that it took, as "StopInstance web-1". */
  readonly calls: string[];
  readonly machines: Machine[];
  /** The next call of this operation is answered so; `isDone`: after it was done; `lateMs`: it was taken, and is done so much later. */
  next?: { operation: string; status: number; body: unknown; isDone?: boolean; lateMs?: number } | undefined;
  /** The next change is taken and succeeds, and its machine stays as it is. */
  isNextIgnored?: boolean;
}

const STATES: Readonly<Record<string, string>> = {
  StartInstance: 'running',
  StopInstance: 'stopped',
  RebootInstance: 'running',
};

export async function openLightsail(): Promise<LightsailDouble> {
  const machines = ['web-1', 'web-2', 'db-1'].map((name) => ({ name, state: 'running' }));
  const begun: {
    id: string;
    resourceName: string;
    status: string;
    operationType: string;
    createdAt: number;
  }[] = [];
  const record = ({ name, state }: Machine) => ({
    name,
    arn: `arn:aws:lightsail:eu-central-1:1:Instance/${name}`,
    createdAt: 1_767_607_200.5,
    location: { availabilityZone: 'eu-central-1a', regionName: 'eu-central-1' },
    resourceType: 'Instance',
    tags: [{ key: 'team', value: name.slice(0, 3) }, { key: 'legacy' }],
    bundleId: 'nano_3_0',
    publicIpAddress: '192.0.2.7',
    state: { code: 16, name: state },
    username: 'ec2-user',
  });
  const fail = (type: string, message: string) => ({ __type: `com.amazonaws.lightsail#${type}`, message });
  const run = (operation: string, asked: Record<string, string | undefined>, lateMs = 0): Given => {
    const name = asked['instanceName'] ?? asked['resourceName'] ?? '';
    const machine = machines.find((one) => one.name === name);
    if (operation === 'GetInstances') {
      const from = asked['pageToken'] === 'two' ? 2 : 0;
      const instances = machines.slice(from, from + 2).map(record);
      return [200, { instances, ...(from === 0 ? { nextPageToken: 'two' } : {}) }];
    }
    if (operation === 'GetOperation') {
      const found = begun.find(({ id }) => id === asked['operationId']);
      return found ? [200, { operation: found }] : [404, fail('NotFoundException', 'no such operation')];
    }
    if (!machine) return [404, fail('NotFoundException', `The Instance does not exist: ${name}`)];
    if (operation === 'GetInstance') return [200, { instance: record(machine) }];
    if (operation === 'GetOperationsForResource')
      return [200, { operations: begun.filter(({ resourceName }) => resourceName === name).toReversed() }];
    const state = STATES[operation] ?? machine.state;
    if (lateMs > 0) setTimeout(() => (machine.state = state), lateMs);
    else if (!double.isNextIgnored) machine.state = state;
    double.isNextIgnored = false;
    const one = {
      id: `operation-${begun.length + 1}`,
      resourceName: name,
      status: 'Succeeded',
      operationType: operation,
      createdAt: Date.now() / 1_000,
    };
    begun.push(one);
    return [200, { operations: [one] }];
  };
  const double: LightsailDouble = { url: '', calls: [], machines };
  const answer = (call: Got): Given => {
    const operation = String(call.headers['x-amz-target']).replace('Lightsail_20161128.', '');
    if (!isSignedFor('lightsail', ['x-amz-target'], call))
      return [401, fail('UnauthenticatedException', 'The signature does not match.')];
    const asked = call.body as Record<string, string | undefined>;
    double.calls.push(`${operation} ${asked['instanceName'] ?? ''}`.trim());
    const { next } = double;
    if (next?.operation !== operation) return run(operation, asked);
    double.next = undefined;
    if (next.isDone || next.lateMs !== undefined) run(operation, asked, next.lateMs);
    return [next.status, next.body];
  };
  const { url } = await openService(answer, 'application/x-amz-json-1.1');
  return Object.assign(double, { url });
}
