import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * Who may talk to the page's server: only a browser on this machine that loaded the page from it. A name that leads here
 * by DNS rebinding, a page of another origin and a program without the cookie are refused.
 */
export interface Guard {
  /** The cookie that the page is given. */
  readonly cookie: string;
  /** Why a request is refused; undefined where it may go on. `needsCookie`: everything but the page itself. */
  refuse(request: IncomingMessage, needsCookie: boolean): string | undefined;
}

/** `port`: where the server listens. */
export function createGuard(port: number): Guard {
  const name = `lamplighter-demo-${port}`;
  const secret = randomBytes(24).toString('base64url');
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  return {
    cookie: `${name}=${secret}; Path=/; HttpOnly; SameSite=Strict`,
    refuse: ({ headers, method }, needsCookie) => {
      const { host = '', origin } = headers;
      if (!hosts.includes(host)) return 'another host';
      const isOwn = origin === `http://${host}`;
      if (origin === undefined ? method !== 'GET' : !isOwn) return 'another origin';
      const site = headers['sec-fetch-site'];
      if (needsCookie && site !== undefined && site !== 'same-origin') return 'another site';
      return needsCookie && !isSame(cookieOf(headers.cookie, name), secret) ? 'no cookie' : undefined;
    },
  };
}

function cookieOf(header: string | undefined, name: string): string {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([key]) => key === name)?.[1] ?? '';
}

function isSame(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}
