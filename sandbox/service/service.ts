import type { ApiState } from './api-switch.ts';

/** A call as it is shown: without what only tests need. */
export interface SeenCall {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly status: string;
  /** Whether it changed something, whatever its answer was. */
  readonly hadEffect: boolean;
}

/** An instance as the service has it now. */
export interface SeenInstance {
  readonly id: string;
  readonly name: string;
  readonly state: 'running' | 'stopped' | 'changing' | 'broken' | 'other';
  /** Its status in the service's own words, and what else is to be seen of it. */
  readonly words: string;
}

/** What can go wrong with the next call for a change: it is done and its answer lost, or refused, or answered late. */
export type CallFault = 'lose-answer' | 'say-503' | 'be-slow';

/** The states that a person can put an instance into. */
export const SETTABLE = ['running', 'stopped'] as const;
type Settable = (typeof SETTABLE)[number];

/** Which instances the tour is played with, by name. */
interface Cast {
  /** Runs and behaves; another one each time is restarted. */
  readonly ordinary: readonly string[];
  readonly deleted: string;
  /** Ignores a graceful stop, and can be forced; left out where there is none. */
  readonly stubborn?: string;
}

/** The hosting service of a sandbox: what its bot runs, and what a person may do to it behind the bot's back. */
export interface Service {
  /** What `HOSTING_SERVICE` is set to. */
  readonly kind: string;
  /** How people call it, or the customer that the bot works for. */
  readonly name: string;
  readonly token: string;
  /** Whether there is a balance that can run low. */
  readonly isPrepaid: boolean;
  /** Whether the bot can read what it costs, and so looks at that by itself. */
  readonly hasMoney: boolean;
  /** Listens on 127.0.0.1 only. `url`: where, without the prefix of its paths. */
  start(): Promise<{ url: string }>;
  stop(): Promise<void>;
  /** Its time, Unix ms. */
  now(): number;
  /** Lets time pass at it at once, in ms: what is under way ends, and what costs is charged. */
  hurry(ms: number): void;
  instances(): readonly SeenInstance[];
  /** How the account is with the money, to follow its name: `has 300 credits`. */
  money(): string;
  /** Calls that asked for a change, oldest first. */
  writes(): readonly SeenCall[];
  /** How many calls only read. */
  reads(): number;
  cast(): Cast;
  /** Makes the next call for a change go wrong. */
  failNext(fault: CallFault): void;
  /** How its API answers now. */
  api(): ApiState;
  /** Has its API answer so from now on, until it is set again. */
  setApi(state: ApiState): Promise<void>;
  /** Whether machines were added to make its fleet a large one. */
  isLarge(): boolean;
  /** Adds machines until there are 230, which cost so much that the money lasts as long as before; or takes those away again. */
  setLarge(isLarge: boolean): void;
  /** Charges what one more day costs, now. */
  chargeDay(): void;
  /** Calls `tell` after calls, where it can; gives what ends that. */
  watch(tell: () => void): () => void;
  /** Sets the balance so that it lasts for so many days. Throws a sentence where there is no balance. */
  leaveDays(days: number): void;
  /** Puts an instance, by name or id, into a state. Throws a sentence for one that doesn't exist. */
  set(instance: string, state: Settable): void;
  /** Locks or frees an instance, by name or id. Throws a sentence where the service has no locks. */
  setLock(instance: string, isLocked: boolean): void;
}

/** The one of that name or id. Throws a sentence where there is none, or where several have the name. */
export function onlyOne<T extends { readonly id: string | number; readonly name: string }>(
  all: readonly T[],
  words: string,
): T {
  const byId = all.find(({ id }) => `${id}` === words);
  const [first, second] = byId ? [byId] : all.filter(({ name }) => name === words);
  if (!first) throw new Error(`There is no instance ${JSON.stringify(words)} at the hosting service.`);
  if (second) throw new Error(`Several instances are called ${JSON.stringify(words)}. Say an id.`);
  return first;
}
