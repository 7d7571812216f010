import { z } from 'zod';
import type { Adapter, ListRead, Write } from '../adapter.ts';
import type { Answer } from '../answer.ts';
import { isId } from '../address.ts';
import { keyInHeader } from '../auth.ts';
import { wordIn, mustBeAbout } from '../readers.ts';
import type { HostingFault } from '../hosting-error.ts';
import { type AskedPage, pagedByToken, type Paging } from '../paging.ts';
import type { Instance, Power, Status, WriteAnswer } from '../service.ts';
import { type LeaveOut, readAs, readRecord, recordsIn, Unreadable } from '../unreadable.ts';

/**
 * Scaleway's Instances, by its published API v1: https://www.scaleway.com/en/developers/api/instance/
 * An answer may hold an encrypted password, which is never read.
 */

const serverWire = z.object({
  id: z.string(),
  name: z.string(),
  state: z.string(),
  zone: z.string(),
  allowed_actions: z.array(z.string()).nullish(),
  protected: z.boolean().nullish(),
  creation_date: z.string().nullish(),
  commercial_type: z.string().nullish(),
  hostname: z.string().nullish(),
  public_ip: z.object({ address: z.string() }).nullish(),
  public_ips: z.array(z.object({ address: z.string(), family: z.string() })).nullish(),
  tags: z.array(z.string()).nullish(),
});
/** What an instance is nothing without: its zone is part of its id. */
const ESSENTIAL = ['id', 'name', 'state', 'zone'];
const taskWire = z.object({
  task: z.object({ id: z.string(), description: z.string(), href_from: z.string().nullish() }),
});
const errorWire = z.object({ type: z.string(), message: z.string(), precondition: z.string().optional() });

/** Each zone has a list of its own. */
const ZONES = [
  'fr-par-1',
  'fr-par-2',
  'fr-par-3',
  'nl-ams-1',
  'nl-ams-2',
  'nl-ams-3',
  'pl-waw-1',
  'pl-waw-2',
  'pl-waw-3',
  'it-mil-1',
] as const;
const PER_PAGE = 100;

/**
 * `stopped in place` has its own word: it keeps its machine and costs like one that runs, so that it is not what a stop is for. `locked`
 * says nothing of what it does.
 */
const STATUSES: Readonly<Record<string, Status>> = {
  running: 'running',
  stopped: 'stopped',
  starting: 'starting',
  stopping: 'stopping',
};
/** Each has one way. `poweroff` gives the machine back, and ends what it costs; `stop_in_place` would keep both. */
const ACTIONS: Readonly<Record<Power, string>> = { start: 'poweron', stop: 'poweroff', restart: 'reboot' };
const NOTHING_POSSIBLE = { start: false, stop: false, restart: false };

const FAULTS: Readonly<Record<string, HostingFault>> = {
  precondition_failed: 'wrong-state',
  transient_state: 'busy',
  quotas_exceeded: 'refused',
  out_of_stock: 'refused',
};

/** Its type says what 400 and 403 don't. */
function faultOf({ body }: Answer): HostingFault | undefined {
  const { type = '', precondition } = errorWire.safeParse(body).data ?? {};
  if (precondition === 'protected_resource') return 'protected';
  return wordIn(FAULTS, type);
}

/** What it says itself is possible: of a protected one neither stop nor restart, of a locked one nothing. */
function canOf(allowed: readonly string[] | null | undefined, isLocked: boolean): Instance['can'] {
  if (isLocked) return NOTHING_POSSIBLE;
  if (!allowed) return {};
  return {
    start: allowed.includes(ACTIONS.start),
    stop: allowed.includes(ACTIONS.stop),
    restart: allowed.includes(ACTIONS.restart),
  };
}

function instanceOf(record: unknown, leaveOut?: LeaveOut): Instance {
  const wire = readRecord(serverWire, record, ESSENTIAL, leaveOut);
  const { state, zone, public_ips, public_ip } = wire;
  const isLocked = state === 'locked';
  const publicIp = public_ips?.find(({ family }) => family === 'inet') ?? public_ip;
  return {
    id: `${zone}.${wire.id}`,
    name: wire.name,
    status: wordIn(STATUSES, state) ?? 'unknown',
    statusWord: state,
    can: canOf(wire.allowed_actions, isLocked),
    ...(wire.creation_date ? { createdAt: wire.creation_date } : {}),
    ...(wire.commercial_type ? { tier: wire.commercial_type } : {}),
    ...(publicIp ? { ipAddress: publicIp.address } : {}),
    ...(wire.hostname ? { hostname: wire.hostname } : {}),
    region: zone,
    ...(wire.tags ? { labels: wire.tags } : {}),
    ...(wire.protected ? { isDeletionProtected: true } : {}),
    ...(isLocked ? { isLocked: true } : {}),
  };
}

/** A page has a number, and a header how many records all of them have. */
function pagingOf(page: AskedPage): Paging {
  const { searchParams } = new URL(page.here.path, page.origin);
  const number = Number(searchParams.get('page') ?? 1);
  const count = page.answer.headers['x-total-count'] ?? '';
  const total = /^\d+$/.test(count) ? Number(count) : undefined;
  const goesOn = total === undefined ? page.count >= PER_PAGE : number * PER_PAGE < total;
  return pagedByToken(page, 'page', goesOn ? number + 1 : undefined, total);
}

const listOf = (zone: string): ListRead<Instance> => ({
  path: `/zones/${zone}/servers?per_page=${PER_PAGE}`,
  items: (body) => recordsIn(body, 'servers'),
  item: instanceOf,
  paging: pagingOf,
});

/** Where an instance is, by its zone and its id there. One without a zone is looked for in the first. */
function partsOf(id: string): { readonly path: string; readonly serverId: string } {
  const end = id.indexOf('.');
  const zone = end < 0 ? ZONES[0] : id.slice(0, end);
  const serverId = id.slice(end + 1);
  if (!isId(zone) || !isId(serverId)) throw new Unreadable('this is no id of a zone and an instance');
  return { path: `/zones/${zone}/servers/${serverId}`, serverId };
}

/** It answers with a task, for which no address to ask is published: only the state shows what became of it. */
const act = (id: string, action: string): Write<WriteAnswer> => {
  const { path, serverId } = partsOf(id);
  return {
    method: 'POST',
    path: `${path}/action`,
    body: { action },
    decode: ({ body }) => {
      const { href_from } = readAs(taskWire, body).task;
      mustBeAbout(serverId, /\/servers\/([^/]+)\//.exec(href_from ?? '')?.[1]);
      return {};
    },
  };
};

const [first, ...others] = ZONES;

export const adapter: Adapter = {
  name: 'Scaleway',
  origin: 'https://api.scaleway.com',
  prefix: '/instance/v1',
  auth: keyInHeader('X-Auth-Token', ''),
  // None is published. A list of all zones takes ten calls at least.
  limit: { requests: 300, seconds: 60 },
  showsWithinMs: 30_000,
  faultOf,
  isError: (body) => errorWire.safeParse(body).success,
  // "Compute billing stops, but you continue to pay for any attached storage" and "for any Flexible IPs":
  // https://www.scaleway.com/en/docs/instances/reference-content/instance-states/
  stoppedCosts: 'A stopped Instance costs only its volumes and its flexible IPs.',
  // "The terminate action will result in the deletion of l_ssd and scratch volumes types, sbs_volume volumes will only be
  // detached": https://www.scaleway.com/en/developers/api/instance/ · "Flexible IPs that were attached are preserved unless you
  // release them manually": https://www.scaleway.com/en/docs/instances/reference-content/instance-states/
  deletion: {
    takes: ['its Instance, with its local and scratch volumes'],
    leaves: 'Its block volumes are detached and still cost, and so do its flexible IPs',
    inShort: 'Its local and scratch volumes go with it, permanently.',
  },
  instances: {
    // They have APIs of their own: https://www.scaleway.com/en/developers/api/
    leavesOut: 'Elastic Metal, Apple silicon and Dedibox servers',
    list: [listOf(first), ...others.map(listOf)],
    one: (id) => ({
      path: partsOf(id).path,
      decode: ({ body }, leaveOut) =>
        instanceOf(readAs(z.object({ server: z.unknown() }), body).server, leaveOut),
    }),
    power: (id, verb) => act(id, ACTIONS[verb]),
    // Also of one that runs, where DELETE wants it stopped and would keep its volumes.
    remove: (id) => act(id, 'terminate'),
  },
};
