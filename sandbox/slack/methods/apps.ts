import type { Methods } from '../api/method.ts';

/** Socket Mode's front door; for the app-level token only. */
export const apps: Methods = {
  'apps.connections.open': {
    token: 'app',
    scopes: ['connections:write'],
    run({ world }) {
      const ticket = world.sockets.ticket(world.workspace.nextId('ticket-'));
      return { url: `${world.addresses.sockets}/link/?ticket=${ticket}` };
    },
  },
};
