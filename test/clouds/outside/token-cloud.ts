import {
  type Adapter,
  type Instance,
  mustBeAbout,
  pagedByToken,
  readAs,
  readRecord,
  type Status,
  Unreadable,
  wordIn,
  type Write,
  type WriteAnswer,
  z,
} from 'lamplighter/adapter';

/** An adapter outside of the bot: its key is `ID:SECRET`, which has to be exchanged, and what changes is said with PUT. */

const vmWire = z.object({
  id: z.string(),
  label: z.string(),
  state: z.string(),
  zone: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
});
const pageWire = z.object({ vms: z.array(z.unknown()), next_page: z.number().nullish(), total: z.number() });
const tokenWire = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

const STATES: Readonly<Record<string, Status>> = { on: 'running', off: 'stopped' };

function vmOf(record: unknown): Instance {
  const { id, label, state, zone, tags } = readRecord(vmWire, record, ['id', 'label', 'state']);
  return {
    id,
    name: label,
    status: wordIn(STATES, state) ?? 'unknown',
    statusWord: state,
    can: {},
    ...(zone ? { region: zone } : {}),
    ...(tags ? { labels: tags } : {}),
  };
}

const put = (id: string, state: string): Write<WriteAnswer> => ({
  method: 'PUT',
  path: `/vms/${id}/state`,
  body: { state },
  headers: { 'x-request': 'power' },
  decode: ({ body }) => {
    const vm = readAs(vmWire, body);
    mustBeAbout(id, vm.id);
    return { status: wordIn(STATES, vm.state) ?? 'unknown' };
  },
});

export const adapter: Adapter = {
  version: 1,
  name: 'Token Cloud',
  origin: 'https://api.token-cloud.example',
  prefix: '/v3',
  limit: { requests: 600, seconds: 60 },
  auth: {
    headers: (token) => ({ 'X-Session': token }),
    session: (key) => {
      const [id, secret, ...rest] = key.split(':');
      if (!id || !secret || rest.length > 0) throw new Unreadable('the key must be ID:SECRET');
      return {
        at: 'https://login.token-cloud.example/oauth/token',
        body: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
        decode: ({ body }) => {
          const { access_token, expires_in } = readAs(tokenWire, body);
          return { token: access_token, lastsMs: expires_in * 1_000 };
        },
      };
    },
  },
  showsWithinMs: 500,
  deletion: { notOffered: 'Machines are canceled in its console, to the end of their month.' },
  stoppedCosts: 'A stopped machine costs half.',
  consoleUrl: 'https://console.token-cloud.example/vms/{id}',
  instances: {
    list: {
      path: '/vms?page=1',
      headers: { 'x-filter': 'all' },
      items: (body) => readAs(pageWire, body).vms,
      item: vmOf,
      paging: (page) => {
        const { next_page, total } = readAs(pageWire, page.answer.body);
        return pagedByToken(page, 'page', next_page, total);
      },
    },
    one: (id) => ({ path: `/vms/${id}`, decode: ({ body }) => vmOf(body) }),
    power: (id, power) => put(id, { start: 'on', stop: 'off', restart: 'cycle' }[power]),
    force: { stop: (id) => put(id, 'cut') },
  },
};
