import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { Certificate } from './certifying.ts';

/** How the proxy answers: it connects, refuses with a status, never answers, or closes without a word. */
type Manner = number | 'connects' | 'hangs' | 'closes';

/** An HTTP proxy that is the only way to the hosts that it knows, whose names lead nowhere else. */
export interface HttpProxy {
  /** Its address, with the user and the password that it wants. */
  readonly url: string;
  /** Each `host:port` that it was asked for, in order. */
  readonly asked: readonly string[];
  /** From now on it answers so, to every host or to those of one name. */
  answers(manner: Manner, host?: string): void;
  /** Cuts every connection through it. */
  cut(): void;
  /** Cuts all and is gone, so that nothing listens there. */
  stop(): Promise<void>;
}

interface Tls {
  /** What the proxy and each host show who asks over TLS. */
  readonly certificate: Certificate;
  /** The authority whose clients alone a host takes, by its name. */
  readonly takesClientsOf?: Readonly<Record<string, string>>;
}

export interface HttpProxyOptions {
  /** Where each host is in truth, by its name; 127.0.0.1 is what it says. */
  readonly routes: Readonly<Record<string, string>>;
  /** The user and the password that it wants, with a colon. */
  readonly credentials?: string;
  /** How it is spoken to itself; `http` where left out. */
  readonly scheme?: 'http' | 'https';
  readonly tls?: Tls;
}

/** Starts one, which is gone after the test. */
export async function startHttpProxy({
  routes,
  credentials,
  scheme = 'http',
  tls,
}: HttpProxyOptions): Promise<HttpProxy> {
  const asked: string[] = [];
  const open = new Set<Duplex>();
  const manners = new Map<string | undefined, Manner>();
  const keep = (socket: Duplex): Duplex => {
    open.add(socket);
    return socket.on('error', () => undefined).on('close', () => open.delete(socket));
  };
  const take = (request: IncomingMessage, mine: Duplex): void => {
    keep(mine);
    const target = request.url ?? '';
    asked.push(target);
    const [host = '', port] = target.split(':');
    const isKnown =
      credentials === undefined ||
      request.headers['proxy-authorization'] === `Basic ${Buffer.from(credentials).toString('base64')}`;
    const route = routes[host] ?? (host === '127.0.0.1' ? `http://${target}` : undefined);
    const manner = isKnown
      ? (manners.get(host) ?? manners.get(undefined) ?? (route ? 'connects' : 502))
      : 407;
    if (manner === 'hangs') return;
    if (manner === 'closes') return void mine.destroy();
    if (manner !== 'connects' || route === undefined)
      return void mine.end(`HTTP/1.1 ${String(manner)} No\r\ncontent-length: 0\r\n\r\n`);
    mine.write('HTTP/1.1 200 Connection established\r\n\r\n');
    const inner = port === '443' && tls ? keep(serverSide(mine, tls, host)) : mine;
    const { hostname, port: there } = new URL(route);
    const theirs = keep(connect(Number(there), hostname));
    inner.pipe(theirs).pipe(inner);
    inner.on('close', () => theirs.destroy());
    theirs.on('close', () => mine.destroy());
  };
  const refuse: RequestListener = (_request, response) => void response.writeHead(405).end();
  const server =
    scheme === 'https' ? createSecureServer({ ...tls?.certificate }, refuse) : createServer(refuse);
  server.on('connect', take);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  const stop = (): Promise<void> => {
    cut();
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  onTestFinished(stop);
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://${credentials === undefined ? '' : `${credentials.split(':').map(encodeURIComponent).join(':')}@`}127.0.0.1:${port}`,
    asked,
    answers: (manner, host) => void manners.set(host, manner),
    cut,
    stop,
  };
}

/** The host's end of TLS in a connection through the proxy. */
function serverSide(mine: Duplex, { certificate, takesClientsOf }: Tls, host: string): Duplex {
  const ca = takesClientsOf?.[host];
  const asksClient = ca === undefined ? {} : { requestCert: true, rejectUnauthorized: true, ca };
  return new TLSSocket(mine, { isServer: true, ...certificate, ...asksClient });
}
