import { z } from 'zod';
import type { Adapter, Write } from '../adapter.ts';
import { wordIn, cents, identified, readIdentified, nothingSaid } from '../readers.ts';
import { type AskedPage, pagedByToken, type Paging } from '../paging.ts';
import type { Instance, Power, Status, WriteAnswer } from '../service.ts';
import { type LeaveOut, readAs, readRecord, recordsIn } from '../unreadable.ts';

/** Vultr's instances, by its published API v2. Its answers hold a console link and a password, which are never read. */

const instanceWire = z.object({
  id: z.string(),
  label: z.string().nullish(),
  hostname: z.string().nullish(),
  status: z.string(),
  power_status: z.string().nullish(),
  server_status: z.string().nullish(),
  main_ip: z.string().nullish(),
  plan: z.string().nullish(),
  date_created: z.string().nullish(),
  region: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
});
const pageWire = z.object({
  meta: z
    .object({
      total: z.unknown().optional(),
      links: z.object({ next: z.unknown().optional() }).nullish(),
    })
    .nullish(),
});

const accountWire = z.object({ account: z.object({ balance: z.number(), pending_charges: z.number() }) });

const chargeWire = z.object({
  description: z.string(),
  product: z.string().nullish(),
  total: z.number(),
});
const billWire = z.object({
  id: z.int(),
  date: z.string(),
  type: z.string(),
  description: z.string().nullish(),
  amount: z.number(),
  balance: z.number().nullish(),
});

const errorWire = z.object({ error: z.string() });

/** Neither stop nor restart is graceful. */
const ACTIONS: Readonly<Record<Power, string>> = { start: 'start', stop: 'halt', restart: 'reboot' };
/** The types whose sign is known. */
const SIGNS: Readonly<Record<string, number>> = { invoice: 1, credit: -1 };
const NOTHING_POSSIBLE = { start: false, stop: false, restart: false };
/** The address of an instance that has none yet. */
const NO_ADDRESS = '0.0.0.0';

/** One status of the three that each instance has; the first that says something counts. */
function statusOf(status: string, powerStatus: string): [Status | 'unknown', string] {
  if (status === 'pending') return ['provisioning', status];
  if (status === 'suspended') return ['paused', status];
  if (status === 'resizing') return ['resizing', status];
  if (status !== 'active') return ['unknown', status];
  if (powerStatus === 'stopped') return ['stopped', powerStatus];
  return powerStatus === 'running' ? ['running', powerStatus] : ['unknown', powerStatus || status];
}

/** What an instance is nothing without: its name, and all of what its status is read from. */
const ESSENTIAL = ['id', 'label', 'status', 'power_status', 'server_status'];

function instanceOf(record: unknown, leaveOut?: LeaveOut): Instance {
  const wire = readRecord(instanceWire, record, ESSENTIAL, leaveOut);
  const { power_status: power = '', server_status: server = '', main_ip: ipAddress } = wire;
  const [status, statusWord] = statusOf(wire.status, power ?? '');
  // A label is optional and need not be unique.
  const name = wire.label || wire.hostname || '(no name)';
  return {
    id: wire.id,
    name,
    status,
    statusWord,
    can: server === 'locked' ? NOTHING_POSSIBLE : {},
    ...(wire.date_created ? { createdAt: wire.date_created } : {}),
    ...(wire.plan ? { tier: wire.plan } : {}),
    ...(ipAddress && ipAddress !== NO_ADDRESS ? { ipAddress } : {}),
    ...(wire.hostname ? { hostname: wire.hostname } : {}),
    ...(wire.region ? { region: wire.region } : {}),
    ...(wire.tags ? { labels: wire.tags } : {}),
    ...(server === 'locked' ? { isLocked: true } : {}),
    ...(status === 'running' && server === 'installingbooting' ? { isInstalling: true } : {}),
    ...(status === 'paused' ? { pausedFor: 'suspended' } : {}),
  };
}

function pagingOf(page: AskedPage): Paging {
  const { meta } = readAs(pageWire, page.answer.body);
  // That it says nothing of other pages doesn't mean that there are none.
  if (!meta) return { next: 'silent', isFull: page.count > 0 };
  return pagedByToken(page, 'cursor', meta.links?.next, meta.total);
}

const power = (id: string, verb: Power): Write<WriteAnswer> => ({
  method: 'POST',
  path: `/instances/${id}/${ACTIONS[verb]}`,
  decode: nothingSaid,
});

export const adapter: Adapter = {
  name: 'Vultr',
  origin: 'https://api.vultr.com',
  prefix: '/v2',
  // 30 a second for each source address, which others may share.
  limit: { requests: 15, seconds: 1 },
  // It lists no actions: only a status can show what was done, and it answers before that changes.
  showsWithinMs: 30_000,
  isError: (body) => errorWire.safeParse(body).success,
  // Stated nowhere: blocks, reserved IPs and snapshots are resources of their own, https://www.vultr.com/api/#tag/instances
  stoppedCosts: 'A stopped instance still costs; only deleting it ends that.',
  deletion: {
    takes: ['its server, with its disk'],
    leaves:
      "Vultr doesn't say what becomes of its backups, block storage, reserved IPs and snapshots: they may stay and still cost",
    inShort: 'Its disk goes with it, permanently.',
  },
  billing: {
    kind: 'postpaid',
    currency: 'USD',
    spending: {
      path: '/account',
      // Positive is owed, negative is credit. Amounts are JSON numbers, of at most two decimals.
      decode: ({ body }) => {
        const { balance, pending_charges } = readAs(accountWire, body).account;
        return {
          monthSoFar: cents(pending_charges),
          owedBefore: cents(balance),
        };
      },
    },
    // Newer than the published contract, and not paged.
    charges: {
      path: '/billing/pending-charges',
      items: (body) => identified(recordsIn(body, 'pending_charges')),
      item: (given, leaveOut) => {
        const { id, record } = readIdentified(chargeWire, given, ['description', 'total'], leaveOut);
        return {
          id,
          name: record.description,
          product: record.product ?? '',
          amount: cents(record.total),
        };
      },
      paging: () => ({ next: 'last', isFull: false }),
    },
    bills: {
      path: '/billing/history',
      items: (body) => recordsIn(body, 'billing_history'),
      // An amount has no sign: which one follows from what was owed before and after.
      item: (record, leaveOut) => {
        const { id, date, type, description, amount, balance } = readRecord(
          billWire,
          record,
          ['id', 'date', 'type', 'amount'],
          leaveOut,
        );
        const sign = wordIn(SIGNS, type);
        return {
          id: String(id),
          at: date,
          type,
          size: cents(Math.abs(amount)),
          ...(typeof balance === 'number' ? { owedAfter: cents(balance) } : {}),
          ...(sign === undefined ? {} : { amount: cents(sign * Math.abs(amount)) }),
          ...(description ? { description } : {}),
        };
      },
      paging: pagingOf,
    },
  },
  instances: {
    // They have a list of their own: https://www.vultr.com/api/#tag/baremetal
    leavesOut: 'Bare metal servers',
    list: {
      path: '/instances?per_page=500',
      items: (body) => recordsIn(body, 'instances'),
      item: instanceOf,
      paging: pagingOf,
    },
    one: (id) => ({
      path: `/instances/${id}`,
      decode: ({ body }, leaveOut) =>
        instanceOf(readAs(z.object({ instance: z.unknown() }), body).instance, leaveOut),
    }),
    power,
    remove: (id) => ({ method: 'DELETE', path: `/instances/${id}`, decode: nothingSaid }),
  },
};
