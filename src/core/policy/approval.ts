import { unforced } from './forced.ts';
import { isMeant, type Target } from './grant.ts';

/** Which changes of which instances need the yes of a second person. */
export interface ApprovalRule {
  /** Names of instances, `*` for any run of characters, or ids. */
  readonly on: readonly string[];
  /** The verbs that need it, each with its forced form; without, all that change something. */
  readonly for?: readonly string[];
}

/** The rule by which a change of an instance needs a second person; undefined where it doesn't. Pure. */
export function approvalOf(
  rules: readonly ApprovalRule[],
  verb: string,
  target: Target,
): ApprovalRule | undefined {
  const verbs = [verb, unforced(verb)];
  return rules.find(
    (rule) => (rule.for?.some((one) => verbs.includes(one)) ?? true) && isMeant(rule.on, target),
  );
}
