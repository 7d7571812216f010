import { DETAILS, SERVER } from '../shipped/upcloud.ts';
import { type Given, openService, type SmallService } from './small-service.ts';

/** The token that it takes. */
export const KEY = 'ucat_01DQE3AJDEBFEKECFM558TGH2F';

export interface UpCloud extends SmallService {
  /** The next change is answered like this. */
  next?: Given | undefined;
  /** A server is in another state, whatever it was asked for. */
  put(title: string, state: string): void;
}

/** Three servers, of which mail-1 follows no signal. */
export async function openUpCloud(): Promise<UpCloud> {
  const servers = new Map(
    ['web-1', 'db-1', 'mail-1'].map((title, nth) => {
      const uuid = SERVER.uuid.replace(/1$/, String(nth + 1));
      const state = title === 'db-1' ? 'stopped' : 'started';
      return [uuid, { ...SERVER, uuid, title, hostname: title, state }];
    }),
  );
  const refused = (status: number, error_code: string, error_message: string): Given => [
    status,
    { error: { error_code, error_message } },
  ];
  const illegal = (state: string): Given =>
    refused(
      409,
      'SERVER_STATE_ILLEGAL',
      `The operation is not allowed while the server is in state '${state}'.`,
    );
  const change = (uuid: string, what: string | undefined, body: string): Given => {
    const server = servers.get(uuid)!;
    const { state } = server;
    if (what === undefined) {
      if (state !== 'stopped') return illegal(state);
      servers.delete(uuid);
      return [204];
    }
    if (state !== (what === 'start' ? 'stopped' : 'started')) return illegal(state);
    const isIgnored = server.title === 'mail-1' && body.includes('soft');
    if (what === 'start') servers.set(uuid, { ...server, state: 'started' });
    if (what === 'stop' && !isIgnored) servers.set(uuid, { ...server, state: 'stopped' });
    return [200, { server: { ...server, ...DETAILS } }];
  };
  const answer = ({ method, url, headers, body }: SmallService['calls'][number]): Given => {
    if (headers.authorization !== `Bearer ${KEY}`)
      return refused(
        401,
        'AUTHENTICATION_FAILED',
        'Authentication failed using the given username and password.',
      );
    const [, , , uuid, what] = url.pathname.split('/');
    if (uuid === undefined) return [200, { servers: { server: [...servers.values()] } }];
    const server = servers.get(uuid);
    if (!server) return refused(404, 'SERVER_NOT_FOUND', 'The server does not exist.');
    if (method === 'GET') return [200, { server: { ...server, ...DETAILS } }];
    const { next } = service;
    service.next = undefined;
    if (next) return next;
    return change(uuid, what, JSON.stringify(body));
  };
  const put: UpCloud['put'] = (title, state) => {
    for (const [uuid, server] of servers) if (server.title === title) servers.set(uuid, { ...server, state });
  };
  const service: UpCloud = Object.assign(await openService(answer), { put });
  return service;
}
