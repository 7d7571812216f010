import * as z from 'zod';

const strict = z.strictObject;
const isoTime = z.iso.datetime();
const decimal = z.string().regex(/^-?\d+\.\d{2,}$/);

const price = strict({ net: decimal, gross: decimal });
const serverStatus = z.enum([
  'initializing',
  'starting',
  'running',
  'stopping',
  'off',
  'deleting',
  'migrating',
  'rebuilding',
  'unknown',
]);
const server = strict({
  id: z.int(),
  name: z.string(),
  status: serverStatus,
  created: isoTime,
  locked: z.boolean(),
  labels: z.record(z.string(), z.string()),
  protection: strict({ delete: z.boolean(), rebuild: z.boolean() }),
  backup_window: z.string().nullable(),
  location: strict({
    id: z.int(),
    name: z.string(),
    city: z.string(),
    country: z.string(),
    description: z.string(),
    latitude: z.number(),
    longitude: z.number(),
    network_zone: z.string(),
  }),
  image: z.null(),
  iso: z.null(),
  included_traffic: z.null(),
  ingoing_traffic: z.null(),
  outgoing_traffic: z.null(),
  primary_disk_size: z.int(),
  private_net: z.array(strict({ ip: z.string() })),
  public_net: strict({
    floating_ips: z.array(z.int()),
    ipv4: strict({ ip: z.ipv4(), blocked: z.boolean(), dns_ptr: z.string() }).nullable(),
    ipv6: strict({ ip: z.cidrv6(), blocked: z.boolean(), dns_ptr: z.array(z.unknown()) }).nullable(),
  }),
  rescue_enabled: z.boolean(),
  volumes: z.array(z.int()),
  server_type: strict({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    architecture: z.string(),
    cores: z.int(),
    cpu_type: z.enum(['shared', 'dedicated']),
    deprecated: z.boolean(),
    disk: z.int(),
    memory: z.number(),
    storage_type: z.string(),
    locations: z.array(z.unknown()),
    prices: z.array(
      strict({
        location: z.string(),
        included_traffic: z.int(),
        price_hourly: price,
        price_monthly: price,
        price_per_tb_traffic: price,
      }),
    ),
  }),
});

const serverAction = strict({
  id: z.int(),
  command: z.string(),
  status: z.enum(['running', 'success', 'error']),
  progress: z.int().min(0).max(100),
  started: isoTime,
  finished: isoTime.nullable(),
  resources: z.array(strict({ id: z.int(), type: z.string() })),
  error: strict({ code: z.string(), message: z.string() }).nullable(),
});

const pagination = strict({
  page: z.int(),
  per_page: z.int(),
  previous_page: z.int().nullable(),
  next_page: z.int().nullable(),
  last_page: z.int().nullable(),
  total_entries: z.int().nullable(),
});

/** What Hetzner's published contract says its answers are, written without a look at the double. Nothing that isn't here may be sent. */
export const hetzner = {
  list: strict({ servers: z.array(server), meta: strict({ pagination }) }),
  one: strict({ server }),
  action: strict({ action: serverAction }),
  actions: strict({ actions: z.array(serverAction), meta: strict({ pagination }) }),
  error: strict({
    error: strict({
      code: z.string(),
      message: z.string(),
      details: strict({
        fields: z.array(strict({ name: z.string(), messages: z.array(z.string()) })),
      }).nullable(),
    }),
  }),
  pricing: strict({
    pricing: z.looseObject({
      currency: z.literal('EUR'),
      vat_rate: z.string(),
      server_backup: strict({ percentage: z.string() }),
    }),
  }),
};
