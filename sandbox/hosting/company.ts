import type { World } from '../world.ts';
import type { Account, StatusChange } from './account.ts';
import { settle } from './charging.ts';
import type { Instance } from './instance.ts';
import { openAccount } from './open-account.ts';
import type { Pace } from './power.ts';

/** The hosting company without its HTTP: the accounts, and the ways that hold for all of them. */
export interface Company {
  readonly accounts: readonly Account[];
  readonly pace: Pace;
  readonly nextAddonId: () => number;
  /** The clock that was passed in, and as much further as it was hurried. */
  now(): number;
  /** Moves time on, and brings everything up to it. Throws for time that would run backwards. */
  hurry(ms: number): void;
  /** Brings everything up to now. Call this before a look at the accounts. */
  settle(): void;
  findByKey(key: string): Account | undefined;
  /** The account of that name; throws for a name nobody has. */
  getAccount(name: string): Account;
  findInstance(id: number): { account: Account; instance: Instance } | undefined;
}

/** Brings a described world to life. Throws for a world that can't be: an id or a key that is used twice. */
export function createCompany(
  world: World,
  clock: () => number,
  pace: Pace,
  announce: (change: StatusChange) => void,
): Company {
  let lastTransactionId = 9_000;
  let lastAddonId = 7_000;
  const ids = {
    transaction: () => ++lastTransactionId,
    transactions: (count: number) => (lastTransactionId += count) - count + 1,
    addon: () => ++lastAddonId,
  };
  refuseDoubles(world);
  let hurriedMs = 0;
  const now = (): number => clock() + hurriedMs;
  const accounts = world.customers.map((each) => openAccount(each, now(), ids, announce));
  const settleAll = (): void => accounts.forEach((account) => settle(account, now()));
  return {
    accounts,
    pace,
    nextAddonId: () => ids.addon(),
    now,
    settle: settleAll,
    hurry(ms) {
      if (!(ms >= 0)) throw new Error(`hosting sandbox: time can't pass by ${ms} ms`);
      hurriedMs += ms;
      settleAll();
    },
    findByKey: (key) => accounts.find((account) => account.apiKey === key),
    getAccount(name) {
      const found = accounts.find((account) => account.name === name);
      if (found === undefined) throw new Error(`hosting sandbox: no customer ${name}`);
      return found;
    },
    findInstance(id) {
      const account = accounts.find((each) => each.instances.has(id));
      const instance = account?.instances.get(id);
      return account === undefined || instance === undefined ? undefined : { account, instance };
    },
  };
}

function refuseDoubles(world: World): void {
  const seen = new Set<string>();
  const once = (value: string, what: string): void => {
    if (seen.has(value)) throw new Error(`world: ${what} is used twice`);
    seen.add(value);
  };
  for (const customer of world.customers) {
    once(`customer ${customer.name}`, `the customer name ${customer.name}`);
    once(`key ${customer.apiKey}`, `the key of ${customer.name}`);
    for (const { id, behavior } of customer.instances) {
      for (const each of [id, behavior.comesBackAs ?? []].flat()) {
        once(`instance ${each}`, `the instance id ${each}`);
      }
    }
    for (const { id } of customer.addons) {
      if (id !== undefined) once(`add-on ${id}`, `the add-on id ${id}`);
    }
  }
}
