import type { Adapter } from '../../src/platform/hosting/adapter.ts';
import { adapter as digitalocean } from '../../src/platform/hosting/adapters/digitalocean.ts';
import { adapter as hetzner } from '../../src/platform/hosting/adapters/hetzner.ts';
import { adapter as instanceHosting } from '../../src/platform/hosting/adapters/instance-hosting.ts';
import { adapter as vultr } from '../../src/platform/hosting/adapters/vultr.ts';
import { createHostingClient } from '../../src/platform/hosting/client.ts';
import type { Requester } from '../../src/platform/hosting/request.ts';

export type Json = Readonly<Record<string, unknown>>;

/** One whole record of an instance at each service, its list and its one, and which of its fields are essential. */
export const SERVICES: Readonly<
  Record<
    string,
    {
      adapter: Adapter;
      record: Json;
      essential: readonly string[];
      list: (all: readonly unknown[]) => Json;
      one: (record: unknown) => Json;
    }
  >
> = {
  'instance-hosting': {
    adapter: instanceHosting,
    record: {
      id: 42,
      name: 'web-1',
      status: 'running',
      tier: 'pro',
      billing_mode: 'daily',
      ip_address: '192.0.2.1',
      health_status: 'healthy',
      created_at: '2026-01-05T10:00:00Z',
      can_stop: true,
      subdomain_url: 'web-1.example.com',
      daily_claw_cost: 5,
    },
    essential: ['id', 'name', 'status'],
    list: (data) => ({ data }),
    one: (data) => ({ data }),
  },
  digitalocean: {
    adapter: digitalocean,
    record: {
      id: 42,
      name: 'web-1',
      status: 'active',
      locked: false,
      created_at: '2026-01-05T10:00:00Z',
      size_slug: 's-1vcpu-1gb',
      networks: { v4: [{ ip_address: '192.0.2.10', type: 'public' }] },
    },
    essential: ['id', 'name', 'status'],
    list: (droplets) => ({ droplets, links: {}, meta: { total: droplets.length } }),
    one: (droplet) => ({ droplet }),
  },
  hetzner: {
    adapter: hetzner,
    record: {
      id: 42,
      name: 'web-1',
      status: 'running',
      created: '2026-01-05T10:00:00Z',
      locked: false,
      protection: { delete: false },
      public_net: { ipv4: { ip: '192.0.2.20' } },
      server_type: { name: 'cpx22' },
    },
    essential: ['id', 'name', 'status'],
    list: (servers) => ({ servers, meta: { pagination: { next_page: null, total_entries: null } } }),
    one: (server) => ({ server }),
  },
  vultr: {
    adapter: vultr,
    record: {
      id: '42',
      label: 'web-1',
      hostname: 'web-1',
      status: 'active',
      power_status: 'running',
      server_status: 'ok',
      main_ip: '192.0.2.30',
      plan: 'vc2-1c-1gb',
      date_created: '2026-01-05 10:00:00+00:00',
    },
    essential: ['id', 'label', 'status', 'power_status', 'server_status'],
    list: (instances) => ({ instances, meta: { total: instances.length, links: { next: '' } } }),
    one: (instance) => ({ instance }),
  },
};

const NO_GPU = { droplets: [], links: {}, meta: { total: 0 } };

/** A service that answers everything with this body, and has no GPU Droplets; what is left out of it is counted. */
export function serviceOf(adapter: Adapter, body: unknown) {
  const leftOut: [string, number][] = [];
  const answer: Requester['read'] = async ({ path }) => ({
    status: 200,
    headers: {},
    body: path.includes('type=gpus') ? NO_GPU : body,
  });
  const requester: Requester = { read: answer, write: answer, close: async () => undefined };
  const onLeftOut = (_doing: string, counts: ReadonlyMap<string, number>): void => {
    leftOut.push(...counts);
  };
  const url = adapter.origin ?? 'https://api.example.test';
  return { hosting: createHostingClient(adapter, url, requester, { onLeftOut }), leftOut };
}
