import { Socket } from 'node:net';
import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { ProxyError } from './connection-fault.ts';

/** Through which proxies others are reached; what is left out, directly. */
export interface Proxies {
  /** The address of the proxy for https and wss, and of the one for http and ws, which is for both where it stands alone. */
  readonly https?: string | undefined;
  readonly http?: string | undefined;
  /** Hosts that are reached directly all the same, as NO_PROXY has them. */
  readonly except?: string | undefined;
}

/** With what the bot shows who it is, in PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** What connections are to be like. */
export interface ConnectionOptions {
  /** At most so many to one host; any number where it is left out. */
  readonly connections?: number;
  /** How long one that nobody uses is kept, in ms. */
  readonly keepAliveTimeout?: number;
  readonly headersTimeout?: number;
  readonly bodyTimeout?: number;
  /** Of an answer's body, in bytes. */
  readonly maxResponseSize?: number;
  readonly clientCertificate?: ClientCertificate | undefined;
}

/** The only way out for all but Redis. */
export interface WayOut {
  /** Connections to any host, through the proxy that is for it. Whoever opens them closes them. */
  open(options?: ConnectionOptions): Dispatcher;
  /**
   * A connection through the proxy to a port of a host with which no HTTP is spoken; undefined where that is reached directly.
   * `host`: an IPv6 address in brackets. Whoever has it closes it. Throws ProxyError.
   */
  tunnelTo(host: string, port: number): Promise<Socket | undefined>;
  /** Whether there is no proxy. */
  readonly isDirect: boolean;
}

/** How long each step may take: to the other side or to the proxy, the proxy's answer, and TLS. */
const CONNECT_TIMEOUT_MS = 3_000;

export function createWayOut({ https = '', http = '', except = '' }: Proxies): WayOut {
  const timeout = CONNECT_TIMEOUT_MS;
  return {
    isDirect: https === '' && http === '',
    tunnelTo: async (host, port) => {
      const proxy = https || http;
      if (proxy === '' || isExcepted(except, host, port)) return undefined;
      return tunnelThrough(new URL(proxy), `${host}:${port}`, timeout);
    },
    open: ({ clientCertificate, ...options } = {}) =>
      new EnvHttpProxyAgent({
        ...options,
        // Set even where empty: what is left out would be read from the environment.
        httpsProxy: https,
        httpProxy: http,
        noProxy: except,
        connect: { timeout, ...clientCertificate },
        requestTls: { timeout, ...clientCertificate },
        proxyTls: { timeout },
        clientFactory: (proxy, toProxy) => connectionsTo(proxy, { ...toProxy, headersTimeout: timeout }),
      }),
  };
}

/** Straight to every host. */
export const direct: WayOut = createWayOut({});

/** Whether NO_PROXY names a host, as it is read for HTTP: with all names below it, with a port or without. Pure. */
function isExcepted(except: string, host: string, port: number): boolean {
  const name = host.toLowerCase();
  if (except === '*') return true;
  return except
    .toLowerCase()
    .split(/[,\s]/)
    .filter((one) => one !== '')
    .some((one) => {
      const [, named = one, itsPort] = /^(.+):(\d+)$/.exec(one) ?? [];
      const its = named.replace(/^\*?\./, '');
      return (
        (itsPort === undefined || Number(itsPort) === port) && (name === its || name.endsWith(`.${its}`))
      );
    });
}

/** One connection that a proxy gives to `target`. Throws ProxyError. */
async function tunnelThrough(proxy: URL, target: string, timeout: number): Promise<Socket> {
  const { username, password } = proxy;
  const who = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const pool = new Pool(proxy.origin, { connect: { timeout }, headersTimeout: timeout });
  const headers = {
    host: target,
    ...(username === '' ? {} : { 'proxy-authorization': `Basic ${who.toString('base64')}` }),
  };
  try {
    const { socket } = await askingFor(pool, proxy)({ origin: proxy.origin, path: target, headers });
    if (socket instanceof Socket) return socket;
    throw new ProxyError(proxy.host, target, {});
  } finally {
    void pool.close();
  }
}

/** Connections to a proxy, each of which asks it for one to a host. Where it gives none, ProxyError is thrown. */
function connectionsTo(proxy: URL, options: Pool.Options): Dispatcher {
  const pool = new Pool(proxy, options);
  return Object.assign(pool, { connect: askingFor(pool, proxy) });
}

/** Asks a proxy for a connection to a host. Throws ProxyError where it gives none. */
function askingFor(
  pool: Pool,
  proxy: URL,
): (asked: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData> {
  const ask = pool.connect.bind(pool);
  return async (asked) => {
    const fail = (why: { status?: number; cause?: unknown }): ProxyError =>
      new ProxyError(proxy.host, asked.path, why);
    const answer = await ask(asked).catch((cause: unknown) => {
      throw fail({ cause });
    });
    if (answer.statusCode === 200) return answer;
    answer.socket.on('error', () => undefined).destroy();
    throw fail({ status: answer.statusCode });
  };
}
