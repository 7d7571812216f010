import type { Transaction } from '../../../platform/hosting/service.ts';

/** Stands between a type of transactions and the add-on that a charge of it is for. */
const MARK = ': ';
/** As a service says of a charge which add-on it is for: "Add-on backup: web-1". */
const NAMED = /^add[-_ ]?on[: ]+([a-z0-9][\w.-]{0,39})(?=[:\s]|$)/i;
/** So many add-ons of a type are told apart on one day, so that what services write can't make it grow. */
const MAX_ADDONS = 50;

/** Whether it is a type of add-ons, by its name. */
export function isOfAddons(type: string): boolean {
  return /add[-_ ]?on/i.test(type);
}

/** The type without the name of an add-on. Pure. */
export function withoutAddon(type: string): string {
  return isOfAddons(type) ? (type.split(MARK)[0] ?? type) : type;
}

/**
 * The type under which a transaction is summed up: for add-ons with the name of the one that it is for, where the service says it
 * and the day has room for it. `known`: the types that the day has. Pure.
 */
export function typeOf(
  { type, description = '' }: Pick<Transaction, 'type' | 'description'>,
  known: ReadonlyMap<string, unknown>,
): string {
  const name = isOfAddons(type) ? NAMED.exec(description)?.[1] : undefined;
  if (name === undefined) return type;
  const named = `${type}${MARK}${name.toLowerCase()}`;
  if (known.has(named)) return named;
  const others = [...known.keys()].filter((one) => one.startsWith(`${type}${MARK}`));
  return others.length < MAX_ADDONS ? named : type;
}
