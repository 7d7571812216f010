import type { RecordedCall } from '../hosting/calls.ts';
import { createEngine, type Engine, type Received, type Sent } from '../hosting/engine.ts';
import type { Dialect, Limits, Rules } from './dialect.ts';
import { digitalocean } from './digitalocean.ts';
import { exchange } from './exchange.ts';
import type { Fault } from './faults.ts';
import { createFleet, type Action, type Fleet, type StateWords } from './fleet.ts';
import { hetzner } from './hetzner.ts';
import { checkSpec, hourlyPrice, type Machine, type MachineSpec, sizeOf, type Words } from './machine.ts';
import { plainMoney, type Money } from './money.ts';
import { vultr } from './vultr.ts';

/** The clouds that there are. */
export const CLOUD_KINDS = ['digitalocean', 'hetzner', 'vultr'] as const;
export type CloudKind = (typeof CLOUD_KINDS)[number];

/** How a cloud is made; everything but its kind has a default. Times in milliseconds. */
export interface CloudOptions extends Rules, Limits {
  readonly kind: CloudKind;
  readonly machines?: readonly MachineSpec[];
  /** What follows `Bearer` in the header. */
  readonly token?: string;
  /** Unix milliseconds. All that takes time goes by it, the rate limit as well. */
  readonly now?: () => number;
  /** How long power actions take; 0 ends them before the next request. */
  readonly powerMs?: number;
  readonly deleteMs?: number;
  /** How much later than its action a machine changes its status; below zero, earlier. */
  readonly statusLagMs?: number;
  readonly money?: Money;
  /** Faults of its own accord, asked for every call; for runs with many. */
  readonly weather?: (call: RecordedCall) => Fault | undefined;
}

/** Something that was really done, or is being done, whatever the caller was answered. */
interface Effected {
  readonly machineId: string;
  readonly name: string;
  readonly effect: Action['effect'];
  /** The cloud's own word. */
  readonly command: string;
  readonly outcome: 'running' | 'done' | 'failed' | 'without effect';
}

/** A cloud in this process, and what a test may do to it. Machines are named by their id, or by their name where only one has it. */
export interface Cloud extends Engine<Fault> {
  readonly kind: CloudKind;
  readonly token: string;
  /** What stands before every path: `/v2`. */
  readonly base: string;
  /** The fields of a machine that runs, and of one that is off. */
  readonly words: Pick<StateWords, 'running' | 'stopped'>;
  machines(): readonly Machine[];
  machine(name: string): Machine;
  /** Changes fields of the state from outside; a text alone is `status`. */
  setStatus(name: string, words: string | Words): void;
  /** Gives it these labels and no others, from outside; as tags such as `team=web` where the cloud has those. */
  mark(name: string, labels: Readonly<Record<string, string>>): void;
  lock(name: string): void;
  unlock(name: string): void;
  add(spec: MachineSpec): Machine;
  /** Gone at once, as if somebody had deleted it in the cloud's own console. */
  remove(name: string): void;
  /** Removes a machine and makes a new one under its name, with another id. */
  recreate(name: string): Machine;
  money(): Money;
  setMoney(money: Partial<Money>): void;
  /** Its time, Unix ms: the clock, and as much further as it was hurried. */
  now(): number;
  /** Lets time pass at once, in ms: actions end, limits are refilled, and each machine costs, off or not. */
  hurry(ms: number): void;
  /** Everything that was accepted, oldest first. */
  effects(): readonly Effected[];
}

const HOUR_MS = 3_600_000;
const DIALECTS: Readonly<Record<CloudKind, Dialect>> = { digitalocean, hetzner, vultr };

/** Makes a cloud that answers by the published contract of its kind. Throws for machines that can't be. */
export function createCloud(options: CloudOptions): Cloud {
  const { kind, token = 'cloud-token', now: clock = Date.now, powerMs = 3_000, deleteMs = 3_000 } = options;
  let hurriedMs = 0;
  const now = (): number => clock() + hurriedMs;
  const dialect = DIALECTS[kind];
  const { words, idOf, hasUniqueNames, base } = dialect;
  const pace = { powerMs, deleteMs, statusLagMs: options.statusLagMs ?? 0 };
  const check = (spec: MachineSpec): void => checkSpec(spec, dialect.sizes, dialect.regions);
  const specs = options.machines ?? [];
  const fleet = createFleet({ words, idOf, hasUniqueNames, specs, pace, now, check });
  let money = options.money ?? plainMoney;
  const meter = dialect.createMeter(options);
  let requests = 0;
  const desk = {
    dialect,
    fleet,
    meter,
    rules: options,
    token,
    nextNumber: () => (requests += 1),
    money: () => money,
    weather: options.weather ?? (() => undefined),
  };
  const serve = (received: Received<Fault>): Promise<Sent> => exchange(desk, received);
  return {
    kind,
    token,
    base,
    words,
    ...createEngine({ port: 0, now, serve }),
    ...controlsOf(fleet),
    money: () => money,
    setMoney(changes) {
      money = { ...money, ...changes };
    },
    now,
    hurry(ms) {
      const cents = (ms / HOUR_MS) * centsAnHour(fleet.machines(), dialect);
      money = { ...money, pendingCents: money.pendingCents + Math.round(cents) };
      hurriedMs += ms;
    },
  };
}

type Controls =
  | 'machines'
  | 'machine'
  | 'setStatus'
  | 'mark'
  | 'lock'
  | 'unlock'
  | 'add'
  | 'remove'
  | 'recreate'
  | 'effects';

function centsAnHour(machines: readonly Machine[], { sizes }: Dialect): number {
  return machines.reduce((sum, { spec }) => sum + hourlyPrice(sizeOf(sizes, spec.size)) * 100, 0);
}

function controlsOf(fleet: Fleet): Pick<Cloud, Controls> {
  const machine = (name: string): Machine => {
    const found = fleet.find(name) ?? onlyOne(fleet.machines().filter((each) => each.name === name));
    if (found === undefined) throw new Error(`clouds: no machine, or several, called ${name}`);
    return found;
  };
  return {
    machine,
    machines: () => fleet.machines(),
    add: (spec) => fleet.add(spec),
    remove: (name) => fleet.remove(machine(name)),
    recreate(name) {
      const old = machine(name);
      fleet.remove(old);
      const { id: _id, createdAt: _createdAt, status: _status, ...spec } = old.spec;
      return fleet.add(spec);
    },
    setStatus(name, words) {
      const found = machine(name);
      found.words = { ...found.words, ...(typeof words === 'string' ? { status: words } : words) };
    },
    mark(name, labels) {
      const found = machine(name);
      const tags = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
      found.spec = { ...found.spec, tags, labels };
    },
    lock(name) {
      machine(name).isLocked = true;
    },
    unlock(name) {
      machine(name).isLocked = false;
    },
    effects: () =>
      fleet.actions.map((action) => ({
        machineId: action.machineId,
        name: action.machineName,
        effect: action.effect,
        command: action.command,
        outcome: outcomeOf(fleet, action),
      })),
  };
}

function onlyOne<T>(all: readonly T[]): T | undefined {
  return all.length === 1 ? all[0] : undefined;
}

function outcomeOf(fleet: Fleet, action: Action): Effected['outcome'] {
  if (fleet.isRunning(action)) return 'running';
  if (action.fate.fails) return 'failed';
  return action.fate.changesNothing ? 'without effect' : 'done';
}
