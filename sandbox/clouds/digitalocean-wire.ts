import type { Asked } from './dialect.ts';
import type { Action } from './fleet.ts';
import { addressOf, hourlyPrice, isoSeconds, sizeOf, type Machine, type Size } from './machine.ts';

export const dropletSizes: readonly Size[] = [
  { id: 's-1vcpu-1gb', cores: 1, memoryMb: 1_024, diskGb: 25, monthlyCents: 600 },
  { id: 's-1vcpu-2gb', cores: 1, memoryMb: 2_048, diskGb: 50, monthlyCents: 1_200 },
  { id: 's-2vcpu-4gb', cores: 2, memoryMb: 4_096, diskGb: 80, monthlyCents: 2_400 },
  { id: 's-4vcpu-8gb', cores: 4, memoryMb: 8_192, diskGb: 160, monthlyCents: 4_800 },
  { id: 's-8vcpu-16gb', cores: 8, memoryMb: 16_384, diskGb: 320, monthlyCents: 9_600 },
  { id: 'gpu-h100x1-80gb', cores: 20, memoryMb: 245_760, diskGb: 720, monthlyCents: 227_808 },
];

/** Their ids and names. */
export const dropletRegions: Readonly<Record<string, string>> = {
  fra1: 'Frankfurt 1',
  ams3: 'Amsterdam 3',
  nyc3: 'New York 3',
  sgp1: 'Singapore 1',
};

/** What a droplet costs a month, in cents. */
export function priceOf(machine: Machine): number {
  return sizeOf(dropletSizes, machine.spec.size).monthlyCents;
}

/** A droplet as both the list and the detail show it. */
export function dropletWire(asked: Pick<Asked, 'fleet' | 'rules'>, machine: Machine): object {
  const { spec, words } = machine;
  const size = sizeOf(dropletSizes, spec.size);
  const shape = { memory: size.memoryMb, vcpus: size.cores, disk: size.diskGb };
  const slug = regionOf(machine);
  const isLocked = asked.rules.hidesLock ? machine.isLocked : asked.fleet.isBusy(machine);
  return {
    id: Number(machine.id),
    name: machine.name,
    ...shape,
    locked: isLocked,
    status: words['status'],
    created_at: isoSeconds(machine.createdAt),
    features: spec.hasBackups ? ['backups'] : [],
    backup_ids: [],
    next_backup_window: null,
    snapshot_ids: [],
    image: spec.isManaged ? { id: 7, name: 'Kubernetes node', type: 'admin' } : {},
    volume_ids: spec.volumes ?? [],
    size: {
      slug: size.id,
      ...shape,
      transfer: 1,
      price_monthly: size.monthlyCents / 100,
      price_hourly: hourlyPrice(size),
      regions: Object.keys(dropletRegions),
      available: true,
      description: isGpu(machine) ? 'GPU' : 'Basic',
    },
    size_slug: size.id,
    // While it is made it has no address yet.
    networks: words['status'] === 'new' ? {} : networksOf(machine),
    region: { name: dropletRegions[slug] ?? slug, slug, features: [], available: true, sizes: [] },
    tags: spec.tags ?? [],
  };
}

/** GPU droplets stand in a list of their own. */
export function isGpu({ spec }: Machine): boolean {
  return spec.size?.startsWith('gpu-') ?? false;
}

/** An action. One that was just begun is in progress, however short it is. */
export function actionWire({ fleet }: Pick<Asked, 'fleet'>, action: Action, isNew = false): object {
  const isOpen = isNew || fleet.isRunning(action);
  const machine = fleet.find(action.machineId);
  return {
    id: action.id,
    status: isOpen ? 'in-progress' : action.fate.fails ? 'errored' : 'completed',
    type: action.command,
    started_at: isoSeconds(action.startedAt),
    completed_at: isOpen ? null : isoSeconds(action.endsAt),
    resource_id: Number(action.machineId),
    resource_type: 'droplet',
    region_slug: machine === undefined ? null : regionOf(machine),
  };
}

function regionOf({ spec }: Machine): string {
  return spec.region ?? 'fra1';
}

function networksOf(machine: Machine): object {
  const ip = addressOf(machine);
  const gateway = ip.replace(/\d+$/, '1');
  return { v4: [{ ip_address: ip, netmask: '255.255.255.0', gateway, type: 'public' }], v6: [] };
}
