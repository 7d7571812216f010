import type { Instance } from '../hosting/service.ts';

/** What a person's words for one instance come to. */
export type Found =
  | { readonly found: 'one'; readonly instance: Instance }
  | { readonly found: 'several'; readonly instances: readonly Instance[] }
  | { readonly found: 'none'; readonly near: readonly Instance[] };

const MOST_NEAR = 5;

/** A write takes the exact id or the exact name only, and never guesses. */
export function findExactly(word: string, instances: readonly Instance[]): Found {
  const exact = instances.filter((instance) => instance.id === word || instance.name === word);
  return toFound(exact, () => near(word, instances));
}

/** A read takes the exact id, the exact name, the name in any case, a unique prefix, and else offers up to five. */
export function findLoosely(word: string, instances: readonly Instance[]): Found {
  const lower = word.toLowerCase();
  const exact = instances.filter((instance) => instance.id === word || instance.name === word);
  if (exact.length > 0) return toFound(exact, () => []);
  const anyCase = instances.filter((instance) => instance.name.toLowerCase() === lower);
  if (anyCase.length > 0) return toFound(anyCase, () => []);
  const prefixed = instances.filter((instance) => instance.name.toLowerCase().startsWith(lower));
  return prefixed.length === 1
    ? toFound(prefixed, () => [])
    : { found: 'none', near: near(word, instances).slice(0, MOST_NEAR) };
}

/** Instances whose name or id holds what was typed, those that begin with it first. */
export function near(typed: string, instances: readonly Instance[]): readonly Instance[] {
  const lower = typed.toLowerCase();
  const rank = (instance: Instance): number => {
    const name = instance.name.toLowerCase();
    if (instance.id === typed || name === lower) return 0;
    return name.startsWith(lower) ? 1 : name.includes(lower) || instance.id.startsWith(typed) ? 2 : 3;
  };
  return instances
    .map((instance) => ({ instance, rank: rank(instance) }))
    .filter((one) => one.rank < 3)
    .toSorted((one, other) => one.rank - other.rank || one.instance.name.localeCompare(other.instance.name))
    .map((one) => one.instance);
}

function toFound(exact: readonly Instance[], others: () => readonly Instance[]): Found {
  const [instance, second] = exact;
  if (instance === undefined) return { found: 'none', near: others().slice(0, MOST_NEAR) };
  return second === undefined ? { found: 'one', instance } : { found: 'several', instances: exact };
}
