import type { WireRecord } from './outcome.ts';
import { statuses } from './status.ts';
import type { Variant } from './variant.ts';

const idFields = new Set(['id', 'instance_id']);
const allowanceFields = new Set(['can_start', 'can_stop', 'can_restart']);
const moneyFields = new Set([
  'claws_balance',
  'daily_claw_cost',
  'daily_total',
  'daily_claws',
  'amount',
  'balance_after',
]);

/** Rewrites a record, and the lists of records in it, in a variant's names and words. */
export function dress(record: WireRecord, variant: Variant): WireRecord {
  const entries = Object.entries(record)
    .filter(([field]) => variant.allowances !== 'absent' || !allowanceFields.has(field))
    .map(([field, value]): [string, unknown] => [
      dressField(field, value, variant),
      dressValue(field, value, variant),
    ]);
  return Object.fromEntries(entries);
}

function dressField(field: string, value: unknown, variant: Variant): string {
  if (field === 'claws_balance') return variant.balanceField ?? field;
  if (field === 'status' && isInstanceStatus(value)) return variant.statusField ?? field;
  return field;
}

function dressValue(field: string, value: unknown, variant: Variant): unknown {
  if (Array.isArray(value)) return value.map((each: WireRecord) => dress(each, variant));
  if (idFields.has(field) && typeof value === 'number' && variant.idPrefix !== undefined) {
    return `${variant.idPrefix}${value}`;
  }
  if (moneyFields.has(field) && typeof value === 'number' && variant.money === 'decimal string') {
    return value.toFixed(2);
  }
  if (field === 'status' && isInstanceStatus(value)) return dressStatus(value, variant);
  return value;
}

function dressStatus(status: (typeof statuses)[number], variant: Variant): string {
  const word = variant.statusWords?.[status] ?? status;
  if (variant.statusCase === 'upper') return word.toUpperCase();
  if (variant.statusCase === 'dashed') return word.replaceAll('_', '-');
  return variant.statusCase === 'spaced' ? word.replaceAll('_', ' ') : word;
}

// An add-on has a status as well, from a list of its own that no variant touches.
function isInstanceStatus(value: unknown): value is (typeof statuses)[number] {
  return statuses.some((each) => each === value);
}
