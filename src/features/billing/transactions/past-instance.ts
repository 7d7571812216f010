import type { Instance, Transaction } from '../../../platform/hosting/service.ts';

/** Whom of those that aren't in the list of instances any more a name or an id means. */
export type PastInstance =
  | { readonly found: 'one'; readonly id: string; readonly name: string | undefined }
  | { readonly found: 'several'; readonly ids: readonly string[] }
  | { readonly found: 'none' };

/** What of a transaction tells whose it was. */
export type Trace = Pick<Transaction, 'instanceId' | 'description'>;

/** A name with its id, as the bot writes it. */
const NAME_AND_ID = /^(.*\S)\s*\(([^()]+)\)$/;

/** The name and the id that were typed, each where there is one. */
export function nameAndId(typed: string): { name: string | undefined; id: string } {
  const [, name, id] = NAME_AND_ID.exec(typed) ?? [];
  return id === undefined ? { name: undefined, id: typed } : { name, id };
}

/**
 * Whom `typed` means by the transactions: an id that occurs in them, or a name that only transactions of one instance
 * bear in their description. A word that also stands in what belongs to somebody else, or to nobody, is no name.
 * `listed`: the instances there are. Pure.
 */
export function findPast(
  typed: string,
  traces: readonly Trace[],
  listed: readonly Pick<Instance, 'id'>[],
): PastInstance {
  const { name, id } = nameAndId(typed);
  if (traces.some(({ instanceId }) => instanceId === id)) return { found: 'one', id, name };
  if (name !== undefined) return { found: 'none' };
  const owners = [
    ...new Set(
      traces
        .filter(({ description }) => hasName(description ?? '', typed))
        .map(({ instanceId }) => instanceId ?? ''),
    ),
  ];
  const isWord = owners.some((owner) => owner === '' || listed.some((one) => one.id === owner));
  const [owner, another] = owners;
  if (owner === undefined || isWord) return { found: 'none' };
  return another === undefined ? { found: 'one', id: owner, name: typed } : { found: 'several', ids: owners };
}

/** Whether the name stands in the text by itself: `web-2` doesn't in `web-20`, nor in `my-web-2`. */
function hasName(text: string, name: string): boolean {
  const [whole, part] = [text.toLowerCase(), name.trim().toLowerCase()];
  if (part === '') return false;
  for (let at = whole.indexOf(part); at !== -1; at = whole.indexOf(part, at + 1)) {
    const around = [whole[at - 1], whole[at + part.length]];
    if (around.every((character) => character === undefined || !/[\p{L}\p{N}._-]/u.test(character)))
      return true;
  }
  return false;
}
