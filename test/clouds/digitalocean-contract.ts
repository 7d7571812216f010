import * as z from 'zod';

const strict = z.strictObject;
const isoTime = z.iso.datetime();
const decimal = z.string().regex(/^-?\d+\.\d{2,}$/);

const size = strict({
  slug: z.string(),
  memory: z.int(),
  vcpus: z.int(),
  disk: z.int(),
  transfer: z.number(),
  price_monthly: z.number(),
  price_hourly: z.number(),
  regions: z.array(z.string()),
  available: z.boolean(),
  description: z.string(),
});

const droplet = strict({
  id: z.int(),
  name: z.string(),
  memory: z.int(),
  vcpus: z.int(),
  disk: z.int(),
  locked: z.boolean(),
  status: z.enum(['new', 'active', 'off', 'archive']),
  created_at: isoTime,
  features: z.array(z.string()),
  backup_ids: z.array(z.int()),
  next_backup_window: z.null(),
  snapshot_ids: z.array(z.int()),
  image: strict({ id: z.int(), name: z.string(), type: z.string() }).partial(),
  volume_ids: z.array(z.string()),
  size,
  size_slug: z.string(),
  networks: strict({
    v4: z.array(
      strict({
        ip_address: z.ipv4(),
        netmask: z.ipv4(),
        gateway: z.ipv4(),
        type: z.enum(['public', 'private']),
      }),
    ),
    v6: z.array(z.unknown()),
  }).partial(),
  region: strict({
    name: z.string(),
    slug: z.string(),
    features: z.array(z.string()),
    available: z.boolean(),
    sizes: z.array(z.string()),
  }),
  tags: z.array(z.string()),
});

const dropletAction = strict({
  id: z.int(),
  status: z.enum(['in-progress', 'completed', 'errored']),
  type: z.string(),
  started_at: isoTime,
  completed_at: isoTime.nullable(),
  resource_id: z.int(),
  resource_type: z.literal('droplet'),
  region_slug: z.string().nullable(),
});

const links = strict({
  pages: strict({ first: z.url(), prev: z.url(), next: z.url(), last: z.url() }).partial().optional(),
});
const listOf = (name: string, item: z.ZodType): z.ZodType =>
  strict({ [name]: z.array(item), links, meta: strict({ total: z.int() }) });

/** What DigitalOcean's published contract says its answers are, written without a look at the double. Nothing that isn't here may be sent. */
export const digitalocean = {
  list: listOf('droplets', droplet),
  one: strict({ droplet }),
  action: strict({ action: dropletAction }),
  actions: listOf('actions', dropletAction),
  error: strict({ id: z.string(), message: z.string(), request_id: z.string().optional() }),
  balance: strict({
    account_balance: decimal,
    month_to_date_usage: decimal,
    month_to_date_balance: decimal,
    generated_at: isoTime,
  }),
  prepaid: strict({
    status: strict({
      balance: decimal,
      blocked: z.boolean(),
      eligible: z.boolean(),
      is_auto_prepay_enabled: z.boolean(),
      month_to_date_balance: decimal,
    }),
  }),
  history: listOf(
    'billing_history',
    strict({
      description: z.string(),
      amount: decimal,
      invoice_id: z.string().optional(),
      invoice_uuid: z.string().optional(),
      date: isoTime,
      type: z.enum(['Invoice', 'Payment']),
    }),
  ),
  invoices: strict({
    invoices: z.array(
      strict({
        invoice_uuid: z.string(),
        invoice_id: z.string(),
        amount: decimal,
        invoice_period: z.string().regex(/^\d{4}-\d\d$/),
      }),
    ),
    invoice_preview: strict({
      invoice_uuid: z.string(),
      amount: decimal,
      invoice_period: z.string(),
      updated_at: isoTime,
    }),
    links,
    meta: strict({ total: z.int() }),
  }),
  items: listOf(
    'invoice_items',
    strict({
      product: z.string(),
      resource_id: z.string().optional(),
      description: z.string().optional(),
      amount: decimal,
      duration: z.string(),
      duration_unit: z.string(),
    }),
  ),
};
