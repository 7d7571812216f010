import type { Behavior, Fault } from './hosting/behavior.ts';
import type { Change, Status } from './hosting/status.ts';

/** An instance of the world, before the sandbox brings it to life. Costs are credits a day, with two decimals at most. */
export interface WorldInstance {
  readonly id: number;
  readonly name: string;
  readonly status: Status;
  readonly tier: string;
  readonly dailyCredits: number;
  /** By the day when left out. What is paid by the month is neither charged nor paused here. */
  readonly billingMode?: 'daily' | 'monthly';
  readonly createdDaysAgo: number;
  readonly behavior: Behavior;
}

/** An add-on of the world; without an id it is given one. What isn't said is as in the catalog of the company. */
export interface WorldAddon {
  readonly id?: number;
  readonly type: string;
  readonly tier?: string;
  readonly instanceId: number;
  readonly currentUsage?: number;
  /** Null: without limit, as everything is that the catalog doesn't have. */
  readonly usageLimit?: number | null;
  /** Whole credits a day; needed for what the catalog doesn't have. */
  readonly dailyCredits?: number;
  /** `active` when left out; any word will do, and only `canceled` costs nothing. */
  readonly status?: string;
}

/** A customer: one API key, and what belongs to it. The history ends in exactly `balanceCredits`. */
export interface WorldCustomer {
  readonly name: string;
  readonly apiKey: string;
  readonly balanceCredits: number;
  readonly subscriptionTier: string;
  /** `active` when left out. */
  readonly subscriptionStatus?: string;
  readonly historyDays: number;
  readonly topUps: readonly { readonly daysAgo: number; readonly credits: number }[];
  /** What support put right, and what a bank took back: below zero as well. */
  readonly adjustments: readonly { readonly daysAgo: number; readonly credits: number }[];
  /** Charges whose amount is written as words on the wire. */
  readonly garbledCharges: readonly { readonly daysAgo: number; readonly credits: number }[];
  /** So many transactions more, from before everything else. */
  readonly pastTransactions: number;
  /** How far apart those are. */
  readonly pastEveryMs: number;
  /** Set where nothing about money can be read: the service has no such paths. */
  readonly hasNoBilling?: true;
  /** How reading the balance goes wrong until it is mended. */
  readonly balanceFault?: Fault;
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
    behavior: {},
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
    adjustments: [],
    garbledCharges: [],
    pastTransactions: 0,
    pastEveryMs: 300_000,
    instances: [],
    addons: [],
    ...over,
  };
}

/** A world of one customer, `harbour`, who has these instances. */
export function worldOf(instances: readonly WorldInstance[], over: Partial<WorldCustomer> = {}): World {
  return { customers: [customer('harbour', { instances, ...over })] };
}

const everyChange: readonly Change[] = ['start', 'stop', 'restart', 'delete', 'add add-on', 'remove add-on'];

/** The instances named after how they behave; `slowMs` is how long `slow` takes to answer. */
export function sentinels(slowMs = 10_000): readonly Sentinel[] {
  const named = (id: number, name: string, over: Partial<WorldInstance>): Sentinel => ({
    label: name,
    instance: instance(id, name, over),
  });
  const faulty = (id: number, name: string, fault: NonNullable<Behavior['fault']>): Sentinel =>
    named(id, name, { behavior: { fault } });
  return [
    named(201, 'never-starts', { status: 'stopped', behavior: { endings: { start: 'never' } } }),
    named(202, 'breaks', { behavior: { endings: { start: 'error', restart: 'error' } } }),
    faulty(203, 'loses-answers', { on: everyChange, times: Infinity, answer: 'reset', done: true }),
    faulty(204, 'loses-requests', { on: everyChange, times: Infinity, answer: 'reset', done: false }),
    faulty(205, 'says-503', { on: everyChange, times: 1, answer: 503, done: false }),
    faulty(206, 'always-503', { on: everyChange, times: Infinity, answer: 503, done: false }),
    named(207, 'slow', { behavior: { answerDelayMs: slowMs } }),
    named(208, 'paused', { status: 'paused' }),
    faulty(209, 'says-429', { on: everyChange, times: 1, answer: 429, done: false, retryAfterSeconds: 1 }),
    named(210, 'gone-soon', { behavior: { endings: { start: 'gone', stop: 'gone', restart: 'gone' } } }),
    { label: 'rude', instance: instance(211, '<!channel> *x* <http://evil|Pay>') },
    named(212, 'twins', {}),
    named(213, 'twins', { status: 'stopped' }),
    named(214, 'needs-owner', { status: 'pending_configuration', createdDaysAgo: 1 }),
    faulty(215, 'subscribed', {
      on: ['delete'],
      times: Infinity,
      answer: 422,
      done: false,
      message: 'Instance has an active subscription. Cancel it first.',
    }),
    named(216, 'goes-slowly', { behavior: { deleteMs: 20_000 } }),
    named(217, 'comes-back', { behavior: { comesBackAs: 2170 } }),
    named(221, 'takes-anything', {
      behavior: {
        takesAnything: true,
        fault: { on: ['start', 'stop'], times: Infinity, answer: 'reset', done: false },
      },
    }),
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

const catalogd: readonly WorldAddon[] = [
  { id: 801, type: 'llm', tier: 'standard', instanceId: 401, currentUsage: 9_500 },
  { id: 802, type: 'backup', instanceId: 401 },
  { id: 803, type: 'storage', tier: 'small', instanceId: 402, currentUsage: 63 },
  { id: 804, type: 'llm', tier: 'premium', instanceId: 402, currentUsage: 12, usageLimit: null },
  { id: 805, type: 'monitoring', instanceId: 403, currentUsage: 7, usageLimit: 100 },
  { id: 806, type: 'storage', tier: 'large', instanceId: 403, currentUsage: 40, status: 'canceled' },
  { id: 807, type: 'backup', instanceId: 403, status: 'hibernating' },
];
const uncatalogd: readonly WorldAddon[] = [
  {
    id: 808,
    type: 'teleport',
    tier: 'beta',
    instanceId: 404,
    currentUsage: 1,
    usageLimit: 3,
    dailyCredits: 5,
  },
  { id: 809, type: '<!channel> *x*', tier: '<http://evil|Pay> `&amp;`', instanceId: 404, dailyCredits: 1 },
];

/** The customer for add-ons: one of every sort, as docs/sandbox.md lists them. */
export const outfitter: WorldCustomer = customer('outfitter', {
  balanceCredits: 4_000,
  historyDays: 7,
  instances: [
    instance(401, 'tent', { tier: 'balanced', dailyCredits: 105 }),
    instance(402, 'stove'),
    instance(403, 'lantern'),
    instance(404, 'canoe', { status: 'stopped' }),
  ],
  addons: [...catalogd, ...uncatalogd],
});

/** The customers for billing, each named after how it is with the money. */
export const moneyed: readonly WorldCustomer[] = [
  customer('draining', {
    balanceCredits: 900,
    historyDays: 7,
    instances: [
      instance(501, 'pump', { tier: 'balanced', dailyCredits: 200 }),
      instance(502, 'sluice', { dailyCredits: 100 }),
    ],
  }),
  customer('nearly-empty', {
    balanceCredits: 40,
    historyDays: 7,
    instances: [instance(511, 'wick', { dailyCredits: 60 })],
  }),
  customer('unreadable', {
    instances: [instance(521, 'fog')],
    balanceFault: { answer: 500, done: false },
  }),
  customer('no-balance', {
    historyDays: 7,
    instances: [instance(581, 'canteen', { dailyCredits: 20 })],
    balanceFault: { answer: 404, done: false },
  }),
  customer('no-billing', { instances: [instance(591, 'commons')], hasNoBilling: true }),
  customer('long-history', {
    balanceCredits: 6_000,
    pastTransactions: 100_000,
    instances: [instance(531, 'archive')],
  }),
  customer('busy-fortnight', {
    balanceCredits: 6_000,
    pastTransactions: 12_000,
    pastEveryMs: 115_000,
    instances: [instance(571, 'exchange')],
  }),
  customer('to-the-cent', {
    balanceCredits: 12.3,
    historyDays: 3,
    topUps: [
      { daysAgo: 2, credits: 0.1 },
      { daysAgo: 1, credits: 0.2 },
    ],
    instances: [instance(541, 'mint', { dailyCredits: 0.35 })],
  }),
  customer('overdrawn', {
    balanceCredits: -45,
    topUps: [{ daysAgo: 4, credits: 300 }],
    adjustments: [{ daysAgo: 2, credits: -400 }],
    instances: [instance(551, 'wreck', { status: 'paused' })],
  }),
  customer('by-the-month', {
    balanceCredits: 300,
    instances: [
      instance(552, 'mill', { dailyCredits: 100 }),
      instance(553, 'lease', { dailyCredits: 70, billingMode: 'monthly' }),
    ],
  }),
  customer('lapsed', {
    balanceCredits: 500,
    subscriptionStatus: 'canceled',
    instances: [instance(554, 'tenant', { status: 'paused', billingMode: 'monthly' })],
  }),
  customer('garbled-charge', {
    balanceCredits: 800,
    historyDays: 10,
    garbledCharges: [{ daysAgo: 2, credits: 100 }],
    instances: [instance(561, 'teller')],
  }),
];

/**
 * The world of `npm run demo`. `harbour` is the customer the bot works for; `inland` is somebody
 * else, whose instances must never be seen; `newcomer` has nothing yet; `outfitter` has add-ons; the rest have
 * money to read about.
 */
export function demoWorld(): World {
  return {
    customers: [
      customer('harbour', {
        balanceCredits: 6_300,
        historyDays: 30,
        topUps: [
          { daysAgo: 20, credits: 5_000 },
          { daysAgo: 5, credits: 5_000 },
        ],
        instances: [...ordinary, ...sentinels().map((each) => each.instance)],
        addons: [
          { id: 701, type: 'llm', tier: 'standard', instanceId: 101, currentUsage: 5_000 },
          { id: 702, type: 'backup', instanceId: 105 },
        ],
      }),
      customer('inland', { instances: [instance(301, 'not-yours'), instance(302, 'web-1')] }),
      customer('newcomer', { balanceCredits: 0 }),
      outfitter,
      ...moneyed,
    ],
  };
}
