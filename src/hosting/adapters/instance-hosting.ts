import type { Power, Status } from '../service.ts';

/** Where a row comes from: the service's own specification, its public documentation, or what such services share. */
type Basis = 'given' | 'documented' | 'assumed';

interface Endpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the prefix; `:id` is one percent-encoded segment. */
  readonly path: string;
  readonly basis: Basis;
}

/** One service's paths, fields, statuses and codes: all that differs between hosting APIs, as data. */
export interface HostingAdapter {
  readonly prefix: string;
  readonly endpoints: Readonly<Record<EndpointName, Endpoint>>;
  /** Where a list, and where one record, may stand; '' is the body itself. First match wins. */
  readonly listAt: readonly string[];
  readonly oneAt: readonly string[];
  /** Where the next page may be named. */
  readonly nextCursorAt: readonly string[];
  readonly nextLinkAt: readonly string[];
  readonly nextPageAt: readonly string[];
  readonly currentPageAt: readonly string[];
  readonly lastPageAt: readonly string[];
  /** Our field name to the names it may travel under. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly statuses: Readonly<Record<Status, readonly string[]>>;
  readonly limit: { readonly requests: number; readonly seconds: number };
}

export type EndpointName =
  | 'listInstances'
  | 'getInstance'
  | 'deleteInstance'
  | Power
  | 'getBalance'
  | 'getUsage'
  | 'listTransactions'
  | 'listAddons'
  | 'addAddon'
  | 'removeAddon';

/** The Instance Hosting Service API, version 1, with the variants a client tolerates (api/README.md section 3). */
export const instanceHosting: HostingAdapter = {
  prefix: '/api/v1', // given
  endpoints: {
    listInstances: { method: 'GET', path: '/instances', basis: 'given' },
    getInstance: { method: 'GET', path: '/instances/:id', basis: 'given' },
    deleteInstance: { method: 'DELETE', path: '/instances/:id', basis: 'given' },
    start: { method: 'POST', path: '/instances/:id/start', basis: 'documented' },
    stop: { method: 'POST', path: '/instances/:id/stop', basis: 'documented' },
    restart: { method: 'POST', path: '/instances/:id/restart', basis: 'documented' },
    getBalance: { method: 'GET', path: '/billing/summary', basis: 'documented' },
    getUsage: { method: 'GET', path: '/billing/usage', basis: 'documented' },
    listTransactions: { method: 'GET', path: '/billing/transactions', basis: 'assumed' },
    listAddons: { method: 'GET', path: '/addons', basis: 'assumed' },
    addAddon: { method: 'POST', path: '/instances/:id/addons', basis: 'assumed' },
    removeAddon: { method: 'DELETE', path: '/addons/:id', basis: 'assumed' },
  },
  // `data` is documented; the rest are seen at comparable services.
  listAt: [
    'data',
    'data.instances',
    'data.servers',
    'data.items',
    'data.transactions',
    'data.addons',
    'instances',
    'servers',
    'items',
    'transactions',
    'addons',
    '',
  ],
  oneAt: ['data.instance', 'data.addon', 'data', 'instance', 'server', 'addon', ''],
  nextCursorAt: ['meta.next_cursor', 'next_cursor', 'meta.cursor.next'],
  nextLinkAt: ['meta.links.next', 'links.next', 'links.pages.next'],
  nextPageAt: ['meta.pagination.next_page', 'meta.next_page'],
  currentPageAt: ['meta.page', 'meta.current_page', 'meta.pagination.current_page', 'meta.pagination.page'],
  lastPageAt: ['meta.total_pages', 'meta.pages', 'meta.last_page', 'meta.pagination.last_page'],
  fields: {
    id: ['id'],
    name: ['name'],
    status: ['status', 'state', 'power_status'],
    claws_balance: ['claws_balance', 'balance', 'credit', 'credits', 'account_balance'],
  },
  // The first word of each row is documented or given; api/README.md section 3 lists the others.
  statuses: {
    running: ['running', 'active', 'on', 'started', 'up', 'live'],
    stopped: ['stopped', 'off', 'offline', 'halted', 'shutoff', 'exited', 'stopped_in_place'],
    starting: ['starting', 'booting', 'powering_on', 'resuming'],
    stopping: ['stopping', 'shutting_down', 'powering_off'],
    restarting: ['restarting', 'rebooting', 'reboot', 'hard_reboot'],
    provisioning: [
      'provisioning',
      'pending',
      'new',
      'creating',
      'initializing',
      'building',
      'build',
      'installing',
      'loading',
    ],
    deploying: ['deploying'],
    pending_configuration: ['pending_configuration'],
    paused: ['paused', 'suspended', 'billing_suspension', 'frozen', 'hibernated'],
    deleting: ['deleting', 'destroying', 'terminating'],
    deleted: ['deleted', 'destroyed', 'terminated', 'archive'],
    error: ['error', 'failed', 'unhealthy', 'crashed'],
    deploy_failed: ['deploy_failed'],
  },
  limit: { requests: 100, seconds: 60 }, // documented, for each key
};
