import { approvalOf } from '../core/policy/approval.ts';
import { type Decision, decide, grantsThatMay, type Person, type Policy } from '../core/policy/decide.ts';
import { type Asked, isUnreached, whyNot } from '../core/policy/grant.ts';
import { isUntold, type Target } from '../core/policy/pattern.ts';
import { isOfChannel, PURPOSES, refusedAccess, ruleText } from '../core/policy/messages.ts';
import { isChange } from '../core/policy/permissions.ts';
import type { PolicyFile } from '../core/policy/policy-file.ts';
import { createProtection } from '../core/policy/protection.ts';
import { Refusal } from '../core/refusal.ts';
import type { Matched } from '../core/intake/match.ts';
import type { Route } from '../core/intake/route.ts';
import { createRouteTable } from '../core/intake/routes.ts';
import type { Feature } from '../core/intake/feature.ts';
import { say, toPlainText } from '../platform/slack/phrase.ts';

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
  const matched = createRouteTable(features).matchLine(words.replace(/^\//, ''));
  const { permission, verb } = matched.route;
  if (permission === undefined)
    return [`Everyone may say "${words}". What it does for them depends on their role.`];
  const named = targetOf(matched);
  const target = named && { ...named, labels, region };
  const asked: Asked = { permission, about: target ?? 'any', channelId, now: Date.now() };
  const policy = policyOf(name, file);
  const decision = decide(policy, person, asked);
  const what = target ? [verb, ...withoutOptions(matched.words)].join(' ') : PURPOSES[permission];
  const places = channelId === undefined ? placesOf(decision) : [];
  if (places.length > 0)
    return [
      `It depends on the channel: ${who} may ${what} in ${places.join(', ')}. Name the channel, as in --in ${places[0] ?? ''}.`,
      ...(target && isChange(permission) ? aboutTarget(file, verb, target) : []),
    ];
  if (!decision.allowed && decision.isOfMarks)
    return [`It depends on the labels or the region of ${target?.name ?? 'the instance'}: ${MARKS_HINT}`];
  return [
    decision.allowed
      ? `Yes: ${who} may ${what}. The rule: ${withIds(ruleText(decision.rule))}.`
      : `No: ${who} may not ${what}. They read: ${withIds(toPlainText(refusedAccess(decision, permission, policy, { about: asked.about })))}`,
    ...(target && isChange(permission) ? aboutTarget(file, verb, target) : []),
    ...(decision.allowed || isOfChannel(decision.reason) ? [] : hintsOf(policy, file, person, asked)),
  ];
}

const MARKS_HINT = 'name them, as in --labels team=web,env=prod --region fra1.';

/** The channels in which what was refused is allowed, where it is their absence alone that refuses it. */
function placesOf(decision: Decision): readonly string[] {
  return decision.allowed || decision.reason !== 'other place' ? [] : (decision.grant?.in ?? []);
}

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

/** Whether an instance is protected, and whether its change needs a second person. */
function aboutTarget(
  { protectedInstances, approvals = [] }: PolicyFile,
  verb: string,
  target: Target,
): readonly string[] {
  const rule = approvalOf(approvals, verb, target);
  return [
    protectedWords(protectedInstances, target),
    rule && isUntold(rule.on, target)
      ? `Whether a second person must say yes depends on its labels or its region: ${MARKS_HINT}`
      : rule
        ? `A second person must say yes, because of the approval on ${rule.on.join(', ')}.`
        : 'The file asks for no approval.',
  ];
}

function protectedWords(patterns: readonly string[] | undefined, target: Target): string {
  if (!patterns) return `The file doesn't say what is protected: LAMPLIGHTER_PROTECTED does.`;
  if (isUntold(patterns, target))
    return `Whether ${target.name} is protected depends on its labels or its region: ${MARKS_HINT}`;
  return createProtection(patterns)(target)
    ? `${target.name} is protected: it can't be deleted here, and a stop or restart asks first.`
    : `${target.name} is not protected.`;
}

/** People, groups and channels by their bare ids, as the file has them. */
function withIds(text: string): string {
  return text.replaceAll(/<(?:[@#]|!subteam\^)(\w+)>/g, '$1');
}

/** What else could allow it, which the file doesn't say. */
function hintsOf(policy: Policy, file: PolicyFile, person: Person, asked: Asked): readonly string[] {
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

/** The instance that the words are about: where the route's usage has its name. Undefined for none, or for any. */
function targetOf({ route, words }: Matched): Target | undefined {
  const at = placeOfName(route);
  if (at === undefined) return undefined;
  const plain = withoutOptions(words);
  if (plain.length > at + 1)
    throw new Refusal(
      'too-many-words',
      say`Name one instance at a time: ${`${route.verb} ${route.usage ?? ''}`}`,
    );
  const name = plain[at];
  // A typed word is a name or an id, and a pattern of the policy may mean either.
  return name === undefined ? undefined : { id: name, name };
}

/** Which of the words after the verb names an instance, by the route's usage; undefined where none does. */
export function placeOfName({ usage = '' }: Pick<Route, 'usage'>): number | undefined {
  const parts = [...usage.matchAll(/[<[]([^>\]]*)[>\]]/g)].map(([, part = '']) => part);
  const at = parts
    .filter((part) => !/^(--|@|\w+:)/.test(part))
    .findIndex((part) => part.startsWith('name or id'));
  return at < 0 ? undefined : at;
}

/** Options after which no value stands. */
const FLAGS = ['--dry-run', '--csv'];

function withoutOptions(words: readonly string[]): readonly string[] {
  const isOption = (word: string): boolean => word.startsWith('--');
  return words.filter((word, index) => {
    const before = words[index - 1] ?? '';
    const isValue = isOption(before) && !before.includes('=') && !FLAGS.includes(before);
    return !isOption(word) && !isValue;
  });
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
