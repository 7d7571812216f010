/** What a cloud says of a machine's state, in its own words: one field, or three at Vultr. */
export type Words = Readonly<Record<string, string>>;

/** A machine as a test or a demo describes it. What is left out is plain: running, unprotected, without tags. */
export interface MachineSpec {
  readonly name: string;
  /** The cloud's next free id when left out. */
  readonly id?: string;
  /** In the cloud's words; a text alone is its field `status`. Fields that are left out are those of a running machine. */
  readonly status?: string | Words;
  /** Unix milliseconds; the moment at which the cloud is made when left out. */
  readonly createdAt?: number;
  /** The cloud's id of a size in its catalog; its smallest when left out. */
  readonly size?: string;
  /** The cloud's id of a region; its first when left out. */
  readonly region?: string;
  /** DigitalOcean and Vultr. */
  readonly tags?: readonly string[];
  /** Hetzner. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Hetzner: `protection.delete` and `protection.rebuild`. */
  readonly isProtected?: boolean;
  /** Ids of attached volumes: UUIDs at DigitalOcean, numbers at Hetzner. */
  readonly volumes?: readonly string[];
  readonly hasBackups?: boolean;
  /** DigitalOcean: its image is of the type `admin`, as that of a Kubernetes node is. */
  readonly isManaged?: boolean;
  /** Every graceful stop and restart of it is accepted and completed, and its system doesn't follow. */
  readonly ignoresSignals?: boolean;
}

/** A machine that lives in a fleet. */
export interface Machine {
  readonly id: string;
  readonly name: string;
  /** Counts from 1 in the order in which the machines were made, and is never used again. */
  readonly serial: number;
  readonly createdAt: number;
  spec: MachineSpec;
  words: Words;
  isProtected: boolean;
  /** Locked from outside, whether or not an action runs. */
  isLocked: boolean;
}

/** A size of a catalog. Memory in MB, disk in GB, the price in US cents a month (Hetzner: euro cents, net). */
export interface Size {
  readonly id: string;
  readonly cores: number;
  readonly memoryMb: number;
  readonly diskGb: number;
  readonly monthlyCents: number;
}

const HOURS_A_MONTH = 672;
const NETWORKS = ['192.0.2', '198.51.100', '203.0.113'];

/** Throws for a size or a region that a cloud doesn't have. */
export function checkSpec(spec: MachineSpec, sizes: readonly Size[], regions: readonly string[]): void {
  sizeOf(sizes, spec.size);
  if (spec.region !== undefined && !regions.includes(spec.region)) {
    throw new Error(`clouds: no region ${spec.region}`);
  }
}

/** What an hour costs, in units of the currency: a month is billed as 672 hours. */
export function hourlyPrice({ monthlyCents }: Size): number {
  return Math.round((monthlyCents / 100 / HOURS_A_MONTH) * 100_000) / 100_000;
}

/** The size of that id; throws for one that the catalog doesn't have. Without an id, the first. */
export function sizeOf(catalog: readonly Size[], id: string | undefined): Size {
  const found = id === undefined ? catalog[0] : catalog.find((each) => each.id === id);
  if (found === undefined) throw new Error(`clouds: no size ${id}`);
  return found;
}

/** A public address that is reserved for documentation. */
export function addressOf({ serial }: Machine): string {
  const network = NETWORKS[Math.floor(serial / 250) % NETWORKS.length];
  return `${network}.${(serial % 250) + 2}`;
}

/** Whole seconds in UTC, as most clouds write times: 2026-01-05T10:00:00Z. */
export function isoSeconds(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
