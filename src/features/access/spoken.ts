import type { Saying, Spoken } from '../../core/sentences/phrasebook.ts';
import type { Role } from '../../core/policy/permissions.ts';
import { endLabel } from '../../core/sentences/end.ts';
import { type Grantee, granteeOf } from '../../core/policy/grant.ts';
import { parseGrant } from '../../core/sentences/parse-grant.ts';

/** A role that is given, with where it counts and for how long: a time that is no end gives none. */
function granted(saying: string): readonly Saying[] {
  return [
    [`${saying} (in <channel>)? <span>?`, 'grant {role} {who} [in {channel}] [for {span}]'],
    [`${saying} (in <channel>)? <when>`, 'grant {role} {who} [in {channel}] until {until}'],
    [
      `${saying} (on|for) <x> (in <channel>)? <span>?`,
      'grant {role} {who} on {names} [in {channel}] [for {span}]',
    ],
    [
      `${saying} <span> (on|for) <x> (in <channel>)?`,
      'grant {role} {who} on {names} [in {channel}] for {span}',
    ],
    [
      `${saying} <when> (on|for) <x> (in <channel>)?`,
      'grant {role} {who} on {names} [in {channel}] until {until}',
    ],
    [
      `${saying} (on|for) <x> (in <channel>)? <when>`,
      'grant {role} {who} on {names} [in {channel}] until {until}',
    ],
  ];
}

/** How people ask who may do what, for a role, and for what somebody holds. */
export const SPOKEN: Spoken = {
  orders: [
    ['let <who> (look|see|read|view|watch) (around|things|everything|at things)?', 'grant viewer {who}'],
    ['let <who> (look at|see|read|view|watch) <x>', 'grant viewer {who} on {names}'],
    ['<who> (should|can|may|must) (be able to)? (look|see|read|view) (around|things)?', 'grant viewer {who}'],
    ['let <who> (start|stop|restart|stop and start|restart and stop) (things)?', 'grant operator {who}'],
    ['let <who> (start|stop|restart|stop and start|restart and stop) <x>', 'grant operator {who} on {names}'],
    ['<who> (needs|need|wants|should have|gets|get) <role> <span>?', 'grant {role} {who} [for {span}]'],
    ['<who> (needs|need|wants|should have|gets|get) <role> <when>', 'grant {role} {who} until {until}'],
    [
      '<who> (needs|need|wants|should have|gets|get) <role> (on|for) <x> <when>',
      'grant {role} {who} on {names} until {until}',
    ],
    [
      '<who> (needs|need|wants|should have|gets|get) <role> (on|for) <x> <span>?',
      'grant {role} {who} on {names} [for {span}]',
    ],
    ...granted('(make|give|add|grant) <who> (as|to|the|a|an)? <role> (rights|role|access|permission)?'),
    ...granted('(grant|give) (the)? <role> (rights|role|access)? (to)? <who>'),
    ['(take|remove|revoke) <role> (rights|role|access)? (away|off)? from <who>', 'revoke {role} {who}'],
    ['(drop|remove|take|kick) <who> (from|off|out of) <role>', 'revoke {role} {who}'],
    ['(revoke|remove) <role> <who>', 'revoke {role} {who}'],
    ['<who> should be no longer <role>', 'revoke {role} {who}'],
    ['(remove|revoke|offboard) <who>', 'revoke {who}'],
    ['take <that> (back|away) from <who>', 'revoke {who}'],
    ['(remove|revoke|take away) (all|everything|access|all access) (of|from) <who>', 'revoke {who}'],
    ['<who> (left|has left|is leaving|is gone|quit) (us|company|the company|team|the team)?', 'revoke {who}'],
  ],
  asks: [
    ['(what|which) (roles|role|access|rights|permissions)? (does|do) <who> (have|hold|own)', 'show {who}'],
    ['(access|roles|rights|permissions) (of|for) <who>', 'show {who}'],
    ['(is|are|was) <who> *', 'show {who}'],
    'give <who> * (rights|access|permissions)',
    ['(what|which) * <who> (may|can|do|allowed)', 'show {who}'],
    'who * (say yes|approve|allow|permit)',
    'who (is|has|holds|are) <role>',
    ['(show|list)? (everything|all|what|whatever) * <who> (holds|hold|owns|own)', 'show {who}'],
    'who (may|can|is allowed to) (do)? what',
    ['what (may|can|could) <who> do', 'show {who}'],
    '(i need|i want|make|may i have|can i have|can i get|could i have|give) <role>',
    'who (may|can|is allowed to) * <doing>',
    'who can <do>',
    'who (may|is allowed to) <do>',
    '(roles|permissions|grants)',
    'who * access',
    'who is (admin|operator|<role>)',
  ],
};

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
