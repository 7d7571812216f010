import type { Behaviour } from './hosting/behaviour.ts';
import type { Change, Status } from './hosting/status.ts';

/** An instance of the world, before the sandbox brings it to life. Costs are whole credits a day. */
export interface WorldInstance {
  readonly id: number;
  readonly name: string;
  readonly status: Status;
  readonly tier: string;
  readonly dailyCredits: number;
  readonly createdDaysAgo: number;
  readonly behaviour: Behaviour;
}

/** An add-on of the world; without an id it is given one. */
interface WorldAddon {
  readonly id?: number;
  readonly type: string;
  readonly tier?: string;
  readonly instanceId: number;
  readonly currentUsage?: number;
}

/** A customer: one API key, and what belongs to it. The history ends in exactly `balanceCredits`. */
export interface WorldCustomer {
  readonly name: string;
  readonly apiKey: string;
  readonly balanceCredits: number;
  readonly subscriptionTier: string;
  readonly historyDays: number;
  readonly topUps: readonly { readonly daysAgo: number; readonly credits: number }[];
  readonly instances: readonly WorldInstance[];
  readonly addons: readonly WorldAddon[];
}

export interface World {
  readonly customers: readonly WorldCustomer[];
}

/** An instance named after how it behaves. `label` is what docs/sandbox.md calls it (its name, mostly). */
export interface Sentinel {
  readonly label: string;
  readonly instance: WorldInstance;
}

/** Describes an instance: running, cheap and healthy, but for what `over` says. */
export function instance(id: number, name: string, over: Partial<WorldInstance> = {}): WorldInstance {
  return {
    id,
    name,
    status: 'running',
    tier: 'budget',
    dailyCredits: 10,
    createdDaysAgo: 40,
    behaviour: {},
    ...over,
  };
}

/** Describes a customer whose key is `oc_live_demo_<name>`, with 1000 credits and no history. */
export function customer(name: string, over: Partial<WorldCustomer> = {}): WorldCustomer {
  return {
    name,
    apiKey: `oc_live_demo_${name}`,
    balanceCredits: 1000,
    subscriptionTier: 'balanced',
    historyDays: 0,
    topUps: [],
    instances: [],
    addons: [],
    ...over,
  };
}

/** A world of one customer, `harbour`, who has these instances. */
export function worldOf(instances: readonly WorldInstance[], over: Partial<WorldCustomer> = {}): World {
  return { customers: [customer('harbour', { instances, ...over })] };
}

const power: readonly Change[] = ['start', 'stop', 'restart'];
const everyChange: readonly Change[] = [...power, 'delete'];

/** The instances named after how they behave; `slowMs` is how long `slow` takes to answer. */
export function sentinels(slowMs = 10_000): readonly Sentinel[] {
  const named = (id: number, name: string, over: Partial<WorldInstance>): Sentinel => ({
    label: name,
    instance: instance(id, name, over),
  });
  const faulty = (id: number, name: string, fault: NonNullable<Behaviour['fault']>): Sentinel =>
    named(id, name, { behaviour: { fault } });
  return [
    named(201, 'never-starts', { status: 'stopped', behaviour: { endings: { start: 'never' } } }),
    named(202, 'breaks', { behaviour: { endings: { start: 'error', restart: 'error' } } }),
    faulty(203, 'loses-answers', { on: everyChange, times: Infinity, answer: 'reset', done: true }),
    faulty(204, 'loses-requests', { on: everyChange, times: Infinity, answer: 'reset', done: false }),
    faulty(205, 'says-503', { on: power, times: 1, answer: 503, done: false }),
    faulty(206, 'always-503', { on: power, times: Infinity, answer: 503, done: false }),
    named(207, 'slow', { behaviour: { answerDelayMs: slowMs } }),
    named(208, 'paused', { status: 'paused' }),
    faulty(209, 'says-429', { on: power, times: 1, answer: 429, done: false, retryAfterSeconds: 1 }),
    named(210, 'gone-soon', { behaviour: { endings: { start: 'gone', stop: 'gone', restart: 'gone' } } }),
    { label: 'rude', instance: instance(211, '<!channel> *x* <http://evil|Pay>') },
    named(212, 'twins', {}),
    named(213, 'twins', { status: 'stopped' }),
    named(214, 'needs-owner', { status: 'pending_configuration', createdDaysAgo: 1 }),
  ];
}

/** One sentinel by its label, for a world of one's own. Throws for a label that doesn't exist. */
export function sentinel(label: string, slowMs?: number): WorldInstance {
  const found = sentinels(slowMs).find((each) => each.label === label);
  if (found === undefined) throw new Error(`world: no sentinel ${label}`);
  return found.instance;
}

/** The instances without a peculiarity. */
export const ordinary: readonly WorldInstance[] = [
  instance(101, 'web-1', { tier: 'balanced', dailyCredits: 105, createdDaysAgo: 90 }),
  instance(102, 'web-2', { tier: 'balanced', dailyCredits: 105, createdDaysAgo: 88 }),
  instance(103, 'worker-1', { dailyCredits: 60, createdDaysAgo: 61 }),
  instance(104, 'staging', { status: 'stopped', dailyCredits: 60, createdDaysAgo: 45 }),
  instance(105, 'db-1', { tier: 'performance', dailyCredits: 210, createdDaysAgo: 90 }),
];

/**
 * The world of `npm run demo`. `harbour` is the customer the bot works for; `inland` is somebody
 * else, whose instances must never be seen; `newcomer` has nothing yet.
 */
export function demoWorld(options: { readonly slowMs?: number } = {}): World {
  return {
    customers: [
      customer('harbour', {
        balanceCredits: 6_300,
        historyDays: 30,
        topUps: [
          { daysAgo: 20, credits: 5_000 },
          { daysAgo: 5, credits: 5_000 },
        ],
        instances: [...ordinary, ...sentinels(options.slowMs).map((each) => each.instance)],
        addons: [
          { id: 701, type: 'llm', tier: 'standard', instanceId: 101, currentUsage: 5_000 },
          { id: 702, type: 'backup', instanceId: 105 },
        ],
      }),
      customer('inland', { instances: [instance(301, 'not-yours'), instance(302, 'web-1')] }),
      customer('newcomer', { balanceCredits: 0 }),
    ],
  };
}
