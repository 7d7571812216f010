import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readCurtain } from './curtain.ts';
import { type ActOfPage, actSchema, carryOut, searchOptions } from './acts.ts';
import type { BotLife } from './bot-life.ts';
import { createGuard, type Guard } from './guard.ts';
import type { OperationsReader } from './operations.ts';
import type { PageFiles } from './page-files.ts';
import { messagesOf, readSnapshot } from './snapshot.ts';
import { createStream, type Stream } from './stream.ts';
import { playStep } from './tour.ts';
import type { Troubles } from './trouble.ts';
import type { Stage } from './stage.ts';
import type { CommandOfPage } from './wire.ts';

export interface WebDeps {
  readonly sandbox: Stage;
  readonly bot: BotLife;
  readonly troubles: Troubles;
  readonly operations: OperationsReader;
  readonly files: PageFiles;
  /** What can be typed. */
  readonly commands: readonly CommandOfPage[];
}

/** A Slack workspace as a page. It listens on 127.0.0.1 only. */
export interface WebServer {
  /** Where the page is. */
  readonly url: string;
  /** Something changed that Slack doesn't tell of. */
  changed(): void;
  close(): Promise<void>;
}

const CURTAIN_EVERY_MS = 400;
/** Changes that come together are sent together. */
const TOGETHER_MS = 30;
const MAX_BODY = 100_000;
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Starts the server at `port`, 0 for any. */
export async function startWebServer(deps: WebDeps, port: number): Promise<WebServer> {
  const windows = new Map<Stream, string>();
  let curtain = await readCurtain(deps);
  const sendTo = (stream: Stream, who: string): void =>
    stream.send({ ...readSnapshot(deps.sandbox.slack, who, deps.commands), curtain });
  const sendAll = (): void => {
    for (const [stream, who] of windows) sendTo(stream, who);
  };
  const look = async (): Promise<void> => {
    if (windows.size === 0) return;
    curtain = await readCurtain(deps);
    sendAll();
  };
  let soon: NodeJS.Timeout | undefined;
  const changed = (): void => {
    soon ??= setTimeout(() => {
      soon = undefined;
      void look();
    }, TOGETHER_MS);
  };
  const stopWatching = deps.sandbox.slack.watch(changed);
  const stopListening = deps.sandbox.service.watch(changed);
  const ticking = setInterval(changed, CURTAIN_EVERY_MS);

  const join = (response: ServerResponse, who: string): void => {
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' });
    const stream = createStream(response);
    windows.set(stream, who);
    response.once('close', () => windows.delete(stream));
    sendTo(stream, who);
    changed();
  };
  let guard: Guard;
  const server = createServer((request, response) => {
    serve(deps, guard, join, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else answer(response, 200, { error: error instanceof Error ? error.message : 'That did not work.' });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the page has no address');
  guard = createGuard(address.port);
  return {
    url: `http://127.0.0.1:${address.port}/`,
    changed,
    close: async () => {
      stopWatching();
      clearInterval(ticking);
      clearTimeout(soon);
      stopListening();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(
  deps: WebDeps,
  guard: Guard,
  join: (response: ServerResponse, who: string) => void,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://page');
  const isApi = pathname.startsWith('/api/');
  const no = guard.refuse(request, isApi);
  if (no !== undefined) return answer(response, 403, { error: `Refused: ${no}.` });
  if (!isApi) return servePage(deps.files, guard, pathname, request, response);
  const who = deps.sandbox.slack.person(searchParams.get('as') ?? '').handle;
  if (request.method === 'GET' && pathname === '/api/events') return join(response, who);
  if (request.method === 'GET' && pathname.startsWith('/api/files/')) {
    return serveFile(deps.sandbox, who, pathname.slice('/api/files/'.length), response);
  }
  if (request.method !== 'POST' || pathname !== '/api/act')
    return answer(response, 404, { error: 'Not found.' });
  const act = actSchema.safeParse(await readJson(request));
  if (!act.success) return answer(response, 400, { error: 'That is no act.' });
  return answer(response, 200, await perform(deps, who, act.data));
}

async function perform(deps: WebDeps, who: string, act: ActOfPage): Promise<unknown> {
  const { slack } = deps.sandbox;
  switch (act.do) {
    case 'trouble':
      await deps.troubles.cause(act.name);
      return {};
    case 'api':
      await deps.sandbox.service.setApi(act.state);
      return {};
    case 'fleet':
      deps.sandbox.service.setLarge(act.isLarge);
      return {};
    case 'tour':
      await playStep(deps, act.step);
      return {};
    case 'search':
      return { options: await searchOptions(slack, who, act) };
    default:
      return carryOut(slack, who, act);
  }
}

async function servePage(
  files: PageFiles,
  guard: Guard,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const file = request.method === 'GET' ? files.find(path) : undefined;
  if (!file) return answer(response, 404, { error: 'Not found.' });
  const takesBrotli = /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
  response
    .writeHead(200, {
      ...HEADERS,
      'content-type': file.type,
      ...(takesBrotli ? { 'content-encoding': 'br' } : {}),
      ...(file.isPage ? { 'set-cookie': guard.cookie } : {}),
    })
    .end(takesBrotli ? file.compressed : file.bytes);
}

/** A file that stands before this person. */
function serveFile({ slack }: Stage, who: string, id: string, response: ServerResponse): void {
  const all = messagesOf(slack, slack.person(who)).flatMap(({ files }) => files);
  const file = all.find((one) => one.id === id);
  if (!file) return answer(response, 404, { error: 'Not found.' });
  const name = file.name.replaceAll(/[^\w.-]/g, '_');
  response
    .writeHead(200, {
      ...HEADERS,
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${name}"`,
    })
    .end(file.bytes);
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { ...HEADERS, 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) return undefined;
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    const bytes = Buffer.from(part);
    length += bytes.length;
    if (length > MAX_BODY) return undefined;
    parts.push(bytes);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    return undefined;
  }
}
