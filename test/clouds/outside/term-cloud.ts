import {
  type Adapter,
  type Examples,
  type Instance,
  mustBeAbout,
  onOnePage,
  readAs,
  readRecord,
  type Status,
  wordIn,
  type Write,
  type WriteAnswer,
  z,
} from 'lamplighter/adapter';

/** An adapter outside of the bot, of a service that rents by the month: a server is canceled, and runs until the end of that. */

const serverWire = z.object({
  id: z.string(),
  name: z.string(),
  state: z.string(),
  ordered: z.string(),
  paid_until: z.iso.datetime({ offset: true }).nullish(),
  cancelled_to: z.iso.datetime({ offset: true }).nullish(),
  price: z
    .object({
      net: z.string().regex(/^\d{1,9}\.\d{2}$/),
      currency: z.enum(['EUR', 'USD']),
      each: z.enum(['hour', 'month', 'year']),
    })
    .nullish(),
});
const listWire = z.object({ servers: z.array(z.unknown()) });
const takenWire = z.object({ server: z.string(), request: z.literal('received') });

const STATES: Readonly<Record<string, Status>> = { on: 'running', off: 'stopped' };

function serverOf(record: unknown): Instance {
  const wire = readRecord(serverWire, record, ['id', 'name', 'state', 'ordered']);
  const { id, name, state, ordered, paid_until, cancelled_to, price } = wire;
  return {
    id,
    name,
    status: wordIn(STATES, state) ?? 'unknown',
    statusWord: state,
    createdAt: ordered,
    can: {},
    ...(price ? { price: { amount: price.net, currency: price.currency, per: price.each } } : {}),
    ...(paid_until ? { paidUntil: paid_until } : {}),
    ...(cancelled_to ? { endsAt: cancelled_to } : {}),
  };
}

const ask = (id: string, what: string): Write<WriteAnswer> => ({
  method: 'POST',
  path: `/servers/${id}/${what}`,
  decode: ({ body }) => {
    mustBeAbout(id, readAs(takenWire, body).server);
    return {};
  },
});

export const adapter: Adapter = {
  version: 1,
  name: 'Term Cloud',
  origin: 'https://api.term-cloud.example',
  prefix: '/v1',
  limit: { requests: 6_000, seconds: 60 },
  showsWithinMs: 400,
  deletion: {
    takes: ['its server, with its disks'],
    leaves: 'Its backups stay and still cost',
    inShort: 'Its disks go with it then.',
    atEndOf: 'its paid month',
  },
  instances: {
    list: {
      path: '/servers',
      items: (body) => readAs(listWire, body).servers,
      item: serverOf,
      paging: onOnePage,
    },
    one: (id) => ({ path: `/servers/${id}`, decode: ({ body }) => serverOf(body) }),
    power: (id, power) => ask(id, power),
    remove: (id) => ask(id, 'cancel'),
  },
};

const web = {
  id: 's-1',
  name: 'web-1',
  state: 'on',
  ordered: '2026-01-05T10:00:00Z',
  paid_until: '2026-12-31T23:00:00Z',
  price: { net: '12.50', currency: 'EUR', each: 'month' },
};
const old = { ...web, id: 's-2', name: 'old-1', state: 'off', cancelled_to: '2026-12-31T23:00:00Z' };
const received = { server: 's-1', request: 'received' };

export const examples: Examples = {
  list: [
    {
      body: { servers: [web, old] },
      means: [
        {
          id: 's-1',
          name: 'web-1',
          status: 'running',
          paidUntil: '2026-12-31T23:00:00Z',
          price: { amount: '12.50', currency: 'EUR', per: 'month' },
        },
        { id: 's-2', name: 'old-1', status: 'stopped', endsAt: '2026-12-31T23:00:00Z' },
      ],
    },
  ],
  one: { body: web, means: { id: 's-1', name: 'web-1', status: 'running' } },
  power: { body: received, means: {} },
  remove: { status: 202, body: received, means: {} },
  refusals: [
    { means: 'unauthorized', answer: { status: 401, body: { error: 'No such key' } }, says: 'No such key' },
    { means: 'not-found', answer: { status: 404, body: { error: 'No such server' } } },
  ],
};
