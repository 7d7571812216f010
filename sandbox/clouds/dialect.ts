import type { Action, Effect, Fate, Fleet, StateWords } from './fleet.ts';
import type { Machine, Size, Words } from './machine.ts';
import type { Money } from './money.ts';

/** An answer before it is written: without a body it is empty. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the contracts leave open or only reports describe. Everything is off unless a test asks for it. */
export interface Rules {
  /** What a power call answers when the machine is in that state already, or can't leave it: undocumented in all three. */
  readonly alreadyThere?: 'refuse' | 'accept';
  /** A running action shows nowhere on the record: `locked` stays false, `server_status` as it was. */
  readonly hidesLock?: boolean;
  /** Vultr: a busy machine takes another call in place of answering 500. */
  readonly acceptsWhileBusy?: boolean;
  /** Hetzner: `total_entries` and `last_page` are null. */
  readonly hidesTotal?: boolean;
  /** Hetzner: `error` is filled on actions that run or succeeded, as in the contract's samples. */
  readonly hasStrayErrors?: boolean;
  /** DigitalOcean: the last of several pages has `links: {}`. */
  readonly hasBareLastPage?: boolean;
  /** Vultr: `date_created` has a T in place of the space. */
  readonly writesDatesWithT?: boolean;
  /** The most that a page holds, in place of the cloud's own maximum; more is asked for in vain. */
  readonly maxPageSize?: number;
}

/** What a route is given. */
export interface Asked {
  readonly fleet: Fleet;
  readonly money: Money;
  readonly rules: Rules;
  /** The placeholders of its path, in order. */
  readonly ids: readonly string[];
  readonly query: URLSearchParams;
  /** Undefined where nothing was sent. */
  readonly body: unknown;
  /** The address of the request, to make further ones from. */
  readonly url: URL;
  /** How the action goes that this call may begin. */
  readonly fate: Fate;
}

/** One operation: its path below the base, with `{id}` for a placeholder. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly run: (asked: Asked) => Answer;
}

/** Counts requests. */
export interface Meter {
  /** Takes one request from what is left: what every answer says of that, and the refusal if nothing was. */
  take(now: number): { readonly headers: Readonly<Record<string, string>>; readonly refusal?: Answer };
  /** A 429 as if nothing was left. */
  refuse(now: number, waitSeconds?: number): Answer;
}

/** How many requests a cloud allows; its own figures when left out. */
export interface Limits {
  /** DigitalOcean an hour, Hetzner in its bucket, Vultr a second. */
  readonly rateLimit?: number;
  /** DigitalOcean alone. */
  readonly minuteLimit?: number;
}

/** One cloud: its paths, its words and its errors. */
export interface Dialect {
  readonly base: string;
  readonly words: StateWords;
  readonly routes: readonly Route[];
  /** What machines can be made of; the first of each is the default. */
  readonly sizes: readonly Size[];
  readonly regions: readonly string[];
  readonly idOf: (serial: number) => string;
  readonly hasUniqueNames: boolean;
  /** Whether requests without a right token count as well, because the limit is one of the address. */
  readonly countsStrangers: boolean;
  createMeter(limits: Limits): Meter;
  /** An error in the cloud's own shape. The code and the message that fit the status when left out. */
  refuse(status: number, message?: string, code?: string): Answer;
  /** Headers of every answer. `number` counts the requests. */
  headersOf(number: number): Readonly<Record<string, string>>;
}

/** What a cloud answers when an action can't begin. */
export interface Refusals {
  readonly isSettled: (words: Words) => boolean;
  readonly isOn: (words: Words) => boolean;
  readonly unknown: () => Answer;
  readonly busy: () => Answer;
  readonly already: (machine: Machine) => Answer;
  /** Where `alreadyThere` isn't set. */
  readonly refusesAlready: boolean;
}

/** Begins an action on a machine, or says why not. */
export function beginOn(
  { fleet, rules, fate }: Pick<Asked, 'fleet' | 'rules' | 'fate'>,
  id: string,
  effect: Effect,
  command: string,
  refusals: Refusals,
): { readonly action: Action } | { readonly refused: Answer } {
  const machine = fleet.find(id);
  if (machine === undefined) return { refused: refusals.unknown() };
  const isOfPower = effect !== 'delete' && effect !== 'other';
  const isBusy = fleet.isBusy(machine) || (isOfPower && !refusals.isSettled(machine.words));
  if (isBusy && !rules.acceptsWhileBusy) return { refused: refusals.busy() };
  const refusesAlready =
    rules.alreadyThere === undefined ? refusals.refusesAlready : rules.alreadyThere === 'refuse';
  const isThere = (effect === 'start') === refusals.isOn(machine.words);
  if (isOfPower && isThere && refusesAlready) return { refused: refusals.already(machine) };
  return { action: fleet.begin(machine, effect, command, fate) };
}
