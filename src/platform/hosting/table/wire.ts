import { z } from 'zod';

const id = z.union([z.int(), z.string()]); // an integer past 2^53 has been rounded to somebody else's id

/**
 * What the client reads of the documented shapes of the hosting API (sandbox/hosting/openapi.yaml), as they travel.
 * The sandbox writes them and the client reads them; neither side's rules stand here.
 * Ids may be integers or strings on the wire; amounts are whole credits.
 */
const instanceWire = z.looseObject({
  id,
  name: z.string().nullish(),
  status: z.string().nullish(),
  tier: z.string().nullish(),
  billing_mode: z.string().nullish(),
  ip_address: z.string().nullish(),
  health_status: z.string().nullish(),
  created_at: z.string().nullish(),
  can_start: z.boolean().nullish(),
  can_stop: z.boolean().nullish(),
  can_restart: z.boolean().nullish(),
  subdomain_url: z.string().nullish(),
  daily_claw_cost: z.union([z.number(), z.string()]).nullish(),
});
export type InstanceWire = z.infer<typeof instanceWire>;
/** What a list item is read with: what the client doesn't know of it is left behind, which takes half the time. */
export const instanceRead = z.object(instanceWire.shape);

export const balanceWire = z.looseObject({
  claws_balance: z.union([z.number(), z.string()]),
  daily_claw_cost: z.union([z.number(), z.string()]).nullish(),
});
export type BalanceWire = z.infer<typeof balanceWire>;

const usageInstanceWire = z.looseObject({
  id: id.nullish(),
  name: z.string().nullish(),
  daily_claws: z.union([z.number(), z.string()]).nullish(),
  status: z.string().nullish(),
});

export const addonWire = z.looseObject({
  id,
  addon_type: z.string(),
  instance_id: id.nullish(),
  instance_name: z.string().nullish(),
  tier: z.string().nullish(),
  status: z.string().nullish(),
  current_usage: z.number().nullish(),
  usage_limit: z.number().nullish(),
  daily_claws: z.union([z.number(), z.string()]).nullish(),
});
export type AddonWire = z.infer<typeof addonWire>;

/** An add-on as usage reports it: any field may be missing. */
export const partialAddonWire = addonWire.partial();

export const usageWire = z.looseObject({
  daily_total: z.union([z.number(), z.string()]).nullish(),
  instances: z.array(usageInstanceWire),
  addons: z.array(partialAddonWire),
});
export type UsageWire = z.infer<typeof usageWire>;

export const transactionWire = z.looseObject({
  id,
  type: z.string(),
  amount: z.union([z.number(), z.string()]),
  balance_after: z.union([z.number(), z.string()]).nullish(),
  description: z.string().nullish(),
  instance_id: id.nullish(),
  created_at: z.string(),
});
export type TransactionWire = z.infer<typeof transactionWire>;
