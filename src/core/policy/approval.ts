import { unforced } from './permissions.ts';
import { mayBeMeant, type PolicyTarget } from './pattern.ts';

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
