import type { Role } from '../../core/policy/permissions.ts';
import { endLabel } from '../../core/sentences/end.ts';
import { type Grantee, granteeOf } from '../../core/policy/grant.ts';
import { parseGrant } from '../../core/sentences/parse-grant.ts';

type NameOf = (userId: string) => Promise<string | undefined>;

const MADE: Readonly<Record<Role, string>> = {
  viewer: 'a viewer',
  operator: 'an operator',
  finance: 'a member of finance',
  admin: 'an admin',
};

/**
 * What a button says that gives, takes or shows somebody's rights: "Make @bob an operator for 8 hours". Undefined for other words,
 * and where Slack doesn't say what somebody is called. `now`: Unix ms; `named`: an instance by its name. Throws a Refusal
 * for words that can't be read.
 */
export async function accessLabel(
  [word = '', ...words]: readonly string[],
  nameOf: NameOf,
  now: number,
  named: (word: string) => string,
): Promise<string | undefined> {
  const verb = word.toLowerCase();
  const [only] = words.length === 1 ? words : [];
  const whose = only === undefined ? undefined : granteeOf(only);
  if (whose && verb === 'show') return labeled([whose], nameOf, (who) => `Show what ${who} holds`);
  if (whose && verb === 'revoke') return labeled([whose], nameOf, (who) => `Revoke all of ${who}…`);
  if (verb !== 'grant' && verb !== 'revoke') return undefined;
  // A day is said as it was typed, and not as a moment.
  const { role, to, narrow, end } = parseGrant(words, verb, { at: now, zone: 'UTC' });
  // No button can show a channel by its name.
  if (narrow.in) return undefined;
  const on = narrow.on ? ` on ${narrow.on.map(named).join(', ')}` : '';
  const span = end ? ` ${endLabel(end.words)}` : '';
  const made = to.length > 1 ? `${role}s`.replace('finances', 'members of finance') : MADE[role];
  return labeled(to, nameOf, (who) =>
    verb === 'grant' ? `Make ${who} ${made}${on}${span}` : `Take ${role} from ${who}${on}${span}`,
  );
}

async function labeled(
  to: readonly Grantee[],
  nameOf: NameOf,
  label: (who: string) => string,
): Promise<string | undefined> {
  const names = await Promise.all(
    to.map(async (one) => ('userId' in one ? nameOf(one.userId).catch(() => undefined) : undefined)),
  );
  const known = names.filter((name) => name !== undefined);
  return known.length === to.length ? label(known.map((name) => `@${name}`).join(' and ')) : undefined;
}
