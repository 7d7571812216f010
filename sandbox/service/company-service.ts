import type { Fault } from '../hosting/behavior.ts';
import type { RecordedCall } from '../hosting/calls.ts';
import type { HostingSandbox } from '../hosting/sandbox.ts';
import { costs, type Status } from '../hosting/status.ts';
import { instance } from '../world.ts';
import { createApiSwitch, SLOW_API_MS } from './api-switch.ts';
import { extraMachines } from './large-fleet.ts';
import { onlyOne, type CallFault, type SeenInstance, type Service } from './service.ts';

const SLOW_MS = 6_000;
const CHANGES = { method: ['POST', 'DELETE'], path: /\/(instances|addons)(\/|$)/ } as const;
const FAULTS: Readonly<Record<CallFault, Fault>> = {
  'lose-answer': { answer: 'reset', done: true },
  'say-503': { answer: 503, done: false },
  'be-slow': { answer: 'as usual', done: true, delayMs: SLOW_MS },
};
const SPOILT = {
  slow: { answer: 'as usual', done: true, delayMs: SLOW_API_MS },
  refuses: { answer: 401, done: false },
} satisfies Readonly<Record<string, Fault>>;
/** The ids of the machines that make the fleet large. */
const FIRST_EXTRA = 10_001;
const STATES: Readonly<Partial<Record<Status, SeenInstance['state']>>> = {
  running: 'running',
  stopped: 'stopped',
  starting: 'changing',
  stopping: 'changing',
  restarting: 'changing',
  deleting: 'changing',
  error: 'broken',
  deploy_failed: 'broken',
};
/** Those from here on are named after how they behave. */
const FIRST_SENTINEL = 200;

/** Nobody in the world is called that. */
export class NoCustomerError extends Error {}

/** The hosting company, for one of its customers by name; the first when left out. Throws a NoCustomerError. */
export function companyService(hosting: HostingSandbox, customer: string | undefined): Service {
  const { name, apiKey } = customerOf(hosting, customer);
  const instances = (): ReturnType<HostingSandbox['instancesOf']> => hosting.instancesOf(name);
  const isWrite = ({ method, keyName }: RecordedCall): boolean => method !== 'GET' && keyName === name;
  const idOf = (words: string): number => onlyOne(instances(), words).id;
  const perDay = (): number =>
    instances()
      .filter(({ status }) => status === 'running')
      .reduce((sum, { dailyCredits }) => sum + dailyCredits, 0);
  const leaveDays = (days: number): void => hosting.setBalance(name, Math.ceil(perDay() * days));
  const extras = (): ReturnType<typeof instances> => instances().filter(({ id }) => id >= FIRST_EXTRA);
  const api = createApiSwitch({
    start: () => hosting.start(),
    stop: () => hosting.stop(),
    spoil: (how) => hosting.failNext({}, SPOILT[how], Infinity),
  });
  return {
    kind: 'instance-hosting',
    name,
    token: apiKey,
    isPrepaid: true,
    hasMoney: true,
    start: () => hosting.start(),
    stop: () => hosting.stop(),
    now: () => hosting.now(),
    hurry: (ms) => hosting.hurry(ms),
    instances: () =>
      instances().map((each) => ({
        id: `${each.id}`,
        name: each.name,
        state: STATES[each.status] ?? 'other',
        // What is stopped or paused costs nothing.
        words: `${each.status} · ${costs(each.status) ? each.dailyCredits : 0} a day`,
      })),
    money: () => `has ${hosting.balanceOf(name).toLocaleString('en-US')} credits`,
    writes: () =>
      hosting.calls.filter(isWrite).map(({ at, method, path, status, hadEffect }) => ({
        at,
        method,
        path: path.replace(/^\/api\/v1/, ''),
        status: `${status}`,
        hadEffect,
      })),
    reads: () => hosting.calls.filter((call) => !isWrite(call)).length,
    cast: () => ({
      ordinary: instances()
        .filter(({ id, status }) => status === 'running' && id < FIRST_SENTINEL)
        .map((each) => each.name),
      deleted: 'staging',
    }),
    failNext: (fault) => void hosting.failNext(CHANGES, FAULTS[fault]),
    watch(tell) {
      hosting.events.on('call', tell);
      return () => void hosting.events.off('call', tell);
    },
    api: () => api.state,
    setApi: (state) => api.set(state),
    isLarge: () => extras().length > 0,
    setLarge(isLarge) {
      const daysLeft = hosting.balanceOf(name) / Math.max(1, perDay());
      for (const { id } of extras()) hosting.removeInstance(id);
      if (isLarge)
        for (const [at, extra] of extraMachines(instances().length).entries())
          hosting.addInstance(
            name,
            instance(FIRST_EXTRA + at, extra.name, { status: extra.isStopped ? 'stopped' : 'running' }),
          );
      leaveDays(daysLeft);
    },
    chargeDay: () => hosting.chargeDay(name),
    leaveDays,
    set: (words, state) => hosting.changeStatus(idOf(words), state),
    setLock() {
      throw new Error('The hosting company locks nothing. A cloud does: start the demo with --service.');
    },
  };
}

function customerOf(
  { customers }: HostingSandbox,
  name: string | undefined,
): { name: string; apiKey: string } {
  const customer = name === undefined ? customers[0] : customers.find((one) => one.name === name);
  if (customer) return customer;
  const names = customers.map((one) => one.name).join(', ');
  throw new NoCustomerError(`There is no customer ${JSON.stringify(name ?? '')}. There are ${names}.`);
}
