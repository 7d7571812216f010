import {
  beginOn,
  type Answer,
  type Asked,
  type Dialect,
  type Limits,
  type Meter,
  type Refusals,
} from './dialect.ts';
import type { Action, Effect } from './fleet.ts';
import { fits, pageOf, sorted } from './hetzner-paging.ts';
import { actionWire, locationNames, pricingWire, serverTypes, serverWire } from './hetzner-wire.ts';
import { createBucket } from './limits.ts';
import type { Machine } from './machine.ts';

const ERROR_CODES: Readonly<Record<number, readonly [code: string, message: string]>> = {
  400: ['json_error', 'invalid JSON'],
  401: ['unauthorized', 'the token is not valid'],
  403: ['forbidden', 'insufficient permissions'],
  404: ['not_found', 'the resource was not found'],
  409: ['conflict', 'the resource has changed during the request, please retry'],
  410: ['deprecated_api_endpoint', 'the API endpoint functionality was removed'],
  412: ['resource_unavailable', 'the resource is currently unavailable'],
  422: ['invalid_input', 'invalid input'],
  423: ['locked', 'the server is locked by another action'],
  429: ['rate_limit_exceeded', 'limit of 3600 requests per hour reached'],
  500: ['server_error', 'error within the API'],
  503: ['unavailable', 'the service is currently unavailable'],
  504: ['timeout', 'the request could not be answered in time'],
};

/** The last part of `POST /servers/{id}/actions/…`: what it does, and the command that its action shows. */
const POWERS: Readonly<Record<string, readonly [effect: Effect, command: string]>> = {
  poweron: ['start', 'start_server'],
  shutdown: ['shutdown', 'shutdown_server'],
  poweroff: ['power-off', 'stop_server'],
  reboot: ['reboot', 'reboot_server'],
  reset: ['reset', 'reset_server'],
};

const REFUSALS: Refusals = {
  isSettled: ({ status }) => status === 'running' || status === 'off',
  isOn: ({ status }) => status === 'running',
  unknown: () => refuse(404, 'server not found'),
  busy: () => refuse(423),
  already: ({ words }) => refuse(422, `server is ${words['status']}`),
  refusesAlready: false,
};

/** Hetzner Cloud's API v1, for one project. */
export const hetzner: Dialect = {
  base: '/v1',
  words: {
    running: { status: 'running' },
    stopped: { status: 'off' },
    during: {
      start: { status: 'starting' },
      shutdown: { status: 'stopping' },
      'power-off': { status: 'stopping' },
      delete: { status: 'deleting' },
    },
  },
  sizes: serverTypes,
  regions: locationNames,
  idOf: (serial) => `${51_230_000 + serial}`,
  hasUniqueNames: true,
  countsStrangers: false,
  createMeter,
  refuse,
  headersOf: (number) => ({ 'X-Correlation-Id': `c-${number}` }),
  routes: [
    { method: 'GET', path: '/servers', run: listServers },
    { method: 'GET', path: '/servers/{id}', run: (asked) => withServer(asked, showServer) },
    { method: 'DELETE', path: '/servers/{id}', run: (asked) => withServer(asked, deleteServer) },
    { method: 'GET', path: '/servers/{id}/actions', run: (asked) => withServer(asked, listItsActions) },
    { method: 'GET', path: '/servers/{id}/actions/{id}', run: (asked) => withServer(asked, showItsAction) },
    { method: 'POST', path: '/servers/{id}/actions/change_protection', run: changeProtection },
    { method: 'POST', path: '/servers/{id}/actions/{id}', run: act },
    { method: 'GET', path: '/actions', run: listActions },
    { method: 'GET', path: '/actions/{id}', run: (asked) => showAction(asked, asked.ids[0]) },
    { method: 'GET', path: '/pricing', run: () => ({ status: 200, body: { pricing: pricingWire() } }) },
  ],
};

function refuse(status: number, message?: string, code?: string, details: object | null = null): Answer {
  const [known, text] = ERROR_CODES[status] ?? ['unknown_error', 'the request was refused'];
  return { status, body: { error: { code: code ?? known, message: message ?? text, details } } };
}

/** `details` names the fields as invalid_input does. */
function refuseField(name: string, message: string): Answer {
  return refuse(422, `invalid input in field '${name}'`, undefined, {
    fields: [{ name, messages: [message] }],
  });
}

function listServers(asked: Asked): Answer {
  const { query, fleet } = asked;
  const [name, selector, statuses] = [query.get('name'), query.get('label_selector'), query.getAll('status')];
  const found = fleet
    .machines()
    .filter((each) => name === null || each.name === name)
    .filter(({ words }) => statuses.length === 0 || statuses.includes(words['status'] ?? ''))
    .filter(({ spec }) => selector === null || fits(spec.labels ?? {}, selector));
  const inOrder = sorted(found, query.get('sort'), {
    id: ({ id }) => Number(id),
    name: (each) => each.name,
    created: ({ createdAt }) => createdAt,
  });
  if (inOrder === undefined) return refuseField('sort', 'unknown field');
  const page = pageOf(asked, inOrder, refuse);
  if ('refused' in page) return page.refused;
  return {
    status: 200,
    body: { servers: page.items.map((each) => serverWire(asked, each)), meta: page.meta },
  };
}

function withServer(asked: Asked, run: (asked: Asked, machine: Machine) => Answer): Answer {
  const machine = asked.fleet.find(asked.ids[0] ?? '');
  return machine === undefined ? REFUSALS.unknown() : run(asked, machine);
}

function showServer(asked: Asked, machine: Machine): Answer {
  return { status: 200, body: { server: serverWire(asked, machine) } };
}

function act(asked: Asked): Answer {
  const [id = '', name = ''] = asked.ids;
  const [effect, command] = (Object.hasOwn(POWERS, name) ? POWERS[name] : undefined) ?? [];
  if (effect === undefined || command === undefined) return refuse(404);
  const begun = beginOn(asked, id, effect, command, REFUSALS);
  if ('refused' in begun) return begun.refused;
  return { status: 201, body: { action: actionWire(asked, begun.action, true) } };
}

function deleteServer(asked: Asked, machine: Machine): Answer {
  if (machine.isProtected) return refuse(423, 'server deletion is protected', 'protected');
  const begun = beginOn(asked, machine.id, 'delete', 'delete_server', REFUSALS);
  if ('refused' in begun) return begun.refused;
  return { status: 200, body: { action: actionWire(asked, begun.action, true) } };
}

/** Both kinds of protection must be set alike. */
function changeProtection(asked: Asked): Answer {
  const body: unknown = asked.body;
  const wanted: { delete?: unknown; rebuild?: unknown } =
    typeof body === 'object' && body !== null ? body : {};
  if (typeof wanted.delete !== 'boolean') return refuseField('delete', 'must be true or false');
  if (wanted.rebuild !== wanted.delete) return refuseField('rebuild', 'must be equal to delete');
  const begun = beginOn(asked, asked.ids[0] ?? '', 'other', 'change_protection', REFUSALS);
  if ('refused' in begun) return begun.refused;
  const machine = asked.fleet.find(begun.action.machineId);
  if (machine !== undefined && !asked.fate.fails) machine.isProtected = wanted.delete;
  return { status: 201, body: { action: actionWire(asked, begun.action, true) } };
}

/** By ids alone: the list of all actions was removed. */
function listActions(asked: Asked): Answer {
  const ids = asked.query.getAll('id');
  if (ids.length === 0) return refuse(410);
  return answerActions(
    asked,
    asked.fleet.actions.filter(({ id }) => ids.includes(`${id}`)),
  );
}

function listItsActions(asked: Asked, machine: Machine): Answer {
  return answerActions(asked, asked.fleet.actionsOf(machine.id));
}

function answerActions(asked: Asked, all: readonly Action[]): Answer {
  const { query, fleet } = asked;
  const statuses = query.getAll('status');
  const statusOf = (action: Action): string =>
    fleet.isRunning(action) ? 'running' : action.fate.fails ? 'error' : 'success';
  const inOrder = sorted(
    all.filter((action) => statuses.length === 0 || statuses.includes(statusOf(action))),
    query.get('sort'),
    { id: ({ id }) => id, command: ({ command }) => command, started: ({ startedAt }) => startedAt },
  );
  if (inOrder === undefined) return refuseField('sort', 'unknown field');
  const page = pageOf(asked, inOrder, refuse);
  if ('refused' in page) return page.refused;
  return {
    status: 200,
    body: { actions: page.items.map((each) => actionWire(asked, each)), meta: page.meta },
  };
}

function showItsAction(asked: Asked, machine: Machine): Answer {
  const isItsOwn = asked.fleet.actionsOf(machine.id).some(({ id }) => `${id}` === asked.ids[1]);
  return isItsOwn ? showAction(asked, asked.ids[1]) : refuse(404);
}

function showAction(asked: Asked, id: string | undefined): Answer {
  const action = asked.fleet.findAction(Number(id));
  return action === undefined ? refuse(404) : { status: 200, body: { action: actionWire(asked, action) } };
}

/** A bucket that is refilled by one request a second. What is said of it counts to when it is full. */
function createMeter({ rateLimit = 3_600 }: Limits): Meter {
  const bucket = createBucket(rateLimit, 1);
  const headersAt = (now: number): Record<string, string> => ({
    'RateLimit-Limit': `${rateLimit}`,
    'RateLimit-Remaining': `${bucket.left(now)}`,
    'RateLimit-Reset': `${Math.ceil(bucket.fullAt(now) / 1_000)}`,
  });
  return {
    take(now) {
      if (bucket.left(now) < 1) return { headers: headersAt(now), refusal: refuse(429) };
      bucket.take(now);
      return { headers: headersAt(now) };
    },
    refuse: (now, waitSeconds) => ({
      ...refuse(429),
      headers: {
        ...headersAt(now),
        'RateLimit-Remaining': '0',
        ...(waitSeconds === undefined ? {} : { 'Retry-After': `${waitSeconds}` }),
      },
    }),
  };
}
