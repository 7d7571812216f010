import { SERVER, TASK } from '../shipped/scaleway.ts';
import { type Given, openService, type SmallService } from './small-service.ts';

/** The secret key that it takes. */
export const KEY = '2f7a1c9e-5b1f-4c2d-9d3a-11aa22bb33cc';

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  running: ['poweroff', 'terminate', 'reboot', 'stop_in_place', 'backup'],
  stopped: ['poweron', 'backup'],
};
const ENDS: Readonly<Record<string, string>> = { poweron: 'running', poweroff: 'stopped', reboot: 'running' };

export interface Scaleway extends SmallService {
  /** The next action is answered like this. */
  next?: Given | undefined;
  readonly machines: Map<string, typeof SERVER>;
  /** Zones that answer nothing but 503. */
  readonly down: Set<string>;
  /** A machine is in another state, whatever it was asked for. */
  put(name: string, state: string): void;
}

/** The Instances API with two zones that have machines, one of them protected. */
export async function openScaleway(): Promise<Scaleway> {
  const machine = (nth: number, name: string, zone: string, more: Partial<typeof SERVER> = {}) => {
    const id = SERVER.id.replace(/1$/, String(nth));
    return [`${zone}/${id}`, { ...SERVER, id, name, hostname: name, zone, ...more }] as const;
  };
  const machines = new Map<string, typeof SERVER>([
    machine(1, 'web-1', 'fr-par-1'),
    machine(2, 'db-1', 'nl-ams-2', { protected: true, allowed_actions: ['backup'] }),
    machine(3, 'batch-1', 'nl-ams-2'),
  ]);
  const act = (at: string, action: string): Given => {
    const { task } = TASK;
    const found = machines.get(at)!;
    const said = { message: 'precondition is not respected', type: 'precondition_failed' };
    if (found.protected)
      return [400, { ...said, help_message: 'server is protected', precondition: 'protected_resource' }];
    if (!found.allowed_actions.includes(action))
      return [
        400,
        { ...said, help_message: 'server should be running', precondition: 'resource_not_usable' },
      ];
    const state = ENDS[action];
    if (state === undefined) machines.delete(at);
    else machines.set(at, { ...found, state, allowed_actions: [...ALLOWED[state]!] });
    return [202, { task: { ...task, href_from: `/servers/${found.id}/action`, zone: found.zone } }];
  };
  const answer = ({ method, url, headers, body }: SmallService['calls'][number]): Given => {
    if (headers['x-auth-token'] !== KEY)
      return [401, { message: 'authentication is denied', type: 'denied_authentication' }];
    const [, , , , zone = '', , id, what] = url.pathname.split('/');
    if (service.down.has(zone)) return [503, { message: 'zone is unavailable', type: 'unavailable' }];
    if (id === undefined) {
      const servers = [...machines.values()].filter((one) => one.zone === zone);
      return [200, { servers }, { 'x-total-count': String(servers.length) }];
    }
    const at = `${zone}/${id}`;
    const server = machines.get(at);
    if (!server) return [404, { message: 'resource is not found', resource_id: id, type: 'not_found' }];
    if (method !== 'POST' || what !== 'action') return [200, { server }];
    const { next } = service;
    service.next = undefined;
    if (next) return next;
    return act(at, (body as { action: string }).action);
  };
  const put: Scaleway['put'] = (name, state) => {
    for (const [at, machine_] of machines)
      if (machine_.name === name)
        machines.set(at, { ...machine_, state, allowed_actions: [...(ALLOWED[state] ?? [])] });
  };
  const service: Scaleway = Object.assign(await openService(answer), {
    machines,
    put,
    down: new Set<string>(),
  });
  return service;
}
