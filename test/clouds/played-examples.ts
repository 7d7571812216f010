import type { ExampleAnswer, Examples, Refusal } from '../../src/platform/hosting/examples.ts';
import { digitaloceanExamples } from './digitalocean-examples.ts';
import { hetznerExamples } from './hetzner-examples.ts';
import { vultrExamples } from './vultr-examples.ts';

/** The examples of each adapter that comes with the bot, with what each of them means. */

const no = (means: Refusal['means'], status: number, body: unknown, says?: string): Refusal => ({
  means,
  answer: { status, body },
  ...(says === undefined ? {} : { says }),
});
const web = { name: 'web-1', status: 'running', createdAt: '2026-01-05T10:00:00Z' } as const;

/** Of a machine on which the service takes no change now. */
const LOCKED = { isLocked: true, can: { start: false, stop: false, restart: false } } as const;

export function hetznerPlayed(): Examples {
  const { list, one, action, error } = hetznerExamples();
  const [page1, page2, page3] = list;
  const [running, done, failed] = action;
  const [e401, e404, e409, e422, e423, e423p, e429, e500] = error;
  // Each page at a number of its own, and each machine with an id of its own.
  const others = page3!.servers.map((server, nth) => ({ ...server, id: 50 + nth, locked: nth === 0 }));
  const page = (nth: number, servers: readonly object[]): { servers: readonly object[]; meta: object } => ({
    servers,
    meta: {
      pagination: {
        ...page1!.meta.pagination,
        page: nth,
        next_page: nth === 3 ? null : nth + 1,
        total_entries: 2 + others.length,
      },
    },
  });
  const statuses = [
    'provisioning',
    'starting',
    'stopping',
    'deleting',
    'migrating',
    'rebuilding',
    'unknown',
  ] as const;
  const taken: ExampleAnswer & { means: { actionId: string } } = {
    status: 201,
    body: running,
    means: { actionId: '13' },
  };
  return {
    list: [
      {
        body: page(1, page1!.servers),
        means: [
          {
            id: '42',
            ...web,
            region: 'fsn1',
            labels: ['env=prod'],
            tier: 'cpx22',
            ipAddress: '192.0.2.20',
            hostname: 'web-1.example.com',
          },
        ],
      },
      {
        body: page(2, page2!.servers),
        means: [{ id: '43', name: 'db-1', status: 'stopped', isDeletionProtected: true }],
      },
      {
        body: page(3, others),
        means: statuses.map((status, nth) => ({
          id: String(50 + nth),
          name: 'web-1',
          status,
          ...(nth === 0 ? LOCKED : {}),
        })),
      },
    ],
    one: { body: one[0], means: { id: '42', ...web } },
    power: taken,
    force: taken,
    remove: { ...taken, status: 200 },
    action: {
      id: '13',
      running: { body: running },
      done: { body: done },
      failed: { body: failed, says: 'It failed' },
    },
    actions: {
      body: { actions: [running!.action, { ...done!.action, id: 14 }] },
      means: [
        { id: '13', state: 'running' },
        { id: '14', state: 'done' },
      ],
    },
    begun: {
      body: {
        actions: [
          { ...running!.action, command: 'reset_server' },
          { ...done!.action, command: 'change_type' },
        ],
        meta: { pagination: { next_page: null, total_entries: 2 } },
      },
      means: [
        { id: '13', does: 'force-restart', state: 'running', startedAt: Date.UTC(2026, 0, 6, 8) },
        { id: '13', does: undefined, state: 'done' },
      ],
    },
    refusals: [
      no('unauthorized', 401, e401, 'bad token'),
      no('not-found', 404, e404),
      no('busy', 409, e409, 'changed, try again'),
      no('bad-input', 422, e422, 'bad field'),
      no('busy', 423, e423),
      no('protected', 423, e423p, 'delete protection'),
      no('rate-limited', 429, e429),
      no('unavailable', 500, e500, 'our fault'),
    ],
  };
}

export function vultrPlayed(): Examples {
  const { list, one, error, account, history } = vultrExamples();
  const [page1, page2, page3] = list;
  const [e400, e401, e404, e429, e500] = error;
  const id = '5b1f0000-0000-4000-8000-000000000001';
  const states = ['provisioning', 'running', 'running', 'paused', 'resizing'] as const;
  const others = page3!.instances.map((one_, nth) => ({ ...one_, id: id.replace(/1$/, String(nth + 3)) }));
  const total = 2 + others.length;
  const nothing = { status: 204, means: {} };
  return {
    list: [
      {
        body: { ...page1, meta: { ...page1!.meta, total } },
        means: [
          {
            id,
            name: 'web-1',
            status: 'running',
            labels: ['prod'],
            region: 'fra',
            createdAt: '2026-01-05 10:00:00+00:00',
            tier: 'vc2-1c-1gb',
            ipAddress: '192.0.2.30',
            hostname: 'web-1',
          },
        ],
      },
      {
        body: { ...page2, meta: { total, links: { next: 'bGFzdA==', prev: '' } } },
        means: [{ id: id.replace(/1$/, '2'), name: 'db-1', status: 'stopped' }],
      },
      {
        body: { instances: others, meta: { total, links: { next: '', prev: '' } } },
        means: states.map((status, nth) => ({
          id: id.replace(/1$/, String(nth + 3)),
          name: 'web-1',
          status,
          ...(nth === 1 ? { isInstalling: true } : {}),
          ...(nth === 2 ? LOCKED : {}),
          ...(status === 'paused' ? { pausedFor: 'suspended' } : {}),
        })),
      },
    ],
    one: { body: one[0], means: { id, name: 'web-1', status: 'running' } },
    power: nothing,
    remove: nothing,
    spending: { body: account[0], means: { monthSoFar: '12.25', owedBefore: '-40.50' } },
    charges: [
      {
        body: { pending_charges: [{ description: 'web-1', product: 'Cloud Compute', total: 3.1 }] },
        means: [{ name: 'web-1', product: 'Cloud Compute', amount: '3.10' }],
      },
    ],
    bills: [
      {
        body: history[0],
        means: [
          {
            id: '2',
            type: 'credit',
            at: '2026-01-02 00:00:00+00:00',
            description: 'Top-up',
            amount: '-50.00',
            size: '50.00',
            owedAfter: '-40.50',
          },
          { id: '1', type: 'invoice', amount: '31.20', size: '31.20', owedAfter: '9.50' },
        ],
      },
    ],
    refusals: [
      no('unauthorized', 401, e401, 'Bad key'),
      no('not-found', 404, e404),
      no('refused', 400, e400, 'Bad request'),
      no('rate-limited', 429, e429),
      no('unavailable', 500, e500, 'Server is currently locked'),
    ],
  };
}

export function digitaloceanPlayed(): Examples {
  const { list, one, action, error, balance, history } = digitaloceanExamples();
  const [page1, page2, rest] = list;
  const [running, done, failed] = action;
  const [e401, e404, e422, e429, e500] = error;
  const taken = { status: 201, body: running, means: { actionId: '9001' } };
  const gpus = rest!.droplets.map((droplet, nth) => ({ ...droplet, id: 201 + nth, locked: nth === 0 }));
  const begun = (type: string, one_: object) => ({ ...one_, type });
  return {
    list: [
      {
        body: page1,
        means: [
          {
            id: '101',
            ...web,
            labels: ['env:prod'],
            ipAddress: '192.0.2.10',
            region: 'fra1',
            tier: 's-1vcpu-1gb',
            price: { amount: '6.00', currency: 'USD', per: 'month' },
          },
        ],
      },
      { body: page2, means: [{ id: '102', name: 'db-1', status: 'stopped' }] },
    ],
    otherLists: [
      [
        {
          body: { droplets: gpus, links: {}, meta: { total: 2 } },
          means: [
            { id: '201', name: 'web-1', status: 'provisioning', ...LOCKED },
            { id: '202', name: 'web-1', status: 'unknown', statusWord: 'archive' },
          ],
        },
      ],
    ],
    one: { body: one[0], means: { id: '101', ...web } },
    power: taken,
    force: taken,
    remove: { status: 204, means: {} },
    action: { id: '9001', running: { body: running }, done: { body: done }, failed: { body: failed } },
    begun: {
      body: { actions: [begun('power_cycle', running!.action), begun('resize', done!.action)], links: {} },
      means: [
        { id: '9001', does: 'force-restart', state: 'running', startedAt: Date.UTC(2026, 0, 6, 8) },
        { id: '9001', does: undefined, state: 'done' },
      ],
    },
    spending: { body: balance[0], means: { monthSoFar: '12.50', owedBefore: '-40.00' } },
    charges: [
      {
        body: {
          invoice_items: [
            { product: 'Droplets', description: 'web-1', resource_id: '101', amount: '12.50' },
            { product: 'Volumes', description: 'disk', resource_id: 'v-1', amount: '-0.10' },
          ],
          links: {},
          meta: { total: 2 },
        },
        means: [
          { name: 'web-1', product: 'Droplets', amount: '12.50', instanceId: '101' },
          { name: 'disk', product: 'Volumes', amount: '-0.10', instanceId: undefined },
        ],
      },
    ],
    bills: [
      {
        body: history[0],
        means: [
          { amount: '-71.20', at: '2026-01-02T00:00:00Z', description: 'Payment', type: 'Payment' },
          { amount: '31.20', at: '2026-01-01T00:00:00Z', description: 'December', type: 'Invoice' },
        ],
      },
    ],
    refusals: [
      no('unauthorized', 401, e401, 'No valid token'),
      no('not-found', 404, e404),
      no('wrong-state', 422, e422, 'Pending event'),
      no('rate-limited', 429, e429),
      no('unavailable', 500, e500, 'Our fault'),
    ],
  };
}

export function instanceHostingPlayed(): Examples {
  const bot = {
    id: 42,
    name: 'support-bot',
    status: 'running',
    tier: 'balanced',
    billing_mode: 'daily',
    created_at: '2026-01-05T10:00:00Z',
    daily_claw_cost: 225,
    can_start: false,
    can_stop: true,
    can_restart: true,
  };
  const off = { ...bot, id: 43, name: 'night-bot', status: 'stopped' };
  const paused = { ...bot, id: 44, name: 'poor-bot', status: 'paused' };
  const page = (data: readonly object[], nth: number) => ({
    data,
    meta: { page: nth, total_pages: 2, total: 3 },
  });
  const addon = {
    id: 7,
    addon_type: 'backup',
    instance_id: 42,
    instance_name: 'support-bot',
    tier: 'daily',
    status: 'active',
    current_usage: 3,
    usage_limit: 10,
    daily_claws: 45,
  };
  const backup = {
    id: '7',
    type: 'backup',
    instanceId: '42',
    instanceName: 'support-bot',
    tier: 'daily',
    status: 'active',
    used: 3,
    limit: 10,
    dailyCredits: '45',
  };
  return {
    list: [
      {
        body: page([bot], 1),
        means: [
          {
            id: '42',
            name: 'support-bot',
            status: 'running',
            dailyCostCredits: '225',
            isPaidByDay: true,
            tier: 'balanced',
            billingMode: 'daily',
            createdAt: '2026-01-05T10:00:00Z',
            can: { start: false, stop: true, restart: true },
          },
        ],
      },
      {
        body: page([off, paused], 2),
        means: [
          { id: '43', name: 'night-bot', status: 'stopped' },
          { id: '44', name: 'poor-bot', status: 'paused', pausedFor: 'no-credit' },
        ],
      },
    ],
    one: { body: { data: bot }, means: { id: '42', name: 'support-bot', status: 'running' } },
    power: {
      start: { status: 202, body: { data: { ...bot, status: 'starting' } }, means: { status: 'starting' } },
      stop: { status: 202, body: { data: { ...bot, status: 'stopping' } }, means: { status: 'stopping' } },
      restart: {
        status: 202,
        body: { data: { ...bot, status: 'restarting' } },
        means: { status: 'restarting' },
      },
    },
    remove: { status: 202, body: { data: { ...bot, status: 'deleting' } }, means: { status: 'deleting' } },
    balance: {
      body: { data: { claws_balance: 150.25, daily_claw_cost: 225, subscription_status: 'active' } },
      means: { credits: '150.25', dailyCostCredits: '225' },
    },
    usage: {
      body: {
        data: {
          daily_total: 270.25,
          instances: [{ id: 42, name: 'support-bot', daily_claws: '225.25' }],
          addons: [addon],
        },
      },
      means: {
        dailyTotalCredits: '270.25',
        instances: [{ id: '42', name: 'support-bot', dailyCredits: '225.25' }],
        addons: [backup],
      },
    },
    transactions: [
      {
        body: {
          data: [
            {
              id: 2,
              type: 'usage',
              amount: '-225.25',
              balance_after: 1500,
              created_at: '2026-01-06T00:00:00Z',
            },
            {
              id: 1,
              type: 'purchase',
              amount: 1725,
              balance_after: 1725,
              created_at: '2026-01-05T00:00:00Z',
            },
          ],
          meta: { page: 1, total_pages: 1, total: 2 },
        },
        means: [
          {
            id: '2',
            type: 'usage',
            amountCredits: '-225.25',
            balanceAfterCredits: '1500',
            createdAt: '2026-01-06T00:00:00Z',
          },
          { id: '1', type: 'purchase', amountCredits: '1725' },
        ],
      },
    ],
    addons: {
      list: [{ body: { data: [addon] }, means: [backup] }],
      add: {
        type: 'backup',
        tier: 'daily',
        status: 201,
        body: { data: { ...addon, id: 8 } },
        means: { id: '8', type: 'backup', instanceId: '42', tier: 'daily' },
      },
      remove: {
        body: { data: { ...addon, status: 'canceled' } },
        means: { id: '7', status: 'canceled' },
      },
    },
    refusals: [
      no('unauthorized', 401, { error: 'The key was revoked' }, 'The key was revoked'),
      no('not-found', 404, { error: 'There is no such instance' }),
      no('wrong-state', 409, { error: 'It is not running' }, 'It is not running'),
      no('no-credit', 402, { error: 'Nothing is left' }),
      no('rate-limited', 429, { error: 'Too many requests' }),
    ],
  };
}
