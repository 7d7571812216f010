import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { authorizePage } from '../oauth/authorize-page.ts';
import { useResponseUrl } from '../bot/use-response-url.ts';
import { type Json, parseJson, record, string } from '../json.ts';
import type { World } from '../world.ts';
import { parseBody } from './args.ts';
import type { ApiAnswer } from './faults.ts';
import { SlackNo } from './refusal.ts';
import { runMethod } from './run-method.ts';
import { useUploadUrl } from './use-upload-url.ts';

/** Slack's side of the wire: the Web API, the response URLs and the upload URLs; Socket Mode shares the port. */
export interface SlackServer {
  /** Listens on the loopback; gives `http://127.0.0.1:PORT`. */
  listen(port?: number): Promise<string>;
  close(): Promise<void>;
}

export function createSlackServer(world: World): SlackServer {
  const server: Server = createServer((request, response) => {
    serve(world, request, response).catch((error: unknown) => {
      world.faultsOfTheDouble.push(error);
      if (!response.headersSent) response.writeHead(500).end(String(error));
    });
  });
  server.on('upgrade', (request, socket, head) => world.sockets.accept(request, socket, head));
  return {
    async listen(port = 0) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, '127.0.0.1', resolve);
      });
      const address: string | AddressInfo | null = server.address();
      if (typeof address !== 'object' || address === null) throw new Error('the Slack double has no address');
      return `http://127.0.0.1:${address.port}`;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const address = new URL(request.url ?? '/', world.baseUrl);
  const body = await readAll(request);
  const answer = await route(world, address, request, body);
  if (answer === 'reset') {
    request.socket.resetAndDestroy();
    return;
  }
  const kind = answer.text === undefined ? 'application/json' : 'text/plain';
  response
    .writeHead(answer.status, { 'content-type': `${kind}; charset=utf-8`, ...answer.headers })
    .end(answer.text ?? JSON.stringify(answer.body));
}

async function route(
  world: World,
  address: URL,
  request: IncomingMessage,
  bytes: Buffer,
): Promise<ApiAnswer | 'reset'> {
  const [, area, name = ''] = address.pathname.split('/');
  if (area === 'upload')
    return useUploadUrl(world, name, { bytes, authorization: request.headers.authorization });
  const body = bytes.toString('utf8');
  if (area === 'api') {
    const args = parsed(request.headers['content-type'] ?? '', body);
    if (args instanceof SlackNo) return { status: 200, body: args.toJson() };
    const bearer = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const { token, ...rest } = args;
    return runMethod(world, name, bearer ?? string(token), rest);
  }
  if (address.pathname === '/oauth/v2/authorize') return authorizePage(world, address);
  if (area === 'respond') return useResponseUrl(world, name, record(parseJson(body)));
  return { status: 404, body: { ok: false, error: 'not_found' } };
}

function parsed(contentType: string, body: string): Json | SlackNo {
  try {
    return parseBody(contentType, body);
  } catch (error) {
    if (error instanceof SlackNo) return error;
    throw error;
  }
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}
