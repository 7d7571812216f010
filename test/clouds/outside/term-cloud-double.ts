import { resolve } from 'node:path';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { PlayOptions } from '../../support/sandbox.ts';
import { playAt } from '../play-on.ts';
import { type Given, openService, type SmallService } from './small-service.ts';

const TERM_CLOUD = resolve('test/clouds/outside/term-cloud.ts');
/** When what is paid for ends. */
export const END = '2099-12-31T23:00:00Z';

/** A server as the service writes it: any of it may be odd. */
export type Server = Record<string, unknown> & { readonly id: string };

/** The service of term-cloud.ts. */
export interface TermCloud extends SmallService {
  readonly servers: Map<string, Server>;
  /** What a request to cancel does: by default the server shows it at once. */
  onCancel: (server: Server) => Given | undefined;
}

export function serverCalled(name: string, over: Partial<Server> = {}): Server {
  const id = `s-${name}`;
  return { id, name, state: 'on', ordered: '2026-01-05T10:00:00Z', paid_until: END, ...over };
}

async function openTermCloud(servers: readonly Server[]): Promise<TermCloud> {
  const known = new Map(servers.map((one) => [one.id, one]));
  const service = await openService(({ method, url }) => {
    const [, , , id = '', what = ''] = url.pathname.split('/');
    if (id === '') return [200, { servers: [...known.values()] }];
    const server = known.get(id);
    if (!server) return [404, { error: 'No such server' }];
    if (method === 'GET') return [200, server];
    if (what === 'cancel') return cloud.onCancel(server);
    known.set(id, { ...server, state: what === 'stop' ? 'off' : 'on' });
    return [200, { server: id, request: 'received' }];
  });
  const cloud: TermCloud = {
    ...service,
    servers: known,
    onCancel: (server) => {
      markCanceled(cloud, server);
      return received(server);
    },
  };
  return cloud;
}

export function markCanceled({ servers }: Pick<TermCloud, 'servers'>, server: Server): void {
  servers.set(server.id, { ...server, cancelled_to: END });
}

export function received({ id }: Server): Given {
  return [202, { server: id, request: 'received' }];
}

/** A sandbox whose bot runs the servers of such a service. */
export async function playOnTermCloud(
  servers: readonly Server[] = [serverCalled('web-1'), serverCalled('db-1')],
  options: PlayOptions = {},
): Promise<{ cloud: TermCloud; sandbox: Sandbox }> {
  return playAt(TERM_CLOUD, await openTermCloud(servers), 'a-key-of-term-cloud', options);
}
