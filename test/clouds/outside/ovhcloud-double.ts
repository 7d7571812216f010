import { DETAILED, LISTED } from '../shipped/ovhcloud.ts';
import { type Given, openService, type SmallService } from './small-service.ts';

export const SECRET = 'a-secret-of-a-service-account';
export const PROJECT = '9f8e7d6c5b4a39281706f5e4d3c2b1a0';
/** The key that it takes. */
export const KEY = `EU.0f0f0f0f0f0f0f0f:${SECRET}:${PROJECT}`;

export interface OvhCloud extends SmallService {
  readonly tokens: string[];
  /** The next change is answered like this. */
  next?: Given | undefined;
  /** An instance is in another status, whatever it was asked for. */
  put(name: string, status: string): void;
}

/** One project with two instances, and the login that gives its tokens. */
export async function openOvhCloud(): Promise<OvhCloud> {
  const states = new Map([
    [LISTED.id, { name: 'web-1', status: 'ACTIVE' }],
    [LISTED.id.replace(/1$/, '2'), { name: 'db-1', status: 'SHUTOFF' }],
  ]);
  const tokens: string[] = [];
  const exchanged = (body: unknown): Given => {
    const { grant_type, client_id, client_secret, scope } = Object.fromEntries(
      new URLSearchParams(String(body)),
    );
    if (`${client_id}:${client_secret}:${PROJECT}` !== KEY)
      return [400, { error: 'invalid_client', error_description: 'Invalid client credentials' }];
    if (grant_type !== 'client_credentials' || scope !== 'all') return [400, { error: 'invalid_request' }];
    tokens.push(`token-${tokens.length}-of-ovhcloud`);
    return [200, { access_token: tokens.at(-1), token_type: 'Bearer', expires_in: 3599, scope }];
  };
  const answer = ({ method, url, headers, body }: SmallService['calls'][number]): Given => {
    if (url.pathname === '/auth/oauth2/token') return exchanged(body);
    if (!tokens.some((token) => headers.authorization === `Bearer ${token}`))
      return [401, { class: 'Client::Unauthorized', message: 'Invalid token' }];
    const [, , , , project, , id, what] = url.pathname.split('/');
    if (project !== PROJECT)
      return [404, { class: 'Client::NotFound', message: 'This service does not exist' }];
    if (id === undefined) return [200, [...states].map(([one, state]) => ({ ...LISTED, id: one, ...state }))];
    const found = states.get(id);
    if (!found) return [404, { class: 'Client::NotFound', message: 'Instance not found' }];
    if (method === 'GET') return [200, { ...DETAILED, id, ...found }];
    const { next } = service;
    service.next = undefined;
    if (next) return next;
    if (method === 'DELETE') states.delete(id);
    else states.set(id, { ...found, status: what === 'stop' ? 'SHUTOFF' : 'ACTIVE' });
    return [200, null];
  };
  const put: OvhCloud['put'] = (name, status) => {
    for (const [id, state] of states) if (state.name === name) states.set(id, { name, status });
  };
  const service: OvhCloud = Object.assign(await openService(answer), { tokens, put });
  return service;
}
