import { z } from 'zod';
import { parseUrl } from '../../platform/http/parse-url.ts';
import type { Proxies } from '../../platform/http/way-out.ts';
import { faultOfCredentials } from './credentials.ts';

const proxyUrl = z
  .string()
  // As curl reads it.
  .transform((text) => (/^[a-z0-9+.-]+:\/\//i.test(text) ? text : `http://${text}`))
  .superRefine((text, context) => {
    const message = faultOfProxyUrl(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .optional();

function faultOfProxyUrl(text: string): string | undefined {
  const [begin, rest = ''] = text.split(/(?<=:\/\/)/, 2);
  const fault = faultOfCredentials(rest);
  if (fault !== undefined) return fault;
  const url = parseUrl(text);
  if (
    !url ||
    !/^https?:\/\/$/i.test(begin ?? '') ||
    `${url.search}${url.hash}` !== '' ||
    url.pathname !== '/'
  )
    return 'must be the address of an HTTP proxy like http://proxy.example.com:3128';
  if ((url.username === '') !== (url.password === ''))
    return 'must have a user and a password in it, or neither';
  return undefined;
}

/** What stands between the bot and the others. Read in lower case first, as curl and Node do. */
export const PROXY_DECLARATIONS = {
  HTTPS_PROXY: {
    about:
      'Address of the HTTP proxy through which Slack and the hosting API are reached, like `http://proxy.example.com:3128`; a user and a password may stand in it',
    secret: true,
    inLowerCase: true,
    schema: proxyUrl,
  },
  HTTP_PROXY: {
    about: 'The same for addresses that begin with `http://`, and for all where `HTTPS_PROXY` is not set',
    secret: true,
    inLowerCase: true,
    schema: proxyUrl,
  },
  NO_PROXY: {
    about:
      'Hosts that are reached without it, separated by commas: names, which count with all below them, or single addresses, each with a port or without; `*` for all',
    inLowerCase: true,
    schema: z.string().optional(),
  },
} as const;

interface ProxyVariables {
  readonly HTTPS_PROXY?: string | undefined;
  readonly HTTP_PROXY?: string | undefined;
  readonly NO_PROXY?: string | undefined;
}

export function proxiesOf(env: ProxyVariables): Proxies {
  return { https: env.HTTPS_PROXY, http: env.HTTP_PROXY, except: env.NO_PROXY };
}

/** What of the proxies' addresses must stand nowhere: passwords as written, as read, and as they are sent. */
export function secretsOfProxies({ https, http }: Proxies): readonly string[] {
  return [https, http].flatMap((text) => {
    const url = parseUrl(text ?? '');
    if (!url || url.password === '') return [];
    const [user, password] = [url.username, url.password].map(decodeURIComponent);
    return [url.password, password ?? '', Buffer.from(`${user}:${password}`).toString('base64')];
  });
}
