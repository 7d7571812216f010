import * as z from 'zod';

const strict = z.strictObject;

const spacedTime = z.string().regex(/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
const instance = strict({
  id: z.uuid(),
  label: z.string(),
  hostname: z.string(),
  main_ip: z.ipv4(),
  v6_networks: z.array(z.unknown()),
  internal_ip: z.string(),
  region: z.string(),
  plan: z.string(),
  date_created: spacedTime,
  status: z.enum(['pending', 'suspended', 'resizing', 'active']),
  power_status: z.enum(['running', 'stopped']),
  server_status: z.enum(['none', 'locked', 'installingbooting', 'ok']),
  features: z.array(z.string()),
  tags: z.array(z.string()),
  os: z.string().optional(),
  ram: z.int().optional(),
  disk: z.int().optional(),
  vcpu_count: z.int().optional(),
  kvm: z.string().optional(),
  default_password: z.string().optional(),
  pending_charges: z.number().optional(),
});
const vultrMeta = strict({ total: z.int(), links: strict({ next: z.string(), prev: z.string() }) });
const entry = {
  id: z.int(),
  date: spacedTime,
  description: z.string(),
  amount: z.number(),
  balance: z.number(),
};

/** What Vultr's published contract says its answers are, written without a look at the double. Nothing that isn't here may be sent. */
export const vultr = {
  list: strict({ instances: z.array(instance), meta: vultrMeta }),
  one: strict({ instance }),
  error: strict({ error: z.string(), status: z.int() }),
  account: strict({
    account: strict({
      name: z.string(),
      acls: z.array(z.string()),
      balance: z.number(),
      pending_charges: z.number(),
      last_payment_date: spacedTime,
      last_payment_amount: z.number(),
    }),
  }),
  history: strict({
    billing_history: z.array(strict({ ...entry, type: z.enum(['invoice', 'credit']) })),
    meta: vultrMeta,
  }),
  invoices: strict({ billing_invoices: z.array(strict(entry)), meta: vultrMeta }),
  pending: strict({
    pending_charges: z.array(
      strict({
        description: z.string(),
        product: z.string(),
        units: z.number(),
        unit_type: z.string(),
        unit_price: z.number(),
        total: z.number(),
      }),
    ),
  }),
  plans: z.looseObject({
    plans: z.array(z.looseObject({ id: z.string(), monthly_cost: z.number() })),
    meta: vultrMeta,
  }),
};
