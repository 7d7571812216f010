import { type Given, type Got, openService, type SmallService } from './small-service.ts';

/** The key that it takes, and the part of it that nobody but its login may see. */
export const KEY = 'client-of-ours:a-secret-of-twenty-letters';

/** The service of token-cloud.ts: three machines on two pages. */
export interface TokenCloud extends SmallService {
  /** Each token that it gave, the first first. */
  readonly tokens: string[];
  /** How the login answers from now on, in place of a token. */
  login?: { readonly status: number; readonly body: unknown } | undefined;
  exchanges(): number;
}

export async function openTokenCloud(): Promise<TokenCloud> {
  const states = new Map(['vm-a', 'vm-b', 'vm-c'].map((id) => [id, 'on']));
  const vm = (id: string) => ({
    id,
    label: `web-${id.slice(-1)}`,
    state: states.get(id),
    zone: 'north-1',
    tags: [`team=${id === 'vm-c' ? 'data' : 'web'}`],
  });
  const ids = [...states.keys()];
  const tokens: string[] = [];
  const exchanged = (text: string): Given => {
    if (cloud.login) return [cloud.login.status, cloud.login.body];
    const { client_id, client_secret } = Object.fromEntries(new URLSearchParams(text));
    if (`${client_id}:${client_secret}` !== KEY) return [401, { error: 'no such client' }];
    const token = `token-${tokens.length}-of-token-cloud`;
    tokens.push(token);
    return [200, { access_token: token, expires_in: 3_600 }];
  };
  const answer = ({ method, url, headers, text, body }: Got): Given => {
    if (url.pathname === '/oauth/token') return exchanged(text);
    if (!tokens.includes(String(headers['x-session']))) return [401, { error: 'this token has ended' }];
    const [, , kind, id = '', what] = url.pathname.split('/');
    if (kind !== 'vms') return [404, { error: 'no such page' }];
    if (id === '') {
      const page = Number(url.searchParams.get('page'));
      const vms = (page === 1 ? ids.slice(0, 2) : ids.slice(2)).map(vm);
      return [200, { vms, next_page: page === 1 ? 2 : null, total: ids.length }];
    }
    if (!states.has(id)) return [404, { error: 'no such machine' }];
    if (method === 'PUT' && what === 'state') {
      const { state } = body as { state: string };
      states.set(id, state === 'off' || state === 'cut' ? 'off' : 'on');
    }
    return [200, vm(id)];
  };
  const service = await openService(answer);
  const cloud: TokenCloud = {
    ...service,
    tokens,
    exchanges: () => cloud.calls.filter(({ url }) => url.pathname === '/oauth/token').length,
    writes: () => service.writes().filter((line) => !line.includes('/oauth/token')),
  };
  return cloud;
}
