import { setTimeout as wait } from 'node:timers/promises';
import type { Cloud, CloudKind } from '../clouds/cloud.ts';
import type { Fault } from '../clouds/faults.ts';
import type { Machine, Words } from '../clouds/machine.ts';
import { createApiSwitch, SLOW_API_MS } from './api-switch.ts';
import { extraMachines } from './large-fleet.ts';
import { onlyOne, type CallFault, type SeenInstance, type Service } from './service.ts';

const NAMES: Readonly<Record<CloudKind, string>> = {
  digitalocean: 'DigitalOcean',
  hetzner: 'Hetzner Cloud',
  vultr: 'Vultr',
};
const SLOW_MS = 6_000;
const DAY_MS = 86_400_000;
const CHANGES = { method: ['POST', 'DELETE'] } as const;
const FAULTS: Readonly<Record<CallFault, Fault>> = {
  'lose-answer': { kind: 'reset', acts: true },
  'say-503': { kind: 'status', status: 503 },
  'be-slow': lateBy(SLOW_MS),
};
const SPOILT: Readonly<Record<'slow' | 'refuses', Fault>> = {
  slow: lateBy(SLOW_API_MS),
  refuses: { kind: 'status', status: 401 },
};
const ORDINARY = /^(web|api|worker)-\d$/;

/** Late by so many ms from the call on. */
function lateBy(ms: number): Fault {
  return {
    kind: 'slow',
    get until() {
      return wait(ms);
    },
  };
}

/** A cloud as the hosting service of a sandbox. */
export function cloudService(cloud: Cloud): Service {
  const isWrite = ({ method }: { method: string }): boolean => method !== 'GET';
  const machine = (words: string): Machine => onlyOne(cloud.machines(), words);
  const stateOf = (each: Machine): SeenInstance['state'] => {
    if (isIn(each, cloud.words.running)) return 'running';
    return isIn(each, cloud.words.stopped) ? 'stopped' : 'changing';
  };
  const extras = new Set<string>();
  const api = createApiSwitch({
    start: () => cloud.start(),
    stop: () => cloud.stop(),
    spoil: (how) => cloud.failNext({}, SPOILT[how], Infinity),
  });
  return {
    kind: cloud.kind,
    name: NAMES[cloud.kind],
    token: cloud.token,
    isPrepaid: false,
    hasMoney: cloud.kind !== 'hetzner',
    start: () => cloud.start(),
    stop: () => cloud.stop(),
    now: () => cloud.now(),
    hurry: (ms) => cloud.hurry(ms),
    instances: () =>
      cloud.machines().map((each) => ({
        id: each.id,
        name: each.name,
        state: stateOf(each),
        words: [
          ...Object.values(each.words),
          ...(each.isLocked ? ['locked'] : []),
          ...(each.isProtected ? ['protected'] : []),
        ].join(' · '),
      })),
    money: () =>
      cloud.kind === 'hetzner'
        ? 'says nothing of money'
        : `has used ${(cloud.money().pendingCents / 100).toFixed(2)} USD this month`,
    writes: () =>
      cloud.calls.filter(isWrite).map(({ at, method, path, status, hadEffect }) => ({
        at,
        method,
        path: path.slice(cloud.base.length),
        status: `${status}`,
        hadEffect,
      })),
    reads: () => cloud.calls.filter((call) => !isWrite(call)).length,
    cast: () => ({
      ordinary: cloud
        .machines()
        .filter((each) => ORDINARY.test(each.name) && stateOf(each) === 'running')
        .map(({ name }) => name),
      deleted: 'dev-ana',
      // Vultr has no graceful stop that a machine could ignore.
      ...(cloud.kind === 'vultr' ? {} : { stubborn: 'mail-1' }),
    }),
    failNext: (fault) => void cloud.failNext(CHANGES, FAULTS[fault]),
    api: () => api.state,
    setApi: (state) => api.set(state),
    isLarge: () => extras.size > 0,
    setLarge(isLarge) {
      for (const { id } of cloud.machines()) if (extras.delete(id)) cloud.remove(id);
      extras.clear();
      if (!isLarge) return;
      for (const { name, isStopped } of extraMachines(cloud.machines().length))
        extras.add(cloud.add({ name, ...(isStopped ? { status: cloud.words.stopped } : {}) }).id);
    },
    chargeDay: () => cloud.hurry(DAY_MS),
    watch: () => () => undefined,
    leaveDays() {
      throw new Error(`${NAMES[cloud.kind]} has no balance that could run low.`);
    },
    set: (words, state) => cloud.setStatus(machine(words).id, cloud.words[state]),
    setLock(words, isLocked) {
      const { id } = machine(words);
      if (isLocked) cloud.lock(id);
      else cloud.unlock(id);
    },
  };
}

function isIn({ words }: Machine, wanted: Words): boolean {
  return Object.entries(wanted).every(([field, word]) => words[field] === word);
}
