import { z } from 'zod';

const id = z.union([z.int(), z.string()]); // an integer past 2^53 has been rounded to somebody else's id
const amount = z.union([z.number(), z.string()]);
// Any field but an id may be missing.
const text = z.string().nullish();
const flag = z.boolean().nullish();
const count = z.number().nullish();

/**
 * What the client reads of the documented shapes of the hosting API (sandbox/hosting/openapi.yaml), as they travel.
 * The sandbox writes them and the client reads them; neither side's rules stand here.
 * Ids may be integers or strings on the wire; amounts are whole credits.
 */
export const instanceWire = z.looseObject({
  id,
  name: text,
  status: text,
  tier: text,
  billing_mode: text,
  ip_address: text,
  health_status: text,
  created_at: text,
  can_start: flag,
  can_stop: flag,
  can_restart: flag,
  subdomain_url: text,
  daily_claw_cost: amount.nullish(),
});
export type InstanceWire = z.infer<typeof instanceWire>;

export const balanceWire = z.looseObject({
  claws_balance: amount,
  daily_claw_cost: amount.nullish(),
});
export type BalanceWire = z.infer<typeof balanceWire>;

export const usageInstanceWire = z.looseObject({
  id: id.nullish(),
  name: text,
  daily_claws: amount.nullish(),
  status: text,
});

export const addonWire = z.looseObject({
  id,
  addon_type: z.string(),
  instance_id: id.nullish(),
  instance_name: text,
  tier: text,
  status: text,
  current_usage: count,
  usage_limit: count,
  daily_claws: amount.nullish(),
});
export type AddonWire = z.infer<typeof addonWire>;

/** An add-on as usage reports it: any field may be missing. */
export const partialAddonWire = addonWire.partial();

const usageWire = z.looseObject({
  daily_total: amount.nullish(),
  instances: z.array(usageInstanceWire),
  addons: z.array(partialAddonWire),
});
/** What usage is read with: each of its records is read by itself. */
export const usageRead = z.object({
  daily_total: z.unknown().optional(),
  instances: z.array(z.unknown()).nullish(),
  addons: z.array(z.unknown()).nullish(),
});
export type UsageWire = z.infer<typeof usageWire>;

export const transactionWire = z.looseObject({
  id,
  type: z.string(),
  amount: amount,
  balance_after: amount.nullish(),
  description: text,
  instance_id: id.nullish(),
  created_at: z.string(),
});
export type TransactionWire = z.infer<typeof transactionWire>;
