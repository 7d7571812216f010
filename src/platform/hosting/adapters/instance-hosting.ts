import type { Power, Status } from '../service.ts';

interface Endpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the prefix; `:id` is one percent-encoded segment. */
  readonly path: string;
}

/** One service's paths, fields, statuses and codes: all that differs between hosting APIs, as data. */
export interface HostingAdapter {
  readonly prefix: string;
  readonly endpoints: Readonly<Record<EndpointName, Endpoint>>;
  /** Where a list, and where one record, may stand; '' is the body itself. First match wins. */
  readonly listAt: readonly string[];
  readonly oneAt: readonly string[];
  readonly paging: PagingNames;
  /** Our field name to the names it may travel under. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly statuses: Readonly<Record<Status, readonly string[]>>;
  readonly limit: { readonly requests: number; readonly seconds: number };
}

/** How a service may say where its lists go on: a name counts in each of the places, a header anywhere. */
interface PagingNames {
  /** Dotted paths of objects; '' is the body itself. */
  readonly places: readonly string[];
  /** The parameter that takes a token of the next page, by the names that the token may have. */
  readonly tokens: Readonly<Record<string, readonly string[]>>;
  /** A URL, a token for `linkToken`, or the number of the next page. */
  readonly link: readonly string[];
  readonly linkToken: string;
  readonly nextPage: readonly string[];
  readonly page: readonly string[];
  readonly lastPage: readonly string[];
  /** Where the page begins in the list, each also the parameter that asks for another beginning. */
  readonly offset: readonly string[];
  readonly hasMore: readonly string[];
  readonly total: readonly string[];
  /** The whole list's number at some services, the page's own at others. */
  readonly totalOrPage: readonly string[];
  /** How many a page holds at most. */
  readonly size: readonly string[];
  /** Sizes of pages that are common: a list of exactly so many may be one. */
  readonly commonSizes: readonly number[];
  readonly headers: Readonly<
    Record<'token' | 'nextPage' | 'page' | 'lastPage' | 'total' | 'size', readonly string[]>
  >;
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

/** The Instance Hosting Service API, version 1, with variants seen at comparable services. */
export const instanceHosting: HostingAdapter = {
  prefix: '/api/v1', // given
  endpoints: {
    // Of the service's own specification.
    listInstances: { method: 'GET', path: '/instances' },
    getInstance: { method: 'GET', path: '/instances/:id' },
    deleteInstance: { method: 'DELETE', path: '/instances/:id' },
    // Of its public documentation.
    start: { method: 'POST', path: '/instances/:id/start' },
    stop: { method: 'POST', path: '/instances/:id/stop' },
    restart: { method: 'POST', path: '/instances/:id/restart' },
    getBalance: { method: 'GET', path: '/billing/summary' },
    getUsage: { method: 'GET', path: '/billing/usage' },
    // As such services share them.
    listTransactions: { method: 'GET', path: '/billing/transactions' },
    listAddons: { method: 'GET', path: '/addons' },
    addAddon: { method: 'POST', path: '/instances/:id/addons' },
    removeAddon: { method: 'DELETE', path: '/addons/:id' },
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
    'results',
    '',
  ],
  oneAt: ['data.instance', 'data.addon', 'data', 'instance', 'server', 'addon', ''],
  // None is documented: the contract's one paged list has `meta`. The rest are seen at comparable services.
  paging: {
    places: [
      'meta',
      'meta.pagination',
      'pagination',
      '_pagination',
      '_meta',
      'paging',
      'page_info',
      'pageInfo',
      'meta.links',
      'links',
      'links.pages',
      '_links',
      '',
      'data',
      'data.meta',
      'data.pagination',
    ],
    tokens: {
      cursor: ['next_cursor', 'nextCursor', 'cursor.next'],
      page_token: ['next_page_token'],
      pageToken: ['nextPageToken'],
      next_token: ['next_token'],
      nextToken: ['nextToken'],
      continuation_token: ['continuation_token'],
      continuationToken: ['continuationToken'],
      after: ['after', 'cursors.after', 'end_cursor', 'endCursor'],
      offset: ['next_offset', 'nextOffset'],
    },
    link: ['next', 'next.href', 'next_url', 'next_link', 'nextLink', 'next_page_url'],
    linkToken: 'cursor',
    nextPage: ['next_page', 'nextPage'],
    page: ['page', 'current_page', 'currentPage', 'page_number'],
    lastPage: ['total_pages', 'totalPages', 'pages', 'last_page', 'lastPage', 'page_count'],
    offset: ['offset', 'skip', 'start'],
    hasMore: ['has_more', 'hasMore', 'has_next', 'hasNext', 'has_next_page', 'hasNextPage', 'more'],
    total: [
      'total',
      'total_count',
      'totalCount',
      'total_entries',
      'total_items',
      'totalItems',
      'total_results',
      'total_records',
    ],
    totalOrPage: ['count'],
    size: ['per_page', 'perPage', 'page_size', 'pageSize', 'limit'],
    commonSizes: [25, 50, 100, 200, 250, 500, 1_000],
    headers: {
      token: ['x-next-cursor'],
      nextPage: ['x-next-page'],
      page: ['x-page', 'x-current-page', 'x-pagination-current-page'],
      lastPage: ['x-total-pages', 'x-page-count', 'x-pagination-page-count'],
      total: ['x-total-count', 'x-total', 'x-pagination-total-count'],
      size: ['x-per-page', 'x-page-size', 'x-pagination-per-page'],
    },
  },
  fields: {
    id: ['id'],
    name: ['name'],
    status: ['status', 'state', 'power_status'],
    claws_balance: ['claws_balance', 'balance', 'credit', 'credits', 'account_balance'],
  },
  // The first word of each row is documented or given; the others are seen at comparable services.
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
