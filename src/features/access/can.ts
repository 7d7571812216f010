import { labelWithPeople } from '../../core/intake/with-people.ts';
import { answerAbout } from '../../core/threads/threads.ts';
import { followedBy, inWords, mendWord } from '../../core/ask/mend-words.ts';
import { asTyped } from '../../core/ask/words.ts';
import {
  type ApprovalRule,
  approvalOf,
  type PolicyTarget,
  type Protection,
} from '../../core/policy/pattern.ts';
import { choicesOf } from '../../core/lookup/choices.ts';
import { findOrLast } from '../../core/lookup/find-or-last.ts';
import { resolveLoosely } from '../../core/lookup/resolve.ts';
import { amongTheirs, asSeen, sightOf } from '../../core/lookup/sight.ts';
import type { Decision, Policy } from '../../core/policy/decide.ts';
import { adminsOf, granteeWords, named, refusedAccess, ruleWords } from '../../core/policy/messages.ts';
import { nameOf } from '../../core/instances/messages.ts';
import { createRouteTable, nounIn } from '../../core/intake/routes.ts';
import { type Grantee, granteeOf } from '../../core/policy/grant.ts';
import { noAccess, NoRight } from '../../core/policy/no-access.ts';
import { isChange, leastRoleWith, type Permission } from '../../core/policy/permissions.ts';
import { Refusal } from '../../core/refusal.ts';
import { type Feature, isWrite, type Route } from '../../core/intake/route.ts';
import type { Ask } from '../../core/ask/ask.ts';
import { askButton } from '../../core/intake/ask-for-right.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import type { Message } from '../../platform/slack/message.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { ASK_ROUTE } from './messages.ts';
import type { Bot } from '../../core/bot/bot.ts';

const VERB = { verb: 'ask about', routeId: 'lamplighter.can' };

/**
 * `/lamplighter can restart prod-1`: whether the asker may, by which rule, and who can say yes; `can @ana restart prod-1`, for
 * an admin, whether she may. Changes nothing.
 */
export function canRoute(deps: Bot): Route {
  return {
    id: VERB.routeId,
    namesPeople: true,
    verb: 'can',
    spoken: {
      asks: [
        ['who * (sign off|approve|agree|say yes|permission) * <do> <x>', '{do} {x}'],
        ['(why|how come) (can|may) (i|we)? not (i|we)? <do> <x>', '{do} {x}'],
        ['(may|can|am i allowed to|are we allowed to) (i|we)? <do> <x>', '{do} {x}'],
        ['(may|can|could|is) <who> (allowed to)? <do> <x>', '{who} {do} {x}'],
      ],
    },
    permission: undefined,
    writes: false,
    namesInstances: true,
    usage: '[@who] <verb> [name or id]',
    summary:
      'whether you may do something, by which rule, and who can say yes; an admin can ask about others',
    label: (words, called) => labelWithPeople(deps.people, 'can', words, called),
    choices: async (typed, _, { actor, channelId }) =>
      choicesOf(deps.hosting, typed, await deps.access.which(actor, 'instances:read', channelId)),
    handle: async (ask) => {
      const { access } = deps;
      const who = askedAbout(ask);
      const isOther = 'groupId' in who || who.userId !== ask.actor.userId;
      const at = { channelId: ask.place.channelId };
      if (isOther) await access.require(ask.actor, 'access:grant', 'all', at);
      const { noun, route, permission, ...typed } = find(deps.features(), ask.words);
      const name = ask.picked ?? typed.name.join(' ');
      if (permission === undefined) return { lines: [yes({ noun, route, who, isOther }, say`everyone may`)] };
      const place = { ...at, route: route.id };
      // What there is to ask about is what the person who asks may know of.
      const any = await access.check(ask.actor, permission, 'any', place);
      const instance =
        name === '' ? undefined : await findTheirs(deps, ask, { permission, any, at: place, name });
      const about: Instance | 'any' = instance ?? 'any';
      const decision =
        'groupId' in who
          ? await access.checkMember(who.groupId, permission, about, place)
          : isOther || instance
            ? await access.check(who, permission, about, place)
            : any;
      const policy = await access.policy();
      const inForce = { policy, isProtected: deps.isProtected, approvalRules: deps.approvalRules() };
      const lines = explainRight(decision, { noun, route, permission, about, who, isOther, ...inForce });
      // During a freeze, what they could be given would not be enough.
      const isAskable = !decision.allowed && !isOther && !decision.freeze;
      const error = isAskable ? noAccess(decision, permission, policy, about) : undefined;
      const words = [...typed.before, ...(name === '' ? [] : [instance?.id ?? name])];
      const wanted = { ...ask, route: route.id, words, picked: undefined };
      return {
        lines,
        ...(await withAsking(deps, wanted, route, error)),
        ...(instance && answerAbout(VERB.routeId, [instance])),
      };
    },
  };
}

/** The button that asks for what is missing, where it is plain what that is and somebody can give it. */
async function withAsking(
  { accessRequests, clock }: Bot,
  wanted: Ask,
  { isAskable }: Route,
  error: Refusal | undefined,
): Promise<Pick<Message, 'buttons'>> {
  if (!(error instanceof NoRight)) return {};
  const { target, permission } = error;
  const isPlain =
    target !== undefined ||
    (isAskable ? await isAskable(wanted) : isAskable !== false && !isChange(permission));
  if (!isPlain) return {};
  const deps = { accessRequests, now: () => clock.now() };
  return { buttons: [await askButton(deps, ASK_ROUTE, wanted, error)] };
}

/** Who is asked about: whom the words mention first, a person or a user group, else who asks. */
function askedAbout({ words, actor }: Ask): Grantee {
  const mentioned = mentionedIn(words) ?? actor;
  return 'userId' in mentioned && mentioned.userId === actor.userId ? actor : mentioned;
}

/** Whom the first word mentions; a word in capital letters, as in "can STOP web-1", is nobody. */
function mentionedIn([first = '']: readonly string[]): Grantee | undefined {
  return /\d/.test(first) ? granteeOf(first) : undefined;
}

/** Words without the mark that ends a question. */
function withoutMark(words: readonly string[]): readonly string[] {
  return words.map((word, at) => (at === words.length - 1 ? word.replace(/[?!.]+$/, '') : word));
}

/**
 * The instance that is asked about, of those that the asker may see or act on; undefined for somebody who may see none at all:
 * they read what they would need, whatever the name. Throws a Refusal.
 */
async function findTheirs(
  { access, hosting }: Bot,
  { id, actor }: Ask,
  { permission, any, at, name }: AskedAbout,
): Promise<Instance | undefined> {
  const { channelId, route } = at;
  if (!any.allowed && any.reason === 'not checked') return undefined;
  if (!any.allowed && !(await access.check(actor, 'instances:read', 'any', { channelId })).allowed)
    return undefined;
  const sight = await sightOf(access, actor, channelId, { permission, route, operationId: id });
  const finding = findOrLast(hosting, (instances) => resolveLoosely(asSeen(instances, sight), VERB, name));
  // Nothing was to be done, so nothing is to be asked for.
  return (await amongTheirs(access, sight, 'instances:read', name, finding)).found;
}

/** What is asked whether it is allowed. `any`: whether it is for any instance. */
interface AskedAbout {
  readonly permission: Permission;
  readonly any: Decision;
  readonly at: { readonly channelId: string; readonly route: string };
  readonly name: string;
}

/** What is asked about, after whom the first word may mention. Throws a Refusal. */
function find(features: readonly Feature[], words: readonly string[]): AskedRight {
  const typed = withoutMark(mentionedIn(words) ? words.slice(1) : words);
  if (typed.length === 0)
    throw new Refusal(
      'no-such-verb',
      say`What do you want to do?`,
      followedBy(inWords('What you want to do', 'restart web-1')),
    );
  try {
    return rightIn(features, asTyped(typed));
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'unknown-word') throw error;
    const isNoun = (word: string): boolean => features.some(({ noun }) => noun === word);
    const verb = typed.map((word) => word.toLowerCase()).find((word) => !isNoun(word)) ?? '';
    const verbs = features.flatMap(({ routes }) =>
      routes.flatMap((one) => (one.usage === undefined ? [] : one.verb)),
    );
    throw new Refusal(
      'no-such-verb',
      say`I don't know the command "${verb}". Example: /lamplighter can restart web-1. /lamplighter help lists all commands.`,
      mendWord(verb, verbs),
    );
  }
}

/** A command that somebody asks about. */
interface AskedRight {
  readonly noun: string;
  readonly route: Route;
  /** Undefined where everyone may. */
  readonly permission: Permission | undefined;
  /** The words that name an instance, none where it is about any, and those before. */
  readonly name: readonly string[];
  readonly before: readonly string[];
}

/** The command that a line means, with or without its noun. Throws a Refusal. */
export function rightIn(features: readonly Feature[], line: string): AskedRight {
  const { route, words } = createRouteTable(features).matchLine(line);
  const noun = nounIn(features, route.id) ?? '';
  const at = ABOUT_INSTANCES.has(noun) ? placeOfName(route) : undefined;
  const option = words.findIndex((word) => word.startsWith('--'));
  const name = at === undefined ? [] : words.slice(at, option < 0 ? words.length : option);
  return {
    noun,
    route,
    permission: route.writePermission ?? route.permission,
    name,
    before: words.slice(0, at),
  };
}

/** What is about one instance, and so is asked about with its name. */
const ABOUT_INSTANCES = new Set(['instances', 'addons']);

/** Which of the words after the verb names an instance, by the route's usage; undefined where none does. */
export function placeOfName({ usage = '' }: Pick<Route, 'usage'>): number | undefined {
  const parts = [...usage.matchAll(/[<[]([^>\]]*)[>\]]/g)].map(([, part = '']) => part);
  const at = parts
    .filter((part) => !/^(--|@|\w+:)/.test(part))
    .findIndex((part) => part.startsWith('name or id'));
  return at < 0 ? undefined : at;
}

/** A right as it stands: who may what by which policy, and what counts besides roles. */
interface StandingRight extends Pick<AskedRight, 'noun' | 'route'> {
  readonly permission: Permission;
  readonly about: PolicyTarget | 'any';
  readonly who: Grantee;
  /** Somebody else than the reader is asked about. */
  readonly isOther: boolean;
  readonly policy: Policy;
  readonly isProtected: Protection;
  readonly approvalRules: readonly ApprovalRule[];
}

/** Whether somebody may do something, by which rule, and what else stands before it. */
export function explainRight(decision: Decision, right: StandingRight): readonly Phrase[] {
  const { who, isOther, permission, about, policy } = right;
  const it = about === 'any' ? undefined : nameOf(about);
  if (!decision.allowed) {
    const why = refusedAccess(decision, permission, policy, { isQuestion: true, about });
    if (!isOther) return [decision.reason === 'not checked' ? say`❔ ${why}` : say`❌ No. ${why}`];
    const not =
      'groupId' in who
        ? say`being in ${granteeWords(who)} doesn't let anyone`
        : say`${granteeWords(who)} can't`;
    return [say`❌ No, ${not} ${doing(right, it)}. They would read: ${why}`];
  }
  if (permission === 'instances:delete' && about !== 'any' && right.isProtected(about))
    return [say`❌ No: ${nameOf(about)} is protected, so it can't be deleted here, no matter who asks.`];
  const rule = ruleWords(decision.rule, policy.rolesFile, isOther ? 'they' : 'you');
  return [yes(right, rule, it), ...besides(right)];
}

/** That something is allowed. `rule`: what allows it; `it`: the instance in words. */
function yes(
  { who, isOther, ...right }: Pick<StandingRight, 'noun' | 'route' | 'who' | 'isOther'>,
  rule: Phrase,
  it?: Phrase,
): Phrase {
  if (!isOther) return say`✅ Yes: ${rule}.`;
  const everyone = 'groupId' in who ? say`everyone in ` : say``;
  return say`✅ Yes, ${everyone}${granteeWords(who)} can ${doing(right, it)}: ${rule}.`;
}

/** What else there is to know of a verb that is allowed: anybody else with its role can approve it, the admins by name. */
function besides(right: StandingRight): readonly Phrase[] {
  const { route, permission, about, who } = right;
  if (about === 'any') return [];
  const admins = adminsOf(right.policy).filter((userId) => !('userId' in who) || userId !== who.userId);
  const such = admins.length === 0 ? say`` : say`, such as ${named(admins)}`;
  return [
    ...(right.isProtected(about)
      ? [say`${nameOf(about)} is protected: a stop or restart asks you to confirm it.`]
      : []),
    ...(isWrite(route, []) && approvalOf(right.approvalRules, route.verb, about)
      ? [say`Someone else with the ${leastRoleWith(permission)} role must approve it${such}.`]
      : []),
  ];
}

/** What is asked about: "restart web-1 (101)", or the command for what is no verb of people. */
function doing({ noun, route }: Pick<StandingRight, 'noun' | 'route'>, it: Phrase | undefined): Phrase {
  if (noun === 'instances' && route.spoken?.verbs) return say`${route.verb} ${it ?? 'instances'}`;
  return it ? say`use /${noun} ${route.verb} with ${it}` : say`use /${noun} ${route.verb}`;
}
