import { z } from 'zod';
import type { Adapter, ListRead, ServiceRead, Write } from '../adapter.ts';
import { wordIn, cents, identified, readIdentified, mustBeAbout, nothingSaid } from '../readers.ts';
import { type AskedPage, pagedByLink, type Paging } from '../paging.ts';
import type { Action, BegunAction, Forcible, Instance, Power, Status, WriteAnswer } from '../service.ts';
import { type LeaveOut, listWire, readAs, readRecord, recordsIn } from '../unreadable.ts';

/** DigitalOcean's Droplets, by its published API v2. */

const dropletWire = z.object({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  locked: z.boolean().nullish(),
  created_at: z.string().nullish(),
  size_slug: z.string().nullish(),
  size: z.object({ price_monthly: z.number().min(0).max(1_000_000) }).nullish(),
  networks: z
    .object({ v4: z.array(z.object({ ip_address: z.string(), type: z.string() })).nullish() })
    .nullish(),
  region: z.object({ slug: z.string() }).nullish(),
  tags: z.array(z.string()).nullish(),
});
const pageWire = z.object({
  links: z.object({ pages: z.object({ next: z.unknown().optional() }).nullish() }).nullish(),
  meta: z.object({ total: z.unknown().optional() }).nullish(),
});
/** Decimal strings by its contract; what a float has left in them is none of the amount. */
const money = z.union([z.string(), z.number()]);
const balanceWire = z.object({ account_balance: money, month_to_date_usage: money });
const chargeWire = z.object({
  product: z.string(),
  description: z.string().nullish(),
  resource_id: z.string().nullish(),
  amount: money,
});
const billWire = z.object({
  description: z.string().nullish(),
  amount: money,
  date: z.string(),
  type: z.string(),
});
/** How an invoice calls the product of its instances. */
const DROPLETS = 'Droplets';
const oneActionWire = z.object({ id: z.int(), status: z.string(), resource_id: z.unknown().optional() });
const actionWire = z.object({ action: oneActionWire });
const begunWire = z.object({
  actions: listWire(oneActionWire.extend({ type: z.string(), started_at: z.string().pipe(z.coerce.date()) })),
  ...pageWire.shape,
});

/** Endpoints of tags write theirs in another way. */
const errorWire = z.union([
  z.object({ id: z.string(), message: z.string() }),
  z.object({ error: z.string(), messages: z.array(z.string()) }),
]);

/**
 * `archive` is not explained: it is shown as it came, and nothing is offered for it,
 * https://docs.digitalocean.com/reference/api/reference/droplets/
 */
const STATUSES: Readonly<Record<string, Status>> = { new: 'provisioning', active: 'running', off: 'stopped' };
/**
 * The graceful ones, each an attempt: "this action guarantees that the command is issued, not that it succeeds",
 * https://docs.digitalocean.com/reference/doctl/reference/compute/droplet-action/shutdown/
 */
const ACTIONS: Readonly<Record<Power, string>> = { start: 'power_on', stop: 'shutdown', restart: 'reboot' };
const FORCED: Readonly<Record<Forcible, string>> = { stop: 'power_off', restart: 'power_cycle' };
/** What each does, by the word with which an action is listed. */
const TYPES: Readonly<Record<string, BegunAction['does']>> = {
  power_on: 'start',
  shutdown: 'stop',
  reboot: 'restart',
  power_off: 'force-stop',
  power_cycle: 'force-restart',
};
const STATES: Readonly<Record<string, Action['state']>> = { completed: 'done', errored: 'failed' };
const NOTHING_POSSIBLE = { start: false, stop: false, restart: false };

function instanceOf(record: unknown, leaveOut?: LeaveOut): Instance {
  const { id, name, status, locked, created_at, size_slug, size, networks, region, tags } = readRecord(
    dropletWire,
    record,
    ['id', 'name', 'status'],
    leaveOut,
  );
  const ipAddress = networks?.v4?.find(({ type }) => type === 'public')?.ip_address;
  return {
    id: String(id),
    name,
    status: wordIn(STATUSES, status) ?? 'unknown',
    statusWord: status,
    can: locked ? NOTHING_POSSIBLE : {},
    ...(created_at ? { createdAt: created_at } : {}),
    ...(size_slug ? { tier: size_slug } : {}),
    ...(size ? { price: { amount: cents(size.price_monthly), currency: 'USD', per: 'month' } } : {}),
    ipAddress,
    ...(region?.slug ? { region: region.slug } : {}),
    ...(tags ? { labels: tags } : {}),
    ...(locked ? { isLocked: true } : {}),
  };
}

function pagingOf(page: AskedPage): Paging {
  const { links, meta } = readAs(pageWire, page.answer.body);
  return pagedByLink(page, links?.pages?.next, meta?.total);
}

const listOf = (path: string): ListRead<Instance> => ({
  path,
  items: (body) => recordsIn(body, 'droplets'),
  item: instanceOf,
  paging: pagingOf,
});

const act = (id: string, type: string): Write<WriteAnswer> => ({
  method: 'POST',
  path: `/droplets/${id}/actions`,
  body: { type },
  decode: ({ body }) => {
    const { action } = readAs(actionWire, body);
    mustBeAbout(id, action.resource_id);
    return { actionId: String(action.id) };
  },
});

const actionOf = ({ status }: z.output<typeof oneActionWire>): Action => ({
  state: wordIn(STATES, status) ?? 'running',
});

const action = (actionId: string): ServiceRead<Action> => ({
  path: `/actions/${actionId}`,
  decode: ({ body }) => {
    const { action: read } = readAs(actionWire, body);
    mustBeAbout(actionId, read.id);
    return actionOf(read);
  },
});

const begun: Adapter['instances']['begun'] = (id) => ({
  path: `/droplets/${id}/actions?per_page=200`,
  decode: ({ body }) => {
    const { actions, links } = readAs(begunWire, body);
    return {
      actions: actions.map((one) => ({
        id: String(one.id),
        does: wordIn(TYPES, one.type),
        startedAt: one.started_at.getTime(),
        ...actionOf(one),
      })),
      hasMore: (links?.pages?.next ?? '') !== '',
    };
  },
});

export const adapter: Adapter = {
  name: 'DigitalOcean',
  origin: 'https://api.digitalocean.com',
  prefix: '/v2',
  // 5,000 an hour and 250 a minute for each token: what keeps within both.
  limit: { requests: 80, seconds: 60 },
  // An action was seen to appear in the list nine seconds after its call was answered 504.
  showsWithinMs: 30_000,
  isError: (body) => errorWire.safeParse(body).success,
  // "Destroying a Droplet destroys the backups along with it": https://docs.digitalocean.com/products/images/backups/support/
  // What stays "will remain and continue to accrue" charges:
  // https://docs.digitalocean.com/reference/pydo/reference/droplets/destroy_with_associated_resources_selective/
  consoleUrl: 'https://cloud.digitalocean.com/droplets/{id}',
  stoppedCosts: 'A stopped Droplet still costs; only deleting it ends that.',
  deletion: {
    takes: ['its Droplet, with its disk', 'its backups'],
    leaves: 'Its volumes, its snapshots, those of its volumes and its reserved IPs stay and still cost',
    inShort: 'Its disk and its backups go with it, permanently.',
  },
  billing: {
    kind: 'postpaid',
    currency: 'USD',
    spending: {
      path: '/customers/my/balance',
      // Positive is owed, negative is credit.
      decode: ({ body }) => {
        const { account_balance, month_to_date_usage } = readAs(balanceWire, body);
        return {
          monthSoFar: cents(month_to_date_usage),
          owedBefore: cents(account_balance),
        };
      },
    },
    charges: {
      path: '/customers/my/invoices/preview?per_page=200',
      items: (body) => identified(recordsIn(body, 'invoice_items')),
      item: (given, leaveOut) => {
        const { id, record } = readIdentified(chargeWire, given, ['product', 'amount'], leaveOut);
        const { product, description, resource_id, amount } = record;
        // Ids of other products are of their own.
        const isDroplet = product === DROPLETS && resource_id;
        return {
          id,
          name: description || resource_id || product,
          product,
          amount: cents(amount),
          ...(isDroplet ? { instanceId: resource_id } : {}),
        };
      },
      paging: pagingOf,
    },
    bills: {
      path: '/customers/my/billing_history',
      items: (body) => identified(recordsIn(body, 'billing_history')),
      item: (given, leaveOut) => {
        const { id, record } = readIdentified(billWire, given, ['amount', 'date', 'type'], leaveOut);
        const { date, description, type, amount } = record;
        return { id, at: date, type, amount: cents(amount), ...(description ? { description } : {}) };
      },
      paging: pagingOf,
    },
  },
  instances: {
    // "By default, only non-GPU Droplets are returned": https://docs.digitalocean.com/reference/api/reference/droplets/
    // So that a reading of all of them takes two calls at least.
    list: [listOf('/droplets?per_page=200'), listOf('/droplets?type=gpus&per_page=200')],
    one: (id) => ({
      path: `/droplets/${id}`,
      decode: ({ body }, leaveOut) =>
        instanceOf(readAs(z.object({ droplet: z.unknown() }), body).droplet, leaveOut),
    }),
    power: (id, verb) => act(id, ACTIONS[verb]),
    force: { stop: (id) => act(id, FORCED.stop), restart: (id) => act(id, FORCED.restart) },
    remove: (id) => ({ method: 'DELETE', path: `/droplets/${id}`, decode: nothingSaid }),
    action,
    actionProves: ['start', 'force-stop', 'force-restart'],
    begun,
  },
};
