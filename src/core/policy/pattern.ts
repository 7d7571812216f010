import { isFilter, matcherOf, namesOfLabels } from '../instances/filter.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { unforced } from './permissions.ts';

/** What a pattern of the policy is compared with: an instance by its id, and by what it is called and marked now. */
export interface PolicyTarget {
  readonly id: string;
  readonly name: string;
  /** Left out where nobody has looked, or where the service doesn't tell. */
  readonly labels?: readonly string[] | undefined;
  readonly region?: string | undefined;
}

/** A pattern by what an instance is marked with at the service. */
interface Mark {
  readonly field: 'label' | 'region';
  readonly value: string;
}

const NAME_ONLY = /^name:/i;

/** The mark that `label:team=web` or `region:fra1` is about; undefined for a pattern of names or ids. Pure. */
export function markOf(pattern: string): Mark | undefined {
  const [, field = '', value = ''] = /^(label|region):(.+)$/isu.exec(pattern) ?? [];
  if (field === '') return undefined;
  return { field: field.toLowerCase() === 'label' ? 'label' : 'region', value };
}

/** Whether it can be a pattern: no filter by anything that is gone with the next restart. Pure. */
export function isTaken(pattern: string): boolean {
  return !isFilter(pattern) || isNameOnly(pattern) || markOf(pattern) !== undefined;
}

/** Whether any of them is about more than names and ids. Pure. */
export function hasMarks(patterns: readonly string[] | undefined): boolean {
  return patterns?.some((pattern) => markOf(pattern) !== undefined) ?? false;
}

/** The name in a pattern, without the `name:` that says it is never an id. Pure. */
export function namePart(pattern: string): string {
  return pattern.replace(NAME_ONLY, '');
}

/** Whether a pattern is of names alone. Pure. */
export function isNameOnly(pattern: string): boolean {
  return NAME_ONLY.test(pattern);
}

/** Whether an instance of this name is meant by a pattern of names, in any case. Pure. */
export function isNamed(pattern: string, name: string): boolean {
  return markOf(pattern) === undefined && matcherOf(namePart(pattern))(name);
}

/**
 * Whether a pattern means an instance: by its name in any case, by its exact id, or by a label or the region that it has. `unknown`:
 * nobody can tell which labels it has, or where it is. Pure.
 */
function means(pattern: string, target: PolicyTarget): boolean | 'unknown' {
  if (pattern === target.id) return true;
  const mark = markOf(pattern);
  if (!mark) return isNamed(pattern, target.name);
  const values =
    mark.field === 'label' ? target.labels && namesOfLabels(target.labels) : valuesOf(target.region);
  return values === undefined ? 'unknown' : values.some(matcherOf(mark.value));
}

function valuesOf(value: string | undefined): readonly string[] | undefined {
  return value === undefined ? undefined : [value];
}

/** Whether one of the patterns means the instance for certain: what a right needs. Pure. */
export function isMeant(patterns: readonly string[], target: PolicyTarget): boolean {
  return patterns.some((pattern) => means(pattern, target) === true);
}

/** Whether one of the patterns means it, or nobody can tell: what keeps something from being done. Pure. */
export function mayBeMeant(patterns: readonly string[], target: PolicyTarget): boolean {
  return patterns.some((pattern) => means(pattern, target) !== false);
}

/** Whether it hangs on marks of the instance that nobody can tell. Pure. */
export function isUntold(patterns: readonly string[] | undefined, target: PolicyTarget): boolean {
  return patterns !== undefined && !isMeant(patterns, target) && mayBeMeant(patterns, target);
}

/** Whether an instance is protected: it can't be deleted here, and stopping or restarting it asks first. */
export type Protection = (instance: Pick<Instance, 'id' | 'name' | 'labels' | 'region'>) => boolean;

/**
 * By patterns of names, `*` for any run of characters in any case, by exact ids, since a name can be changed elsewhere, or by
 * labels and regions: one of which these can't be told is protected.
 */
export function createProtection(patterns: readonly string[]): Protection {
  return (instance) => mayBeMeant(patterns, instance);
}

/** The same by the patterns that count when it is asked. */
export function protectionBy(patterns: () => readonly string[]): Protection {
  const protection = madeAnew(patterns, createProtection);
  return (instance) => protection()(instance);
}

/** Gives what is made of something, made anew only once that is something else. */
function madeAnew<Source, Made>(source: () => Source, make: (source: Source) => Made): () => Made {
  let of = source();
  let made = make(of);
  return () => {
    const now = source();
    if (now !== of) [of, made] = [now, make(now)];
    return made;
  };
}

/** Which changes of which instances need the yes of a second person. */
export interface ApprovalRule {
  /** Names of instances, `*` for any run of characters, ids, or `label:env=prod` and `region:fra1`. */
  readonly on: readonly string[];
  /** The verbs that need it, each with its forced form; without, all that change something. */
  readonly for?: readonly string[];
}

/**
 * The rule by which a change of an instance needs a second person; undefined where it doesn't. One whose labels or region nobody can
 * tell needs it. Pure.
 */
export function approvalOf(
  rules: readonly ApprovalRule[],
  verb: string,
  target: PolicyTarget,
): ApprovalRule | undefined {
  const verbs = [verb, unforced(verb)];
  return rules.find(
    (rule) => (rule.for?.some((one) => verbs.includes(one)) ?? true) && mayBeMeant(rule.on, target),
  );
}
