import type { Asked } from './dialect.ts';
import type { Action } from './fleet.ts';
import { addressOf, isoSeconds, sizeOf, type Machine, type Size } from './machine.ts';

/** Prices are net, in the first location. */
export const serverTypes: readonly Size[] = [
  { id: 'cpx22', cores: 2, memoryMb: 4_096, diskGb: 80, monthlyCents: 600 },
  { id: 'cx33', cores: 4, memoryMb: 8_192, diskGb: 80, monthlyCents: 550 },
  { id: 'cpx32', cores: 4, memoryMb: 8_192, diskGb: 160, monthlyCents: 1_050 },
  { id: 'cpx42', cores: 8, memoryMb: 16_384, diskGb: 320, monthlyCents: 2_000 },
  { id: 'ccx23', cores: 4, memoryMb: 16_384, diskGb: 160, monthlyCents: 2_450 },
];

interface Location {
  readonly name: string;
  readonly city: string;
  readonly country: string;
  readonly zone: string;
  /** What a price is here, in hundredths of the first location's. */
  readonly priceFactor: number;
}

const LOCATIONS: readonly Location[] = [
  { name: 'fsn1', city: 'Falkenstein', country: 'DE', zone: 'eu-central', priceFactor: 100 },
  { name: 'nbg1', city: 'Nuremberg', country: 'DE', zone: 'eu-central', priceFactor: 100 },
  { name: 'hel1', city: 'Helsinki', country: 'FI', zone: 'eu-central', priceFactor: 100 },
  { name: 'ash', city: 'Ashburn, VA', country: 'US', zone: 'us-east', priceFactor: 115 },
];

export const locationNames = LOCATIONS.map(({ name }) => name);

/** In hundredths. */
const VAT_RATE = 19;
const HOURS_A_MONTH = 624;

/** A server as both the list and the detail show it. */
export function serverWire({ fleet, rules }: Pick<Asked, 'fleet' | 'rules'>, machine: Machine): object {
  const { spec, words } = machine;
  const type = sizeOf(serverTypes, spec.size);
  const index = Math.max(0, locationNames.indexOf(spec.region ?? ''));
  const ip = addressOf(machine);
  return {
    id: Number(machine.id),
    name: machine.name,
    status: words['status'],
    created: isoSeconds(machine.createdAt),
    locked: rules.hidesLock ? machine.isLocked : fleet.isBusy(machine),
    labels: spec.labels ?? {},
    protection: { delete: machine.isProtected, rebuild: machine.isProtected },
    backup_window: spec.hasBackups ? '22-02' : null,
    location: LOCATIONS.map(locationWire)[index],
    image: null,
    iso: null,
    included_traffic: null,
    ingoing_traffic: null,
    outgoing_traffic: null,
    primary_disk_size: type.diskGb,
    private_net: [],
    public_net: {
      floating_ips: [],
      ipv4: { ip, blocked: false, dns_ptr: `${machine.name}.example.com` },
      ipv6: { ip: `2001:db8:${machine.serial.toString(16)}::/64`, blocked: false, dns_ptr: [] },
    },
    rescue_enabled: false,
    volumes: (spec.volumes ?? []).map(Number),
    server_type: {
      id: 20 + serverTypes.indexOf(type),
      name: type.id,
      description: type.id.toUpperCase(),
      architecture: 'x86',
      cores: type.cores,
      cpu_type: type.id.startsWith('ccx') ? 'dedicated' : 'shared',
      deprecated: false,
      disk: type.diskGb,
      memory: type.memoryMb / 1_024,
      storage_type: 'local',
      locations: [],
      prices: pricesOf(type),
    },
  };
}

function locationWire({ name, city, country, zone }: Location, index: number): object {
  return {
    id: index + 1,
    name,
    city,
    country,
    description: `${city} DC Park 1`,
    latitude: 50.4,
    longitude: 12.3,
    network_zone: zone,
  };
}

/** What a server type costs in each location: net and gross, as decimal strings. */
function pricesOf({ monthlyCents }: Size): readonly object[] {
  return LOCATIONS.map(({ name, priceFactor }) => {
    const monthly = (monthlyCents * priceFactor) / 10_000;
    return {
      location: name,
      included_traffic: 0,
      price_hourly: price(monthly / HOURS_A_MONTH),
      price_monthly: price(monthly),
      price_per_tb_traffic: price(1),
    };
  });
}

function price(net: number): { readonly net: string; readonly gross: string } {
  return { net: net.toFixed(4), gross: ((net * (100 + VAT_RATE)) / 100).toFixed(4) };
}

/** The price list, the only thing about money that there is. */
export function pricingWire(): object {
  return {
    currency: 'EUR',
    vat_rate: VAT_RATE.toFixed(6),
    server_backup: { percentage: '20.000000' },
    server_types: serverTypes.map((type, index) => ({
      id: 20 + index,
      name: type.id,
      prices: pricesOf(type),
    })),
  };
}

/** An action. One that was just begun is running, however short it is. */
export function actionWire(
  { fleet, rules }: Pick<Asked, 'fleet' | 'rules'>,
  action: Action,
  isNew = false,
): object {
  const isOpen = isNew || fleet.isRunning(action);
  const failed = !isOpen && action.fate.fails === true;
  return {
    id: action.id,
    command: action.command,
    status: isOpen ? 'running' : failed ? 'error' : 'success',
    progress: isOpen ? 0 : 100,
    started: isoSeconds(action.startedAt),
    finished: isOpen ? null : isoSeconds(action.endsAt),
    resources: [{ id: Number(action.machineId), type: 'server' }],
    error: failed || rules.hasStrayErrors ? { code: 'action_failed', message: 'Action failed' } : null,
  };
}
