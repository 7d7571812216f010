import { z } from 'zod';
import type { Addon, Balance, Instance, PausedFor, Transaction, Usage } from '../service.ts';
import { type LeaveOut, readAs, readRecord, Unreadable } from '../unreadable.ts';
import { decimalOf } from './decimal.ts';
import { at, isObject, isOneOf, renamed, statusOf, type ServiceTable } from './service-table.ts';

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
const instanceWire = z.looseObject({
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

const balanceWire = z.looseObject({
  claws_balance: amount,
  daily_claw_cost: amount.nullish(),
});
export type BalanceWire = z.infer<typeof balanceWire>;

const usageInstanceWire = z.looseObject({
  id: id.nullish(),
  name: text,
  daily_claws: amount.nullish(),
  status: text,
});

const addonWire = z.looseObject({
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
const partialAddonWire = addonWire.partial();

const usageWire = z.looseObject({
  daily_total: amount.nullish(),
  instances: z.array(usageInstanceWire),
  addons: z.array(partialAddonWire),
});
/** What usage is read with: each of its records is read by itself. */
const usageRead = z.object({
  daily_total: z.unknown().optional(),
  instances: z.array(z.unknown()).nullish(),
  addons: z.array(z.unknown()).nullish(),
});
export type UsageWire = z.infer<typeof usageWire>;

const transactionWire = z.looseObject({
  id,
  type: z.string(),
  amount: amount,
  balance_after: amount.nullish(),
  description: text,
  instance_id: id.nullish(),
  created_at: z.string(),
});
export type TransactionWire = z.infer<typeof transactionWire>;

/** Each `…From` reads one record off the wire and throws Unreadable when it is none, unless it says otherwise. */

/** What an instance is nothing without. */
const ESSENTIAL = ['id', 'name', 'status'];

export function instanceFrom(table: ServiceTable, record: unknown, leaveOut?: LeaveOut): Instance {
  const wire = readRecord(instanceWire, renamed(table, record), ESSENTIAL, leaveOut);
  const status = wire.status ?? 'unknown';
  const instance: Writable<Instance> = {
    id: String(wire.id),
    name: wire.name ?? '(no name)',
    status: statusOf(table, status),
    statusWord: status,
    can: canOf(wire),
  };
  // Field by field, because thousands of them may be read at once.
  const cost = decimalOf(wire.daily_claw_cost);
  if (isThere(wire.tier)) instance.tier = wire.tier;
  if (isThere(wire.billing_mode)) instance.billingMode = wire.billing_mode;
  if (isThere(wire.ip_address)) instance.ipAddress = wire.ip_address;
  if (isThere(wire.health_status)) instance.health = wire.health_status;
  if (isThere(wire.created_at)) instance.createdAt = wire.created_at;
  if (isThere(wire.subdomain_url)) instance.address = wire.subdomain_url;
  if (cost !== undefined) instance.dailyCostCredits = cost;
  if (isOneOf(table.paidByDay, wire.billing_mode ?? table.paidByDay[0])) instance.isPaidByDay = true;
  const pausedFor = instance.status === 'paused' ? pausedByWord(table, status) : undefined;
  if (pausedFor !== undefined) instance.pausedFor = pausedFor;
  return instance;
}

function canOf(wire: z.output<typeof instanceWire>): Instance['can'] {
  const can: Writable<Instance['can']> = {};
  if (isThere(wire.can_start)) can.start = wire.can_start;
  if (isThere(wire.can_stop)) can.stop = wire.can_stop;
  if (isThere(wire.can_restart)) can.restart = wire.can_restart;
  return can;
}

export function balanceFrom(table: ServiceTable, body: unknown, leaveOut?: LeaveOut): Balance {
  const record = renamed(table, at(body, 'data') ?? body);
  const wire = readRecord(balanceWire, record, ['claws_balance'], leaveOut);
  const credits = decimalOf(wire.claws_balance);
  if (credits === undefined) throw new Unreadable('no amount in the answer');
  return {
    credits,
    ...present({ dailyCostCredits: decimalOf(wire.daily_claw_cost) }),
  };
}

export function usageFrom(body: unknown, leaveOut?: LeaveOut): Usage {
  const data = at(body, 'data');
  const { daily_total, instances, addons } = readAs(usageRead, data ?? body);
  if (instances === undefined && addons === undefined && data !== null)
    throw new Unreadable('no usage in the answer');
  const each = <Schema extends z.ZodType>(
    schema: Schema,
    records: readonly unknown[],
  ): z.output<Schema>[] => {
    if (records.length > 0 && !records.some(isObject)) throw new Unreadable('no usage in the answer');
    // One that can't be read costs something that nobody knows: without it, the sum would seem whole.
    return records.map((record) => readRecord(schema, isObject(record) ? record : {}, [], leaveOut));
  };
  return {
    ...present({ dailyTotalCredits: decimalOf(daily_total) }),
    instances: each(usageInstanceWire, instances ?? []).map((one) =>
      present({
        id: one.id === undefined || one.id === null ? undefined : String(one.id),
        name: one.name,
        dailyCredits: decimalOf(one.daily_claws),
        status: one.status,
      }),
    ),
    addons: each(partialAddonWire, addons ?? []).map(addonFields),
  };
}

export function addonFrom(record: unknown, leaveOut?: LeaveOut): Addon {
  const wire = readRecord(addonWire, record, ['id', 'addon_type'], leaveOut);
  return { ...addonFields(wire), id: String(wire.id), type: wire.addon_type };
}

/**
 * A transaction, as far as it can be read: one that can't be must not spoil its page, so this one never throws.
 * Without an id nobody can tell whether it came before, so then its amount counts as unreadable.
 */
export function transactionFrom(record: unknown): Transaction {
  const { shape } = transactionWire;
  const recordId = fieldOf(shape.id, record, 'id');
  const instanceId = fieldOf(shape.instance_id, record, 'instance_id') ?? undefined;
  return {
    id: recordId === undefined ? '' : String(recordId),
    type: fieldOf(shape.type, record, 'type') ?? '',
    createdAt: fieldOf(shape.created_at, record, 'created_at') ?? '',
    ...present({
      amountCredits: recordId === undefined ? undefined : decimalOf(at(record, 'amount')),
      balanceAfterCredits: decimalOf(at(record, 'balance_after')),
      description: fieldOf(shape.description, record, 'description'),
      instanceId: instanceId === undefined ? undefined : String(instanceId),
    }),
  };
}

function addonFields(wire: z.output<typeof partialAddonWire>): Partial<Addon> {
  return present({
    id: wire.id === undefined ? undefined : String(wire.id),
    type: wire.addon_type,
    instanceId:
      wire.instance_id === undefined || wire.instance_id === null ? undefined : String(wire.instance_id),
    instanceName: wire.instance_name,
    tier: wire.tier,
    status: wire.status,
    used: wire.current_usage,
    limit: wire.usage_limit,
    dailyCredits: decimalOf(wire.daily_claws),
  });
}

/** One field of a record by itself; undefined where it is missing or of another kind. */
function fieldOf<Schema extends z.ZodType>(
  schema: Schema,
  record: unknown,
  name: string,
): z.output<Schema> | undefined {
  const parsed = schema.safeParse(at(record, name));
  return parsed.success ? parsed.data : undefined;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

function isThere<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}

type Present<T> = { [Key in keyof T]?: Exclude<T[Key], null | undefined> };

/** The fields that have a value. */
function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  ) as Present<T>; // exactly the entries of `fields` that are neither undefined nor null
}

/** Why an instance is paused, by the word of its status alone; undefined where that word says nothing, or too little. Pure. */
function pausedByWord({ pausedFor }: ServiceTable, word: string): PausedFor | undefined {
  return isOneOf(pausedFor.suspended, word) ? 'suspended' : undefined;
}

/**
 * The same by the balance: one that has enough for a day of it is not paused for want of credit, whatever its status is
 * called. Undefined where the balance doesn't say why. Pure.
 */
export function pausedByBalance(
  table: ServiceTable,
  { statusWord, isPaidByDay, dailyCostCredits }: Instance,
  balance: Balance | undefined,
): PausedFor | undefined {
  if (balance === undefined) return undefined;
  const isForCredit = isPaidByDay === true && isOneOf(table.pausedFor['no-credit'], statusWord);
  // Only compared, so that a float is exact enough.
  const left = Number(balance.credits);
  return isForCredit && (left <= 0 || left < Number(dailyCostCredits)) ? 'no-credit' : undefined;
}
