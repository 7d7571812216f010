import { createCloud, type Cloud, type CloudKind, type CloudOptions } from './cloud.ts';
import type { MachineSpec, Words } from './machine.ts';

/** A machine of the demo, whatever the cloud: sizes and regions are places in the cloud's own lists below. */
interface DemoMachine {
  readonly name: string;
  readonly size: 0 | 1 | 2 | 3;
  readonly region: 0 | 1 | 2;
  /** A day of 2025 or 2026. */
  readonly created: string;
  readonly env: 'prod' | 'staging' | 'dev';
  readonly state?: 'off' | 'new';
  readonly more?: Pick<MachineSpec, 'isProtected' | 'hasBackups' | 'isManaged' | 'ignoresSignals'>;
  readonly volumes?: number;
}

const KEPT = { isProtected: true, hasBackups: true };

const MACHINES: readonly DemoMachine[] = [
  { name: 'web-1', size: 1, region: 0, created: '2025-02-11', env: 'prod' },
  { name: 'web-2', size: 1, region: 0, created: '2025-02-11', env: 'prod' },
  { name: 'web-3', size: 1, region: 1, created: '2025-09-03', env: 'prod' },
  { name: 'api-1', size: 2, region: 0, created: '2025-02-12', env: 'prod' },
  { name: 'api-2', size: 2, region: 1, created: '2025-02-12', env: 'prod' },
  { name: 'db-primary', size: 3, region: 0, created: '2025-02-10', env: 'prod', more: KEPT, volumes: 2 },
  { name: 'db-replica', size: 3, region: 1, created: '2025-02-10', env: 'prod', more: KEPT, volumes: 1 },
  { name: 'cache-1', size: 1, region: 0, created: '2025-03-19', env: 'prod' },
  { name: 'queue-1', size: 1, region: 0, created: '2025-03-19', env: 'prod', volumes: 1 },
  { name: 'worker-1', size: 2, region: 0, created: '2025-03-20', env: 'prod' },
  { name: 'worker-2', size: 2, region: 0, created: '2025-06-30', env: 'prod' },
  { name: 'worker-3', size: 2, region: 2, created: '2026-01-14', env: 'prod', state: 'off' },
  { name: 'search-1', size: 3, region: 0, created: '2025-08-05', env: 'prod', more: { hasBackups: true } },
  { name: 'mail-1', size: 0, region: 1, created: '2025-04-02', env: 'prod', more: { ignoresSignals: true } },
  { name: 'monitor-1', size: 1, region: 1, created: '2025-02-15', env: 'prod' },
  { name: 'bastion', size: 0, region: 0, created: '2025-02-09', env: 'prod', more: KEPT },
  { name: 'backup-1', size: 0, region: 2, created: '2025-05-22', env: 'prod', volumes: 1 },
  { name: 'staging-web-1', size: 0, region: 0, created: '2025-10-27', env: 'staging' },
  { name: 'staging-api-1', size: 0, region: 0, created: '2025-10-27', env: 'staging' },
  { name: 'staging-db-1', size: 1, region: 0, created: '2025-10-27', env: 'staging', volumes: 1 },
  { name: 'dev-ana', size: 0, region: 0, created: '2026-03-02', env: 'dev', state: 'off' },
  { name: 'dev-bob', size: 0, region: 2, created: '2026-03-02', env: 'dev', state: 'off' },
  { name: 'node-pool-1', size: 2, region: 0, created: '2026-05-18', env: 'prod', more: { isManaged: true } },
  { name: 'preview-841', size: 0, region: 0, created: '2026-09-21', env: 'dev', state: 'new' },
];

interface Catalog {
  readonly sizes: readonly [string, string, string, string];
  readonly regions: readonly [string, string, string];
  readonly states: Readonly<Record<'off' | 'new', Words>>;
  readonly volumeId: (number: number) => string;
}

const uuid = (number: number): string => `7724db7c-0000-4000-8000-${`${number}`.padStart(12, '0')}`;

const CATALOGUES: Readonly<Record<CloudKind, Catalog>> = {
  digitalocean: {
    sizes: ['s-1vcpu-1gb', 's-1vcpu-2gb', 's-2vcpu-4gb', 's-4vcpu-8gb'],
    regions: ['fra1', 'ams3', 'nyc3'],
    states: { off: { status: 'off' }, new: { status: 'new' } },
    volumeId: uuid,
  },
  hetzner: {
    sizes: ['cpx22', 'cx33', 'cpx32', 'ccx23'],
    regions: ['fsn1', 'nbg1', 'hel1'],
    states: { off: { status: 'off' }, new: { status: 'initializing' } },
    volumeId: (number) => `${104_200_000 + number}`,
  },
  vultr: {
    sizes: ['vc2-1c-1gb', 'vc2-1c-2gb', 'vc2-2c-4gb', 'vc2-4c-8gb'],
    regions: ['fra', 'ams', 'ewr'],
    states: { off: { power_status: 'stopped' }, new: { status: 'pending', server_status: 'none' } },
    volumeId: uuid,
  },
};

/** A cloud with 24 plausible machines, the same ones each time. Every option can be set otherwise. */
export function openCloud(kind: CloudKind, options: Omit<CloudOptions, 'kind'> = {}): Cloud {
  let volumes = 0;
  const { sizes, regions, states, volumeId } = CATALOGUES[kind];
  const machines = MACHINES.map((each): MachineSpec => {
    const ids = Array.from({ length: each.volumes ?? 0 }, () => volumeId((volumes += 1)));
    return {
      name: each.name,
      createdAt: Date.parse(`${each.created}T09:30:00Z`),
      size: sizes[each.size],
      region: regions[each.region],
      tags: [`env:${each.env}`],
      labels: { env: each.env },
      volumes: ids,
      ...(each.state === undefined ? {} : { status: states[each.state] }),
      ...each.more,
    };
  });
  return createCloud({ machines, ...options, kind });
}
