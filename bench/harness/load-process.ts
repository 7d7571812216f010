import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { BOT, TEAM } from '../../sandbox/people.ts';
import type { FromLoad, LoadJob, Statuses, ToLoad } from './load.ts';
import { everybody, nthIn, type SignedRequest, signCommand, userOf } from './requests.ts';

// The load: sends signed requests, and answers the bot as Slack and as a hosting service do, from memory.

const INSTANCES = 20;
/** What has not been answered or posted by then is lost. */
const REQUEST_LIMIT_MS = 10_000;

const instances = JSON.stringify({
  data: Array.from({ length: INSTANCES }, (_, index) => ({
    id: 1_000 + index,
    name: `web-${index}`,
    status: 'running',
    tier: 'budget',
    billing_mode: 'daily',
    ip_address: `2001:db8::${index}`,
    health_status: 'healthy',
    created_at: '2026-01-01T00:00:00.000Z',
    provisioned_at: '2026-01-01T00:05:46.000Z',
    can_start: false,
  })),
});

/** Tells who waits for the post of a request that it has come. */
const waiting = new Map<number, () => void>();
let lastTs = 1_700_000_000;

function answerOf(method: string, body: string): object {
  const channel = /C0LOAD\d+/.exec(body)?.[0] ?? 'C0LOAD0';
  const ts = `${++lastTs}.000100`;
  switch (method) {
    case 'auth.test':
      return {
        ok: true,
        team_id: TEAM.id,
        user_id: BOT.userId,
        bot_id: BOT.botId,
        url: 'https://bench.slack.com/',
      };
    case 'users.info':
      return { ok: true, user: { id: /U0LOAD\d+/.exec(body)?.[0] ?? '', team_id: TEAM.id } };
    case 'users.list':
      return { ok: true, members: everybody().map((id) => ({ id, team_id: TEAM.id })) };
    default:
      return { ok: true, channel, ts, message: { ts } };
  }
}

function serveSlack(request: IncomingMessage, response: ServerResponse): void {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const path = request.url ?? '';
    const body = Buffer.concat(parts).toString();
    const method = path.replace('/api/', '');
    const said = JSON.stringify(path.startsWith('/respond/') ? { ok: true } : answerOf(method, body));
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(said),
      // In so many words, so that Node doesn't add how long it keeps a connection: a client must know without that.
      connection: 'keep-alive',
      'x-oauth-scopes': 'chat:write,commands,users:read',
    });
    response.end(said);
    const nth = nthIn(path.startsWith('/respond/') ? path : method.startsWith('chat.') ? body : '');
    if (nth !== undefined) waiting.get(nth)?.();
  });
}

function serveHosting(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(instances),
      connection: 'keep-alive',
    });
    response.end(instances);
  });
}

function listen(serve: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer({ keepAliveTimeout: 90_000 }, serve);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address() as AddressInfo; // as of every server that listens on a port
      resolve(`http://127.0.0.1:${address.port}`);
    });
  });
}

/** Sends the prepared requests of a job. */
async function run(job: LoadJob, requests: readonly SignedRequest[]): Promise<Statuses> {
  const { origin, pathname } = new URL(job.url);
  const pool = new Pool(origin, {
    connections: job.inFlight,
    pipelining: 1,
    keepAliveTimeout: 60_000,
    headersTimeout: REQUEST_LIMIT_MS,
    bodyTimeout: REQUEST_LIMIT_MS,
  });
  const statuses: Record<string, number> = {};
  const one = async (index: number, begun: number): Promise<void> => {
    const { headers, body } = requests[index] ?? { headers: {}, body: '' };
    const posted = job.untilPosted ? postOf(job.from + index) : undefined;
    let status = 0;
    try {
      const answer = await pool.request({ method: 'POST', path: pathname, headers, body });
      const said = await answer.body.text();
      // Counted from when it was to leave: it may have waited for a connection.
      if (performance.now() - begun <= REQUEST_LIMIT_MS) status = answer.statusCode;
      // What is said with the acknowledgement is posted with it.
      if (said.includes('"blocks"')) waiting.get(job.from + index)?.();
    } catch {
      // Counted as 0.
    }
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 200) await posted;
    else waiting.delete(job.from + index);
  };

  let next = 0;
  // A closed loop: the next leaves when one has come back.
  const walk = async (): Promise<void> => {
    for (let index = next++; index < job.count; index = next++) await one(index, performance.now());
  };
  await Promise.all(Array.from({ length: job.inFlight }, walk));
  await pool.destroy();
  return statuses;
}

/** Resolves when the answer to a request was posted, or never will be. */
function postOf(nth: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      waiting.delete(nth);
      resolve();
    };
    const timer = setTimeout(end, REQUEST_LIMIT_MS);
    waiting.set(nth, end);
  });
}

const say = (message: FromLoad): void => void process.send?.(message);
// However the one that started it ended.
process.once('disconnect', () => process.exit(0));
const [slackUrl, hostingUrl] = await Promise.all([listen(serveSlack), listen(serveHosting)]);
let prepared: { job: LoadJob; requests: readonly SignedRequest[] } | undefined;

async function handle(message: ToLoad): Promise<FromLoad> {
  if ('prepare' in message) {
    const job = message.prepare;
    const respondUrl = `${slackUrl}/respond`;
    const requests = Array.from({ length: job.count }, (_, index) => {
      const nth = job.from + index;
      return signCommand({ command: job.command, text: job.text, nth, userId: userOf(nth), respondUrl });
    });
    prepared = { job, requests };
    globalThis.gc?.();
    return { prepared: true };
  }
  if (!prepared) return { failed: 'nothing is prepared' };
  return { statuses: await run(prepared.job, prepared.requests) };
}

process.on('message', (message) => {
  handle(message as ToLoad).then(say, (error: unknown) => say({ failed: String(error) })); // sent by load.ts alone
});
say({ slackUrl, hostingUrl });
