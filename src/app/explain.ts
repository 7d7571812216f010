import { decide, grantsThatMay, type Person, type Policy } from '../core/policy/decide.ts';
import { type AskedRight, isUnreached, whyNot } from '../core/policy/grant.ts';
import { isChange } from '../core/policy/permissions.ts';
import { isOfChannel } from '../core/policy/messages.ts';
import { isMeant, isUntold } from '../core/policy/pattern.ts';
import type { PolicyFile } from '../core/policy/policy-file.ts';
import { Refusal } from '../core/refusal.ts';
import type { Feature } from '../core/intake/route.ts';
import { explainRight, rightIn } from '../features/access/index.ts';
import { type Phrase, say, toPlainText } from '../platform/slack/phrase.ts';

/** What a policy file is asked: may this person say these words? Names are of the file's `people`, or ids. */
export interface Question {
  readonly who: string;
  /** As typed in Slack, with or without the noun. */
  readonly words: string;
  readonly channelId?: string;
  readonly groups: readonly string[];
  /** What the instance is marked with; left out where nobody said. */
  readonly labels?: readonly string[];
  readonly region?: string;
}

/**
 * Whether a person may do what they type, by which rule, and what else stands before it: what the bot decides by the file
 * alone. They are taken for a full member. Throws a Refusal for a question that can't be understood.
 */
export function explain(
  { name, file }: { readonly name: string; readonly file: PolicyFile },
  features: readonly Feature[],
  { who, words, channelId, groups, labels, region }: Question,
): readonly string[] {
  const userId = idOf(file, who, /^[UW][A-Z0-9_]{2,63}$/, 'person');
  const inGroups = groups.map((group) => idOf(file, group, /^S[A-Z0-9_]{2,63}$/, 'user group'));
  const person: Person = {
    userId,
    standing: 'member',
    groups: new Set(inGroups),
    unreadGroups: new Set(),
  };
  const { name: named, permission, ...right } = rightIn(features, words);
  if (permission === undefined)
    return [`Everyone may say "${words}". What it does for them depends on their role.`];
  if (named.length > 1)
    throw new Refusal(
      'too-many-words',
      say`Name one instance at a time: ${`${right.route.verb} ${right.route.usage ?? ''}`}`,
    );
  const [typed] = named;
  // A typed word is a name or an id, and a pattern of the policy may mean either.
  const target = typed === undefined ? undefined : { id: typed, name: typed, labels, region };
  const asked: AskedRight = { permission, about: target ?? 'any', channelId, now: Date.now() };
  const policy = policyOf(name, file);
  const decision = decide(policy, person, asked);
  const { protectedInstances = [], approvals = [] } = file;
  const { grant } = decision.allowed ? {} : decision;
  if (!decision.allowed && decision.reason === 'other place' && channelId === undefined && grant?.in)
    return [
      `It depends on the channel: ${who} may do that in ${grant.in.join(', ')}. Name the channel, as in --in ${grant.in[0] ?? ''}.`,
    ];
  if (!decision.allowed && decision.isOfMarks)
    return [`It depends on the labels or the region of ${typed ?? 'the instance'}: ${MARKS_HINT}`];
  const told = explainRight(decision, {
    ...right,
    permission,
    about: target ?? 'any',
    who: { userId },
    isOther: true,
    policy,
    // What hangs on marks that nobody named is said as that.
    isProtected: (one) => isMeant(protectedInstances, one),
    approvalRules: approvals.filter(({ on }) => !target || !isUntold(on, target)),
  });
  const inWords = (line: Phrase): string =>
    toPlainText(line)
      .replaceAll(MENTIONED, (_, id: string) => (id === userId ? who : id))
      .replace(`${typed} (${typed})`, () => typed ?? '');
  const isChanged = decision.allowed && target && isChange(permission);
  const isOpen = [protectedInstances, ...approvals.map(({ on }) => on)].some(
    (on) => isChanged && isUntold(on, target),
  );
  return [
    ...told.map(inWords),
    ...(isOpen ? [`What else stands before it depends on its labels or its region: ${MARKS_HINT}`] : []),
    ...(isChanged && !file.protectedInstances ? ['What is protected, LAMPLIGHTER_PROTECTED says.'] : []),
    ...(decision.allowed || isOfChannel(decision.reason) ? [] : hintsOf(policy, file, person, asked)),
  ];
}

/** People, groups and channels, whose bare ids the file has. */
const MENTIONED = /<(?:[@#]|!subteam\^)(\w+)>/g;
const MARKS_HINT = 'name them, as in --labels team=web,env=prod --region fra1.';

/** Who may what by the file alone: nothing is frozen, and the configured admins are not known. */
function policyOf(name: string, file: PolicyFile): Policy {
  const { everyone = 'none', grants = [], channels = {} } = file;
  return {
    admins: [],
    everyone,
    grants,
    freezes: [],
    channels,
    ...(file.grants ? { rolesFile: name } : {}),
  };
}

/** What else could allow it, which the file doesn't say. */
function hintsOf(policy: Policy, file: PolicyFile, person: Person, asked: AskedRight): readonly string[] {
  const groupIds = new Set(
    grantsThatMay(policy, asked).flatMap(({ to }) => ('groupId' in to ? [to.groupId] : [])),
  );
  const helpful = [...groupIds].filter(
    (id) => decide(policy, { ...person, groups: new Set([...person.groups, id]) }, asked).allowed,
  );
  const isOfMarks = (file.grants ?? []).some(
    (grant) => 'groupId' in grant.to && whyNot(grant, asked) === 'target' && isUnreached(grant.on, asked),
  );
  return [
    ...(isOfMarks ? [`The role of a group may reach it, by its labels or its region: ${MARKS_HINT}`] : []),
    ...(helpful.length === 0
      ? []
      : [`Members of ${helpful.join(', ')} may. Add --groups ${helpful.join(',')} if they are one.`]),
    ...(file.grants ? [] : ['Roles that were given in Slack are not taken into account.']),
    ...(file.everyone ? [] : ['LAMPLIGHTER_EVERYONE is not taken into account.']),
    'People in LAMPLIGHTER_ADMINS are admins, whatever the file says.',
  ];
}

/** The id behind a name of the file, or the id itself. Throws a Refusal where it is neither. */
function idOf({ people }: PolicyFile, typed: string, shape: RegExp, kind: string): string {
  const id = idOfName(people, typed);
  if (shape.test(id)) return id;
  throw new Refusal('nobody', say`${typed} is not a ${kind}: give a name from people in the file, or an id.`);
}

function idOfName(people: PolicyFile['people'], typed: string): string {
  const name = typed.replace(/^@/, '');
  return people.get(name.toLowerCase()) ?? name;
}
