import {
  beginOn,
  type Answer,
  type Asked,
  type Dialect,
  type Limits,
  type Meter,
  type Refusals,
} from './dialect.ts';
import { moneyRoutes } from './digitalocean-money.ts';
import { pageOf } from './digitalocean-paging.ts';
import { actionWire, dropletRegions, dropletSizes, dropletWire, isGpu } from './digitalocean-wire.ts';
import type { Effect } from './fleet.ts';
import { createSlidingWindow } from './limits.ts';
import type { Machine } from './machine.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const VOLUME_DOLLARS = '10.00';

/** The id of an error names its status and nothing more. */
const ERROR_IDS: Readonly<Record<number, readonly [id: string, message: string]>> = {
  400: ['bad_request', 'Error parsing request body.'],
  401: ['unauthorized', 'The token is not valid.'],
  403: ['forbidden', 'You are not authorized to perform this operation'],
  404: ['not_found', 'The resource you requested could not be found.'],
  422: ['unprocessable_entity', 'The request could not be processed.'],
  429: ['too_many_requests', 'API Rate limit exceeded.'],
  500: ['server_error', 'The server could not answer.'],
  502: ['server_error', 'Bad gateway'],
  503: ['service_unavailable', 'Service unavailable'],
  504: ['server_error', 'Gateway timeout'],
};

/** The types of `POST /droplets/{id}/actions` that are power. */
const POWERS: Readonly<Record<string, Effect>> = {
  power_on: 'start',
  shutdown: 'shutdown',
  power_off: 'power-off',
  reboot: 'reboot',
  power_cycle: 'reset',
};

const REFUSALS: Refusals = {
  isSettled: ({ status }) => status === 'active' || status === 'off',
  isOn: ({ status }) => status === 'active',
  unknown: () => refuse(404),
  busy: () => refuse(422, 'Droplet already has a pending event.'),
  already: ({ words }) =>
    refuse(422, `Droplet is already powered ${words['status'] === 'active' ? 'on' : 'off'}.`),
  refusesAlready: true,
};

/** DigitalOcean's API v2. */
export const digitalocean: Dialect = {
  base: '/v2',
  words: { running: { status: 'active' }, stopped: { status: 'off' }, during: {} },
  sizes: dropletSizes,
  regions: Object.keys(dropletRegions),
  idOf: (serial) => `${412_000_000 + serial}`,
  hasUniqueNames: false,
  countsStrangers: false,
  createMeter,
  refuse,
  headersOf: (number) => ({ 'x-request-id': `r-${number}` }),
  routes: [
    { method: 'GET', path: '/droplets', run: listDroplets },
    { method: 'GET', path: '/droplets/{id}', run: (asked) => withDroplet(asked, showDroplet) },
    { method: 'DELETE', path: '/droplets/{id}', run: destroy },
    { method: 'POST', path: '/droplets/{id}/actions', run: act },
    { method: 'GET', path: '/droplets/{id}/actions', run: (asked) => withDroplet(asked, listActions) },
    { method: 'GET', path: '/droplets/{id}/actions/{id}', run: (asked) => withDroplet(asked, showItsAction) },
    { method: 'GET', path: '/actions/{id}', run: (asked) => showAction(asked, asked.ids[0]) },
    {
      method: 'GET',
      path: '/droplets/{id}/destroy_with_associated_resources',
      run: (asked) => withDroplet(asked, listAssociated),
    },
    ...moneyRoutes(refuse),
  ],
};

function refuse(status: number, message?: string, code?: string): Answer {
  const [id, text] = ERROR_IDS[status] ?? ['error', 'The request was refused.'];
  return { status, body: { id: code ?? id, message: message ?? text } };
}

function listDroplets(asked: Asked): Answer {
  const { query, fleet } = asked;
  const name = query.get('name')?.toLowerCase();
  const tag = query.get('tag_name');
  const found = fleet
    .machines()
    .filter((each) => isGpu(each) === (query.get('type') === 'gpus'))
    .filter((each) => name === undefined || each.name.toLowerCase() === name)
    .filter(({ spec }) => tag === null || (spec.tags ?? []).includes(tag));
  const page = pageOf(asked, found, refuse);
  if ('refused' in page) return page.refused;
  const droplets = page.items.map((each) => dropletWire(asked, each));
  return { status: 200, body: { droplets, ...page.envelope } };
}

function withDroplet(asked: Asked, run: (asked: Asked, machine: Machine) => Answer): Answer {
  const machine = asked.fleet.find(asked.ids[0] ?? '');
  return machine === undefined ? refuse(404) : run(asked, machine);
}

function showDroplet(asked: Asked, machine: Machine): Answer {
  return { status: 200, body: { droplet: dropletWire(asked, machine) } };
}

function act(asked: Asked): Answer {
  const type =
    typeof asked.body === 'object' && asked.body !== null && 'type' in asked.body && asked.body.type;
  if (asked.fleet.find(asked.ids[0] ?? '') === undefined) return refuse(404);
  const effect = typeof type === 'string' && Object.hasOwn(POWERS, type) ? POWERS[type] : undefined;
  if (effect === undefined) return refuse(422, 'Invalid type provided.');
  const begun = beginOn(asked, asked.ids[0] ?? '', effect, String(type), REFUSALS);
  if ('refused' in begun) return begun.refused;
  return { status: 201, body: { action: actionWire(asked, begun.action, true) } };
}

function destroy(asked: Asked): Answer {
  const begun = beginOn(asked, asked.ids[0] ?? '', 'delete', 'destroy', REFUSALS);
  return 'refused' in begun ? begun.refused : { status: 204 };
}

function listActions(asked: Asked, machine: Machine): Answer {
  const page = pageOf(asked, asked.fleet.actionsOf(machine.id).toReversed(), refuse);
  if ('refused' in page) return page.refused;
  const actions = page.items.map((each) => actionWire(asked, each));
  return { status: 200, body: { actions, ...page.envelope } };
}

function showItsAction(asked: Asked, machine: Machine): Answer {
  const isItsOwn = asked.fleet.actionsOf(machine.id).some(({ id }) => `${id}` === asked.ids[1]);
  return isItsOwn ? showAction(asked, asked.ids[1]) : refuse(404);
}

function showAction(asked: Asked, id: string | undefined): Answer {
  const action = asked.fleet.findAction(Number(id));
  return action === undefined ? refuse(404) : { status: 200, body: { action: actionWire(asked, action) } };
}

/** What stays, and costs, when the droplet is destroyed. */
function listAssociated(_asked: Asked, { spec }: Machine): Answer {
  const volumes = (spec.volumes ?? []).map((id) => ({ id, name: `volume-${id}`, cost: VOLUME_DOLLARS }));
  const none = { reserved_ips: [], floating_ips: [], snapshots: [], volume_snapshots: [] };
  return { status: 200, body: { ...none, volumes } };
}

function createMeter({ rateLimit = 5_000, minuteLimit = 250 }: Limits): Meter {
  const hour = createSlidingWindow(rateLimit, HOUR_MS);
  const minute = createSlidingWindow(minuteLimit, MINUTE_MS);
  const headersAt = (now: number): Record<string, string> => ({
    'ratelimit-limit': `${rateLimit}`,
    'ratelimit-remaining': `${hour.left(now)}`,
    'ratelimit-reset': `${Math.ceil(hour.freesAt(now) / 1_000)}`,
  });
  return {
    take(now) {
      const isWithinMinute = minute.left(now) > 0;
      if (isWithinMinute && hour.left(now) > 0) {
        hour.take(now);
        minute.take(now);
        return { headers: headersAt(now) };
      }
      // Only the limit of the minute says how long to wait.
      const waitSeconds = Math.ceil((minute.freesAt(now) - now) / 1_000);
      const headers: Record<string, string> = isWithinMinute ? {} : { 'retry-after': `${waitSeconds}` };
      return { headers: headersAt(now), refusal: { ...refuse(429), headers } };
    },
    refuse: (now, waitSeconds) => ({
      ...refuse(429),
      headers: {
        ...headersAt(now),
        'ratelimit-remaining': '0',
        ...(waitSeconds === undefined ? {} : { 'retry-after': `${waitSeconds}` }),
      },
    }),
  };
}
