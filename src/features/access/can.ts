import { labelWithPeople } from '../../core/intake/with-people.ts';
import { answerAbout } from '../../core/threads/threads.ts';
import { followedBy, mendWord, inWords } from '../../core/ask/mend-words.ts';
import { type ApprovalRule, approvalOf } from '../../core/policy/approval.ts';
import { choicesOf } from '../../core/lookup/choices.ts';
import { findOrLast } from '../../core/lookup/find-or-last.ts';
import { resolveLoosely } from '../../core/lookup/resolve.ts';
import { amongTheirs, asSeen, sightOf } from '../../core/lookup/sight.ts';
import { nameOf } from '../../core/instances/messages.ts';
import type { Access } from '../../core/policy/access.ts';
import type { Decision, Policy } from '../../core/policy/decide.ts';
import { type Grantee, granteeOf } from '../../core/policy/grant.ts';
import { adminsOf, granteeWords, named, refusedAccess, ruleWords } from '../../core/policy/messages.ts';
import type { AccessRequestStore } from '../../core/policy/access-requests.ts';
import { noAccess, NoRight } from '../../core/policy/no-access.ts';
import { isChange, leastRoleWith, type Permission } from '../../core/policy/permissions.ts';
import type { Protection } from '../../core/policy/protection.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Feature } from '../../core/intake/feature.ts';
import type { Ask } from '../../core/ask/ask.ts';
import { askButton } from '../../core/intake/ask-for-right.ts';
import { isWrite, type Route } from '../../core/intake/route.ts';
import type { HostingService, Instance } from '../../platform/hosting/service.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { People } from '../../platform/slack/people.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';

import { ASK_ROUTE } from './route-ids.ts';

export interface CanDeps {
  readonly access: Access;
  readonly hosting: HostingService;
  readonly isProtected: Protection;
  readonly approvalRules: () => readonly ApprovalRule[];
  readonly accessRequests: AccessRequestStore;
  readonly clock: Pick<RedisClock, 'now'>;
  readonly people: Pick<People, 'name'>;
  /** Every feature, asked at the time of the question. */
  readonly features: () => readonly Feature[];
}

const VERB = { verb: 'ask about', routeId: 'lamplighter.can' };
/** What is about one instance, and so is asked about with its name. */
const ABOUT_INSTANCES = new Set(['instances', 'addons']);

/**
 * `/lamplighter can restart prod-1`: whether the asker may, by which rule, and who can say yes; `can @ana restart prod-1`, for
 * an admin, whether she may. Changes nothing.
 */
export function canRoute(deps: CanDeps): Route {
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
      const typed = withoutMark(mentionedIn(ask.words) ? ask.words.slice(1) : ask.words);
      const { noun, route, words: typedWords } = find(deps.features(), typed);
      const words = ask.picked === undefined ? typedWords : [ask.picked];
      const permission = route.writePermission ?? route.permission;
      if (permission === undefined)
        return yes(isOther ? whoCan(who, doing(noun, route)) : undefined, say`everyone may`, []);
      const place = { ...at, route: route.id };
      // What there is to ask about is what the person who asks may know of.
      const any = await access.check(ask.actor, permission, 'any', place);
      const isNamed = ABOUT_INSTANCES.has(noun) && words.length > 0;
      const instance = isNamed
        ? await findTheirs(deps, ask, { permission, any, at: place, words })
        : undefined;
      const about = instance ?? 'any';
      const asked = instance ? answerAbout(VERB.routeId, [instance]) : {};
      const decision =
        'groupId' in who
          ? await access.checkMember(who.groupId, permission, about, place)
          : isOther || instance
            ? await access.check(who, permission, about, place)
            : any;
      const what = doing(noun, route, instance);
      const policy = await access.policy();
      if (!decision.allowed) {
        const why = refusedAccess(decision, permission, policy, { isQuestion: true, about });
        if (isOther) return { lines: [say`❌ No, ${whoCannot(who, what)}. They would read: ${why}`] };
        const no = decision.reason === 'not checked' ? say`❔ ${why}` : say`❌ No. ${why}`;
        const wanted = {
          ...ask,
          route: route.id,
          words: instance ? [instance.id] : [...words],
          picked: undefined,
        };
        // During a freeze, what they could be given would not be enough.
        const error = decision.freeze ? undefined : noAccess(decision, permission, policy, about);
        return { lines: [no], ...(await withAsking(deps, wanted, route, error)), ...asked };
      }
      if (permission === 'instances:delete' && instance && deps.isProtected(instance))
        return {
          lines: [
            say`❌ No: ${nameOf(instance)} is protected, so it can't be deleted here, no matter who asks.`,
          ],
        };
      const asker = 'userId' in who ? who.userId : undefined;
      const more = instance ? besides(deps, { route, permission, instance, policy, asker }) : [];
      const rule = ruleWords(decision.rule, policy.rolesFile, isOther ? 'they' : 'you');
      return { ...yes(isOther ? whoCan(who, what) : undefined, rule, more), ...asked };
    },
  };
}

/** The button that asks for what is missing, where it is plain what that is and somebody can give it. */
async function withAsking(
  { accessRequests, clock }: CanDeps,
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
  { access, hosting }: CanDeps,
  { id, actor }: Ask,
  { permission, any, at, words }: AskedAbout,
): Promise<Instance | undefined> {
  const { channelId, route } = at;
  if (!any.allowed && any.reason === 'not checked') return undefined;
  if (!any.allowed && !(await access.check(actor, 'instances:read', 'any', { channelId })).allowed)
    return undefined;
  const sight = await sightOf(access, actor, channelId, { permission, route, operationId: id });
  const typed = words.join(' ');
  const finding = findOrLast(hosting, (instances) => resolveLoosely(asSeen(instances, sight), VERB, typed));
  // Nothing was to be done, so nothing is to be asked for.
  return (await amongTheirs(access, sight, 'instances:read', typed, finding)).found;
}

/** What is asked whether it is allowed. `any`: whether it is for any instance. */
interface AskedAbout {
  readonly permission: Permission;
  readonly any: Decision;
  readonly at: { readonly channelId: string; readonly route: string };
  readonly words: readonly string[];
}

/** The route that the words mean, with or without its noun. Throws a Refusal. */
function find(
  features: readonly Feature[],
  typed: readonly string[],
): { noun: string; route: Route; words: readonly string[] } {
  const [first = '', second = ''] = typed.map((word) => word.toLowerCase());
  const feature = features.find(({ noun }) => noun === first);
  const verb = feature ? second : first;
  const words = typed.slice(feature ? 2 : 1);
  for (const { noun, routes } of feature ? [feature] : features) {
    const route = routes.find((one) => one.verb === verb && one.usage !== undefined);
    if (route) return { noun, route, words };
  }
  throw new Refusal(
    'no-such-verb',
    typed.length === 0
      ? say`What do you want to do?`
      : say`I don't know the command "${verb}". Example: /lamplighter can restart web-1. /lamplighter help lists all commands.`,
    typed.length === 0
      ? followedBy(inWords('What you want to do', 'restart web-1'))
      : mendWord(verb, typedVerbsOf(feature ? [feature] : features)),
  );
}

function typedVerbsOf(features: readonly Feature[]): readonly string[] {
  return features.flatMap(({ routes }) =>
    routes.flatMap(({ verb, usage }) => (usage === undefined ? [] : [verb])),
  );
}

/** What was asked about, and is allowed. */
interface Allowed {
  readonly route: Route;
  readonly permission: Permission;
  readonly instance: Instance;
  readonly policy: Policy;
  readonly asker: string | undefined;
}

/** What else there is to know of a verb that is allowed. */
function besides(
  { isProtected, approvalRules }: CanDeps,
  { route, permission, instance, policy, asker }: Allowed,
): readonly Phrase[] {
  const it = nameOf(instance);
  return [
    ...(isProtected(instance) ? [say`${it} is protected: a stop or restart asks you to confirm it.`] : []),
    ...(isWrite(route, []) && approvalOf(approvalRules(), route.verb, instance)
      ? [mustApprove(permission, policy, asker)]
      : []),
  ];
}

/** Who can approve it: anybody else with the role that it takes, and the admins by name. */
function mustApprove(permission: Permission, policy: Policy, asker: string | undefined): Phrase {
  const admins = adminsOf(policy).filter((userId) => userId !== asker);
  const such = admins.length === 0 ? say`` : say`, such as ${named(admins)}`;
  return say`Someone else with the ${leastRoleWith(permission)} role must approve it${such}.`;
}

/** What is asked about: "restart web-1 (101)", or the command for what is no verb of people. */
function doing(noun: string, { verb, spoken }: Route, instance?: Instance): Phrase {
  const it = instance && nameOf(instance);
  if (noun === 'instances' && spoken?.verbs) return say`${verb} ${it ?? 'instances'}`;
  return it ? say`use /${noun} ${verb} with ${it}` : say`use /${noun} ${verb}`;
}

function whoCan(who: Grantee, what: Phrase): Phrase {
  return 'groupId' in who
    ? say`everyone in ${granteeWords(who)} can ${what}`
    : say`${granteeWords(who)} can ${what}`;
}

function whoCannot(who: Grantee, what: Phrase): Phrase {
  return 'groupId' in who
    ? say`being in ${granteeWords(who)} doesn't let anyone ${what}`
    : say`${granteeWords(who)} can't ${what}`;
}

/** `others`: who can do what, where somebody else is asked about. */
function yes(others: Phrase | undefined, rule: Phrase, more: readonly Phrase[]): Message {
  const who = others ? say`, ${others}` : say``;
  return { lines: [say`✅ Yes${who}: ${rule}.`, ...more] };
}
