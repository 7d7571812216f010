import type { Asked } from './dialect.ts';
import { addressOf, hourlyPrice, sizeOf, type Machine, type Size } from './machine.ts';

export const vultrPlans: readonly Size[] = [
  { id: 'vc2-1c-1gb', cores: 1, memoryMb: 1_024, diskGb: 25, monthlyCents: 500 },
  { id: 'vc2-1c-2gb', cores: 1, memoryMb: 2_048, diskGb: 55, monthlyCents: 1_000 },
  { id: 'vc2-2c-4gb', cores: 2, memoryMb: 4_096, diskGb: 80, monthlyCents: 2_000 },
  { id: 'vc2-4c-8gb', cores: 4, memoryMb: 8_192, diskGb: 160, monthlyCents: 4_000 },
  { id: 'vhp-4c-8gb-amd', cores: 4, memoryMb: 8_192, diskGb: 180, monthlyCents: 4_800 },
];

export const vultrRegions = ['fra', 'ams', 'ewr', 'sgp'];

/** Times have a space and an offset. */
export function spacedTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}+00:00`;
}

/**
 * An instance as both the list and the detail show it, with the two secrets that the cloud sends: `kvm`, a link
 * that opens the console, and `default_password`. Both are made up.
 */
export function instanceWire({ fleet, rules }: Pick<Asked, 'fleet' | 'rules'>, machine: Machine): object {
  const { spec, words, id } = machine;
  const plan = sizeOf(vultrPlans, spec.size);
  const spaced = spacedTime(machine.createdAt);
  const isPending = words['status'] === 'pending';
  const isLocked = machine.isLocked || fleet.isBusy(machine);
  return {
    id,
    label: machine.name,
    hostname: machine.name,
    os: 'Ubuntu 24.04 LTS x64',
    ram: plan.memoryMb,
    disk: plan.diskGb,
    vcpu_count: plan.cores,
    main_ip: isPending ? '0.0.0.0' : addressOf(machine),
    v6_networks: [],
    internal_ip: '',
    region: spec.region ?? vultrRegions[0],
    plan: plan.id,
    date_created: rules.writesDatesWithT ? spaced.replace(' ', 'T') : spaced,
    status: words['status'],
    power_status: words['power_status'],
    server_status: isLocked && !rules.hidesLock ? 'locked' : words['server_status'],
    features: spec.hasBackups ? ['auto_backups'] : [],
    tags: spec.tags ?? [],
    kvm: `https://console.example.com/kvm?token=kvm-secret-${machine.serial}`,
    default_password: `password-secret-${machine.serial}`,
  };
}

/** A plan: the price of an instance stands nowhere else. */
export function planWire(plan: Size): object {
  return {
    id: plan.id,
    vcpu_count: plan.cores,
    ram: plan.memoryMb,
    disk: plan.diskGb,
    type: plan.id.split('-')[0],
    monthly_cost: plan.monthlyCents / 100,
    hourly_cost: hourlyPrice(plan),
    locations: vultrRegions,
    // Instances in one region cost more than their plan says.
    location_cost: { sgp: { monthly_cost: (plan.monthlyCents * 1.2) / 100 } },
  };
}
