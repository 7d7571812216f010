import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** The key that it takes, and the part of it that nobody but its login may see. */
export const KEY = 'client-of-ours:a-secret-of-twenty-letters';

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly status: number;
}

/** The service of token-cloud.ts: three machines on two pages, and tokens that can be ended. */
export interface TokenCloud {
  readonly url: string;
  readonly calls: Seen[];
  /** Each token that it gave, the first first. */
  readonly tokens: string[];
  /** From now on no token counts that was given before. */
  endTokens(): void;
  /** How the login answers from now on, in place of a token. */
  login?: { readonly status: number; readonly body: unknown } | undefined;
  exchanges(): number;
  writes(): string[];
}

export async function openTokenCloud({ lastsS = 3_600 } = {}): Promise<TokenCloud> {
  const states = new Map(['vm-a', 'vm-b', 'vm-c'].map((id) => [id, 'on']));
  const vm = (id: string) => ({
    id,
    label: `web-${id.slice(-1)}`,
    state: states.get(id),
    zone: 'north-1',
    tags: [`team=${id === 'vm-c' ? 'data' : 'web'}`],
  });
  const ids = [...states.keys()];
  let good = new Set<string>();
  const tokens: string[] = [];
  const exchanged = (body: string): [number, unknown] => {
    if (cloud.login) return [cloud.login.status, cloud.login.body];
    const { client_id, client_secret } = Object.fromEntries(new URLSearchParams(body));
    if (`${client_id}:${client_secret}` !== KEY) return [401, { error: 'no such client' }];
    const token = `token-${tokens.length}-of-token-cloud`;
    tokens.push(token);
    good.add(token);
    return [200, { access_token: token, expires_in: lastsS }];
  };
  const answer = (method: string, url: URL, request: IncomingMessage, body: string): [number, unknown] => {
    if (url.pathname === '/oauth/token') return exchanged(body);
    if (!good.has(String(request.headers['x-session']))) return [401, { error: 'this token has ended' }];
    const [, , kind, id = '', what] = url.pathname.split('/');
    if (kind !== 'vms') return [404, { error: 'no such page' }];
    if (id === '') {
      const page = Number(url.searchParams.get('page'));
      const vms = (page === 1 ? ids.slice(0, 2) : ids.slice(2)).map(vm);
      return [200, { vms, next_page: page === 1 ? 2 : null, total: ids.length }];
    }
    if (!states.has(id)) return [404, { error: 'no such machine' }];
    if (method === 'PUT' && what === 'state') {
      const { state } = JSON.parse(body) as { state: string };
      states.set(id, state === 'off' || state === 'cut' ? 'off' : 'on');
    }
    return [200, vm(id)];
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
    const [body, method] = [Buffer.concat(chunks).toString(), request.method ?? ''];
    const url = new URL(request.url ?? '/', 'http://here.test');
    const [status, content] = answer(method, url, request, body);
    cloud.calls.push({ method, path: url.pathname, headers: request.headers, body, status });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const cloud: TokenCloud = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    tokens,
    endTokens: () => {
      good = new Set();
    },
    exchanges: () => cloud.calls.filter(({ path }) => path === '/oauth/token').length,
    writes: () =>
      cloud.calls
        .filter(({ path, method }) => method !== 'GET' && path !== '/oauth/token')
        .map(({ method, path, body }) => `${method} ${path} ${body}`),
  };
  return cloud;
}
