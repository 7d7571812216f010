import {
  beginOn,
  type Answer,
  type Asked,
  type Dialect,
  type Limits,
  type Meter,
  type Refusals,
} from './dialect.ts';
import type { Effect } from './fleet.ts';
import { createSlidingWindow } from './limits.ts';
import { addressOf, sizeOf, type Machine } from './machine.ts';
import { moneyRoutes } from './vultr-money.ts';
import { pageOf } from './vultr-paging.ts';
import { instanceWire, planWire, vultrPlans, vultrRegions } from './vultr-wire.ts';

const SECOND_MS = 1_000;

/** Errors have a text and no code. */
const ERROR_TEXTS: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Invalid API token.',
  403: 'Forbidden',
  404: 'Not found',
  429: 'Rate limit exceeded',
  500: 'Internal server error',
  502: 'Bad gateway',
  503: 'Service unavailable',
  504: 'Gateway timeout',
};

const REFUSALS: Refusals = {
  isSettled: ({ status, server_status: server }) => status === 'active' && server !== 'locked',
  isOn: ({ power_status: power }) => power === 'running',
  unknown: () => refuse(404, 'Invalid instance-id'),
  busy: () => refuse(500, 'Server is currently locked'),
  already: ({ words }) => refuse(400, `Server is ${words['power_status']}`),
  refusesAlready: false,
};

/** Vultr's API v2. */
export const vultr: Dialect = {
  base: '/v2',
  words: {
    running: { status: 'active', power_status: 'running', server_status: 'ok' },
    stopped: { status: 'active', power_status: 'stopped', server_status: 'ok' },
    during: {},
  },
  sizes: vultrPlans,
  regions: vultrRegions,
  idOf: (serial) => `5b1f0000-0000-4000-8000-${serial.toString(16).padStart(12, '0')}`,
  hasUniqueNames: false,
  countsStrangers: true,
  createMeter,
  refuse,
  headersOf: () => ({}),
  routes: [
    { method: 'GET', path: '/instances', run: listInstances },
    ...powerRoutes('start', 'start'),
    ...powerRoutes('halt', 'power-off'),
    ...powerRoutes('reboot', 'reset'),
    { method: 'GET', path: '/instances/{id}', run: showInstance },
    { method: 'DELETE', path: '/instances/{id}', run: (asked) => act(asked, 'delete', 'delete') },
    { method: 'GET', path: '/plans', run: listPlans },
    ...moneyRoutes(refuse),
  ],
};

/** A text and the status; the contract has no schema for it. */
function refuse(status: number, message?: string): Answer {
  return { status, body: { error: message ?? ERROR_TEXTS[status] ?? 'Refused', status } };
}

/** The call for one instance, and the one for several. */
function powerRoutes(command: string, effect: Effect): Dialect['routes'] {
  return [
    { method: 'POST', path: `/instances/${command}`, run: (asked) => actOnSeveral(asked, effect, command) },
    { method: 'POST', path: `/instances/{id}/${command}`, run: (asked) => act(asked, effect, command) },
  ];
}

function listInstances(asked: Asked): Answer {
  const { query, fleet } = asked;
  const fitsQuery = (name: string, values: readonly (string | undefined)[]): boolean => {
    const wanted = query.get(name);
    return wanted === null || values.includes(wanted);
  };
  const found = fleet
    .machines()
    .filter((each) => fitsQuery('label', [each.name]))
    .filter(({ spec }) => fitsQuery('tag', spec.tags ?? []))
    .filter((each) => fitsQuery('main_ip', [addressOf(each)]))
    .filter(({ spec }) => fitsQuery('region', [spec.region ?? 'fra']));
  const page = pageOf(asked, found, ({ serial }) => serial, refuse);
  if ('refused' in page) return page.refused;
  const showsCharges = query.get('show_pending_charges') === 'true';
  const instances = page.items.map((each) => ({
    ...instanceWire(asked, each),
    ...(showsCharges ? { pending_charges: chargesOf(each) } : {}),
  }));
  return { status: 200, body: { instances, meta: page.meta } };
}

/** Half of the month's price, as if it was the middle of the month. */
function chargesOf({ spec }: Machine): number {
  return sizeOf(vultrPlans, spec.size).monthlyCents / 200;
}

function showInstance(asked: Asked): Answer {
  const machine = asked.fleet.find(asked.ids[0] ?? '');
  if (machine === undefined) return REFUSALS.unknown();
  return { status: 200, body: { instance: instanceWire(asked, machine) } };
}

/** Empty, whatever comes of it: there is no action to follow. */
function act(asked: Asked, effect: Effect, command: string): Answer {
  const begun = beginOn(asked, asked.ids[0] ?? '', effect, command, REFUSALS);
  return 'refused' in begun ? begun.refused : { status: 204 };
}

/** Nothing is answered for each: what could not be begun is left out without a word. */
function actOnSeveral(asked: Asked, effect: Effect, command: string): Answer {
  const body: unknown = asked.body;
  const ids: unknown =
    typeof body === 'object' && body !== null && 'instance_ids' in body && body.instance_ids;
  if (!Array.isArray(ids) || ids.length === 0) return refuse(400, 'Invalid instance_ids');
  for (const id of ids) beginOn(asked, String(id), effect, command, REFUSALS);
  return { status: 204 };
}

function listPlans(asked: Asked): Answer {
  const page = pageOf(asked, vultrPlans, (plan) => vultrPlans.indexOf(plan) + 1, refuse);
  if ('refused' in page) return page.refused;
  return { status: 200, body: { plans: page.items.map(planWire), meta: page.meta } };
}

/** By the address that calls, so that requests with a wrong key count as well. Nothing says what is left. */
function createMeter({ rateLimit = 30 }: Limits): Meter {
  const second = createSlidingWindow(rateLimit, SECOND_MS);
  const refuseAt = (now: number, waitSeconds?: number): Answer => {
    const untilFreeSeconds = Math.ceil((second.freesAt(now) - now) / SECOND_MS);
    return { ...refuse(429), headers: { 'Retry-After': `${waitSeconds ?? Math.max(1, untilFreeSeconds)}` } };
  };
  return {
    take(now) {
      if (second.left(now) < 1) return { headers: {}, refusal: refuseAt(now) };
      second.take(now);
      return { headers: {} };
    },
    refuse: refuseAt,
  };
}
