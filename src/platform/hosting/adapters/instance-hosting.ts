import type { Adapter } from '../adapter.ts';
import { STATUS_WORDS } from '../status-words.ts';
import type { ServiceTable } from '../table/service-table.ts';
import { tableCalls } from '../table/table-calls.ts';

/** How the Instance Hosting Service API, version 1, is laid out, with variants seen at comparable services. */
export const instanceHostingTable: ServiceTable = {
  endpoints: {
    // Of the service's own specification.
    listInstances: '/instances',
    getInstance: '/instances/:id',
    deleteInstance: '/instances/:id',
    // Of its public documentation.
    start: '/instances/:id/start',
    stop: '/instances/:id/stop',
    restart: '/instances/:id/restart',
    getBalance: '/billing/summary',
    getUsage: '/billing/usage',
    // As such services share them.
    listTransactions: '/billing/transactions',
    listAddons: '/addons',
    addAddon: '/instances/:id/addons',
    removeAddon: '/addons/:id',
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
  actionAt: {
    places: ['action', 'data.action', 'data', ''],
    names: ['command', 'type', 'action'],
    subject: ['resource_id', 'instance_id', 'server_id'],
  },
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
  statuses: STATUS_WORDS,
  // "paused" is documented to be for want of credit; it is believed where the balance bears it out.
  pausedFor: { 'no-credit': ['paused', 'billing_suspension'], suspended: ['suspended'] },
  atZero: { does: 'pauses', deletes: 'after some days', resumes: true }, // documented, without the number of days
  paidByDay: ['daily', 'hourly'],
};

/** The Instance Hosting Service API, version 1. */
export const adapter: Adapter = {
  name: 'the hosting service',
  prefix: '/api/v1', // given
  limit: { requests: 100, seconds: 60 }, // documented, for each key
  // What a proxy holds back is passed on within ten seconds, and a status follows soon after.
  showsWithinMs: 15_000,
  deletion: {
    takes: ['its server, with its disk and its snapshots', 'its subdomain and its configuration'],
    leaves: 'Only its billing history stays',
    inShort: 'Its disk and its snapshots go with it, permanently.',
  },
  ...tableCalls(instanceHostingTable),
};
