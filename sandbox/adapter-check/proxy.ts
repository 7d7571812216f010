import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';

/** How the next matching call goes wrong: nothing of it is passed on, or everything but its answer. */
type Mishap = 'too many' | 'answer lost';

/** Stands between an adapter and its service, counts what passes and lets one call go wrong at a time. */
export interface Proxy {
  readonly url: string;
  /** What has passed, as "POST /v1/servers/42/actions/reboot". */
  readonly passed: readonly string[];
  /** The next call with this method goes wrong. */
  next(method: string, mishap: Mishap): void;
  close(): Promise<void>;
}

const PASSED_ON = ['authorization', 'content-type', 'accept', 'range'];

/** Opens one on 127.0.0.1 in front of `target`, an origin with a path. */
export async function openProxy(target: string, authHeader: string): Promise<Proxy> {
  const passed: string[] = [];
  let waiting: { method: string; mishap: Mishap } | undefined;
  const pass = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/' } = incoming;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk as Uint8Array));
    const mishap = waiting?.method === method ? waiting.mishap : undefined;
    if (mishap) waiting = undefined;
    if (mishap === 'too many') {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' });
      return void response.end('{}');
    }
    passed.push(`${method} ${url.split('?', 1)[0]}`);
    const names = [...PASSED_ON, authHeader.toLowerCase()];
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).filter(([name]) => names.includes(name)),
    );
    const body = Buffer.concat(chunks);
    const answer = await request(new URL(url, target), {
      method,
      headers,
      body: body.length === 0 ? null : body,
    });
    const text = await answer.body.text();
    if (mishap === 'answer lost') return void incoming.socket.destroy();
    const type = answer.headers['content-type'];
    response.writeHead(answer.statusCode, {
      ...copied(answer.headers),
      ...(type === undefined ? {} : { 'content-type': type }),
    });
    response.end(text);
  };
  const server = createServer((incoming, response) => {
    pass(incoming, response).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    passed,
    next: (method, mishap) => {
      waiting = { method, mishap };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => {
        server.close(done);
      });
    },
  };
}

/** Headers that an adapter may read: of paging and of limits. */
function copied(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const wanted = Object.entries(headers).filter(([name]) =>
    /^(link|retry-after|.*ratelimit.*|x-.*)$/.test(name),
  );
  return Object.fromEntries(wanted.map(([name, value]) => [name, String(value)]));
}
