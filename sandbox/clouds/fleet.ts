import type { Machine, MachineSpec, Words } from './machine.ts';

/** What can be done to a machine, whatever the cloud calls it. `other` changes nothing of its state. */
export type Effect = 'start' | 'shutdown' | 'power-off' | 'reboot' | 'reset' | 'delete' | 'other';

/** How an action goes against what was asked for. */
export interface Fate {
  /** It ends in an error, and the machine is as before. */
  readonly fails?: boolean;
  /** It is completed, and the machine is as before. */
  readonly changesNothing?: boolean;
}

/** Something that was accepted. Times in Unix milliseconds. */
export interface Action {
  readonly id: number;
  readonly machineId: string;
  readonly machineName: string;
  readonly effect: Effect;
  /** The cloud's own word for it. */
  readonly command: string;
  readonly startedAt: number;
  readonly endsAt: number;
  readonly fate: Fate;
}

/** A cloud's words for the states that an action leads to and through. */
export interface StateWords {
  readonly running: Words;
  readonly stopped: Words;
  readonly during: Partial<Record<Effect, Words>>;
}

/** How long things take, in milliseconds. */
interface Pace {
  readonly powerMs: number;
  readonly deleteMs: number;
  /** How much later than the end of its action a machine's state changes; below zero, earlier. */
  readonly statusLagMs: number;
}

/** The machines of one account, and what is being done to them. All of it is up to date when it is read. */
export interface Fleet {
  readonly now: () => number;
  readonly words: StateWords;
  /** In the order in which they were made. */
  machines(): readonly Machine[];
  find(id: string): Machine | undefined;
  /** Every action that was ever accepted, oldest first. */
  readonly actions: readonly Action[];
  findAction(id: number): Action | undefined;
  actionsOf(machineId: string): readonly Action[];
  isRunning(action: Action): boolean;
  /** Whether an action on it still runs, or it was locked from outside. */
  isBusy(machine: Machine): boolean;
  begin(machine: Machine, effect: Effect, command: string, fate: Fate): Action;
  add(spec: MachineSpec): Machine;
  remove(machine: Machine): void;
}

/** How a fleet is made. */
export interface FleetSettings {
  readonly words: StateWords;
  readonly specs: readonly MachineSpec[];
  readonly pace: Pace;
  readonly now: () => number;
  readonly idOf: (serial: number) => string;
  readonly hasUniqueNames: boolean;
  /** Throws for a machine that the cloud can't have. */
  readonly check: (spec: MachineSpec) => void;
}

interface Pending {
  readonly action: Action;
  readonly appliesAt: number;
  /** The state before it. */
  readonly before: Words;
}

const FIRST_ACTION_ID = 9_001;
/** What only asks the system of a machine. */
const SIGNALS: readonly Effect[] = ['shutdown', 'reboot'];

/** Makes the machines that are described. Throws for an id, or a name where it must be unique, that is used twice. */
export function createFleet({ words, specs, pace, now, idOf, hasUniqueNames, check }: FleetSettings): Fleet {
  const machines = new Map<string, Machine>();
  const actions: Action[] = [];
  let pending: Pending[] = [];
  let running: Action[] = [];
  let serial = 0;

  const settle = (): void => {
    const at = now();
    const due = pending.filter(({ appliesAt }) => appliesAt <= at);
    if (due.length === 0) return;
    pending = pending.filter((each) => !due.includes(each));
    for (const each of due) apply(machines, words, each);
  };
  const isRunning = (action: Action): boolean => now() < action.endsAt;
  const add = (spec: MachineSpec): Machine => {
    check(spec);
    serial += 1;
    const machine = createMachine(spec, serial, spec.id ?? idOf(serial), words.running, now());
    if (machines.has(machine.id)) throw new Error(`clouds: the id ${machine.id} is used twice`);
    if (hasUniqueNames && [...machines.values()].some(({ name }) => name === machine.name)) {
      throw new Error(`clouds: the name ${machine.name} is used twice`);
    }
    machines.set(machine.id, machine);
    return machine;
  };
  for (const spec of specs) add(spec);

  return {
    now,
    words,
    actions,
    isRunning,
    add,
    machines() {
      settle();
      return [...machines.values()];
    },
    find(id) {
      settle();
      return machines.get(id);
    },
    findAction: (id) => actions.find((action) => action.id === id),
    actionsOf: (machineId) => actions.filter((action) => action.machineId === machineId),
    isBusy({ id, isLocked }) {
      // Only those that run are kept: a list of machines asks for each of them.
      running = running.filter(isRunning);
      return isLocked || running.some(({ machineId }) => machineId === id);
    },
    begin(machine, effect, command, fate) {
      const action = {
        id: FIRST_ACTION_ID + actions.length,
        machineId: machine.id,
        machineName: machine.name,
        effect,
        command,
        startedAt: now(),
        endsAt: now() + durationOf(effect, pace),
        fate:
          machine.spec.ignoresSignals && SIGNALS.includes(effect) ? { ...fate, changesNothing: true } : fate,
      };
      actions.push(action);
      running.push(action);
      const appliesAt = Math.max(
        action.startedAt,
        action.endsAt + (effect === 'other' ? 0 : pace.statusLagMs),
      );
      pending.push({ action, appliesAt, before: machine.words });
      machine.words = { ...machine.words, ...words.during[effect] };
      return action;
    },
    remove: (machine) => void machines.delete(machine.id),
  };
}

function createMachine(spec: MachineSpec, serial: number, id: string, running: Words, now: number): Machine {
  const status = typeof spec.status === 'string' ? { status: spec.status } : spec.status;
  return {
    id,
    name: spec.name,
    serial,
    spec,
    createdAt: spec.createdAt ?? now,
    words: { ...running, ...status },
    isProtected: spec.isProtected ?? false,
    isLocked: false,
  };
}

function durationOf(effect: Effect, { powerMs, deleteMs }: Pace): number {
  if (effect === 'other') return 0;
  return effect === 'delete' ? deleteMs : powerMs;
}

/** Brings a machine to the state that an action ends in. */
function apply(machines: Map<string, Machine>, words: StateWords, { action, before }: Pending): void {
  const machine = machines.get(action.machineId);
  if (machine === undefined || action.effect === 'other') return;
  if (action.fate.fails || action.fate.changesNothing) machine.words = before;
  else if (action.effect === 'delete') machines.delete(machine.id);
  else {
    const isStop = action.effect === 'shutdown' || action.effect === 'power-off';
    machine.words = { ...machine.words, ...(isStop ? words.stopped : words.running) };
  }
}
