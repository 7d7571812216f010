import type { Instance } from '../../platform/hosting/service.ts';
import { hostIn, type Hosted, hostsOf } from '../instances/facts.ts';
import { changesFrom } from '../ask/closest.ts';
import { unmangle } from '../ask/words.ts';
import { isTyped } from '../../platform/slack/phrase.ts';

/** What a person's words for one instance come to. */
export type InstanceMatch =
  | { readonly found: 'one'; readonly instance: Instance }
  | { readonly found: 'several'; readonly instances: readonly Instance[] }
  /** A name with an id that another instance has; `named`: those of that name. */
  | {
      readonly found: 'contradiction';
      readonly instance: Instance;
      readonly name: string;
      readonly named: readonly Instance[];
    }
  | { readonly found: 'none'; readonly near: readonly Instance[] };

const MAX_NEAR = 5;

/** A write takes the exact id, the exact name or both, `web-1 (101)`, and never guesses. */
export function findExactly(typed: string, instances: readonly Instance[]): InstanceMatch {
  return findBothWays(typed, instances) ?? { found: 'none', near: nearest(typed, instances) };
}

/** A read takes what a write takes, the name in any case, the host or address, a unique prefix, and else offers up to five. */
export function findLoosely(typed: string, instances: readonly Instance[]): InstanceMatch {
  const lower = typed.toLowerCase();
  const exact = findBothWays(typed, instances);
  if (exact) return exact;
  const anyCase = instances.filter((instance) => instance.name.toLowerCase() === lower);
  if (anyCase.length > 0) return oneOf(anyCase);
  const hosted = findByHost(typed, instances);
  if (hosted.length > 0) return oneOf(hosted);
  const prefixed = instances.filter((instance) => instance.name.toLowerCase().startsWith(lower));
  return prefixed.length === 1 ? oneOf(prefixed) : { found: 'none', near: nearest(typed, instances) };
}

/** Those whose exact host name or address it is, as it stands or in a link. */
function findByHost<One extends Hosted>(typed: string, instances: readonly One[]): readonly One[] {
  if (!MAY_BE_HOST.test(typed)) return [];
  const host = hostIn(typed);
  return instances.filter((instance) => hostsOf(instance).includes(host));
}

/** A host name has a dot in it, and an address a dot or a colon. */
const MAY_BE_HOST = /^[^\s]*[.:][^\s]*$/u;

/** By the exact id or name, else by both in the way that the bot writes them. */
function findBothWays(typed: string, instances: readonly Instance[]): InstanceMatch | undefined {
  const exact = instances.filter(
    ({ id, name }) => id === typed || name === typed || (!PLAIN.test(name) && isTyped(typed, unmangle(name))),
  );
  // Names that look the same are typed the same: which of them it is, only an id says.
  if (exact.length > 0) return oneOf(exact);
  // A phone's quotation marks, and what can't be seen, are not typed as they stand in a name.
  const asSeen = instances.filter((instance) => isTyped(typed, unmangle(instance.name)));
  if (asSeen.length > 0) return oneOf(asSeen);
  const { name, id } = nameAndId(typed);
  const instance = id === undefined ? undefined : instances.find((one) => one.id === id);
  if (!instance) return undefined;
  // The id says which; a name is compared as it was shown.
  if (isTyped(name, instance.name)) return { found: 'one', instance };
  return {
    found: 'contradiction',
    instance,
    name,
    named: instances.filter((one) => isTyped(name, one.name)),
  };
}

/** Names in which all can be seen, and typed. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/** A name with its id, as in `web-1 (101)`; without one, all of it is the name. */
function nameAndId(typed: string): { readonly name: string; readonly id?: string } {
  const [, name, id] = /^(.*[^(\s])\s*\(([^()\s]+)\)$/su.exec(typed) ?? [];
  return name === undefined || id === undefined ? { name: typed } : { name, id };
}

/**
 * Instances whose name or id is or holds what was typed, then those that a slip of the finger is away from it, or whose
 * name begins that near to it: the nearest first.
 */
export function near(typed: string, instances: readonly Instance[]): readonly Instance[] {
  const rankOf = rankingFor(typed);
  return instances
    .map((instance) => ({ instance, rank: rankOf(instance) }))
    .filter((one): one is { instance: Instance; rank: number } => one.rank !== undefined)
    .toSorted((one, other) => one.rank - other.rank || names.compare(one.instance.name, other.instance.name))
    .map((one) => one.instance);
}

function nearest(typed: string, instances: readonly Instance[]): readonly Instance[] {
  return near(nameAndId(typed).name, instances).slice(0, MAX_NEAR);
}

/** From shorter words than this, everything is a slip of the finger away. */
const SHORTEST_MISTYPED = 3;
const SHORTEST_TWICE_MISTYPED = 6;
const SHORTEST_MISTYPED_BEGINNING = 4;

const names = new Intl.Collator();

/** Ranks instances: the lower, the nearer to what was typed; undefined where one is not near. */
function rankingFor(typed: string): (instance: Instance) => number | undefined {
  const lower = typed.toLowerCase();
  const host = MAY_BE_HOST.test(typed) ? hostIn(typed) : undefined;
  const changesTo = changesFrom(lower, lower.length < SHORTEST_TWICE_MISTYPED ? 1 : 2);
  return (instance) => {
    const { id, name } = instance;
    const its = name.toLowerCase();
    if (id === typed || its === lower) return 0;
    if (host !== undefined && isHostOf(host, instance)) return 0;
    if (its.startsWith(lower)) return 1;
    if (its.includes(lower) || id.startsWith(typed)) return 2;
    if (lower.length < SHORTEST_MISTYPED) return undefined;
    const { whole, beginning } = changesTo(its);
    if (whole !== undefined) return 2 + whole;
    return beginning === 1 && lower.length >= SHORTEST_MISTYPED_BEGINNING ? 5 : undefined;
  };
}

/** Whether a host name is that of an instance, or begins with all of its name, as most do. */
function isHostOf(host: string, instance: Instance): boolean {
  if (hostsOf(instance).includes(host)) return true;
  const [, first] = /^([^.]+)\.[a-z0-9-]*[a-z]/.exec(host) ?? [];
  const name = instance.name.toLowerCase();
  return first !== undefined && (first === name || first === `${name}-${instance.id.toLowerCase()}`);
}

function oneOf(instances: readonly Instance[]): InstanceMatch {
  const [instance, second] = instances;
  if (instance === undefined) return { found: 'none', near: [] };
  return second === undefined ? { found: 'one', instance } : { found: 'several', instances };
}
