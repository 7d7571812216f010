import type { AddonWire, TransactionWire } from '../../src/platform/hosting/table/records.ts';
import type { WorldInstance } from '../world.ts';
import { moveTo, recreate, type Account } from './account.ts';
import { addonRecord } from './addon.ts';
import { addAddon, cancelAddon } from './addons.ts';
import type { Behavior, Fault } from './behavior.ts';
import { chargeDay, pauseAll } from './charging.ts';
import type { Company } from './company.ts';
import { createInstance, type Instance } from './instance.ts';
import { sumOf } from './exact-sum.ts';
import { adjustment } from './open-account.ts';
import type { Booking } from './ledger.ts';
import type { Outcome } from './outcome.ts';
import { wakePaused } from './power.ts';
import type { Status } from './status.ts';

const dayMs = 86_400_000;

/** What somebody does behind the bot's back: in the company's dashboard, or to the sandbox itself. */
export interface Dashboard {
  /** The instances of a customer as they are now, by id. */
  instancesOf(
    customerName: string,
  ): readonly Pick<Instance, 'id' | 'name' | 'status' | 'tier' | 'dailyCredits'>[];
  /** The company's time, Unix ms: the clock, and as much further as it was hurried. */
  now(): number;
  /** The status now, or `gone`. */
  statusOf(id: number): Status | 'gone';
  addInstance(customerName: string, described: WorldInstance): void;
  /** Gives a customer another API key; the one before is refused from now on. */
  changeKey(customerName: string, apiKey: string): void;
  /** Makes an instance vanish at once, without `deleting`. */
  removeInstance(id: number): void;
  /**
   * Makes an instance vanish at once, and another of the same name, tier and price exist with the new id: created
   * now, running, without the old one's add-ons.
   */
  recreateInstance(id: number, newId: number): void;
  renameInstance(id: number, name: string): void;
  /** Puts an instance into a status, and ends whatever was under way with it. */
  changeStatus(id: number, status: Status): void;
  /** Has an instance that runs answer as healthy from now on, or as unhealthy. */
  changeHealth(id: number, health: 'healthy' | 'unhealthy'): void;
  /** Replaces how an instance behaves; its faults count from the start again. */
  setBehavior(id: number, behavior: Behavior): void;
  /** Attaches an add-on and gives its id; throws for what can't be bought, too. The first tier where none is named. */
  addAddon(instanceId: number, type: string, tier?: string): number;
  /** Cancels an add-on: it stays listed. Throws for one that is canceled already. */
  cancelAddon(id: number): void;
  /** The add-ons of an instance as the list on the wire has them, the canceled ones too. */
  addonsOf(instanceId: number): readonly AddonWire[];
  balanceOf(customerName: string): number;
  /** Adds bought credits, and wakes what was paused. */
  topUp(customerName: string, credits: number): void;
  /** Puts into the list of transactions what is only told there: with any amount, of any time. */
  book(customerName: string, booking: Booking): void;
  /** All transactions of a customer as they stand on the wire, newest first. */
  transactionsOf(customerName: string): readonly TransactionWire[];
  /** Moves the balance to a value by one adjustment in the ledger; at 0 everything that costs is paused. */
  setBalance(customerName: string, credits: number): void;
  /** Charges what a day costs, now and beside what midnight charges; what can't be paid for is paused. */
  chargeDay(customerName: string): void;
  /** Makes every reading of the balance go wrong, until it is mended; everything else is as before. */
  breakBalance(customerName: string, fault: Fault): void;
  mendBalance(customerName: string): void;
  /**
   * Lets time pass at once for everything but the rate limit: what is under way ends, each midnight (UTC) charges
   * its day exactly, and what can't be paid for is paused.
   */
  hurry(ms: number): void;
  /** The same for whole days, each with one midnight in it. */
  passDays(days: number): void;
}

/** The dashboard of a company. All of it throws for an id or a name that doesn't exist. */
export function createDashboard(company: Company): Dashboard {
  return {
    ...instanceActs(company),
    ...addonActs(company),
    ...balanceActs(company),
    changeKey: (customerName, apiKey) => {
      company.getAccount(customerName).apiKey = apiKey;
    },
    now: () => company.now(),
    hurry: (ms) => company.hurry(ms),
    passDays: (days) => company.hurry(days * dayMs),
  };
}

type InstanceActs =
  | 'instancesOf'
  | 'statusOf'
  | 'addInstance'
  | 'removeInstance'
  | 'recreateInstance'
  | 'renameInstance'
  | 'changeStatus'
  | 'changeHealth'
  | 'setBehavior';

function instanceActs(company: Company): Pick<Dashboard, InstanceActs> {
  const refuseTaken = (id: number): void => {
    if (company.findInstance(id)) throw new Error(`hosting sandbox: id ${id} is taken`);
  };
  const move = (id: number, to: Status | 'gone'): void => {
    const { account, instance } = getPlace(company, id);
    instance.plan = [];
    moveTo(account, instance, to, company.now());
  };
  return {
    instancesOf(customerName) {
      company.settle();
      return [...company.getAccount(customerName).instances.values()].toSorted(
        (one, other) => one.id - other.id,
      );
    },
    statusOf(id) {
      company.settle();
      return company.findInstance(id)?.instance.status ?? 'gone';
    },
    addInstance(customerName, described) {
      company.settle();
      refuseTaken(described.id);
      const instance = createInstance(described, company.now());
      company.getAccount(customerName).instances.set(described.id, instance);
    },
    removeInstance: (id) => move(id, 'gone'),
    recreateInstance(id, newId) {
      const { account, instance } = getPlace(company, id);
      refuseTaken(newId);
      recreate(account, instance, newId, company.now());
    },
    renameInstance(id, name) {
      getPlace(company, id).instance.name = name;
    },
    changeStatus: (id, status) => move(id, status),
    changeHealth(id, health) {
      getPlace(company, id).instance.unhealthyUntil = health === 'healthy' ? 0 : Number.POSITIVE_INFINITY;
    },
    setBehavior(id, behavior) {
      const { instance } = getPlace(company, id);
      instance.behavior = behavior;
      instance.faultsTaken = 0;
    },
  };
}

function addonActs(company: Company): Pick<Dashboard, 'addAddon' | 'cancelAddon' | 'addonsOf'> {
  return {
    addAddon(instanceId, type, tier) {
      const { account, instance } = getPlace(company, instanceId);
      const id = company.nextAddonId();
      refuseFailure(addAddon(account, instance, { addon_type: type, tier: tier ?? null }, id, company.now()));
      return id;
    },
    cancelAddon(id) {
      company.settle();
      const account = company.accounts.find((each) => each.addons.has(id));
      if (account === undefined) throw new Error(`hosting sandbox: no add-on ${id}`);
      refuseFailure(cancelAddon(account, id));
    },
    addonsOf(instanceId) {
      const { account, instance } = getPlace(company, instanceId);
      const own = [...account.addons.values()].filter((each) => each.instanceId === instanceId);
      return own.map((each) => addonRecord(each, instance.name));
    },
  };
}

type BalanceActs =
  | 'balanceOf'
  | 'book'
  | 'transactionsOf'
  | 'topUp'
  | 'setBalance'
  | 'chargeDay'
  | 'breakBalance'
  | 'mendBalance';

function balanceActs(company: Company): Pick<Dashboard, BalanceActs> {
  return {
    balanceOf(customerName) {
      company.settle();
      return company.getAccount(customerName).ledger.balance();
    },
    topUp(customerName, credits) {
      company.settle();
      const account = company.getAccount(customerName);
      const at = company.now();
      account.ledger.add({
        type: 'purchase',
        amount: credits,
        description: 'Credit package',
        instanceId: null,
        at,
      });
      // A top-up that only makes a debt smaller pays for nothing.
      if (account.ledger.balance() > 0) wakePaused(account, company.pace, at);
    },
    book(customerName, booking) {
      company.settle();
      company.getAccount(customerName).ledger.book(booking);
    },
    transactionsOf(customerName) {
      const all = company.getAccount(customerName).ledger.transactions();
      return all.slice(0, all.length);
    },
    setBalance(customerName, credits) {
      company.settle();
      const account = company.getAccount(customerName);
      const at = company.now();
      const amount = sumOf([credits, -account.ledger.balance()]);
      if (amount !== 0) account.ledger.add(adjustment(amount, at));
      if (credits <= 0) pauseAll(account, at);
    },
    chargeDay(customerName) {
      company.settle();
      chargeDay(company.getAccount(customerName), company.now());
    },
    breakBalance(customerName, fault) {
      company.getAccount(customerName).balanceFault = fault;
    },
    mendBalance(customerName) {
      company.getAccount(customerName).balanceFault = undefined;
    },
  };
}

function getPlace(company: Company, id: number): { account: Account; instance: Instance } {
  company.settle();
  const found = company.findInstance(id);
  if (found === undefined) throw new Error(`hosting sandbox: no instance ${id}`);
  return found;
}

function refuseFailure(outcome: Outcome): void {
  if (outcome.kind !== 'error') return;
  const { message, details = {} } = outcome;
  throw new Error(`hosting sandbox: ${[message, ...Object.entries(details).flat()].join(' ')}`);
}
