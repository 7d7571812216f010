import type { Message } from '../../platform/slack/message.ts';
import type { Phrase } from '../../platform/slack/phrase.ts';
import { REASON } from '../ask/mend-words.ts';
import { type Instead, Refusal } from '../refusal.ts';
import type { Decision, Policy, Reason } from './decide.ts';
import type { Freeze } from './freeze.ts';
import type { About } from './grant.ts';
import { adminsOf, refusedAccess } from './messages.ts';
import type { PolicyTarget } from './pattern.ts';
import type { Permission } from './permissions.ts';

/** A no for lack of a right, with what the right was wanted for, so that it can be asked for. */
export class NoRight extends Refusal {
  readonly permission: Permission;
  readonly target: PolicyTarget | undefined;

  constructor(words: Phrase | Message, permission: Permission, target: PolicyTarget | undefined) {
    super('no-right', words);
    this.permission = permission;
    this.target = target;
  }
}

/** Reasons that no admin mends by giving a right. */
const NOT_MENDED: ReadonlySet<Reason> = new Set([
  'not checked',
  'frozen',
  'deactivated',
  'channel',
  'agent',
  'agent without it',
  'agent once',
  'other account place',
  'other account person',
]);

/** A no because of a freeze alone. `ends`: the freeze that who asks may end, as far as their role goes. */
export class Frozen extends Refusal {
  /** Who asks may do it all the same, once they say why. */
  readonly mayOverride: boolean;
  readonly ends: Freeze | undefined;

  constructor(
    answer: Phrase | Message,
    { mayOverride, ends }: Pick<Frozen, 'mayOverride' | 'ends'>,
    instead: Instead = mayOverride ? anyway : () => [],
    code: 'frozen' | 'none-possible' = 'frozen',
  ) {
    super(code, answer, instead);
    this.mayOverride = mayOverride;
    this.ends = ends;
  }
}

/** The same words in spite of a freeze, once it is said why; none where it was pressed. */
export const anyway: Instead = (words) => (words.length === 0 ? [] : [[...words, '--override', REASON]]);

/** What a decision says of a freeze that is in the way. Pure. */
export function wayOn({
  mayOverride,
  isNarrowed,
  freeze,
}: Extract<Decision, { allowed: false }>): Pick<Frozen, 'mayOverride' | 'ends'> {
  return { mayOverride: mayOverride === true, ends: mayOverride && !isNarrowed ? freeze : undefined };
}

/** A no for lack of rights, or because nobody could tell. */
export function noAccess(
  decision: Extract<Decision, { allowed: false }>,
  permission: Permission,
  policy: Policy,
  about: About = 'any',
): Refusal {
  const words = refusedAccess(decision, permission, policy, { about });
  if (decision.reason === 'not checked') return new Refusal('not-checked', words);
  if (decision.reason === 'frozen') return new Frozen(words, wayOn(decision));
  // Roles that a file fixes can't be given in Slack, and others only by somebody.
  const isAskable = policy.rolesFile === undefined && adminsOf(policy).length > 0;
  if (NOT_MENDED.has(decision.reason) || !isAskable) return new Refusal('no-right', words);
  const target = typeof about === 'string' ? undefined : { id: about.id, name: about.name };
  return new NoRight(words, permission, target);
}
