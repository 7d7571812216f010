import { isMeant, type Target } from '../policy/grant.ts';

/** What a second person must say yes to. */
export interface ApprovalRule {
  /** Names of instances, `*` for any run of characters, or ids. */
  readonly on: readonly string[];
  /** Verbs; all that change something where it is left out. */
  readonly for?: readonly string[] | undefined;
}

/** Whether a second person must say yes to a verb on an instance. Pure. */
export function needsApproval(rules: readonly ApprovalRule[], verb: string, target: Target): boolean {
  return rules.some(
    (rule) => isMeant(rule.on, target) && (rule.for === undefined || rule.for.includes(verb)),
  );
}
