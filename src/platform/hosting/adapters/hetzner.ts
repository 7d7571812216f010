import { z } from 'zod';
import type { Adapter, ServiceRead, Write } from '../adapter.ts';
import type { Answer } from '../answer.ts';
import type { HostingFault } from '../hosting-error.ts';
import { wordIn, mustBeAbout } from '../readers.ts';
import { pagedByToken } from '../paging.ts';
import type {
  Action,
  BegunAction,
  Forcible,
  IdentifiedAction,
  Instance,
  Power,
  Status,
  WriteAnswer,
} from '../service.ts';
import { type LeaveOut, listWire, readAs, readRecord, recordsIn } from '../unreadable.ts';

/** Hetzner Cloud's servers, by its published API v1. */

const serverWire = z.object({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  locked: z.boolean().nullish(),
  created: z.string().nullish(),
  server_type: z.object({ name: z.string().nullish() }).nullish(),
  public_net: z
    .object({ ipv4: z.object({ ip: z.string(), dns_ptr: z.string().nullish().catch(undefined) }).nullish() })
    .nullish(),
  location: z.object({ name: z.string() }).nullish(),
  labels: z.record(z.string(), z.string()).nullish(),
  protection: z.object({ delete: z.boolean().nullish() }).nullish(),
});
const pageWire = z.object({
  meta: z.object({
    pagination: z.object({ next_page: z.unknown().optional(), total_entries: z.unknown().optional() }),
  }),
});
const listedWire = z.object({ meta: pageWire.shape.meta.nullish() });
const oneActionWire = z.object({
  id: z.int(),
  status: z.string(),
  error: z.object({ message: z.string().nullish() }).nullish().catch(undefined),
});
const actionWire = z.object({ action: oneActionWire });
const acceptedWire = z.object({
  action: oneActionWire.extend({
    resources: z.array(z.object({ id: z.unknown().optional(), type: z.unknown().optional() })).nullish(),
  }),
});
const actionsWire = z.object({ actions: listWire(oneActionWire) });
const begunWire = z.object({
  actions: listWire(oneActionWire.extend({ command: z.string(), started: z.string().pipe(z.coerce.date()) })),
  ...pageWire.shape,
});
const errorWire = z.object({ error: z.object({ code: z.string() }) });

const MAX_PAGE = 50;
/** `unknown` is a word of the service's own. */
const STATUSES: Readonly<Record<string, Status>> = {
  initializing: 'provisioning',
  starting: 'starting',
  running: 'running',
  stopping: 'stopping',
  migrating: 'migrating',
  rebuilding: 'rebuilding',
  off: 'stopped',
  deleting: 'deleting',
};
/**
 * The graceful ones: an action that succeeded means that the signal was sent, and the system must react to it, "otherwise the
 * Server will not reboot": https://docs.hetzner.cloud/reference/cloud#server-actions-soft-reboot-a-server
 */
const ACTIONS: Readonly<Record<Power, string>> = { start: 'poweron', stop: 'shutdown', restart: 'reboot' };
const FORCED: Readonly<Record<Forcible, string>> = { stop: 'poweroff', restart: 'reset' };
/** What each does, by the word with which an action is listed. */
const COMMANDS: Readonly<Record<string, BegunAction['does']>> = {
  start_server: 'start',
  shutdown_server: 'stop',
  reboot_server: 'restart',
  stop_server: 'force-stop',
  reset_server: 'force-restart',
};
const NOTHING_POSSIBLE = { start: false, stop: false, restart: false };

/** One HTTP status stands for several things here: the code tells them apart. */
const FAULTS: Readonly<Record<string, HostingFault>> = {
  locked: 'busy',
  conflict: 'busy',
  protected: 'protected',
  maintenance: 'refused',
  resource_limit_exceeded: 'refused',
  resource_unavailable: 'refused',
  token_readonly: 'forbidden',
};

function faultOf({ body }: Answer): HostingFault | undefined {
  const code = errorWire.safeParse(body).data?.error.code ?? '';
  return wordIn(FAULTS, code);
}

/** A label may have no value. */
function labelOf([name, value]: readonly [string, string]): string {
  return value === '' ? name : `${name}=${value}`;
}

function instanceOf(record: unknown, leaveOut?: LeaveOut): Instance {
  const { id, name, status, locked, created, server_type, public_net, protection, location, labels } =
    readRecord(serverWire, record, ['id', 'name', 'status'], leaveOut);
  const { ip: ipAddress, dns_ptr: hostname } = public_net?.ipv4 ?? {};
  return {
    id: String(id),
    name,
    status: wordIn(STATUSES, status) ?? 'unknown',
    statusWord: status,
    can: locked ? NOTHING_POSSIBLE : {},
    ...(created ? { createdAt: created } : {}),
    ...(server_type?.name ? { tier: server_type.name } : {}),
    ipAddress,
    ...(hostname ? { hostname } : {}),
    ...(location?.name ? { region: location.name } : {}),
    ...(labels ? { labels: Object.entries(labels).map(labelOf) } : {}),
    ...(protection?.delete ? { isDeletionProtected: true } : {}),
    ...(locked ? { isLocked: true } : {}),
  };
}

const acceptedFor =
  (serverId: string) =>
  ({ body }: Answer): WriteAnswer => {
    const { id, resources } = readAs(acceptedWire, body).action;
    const servers = (resources ?? []).filter(({ type }) => type === 'server');
    if (!servers.some((one) => String(one.id) === serverId)) mustBeAbout(serverId, servers[0]?.id);
    return { actionId: String(id) };
  };

const act = (id: string, name: string): Write<WriteAnswer> => ({
  method: 'POST',
  path: `/servers/${id}/actions/${name}`,
  decode: acceptedFor(id),
});

function actionOf({ status, error }: z.output<typeof oneActionWire>): Action {
  if (status === 'success') return { state: 'done' };
  if (status !== 'error') return { state: 'running' };
  // Only then: samples of the contract have an error in actions that succeeded as well.
  return { state: 'failed', ...(error?.message ? { said: error.message } : {}) };
}

const action = (actionId: string): ServiceRead<Action> => ({
  path: `/actions/${actionId}`,
  decode: ({ body }) => {
    const { action: read } = readAs(actionWire, body);
    mustBeAbout(actionId, read.id);
    return actionOf(read);
  },
});

/** Without an id, the list of all actions is gone from the service. */
const several = (actionIds: readonly string[]): ServiceRead<readonly IdentifiedAction[]> => ({
  path: `/actions?${actionIds.map((id) => `id=${id}`).join('&')}&per_page=${MAX_PAGE}`,
  decode: ({ body }) =>
    readAs(actionsWire, body).actions.map((one) => ({ id: String(one.id), ...actionOf(one) })),
});

const begun: Adapter['instances']['begun'] = (id) => ({
  path: `/servers/${id}/actions?sort=id:desc&per_page=${MAX_PAGE}`,
  decode: ({ body }) => {
    const { actions, meta } = readAs(begunWire, body);
    return {
      actions: actions.map((one) => ({
        id: String(one.id),
        does: wordIn(COMMANDS, one.command),
        startedAt: one.started.getTime(),
        ...actionOf(one),
      })),
      hasMore: (meta.pagination.next_page ?? null) !== null,
    };
  },
});

export const adapter: Adapter = {
  name: 'Hetzner Cloud',
  origin: 'https://api.hetzner.cloud',
  prefix: '/v1',
  // 3,600 an hour for each project, of which one comes back each second.
  limit: { requests: 60, seconds: 60 },
  // An action was seen to appear in a list nine seconds after its call was answered 504.
  showsWithinMs: 30_000,
  faultOf,
  isError: (body) => errorWire.safeParse(body).success,
  // "Backups are bound to a single server and will automatically be deleted if you delete the server", and snapshots are
  // kept: https://docs.hetzner.com/cloud/general/faq/ · The rest: https://docs.hetzner.cloud/reference/cloud#servers-delete-a-server
  // "Do you bill servers that are off? Yes": https://docs.hetzner.com/cloud/billing/faq/
  stoppedCosts: 'A stopped server still costs; only deleting it ends that.',
  deletion: {
    takes: [
      'its server, with its disk and its backups',
      'its primary IPs that are set to be deleted with it',
    ],
    leaves:
      'Its volumes, floating IPs and other primary IPs are detached and still cost, and its snapshots stay',
    inShort: 'Its disk and its backups go with it, permanently.',
  },
  instances: {
    // A token belongs to one project, and dedicated servers have an API of their own.
    leavesOut: 'Servers of other projects and dedicated servers',
    list: {
      path: `/servers?per_page=${MAX_PAGE}`,
      items: (body) => recordsIn(body, 'servers'),
      item: instanceOf,
      paging: (page) => {
        const { meta } = readAs(listedWire, page.answer.body);
        if (!meta) return { next: 'silent', isFull: page.count >= MAX_PAGE };
        const { next_page, total_entries } = meta.pagination;
        return pagedByToken(page, 'page', next_page, total_entries);
      },
    },
    one: (id) => ({
      path: `/servers/${id}`,
      decode: ({ body }, leaveOut) =>
        instanceOf(readAs(z.object({ server: z.unknown() }), body).server, leaveOut),
    }),
    power: (id, verb) => act(id, ACTIONS[verb]),
    force: { stop: (id) => act(id, FORCED.stop), restart: (id) => act(id, FORCED.restart) },
    remove: (id) => ({ method: 'DELETE', path: `/servers/${id}`, decode: acceptedFor(id) }),
    action,
    actions: { most: MAX_PAGE, of: several },
    actionProves: ['start', 'force-stop', 'force-restart'],
    begun,
  },
};
