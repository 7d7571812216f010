import { describe, expect, test } from 'vitest';
import type { Adapter } from '../../src/platform/hosting/adapter.ts';
import { adapter as digitalocean } from '../../src/platform/hosting/adapters/digitalocean.ts';
import { adapter as hetzner } from '../../src/platform/hosting/adapters/hetzner.ts';
import { adapter as instanceHosting } from '../../src/platform/hosting/adapters/instance-hosting.ts';
import { adapter as vultr } from '../../src/platform/hosting/adapters/vultr.ts';
import { createHostingClient } from '../../src/platform/hosting/client.ts';
import { errorOfAnswer } from '../../src/platform/hosting/errors.ts';
import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import type { Requester } from '../../src/platform/hosting/request.ts';
import type { HostingService } from '../../src/platform/hosting/service.ts';
import { isChaos } from '../support/runs.ts';
import { clientOf, faultOf, openServer } from './calling.ts';

/** What one call came to: done · refused: certainly not done · later: not done, and may be asked again · unknown. */
type Outcome = 'done' | 'refused' | 'later' | 'unknown';

/** How one service answers: what it says where it did what was asked, and where it refuses. */
interface Spoken {
  readonly adapter: Adapter;
  /** A success of each write. */
  readonly done: Readonly<Record<string, unknown>>;
  /** A success of the same about something else. */
  readonly another: Readonly<Record<string, unknown>>;
  readonly refusal: unknown;
}

const ID = '42';
const action = (id: number) => ({ action: { id: 9, status: 'running', resource_id: id } });
const serverAction = (id: number) => ({
  action: { id: 9, status: 'running', resources: [{ id, type: 'server' }], error: null },
});
const addon = (id: number, instance_id: number) => ({ data: { id, addon_type: 'llm', instance_id } });

const SERVICES: Readonly<Record<string, Spoken>> = {
  'instance-hosting': {
    adapter: instanceHosting,
    done: {
      power: { data: { id: 42, name: 'web-1', status: 'running' } },
      force: undefined,
      delete: { data: { id: 42, name: 'web-1', status: 'deleting' } },
      'add an add-on': addon(7, 42),
      'remove an add-on': addon(42, 1),
    },
    another: {
      power: { data: { id: 43, name: 'web-2', status: 'running' } },
      delete: { data: { id: 43, name: 'web-2', status: 'deleting' } },
      'add an add-on': addon(7, 43),
      'remove an add-on': addon(43, 1),
    },
    refusal: { error: { code: 'x', message: 'not so' } },
  },
  digitalocean: {
    adapter: digitalocean,
    done: { power: action(42), force: action(42), delete: undefined },
    another: { power: action(43), force: action(43), delete: {} },
    refusal: { id: 'x', message: 'not so' },
  },
  hetzner: {
    adapter: hetzner,
    done: { power: serverAction(42), force: serverAction(42), delete: serverAction(42) },
    another: { power: serverAction(43), force: serverAction(43), delete: serverAction(43) },
    refusal: { error: { code: 'x', message: 'not so' } },
  },
  vultr: {
    adapter: vultr,
    done: { power: undefined, delete: undefined },
    another: { power: { instance: { id: '43' } }, delete: {} },
    refusal: { error: 'not so', status: 400 },
  },
};

const WRITES: Readonly<Record<string, (hosting: HostingService) => Promise<unknown>>> = {
  power: (hosting) => hosting.powerInstance(ID, 'restart'),
  force: (hosting) => hosting.forceInstance(ID, 'restart'),
  delete: (hosting) => hosting.deleteInstance(ID),
  'add an add-on': (hosting) => hosting.addAddon(ID, { type: 'llm' }),
  'remove an add-on': (hosting) => hosting.removeAddon(ID),
};

/** What anything between us and the service may answer, or the service in a bad moment. */
const FOREIGN: readonly unknown[] = [
  '<html><head><title>403 Forbidden</title></head><body>nginx</body></html>',
  'Bad Gateway',
  { ok: true },
  { message: 'Forbidden' },
  { data: null },
  null,
  [],
  0,
  'x'.repeat(10_000),
];
/** These say of themselves that something went wrong. */
const ERRORS: readonly unknown[] = [
  { error: { code: 'x', message: 'not so' } },
  { error: 'not so' },
  { error: true, ok: true },
  { errors: [{ message: 'not so' }] },
];

const SILENT = [200, 202, 204];
const REFUSALS = [
  400, 401, 402, 403, 404, 405, 406, 407, 409, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 423, 424,
  426, 428, 431,
];

const STATUSES_SENT = [
  200,
  201,
  202,
  203,
  205,
  206,
  207,
  226,
  299,
  300,
  301,
  302,
  303,
  304,
  307,
  308,
  399,
  ...REFUSALS,
  408,
  418,
  425,
  429,
  430,
  451,
  460,
  499,
  500,
  501,
  502,
  503,
  504,
  505,
  507,
  511,
  520,
  529,
  599,
];

/** Every status within these in `test:chaos`, else those that have a name or stand at an end. */
function statusesBetween(first: number, last: number): readonly number[] {
  const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return isChaos ? all : all.filter((one) => one === last || [...SILENT, ...STATUSES_SENT].includes(one));
}

async function outcomeOf(
  { adapter }: Spoken,
  write: (hosting: HostingService) => Promise<unknown>,
  status: number,
  body: unknown,
): Promise<{ outcome: Outcome; calls: number }> {
  let calls = 0;
  const answer: Requester['write'] = async ({ doing }) => {
    calls += 1;
    if (status >= 200 && status <= 299) return { status, headers: {}, body };
    throw errorOfAnswer(doing, { status, headers: {}, body }, 0, adapter);
  };
  const requester: Requester = { read: answer, write: answer, close: async () => undefined };
  const hosting = createHostingClient(adapter, adapter.origin ?? 'https://api.example.test', requester);
  try {
    await write(hosting);
    return { outcome: 'done', calls };
  } catch (error) {
    if (!(error instanceof HostingError)) throw error;
    const undone = error.retryable ? 'later' : 'refused';
    return { outcome: error.outcome === 'unknown' ? 'unknown' : undone, calls };
  }
}

const cases = Object.entries(SERVICES).flatMap(([name, spoken]) =>
  Object.keys(spoken.done)
    .filter((write) => spoken.done[write] !== undefined || write !== 'force')
    .map((write) => [write, name, spoken] as const),
);

describe.each(cases)('%s at %s', (write, _name, spoken) => {
  const call = WRITES[write] ?? (() => Promise.reject(new Error('no such write')));
  const done = spoken.done[write];
  const isSilent = (status: number): boolean =>
    done === undefined
      ? SILENT.includes(status)
      : spoken.adapter === instanceHosting && [202, 204].includes(status);

  const wrong: unknown[] = [];
  const check = async (status: number, body: unknown, wanted: Outcome): Promise<void> => {
    const { outcome, calls } = await outcomeOf(spoken, call, status, body);
    if (outcome !== wanted || calls !== 1) wrong.push([status, body, outcome, calls]);
  };

  test('is done only with what the service answers then, about the same', async () => {
    for (const status of statusesBetween(200, 299)) {
      await check(status, done, done !== undefined || isSilent(status) ? 'done' : 'unknown');
      if (done !== undefined) await check(status, undefined, isSilent(status) ? 'done' : 'unknown');
      for (const body of [spoken.another[write], ...FOREIGN, ...ERRORS]) await check(status, body, 'unknown');
    }
    expect(wrong).toEqual([]);
  });

  test('is refused only in the form of the service, with a status that refuses; all else is unknown', async () => {
    for (const status of statusesBetween(300, 600)) {
      for (const body of [spoken.refusal, done, undefined, ...FOREIGN]) {
        const isRefused = body === spoken.refusal && REFUSALS.includes(status);
        await check(status, body, status === 429 ? 'later' : isRefused ? 'refused' : 'unknown');
      }
    }
    expect(wrong).toEqual([]);
  });
});

test('over HTTP: whatever status answers a restart, it is sent once, and only a refusal says that it was not done', async () => {
  let next = 200;
  const { url, seen } = await openServer((_request, response) => {
    response.writeHead(next, { 'content-type': 'text/html' });
    response.end(next === 304 ? '' : '<html><title>Attention Required!</title></html>');
  });
  const hosting = clientOf(url);
  for (next of STATUSES_SENT) {
    const before = seen.length;
    const { outcome, answered } = await faultOf(hosting.powerInstance('1', 'restart'));
    expect([next, outcome, answered, seen.length - before]).toEqual([
      next,
      next === 429 ? 'not-done' : 'unknown',
      true,
      1,
    ]);
  }
});

const READS: readonly ((hosting: HostingService) => Promise<unknown>)[] = [
  (hosting) => hosting.listInstances(),
  (hosting) => hosting.findInstance(ID),
  (hosting) => hosting.getBalance(),
  (hosting) => hosting.getUsage(),
  (hosting) => hosting.listTransactions(1, 10),
  (hosting) => hosting.listAddons(),
  (hosting) => hosting.getSpending(),
  (hosting) => hosting.listBills(),
  (hosting) => hosting.findAction('9'),
  (hosting) => hosting.listBegun(ID),
];

test.each(Object.entries(SERVICES))(
  '%s: a read that is answered 200 with an error is no fact, also where a list stands beside it',
  async (_name, spoken) => {
    const lists = { data: [], droplets: [], servers: [], instances: [], actions: [], claws_balance: 0 };
    const beside = { ...lists, meta: { pagination: {} }, account_balance: '0', month_to_date_usage: '0' };
    for (const error of ERRORS) {
      for (const body of [error, { ...beside, ...Object(error) }]) {
        for (const read of READS) {
          const { outcome, calls } = await outcomeOf(spoken, read, 200, body);
          // What the service doesn't have is not asked for.
          if (calls > 0) expect([read.toString(), body, outcome]).toEqual([read.toString(), body, 'unknown']);
        }
      }
    }
  },
);

test('a record that has an error of its own is read: it is no error of the call', async () => {
  const { url } = await openServer((_request, response) =>
    response.end(JSON.stringify({ id: 1, name: 'web-1', status: 'error', error: 'disk full' })),
  );
  expect(await clientOf(url).findInstance('1')).toMatchObject({ name: 'web-1', status: 'error' });
});
