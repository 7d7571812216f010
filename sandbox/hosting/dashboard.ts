import type { WorldInstance } from '../world.ts';
import { moveTo } from './account.ts';
import type { Behaviour } from './behaviour.ts';
import { pauseAll } from './charging.ts';
import type { Company } from './company.ts';
import { createInstance, type Instance } from './instance.ts';
import { wakePaused } from './power.ts';
import type { Status } from './status.ts';

/** What somebody does behind the bot's back: in the company's dashboard, or to the sandbox itself. */
export interface Dashboard {
  /** The status now, or `gone`. */
  statusOf(id: number): Status | 'gone';
  addInstance(customerName: string, described: WorldInstance): void;
  /** Makes an instance vanish at once, without `deleting`. */
  removeInstance(id: number): void;
  /** Puts an instance into a status, and ends whatever was under way with it. */
  changeStatus(id: number, status: Status): void;
  /** Replaces how an instance behaves; its faults count from the start again. */
  setBehaviour(id: number, behaviour: Behaviour): void;
  balanceOf(customerName: string): number;
  /** Adds bought credits, and wakes what was paused. */
  topUp(customerName: string, credits: number): void;
  /** Moves the balance to a value by one adjustment in the ledger; at 0 everything that costs is paused. */
  setBalance(customerName: string, credits: number): void;
}

/** The dashboard of a company. All of it throws for an id or a name that doesn't exist. */
export function createDashboard(company: Company): Dashboard {
  const getInstance = (id: number): Instance => {
    company.settle();
    const found = company.findInstance(id);
    if (found === undefined) throw new Error(`hosting sandbox: no instance ${id}`);
    return found.instance;
  };
  const move = (id: number, to: Status | 'gone'): void => {
    const instance = getInstance(id);
    instance.plan = [];
    const account = company.findInstance(id)?.account;
    if (account !== undefined) moveTo(account, instance, to, company.now());
  };
  return {
    statusOf(id) {
      company.settle();
      return company.findInstance(id)?.instance.status ?? 'gone';
    },
    addInstance(customerName, described) {
      company.settle();
      if (company.findInstance(described.id)) throw new Error(`hosting sandbox: id ${described.id} is taken`);
      const instance = createInstance(described, company.now());
      company.getAccount(customerName).instances.set(described.id, instance);
    },
    removeInstance: (id) => move(id, 'gone'),
    changeStatus: (id, status) => move(id, status),
    setBehaviour(id, behaviour) {
      const instance = getInstance(id);
      instance.behaviour = behaviour;
      instance.faultsTaken = 0;
    },
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
      wakePaused(account, company.pace, at);
    },
    setBalance(customerName, credits) {
      company.settle();
      const account = company.getAccount(customerName);
      const at = company.now();
      const amount = credits - account.ledger.balance();
      const description = 'Adjustment by support';
      if (amount !== 0) account.ledger.add({ type: 'adjustment', amount, description, instanceId: null, at });
      if (credits <= 0) pauseAll(account, at);
    },
  };
}
