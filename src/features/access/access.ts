import { z } from 'zod';
import { routeTool } from '../../core/agents/tool.ts';
import { isChannelId } from '../../core/ask/for-channel.ts';
import { mendWord, oneOf, PERSON } from '../../core/ask/mend-words.ts';
import { changeAsJudged, granted } from '../../core/policy/access-record.ts';
import { refuseUnknownPatterns } from '../../core/lookup/known-names.ts';
import type { AccessRule } from '../../core/policy/decide.ts';
import { type Grant, granteeOf, isOpen, isSameGrant } from '../../core/policy/grant.ts';
import { asItStands } from '../../core/policy/narrow.ts';
import { requireSomebody } from '../../core/policy/somebody.ts';
import { granteeWords, refusedAccess, roleWords } from '../../core/policy/messages.ts';
import { momentOf } from '../../core/sentences/moment.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask, Reply } from '../../core/ask/ask.ts';
import type { Route, Topic } from '../../core/intake/route.ts';
import { labelWithPeople } from '../../core/intake/with-people.ts';
import { withInstead } from '../../core/intake/typed-button.ts';
import { idOf } from '../../platform/id.ts';
import type { Message } from '../../platform/slack/message.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { askToEnd, showHeld } from './leaving.ts';
import {
  ACCESS_ROUTE,
  everybodysRoles,
  grantedMessage,
  heldAlready,
  keptInFile,
  ownRoles,
  toldGranted,
} from './messages.ts';
import { type GrantWords, parseGrant } from '../../core/sentences/parse-grant.ts';
import { revoke, saying } from './revoke.ts';
import { accessLabel, SPOKEN } from './spoken.ts';
import type { Rights } from './rights.ts';

/** `/lamplighter access`, `… grant operator @ana on staging-*`, `… revoke operator @ana`: who may do what. */
export function accessRoute(deps: Rights): Route {
  return {
    id: ACCESS_ROUTE,
    namesPeople: true,
    verb: 'access',
    spoken: SPOKEN,
    topics: topicsOf(deps),
    permission: undefined,
    writes: ([word]) => ['grant', 'revoke'].includes(word?.toLowerCase() ?? ''),
    label: (words, named) => labelOf(deps, words, named),
    ...(deps.rolesFile === undefined
      ? { usage: '[show | grant | revoke] [role] [@who] [on …] [in #…] [for 8h]', summary: 'who may do what' }
      : { usage: '[show | revoke] [@who]', summary: `who may do what, by ${deps.rolesFile}` }),
    tool: routeTool({
      name: 'who_may_do_what',
      title: 'See who may do what',
      description: 'Gives the roles that people and groups have here.',
      input: z.object({}),
      words: () => [],
    }),
    mayOffer: async (ask) => {
      const [verb, ...words] = ask.words;
      if (verb === 'grant' || (verb === 'revoke' && personIn(words) === undefined))
        await refuseInVain(deps, ask);
    },
    handle: async (ask, audit) => {
      const [word, ...words] = ask.words;
      if (word === undefined) return show(deps, ask);
      const verb = word.toLowerCase();
      const shown = personIn(verb === 'show' ? words : ask.words);
      if (shown !== undefined) return showHeld(deps, ask, shown);
      const groupId = groupIn(verb === 'show' ? words : ask.words);
      if (groupId !== undefined) return showGroup(deps, ask, groupId);
      const leaving = verb === 'revoke' ? personIn(words) : undefined;
      if (leaving !== undefined) {
        audit({ what: 'shown' });
        return askToEnd(deps, ask, leaving);
      }
      if (verb === 'show') throw new Refusal('bad-access', say`Whose roles?`, oneOf(['show', PERSON], []));
      if (verb !== 'grant' && verb !== 'revoke')
        throw new Refusal(
          'bad-access',
          say`I don't know "${word}" here. You can use show, grant or revoke. Example: /lamplighter access grant operator @ana on staging-*.`,
          mendWord(word, ['show', 'grant', 'revoke']),
        );
      await refuseInVain(deps, ask);
      audit('recorded');
      const moment = await momentOf(deps, ask.actor.userId, deps.clock.now());
      const typed = parseGrant(words, verb, moment);
      return verb === 'grant' ? grant(deps, ask, typed) : revoke(deps, ask, typed);
    },
  };
}

/** What opens the giving or taking of a role; each asks what is missing. */
const OPENING = {
  id: ACCESS_ROUTE,
  verb: 'access',
  label: ([word]: readonly string[]) => (word === 'grant' ? 'Give a role…' : 'Take a role back…'),
};

/** What a button for these words says: where they can't be read yet, or Slack gives no name, as they were typed. */
async function labelOf(
  { people, clock }: Rights,
  words: readonly string[],
  named: (word: string) => string,
): Promise<string | undefined> {
  const nameOf = (userId: string): Promise<string | undefined> => people.name(userId);
  const label = await accessLabel(words, nameOf, clock.now(), named).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    return undefined;
  });
  if (label !== undefined || words.some(isChannelId)) return label;
  return labelWithPeople(people, 'access', words, named);
}

/** What help explains of it: nothing that a file of roles doesn't let anybody do. */
function topicsOf({ rolesFile }: Rights): readonly Topic[] {
  const ofOne: Topic = {
    words: ['show'],
    usage: 'show @ana',
    summary: 'all that one person holds: roles, schedules, watches, agents, requests',
  };
  if (rolesFile !== undefined)
    return [
      {
        words: ['grant', 'give', 'revoke', 'take'],
        usage: 'revoke @ana',
        summary: `end all that someone holds but their roles: those are kept in ${rolesFile} and change with that file`,
      },
      ofOne,
    ];
  return [
    {
      words: ['grant', 'give'],
      usage: 'grant operator @ana on staging-* in #ops for 8h',
      summary: 'give a role, to a person or a user group; on, in and for narrow it and may be left out',
    },
    {
      words: ['revoke', 'take'],
      usage: 'revoke operator @ana',
      summary: 'take a role back, in the same words; without a role, all that the person holds',
    },
    ofOne,
  ];
}

/** Throws a Refusal where this person may give no role here, or nobody may in Slack. */
async function refuseInVain(
  { access, rolesFile }: Rights,
  { actor, place: { channelId } }: Ask,
): Promise<void> {
  await access.require(actor, 'access:grant', 'any', { channelId });
  if (rolesFile !== undefined) throw new Refusal('kept-in-file', keptInFile(rolesFile));
}

/** The id of the one person whom the words mention and say nothing else of; undefined for any other words. */
function personIn([word = '', ...more]: readonly string[]): string | undefined {
  const grantee = more.length === 0 ? granteeOf(word) : undefined;
  return grantee && 'userId' in grantee ? grantee.userId : undefined;
}

/** The same of a user group. */
function groupIn([word = '', ...more]: readonly string[]): string | undefined {
  const grantee = more.length === 0 ? granteeOf(word) : undefined;
  return grantee && 'groupId' in grantee ? grantee.groupId : undefined;
}

/** What everybody in a user group holds by it, as far as whoever asks may see that. */
async function showGroup(
  { access, clock }: Rights,
  { actor, place: { channelId } }: Ask,
  groupId: string,
): Promise<Reply> {
  const { policy } = await access.rules(actor, channelId);
  const within = await access.within(actor, 'access:grant', channelId);
  const isAll = await access.check(actor, 'access:grant', 'all', { channelId });
  const grants = policy.grants === 'unreadable' ? [] : policy.grants;
  const its = grants.filter(
    (one) =>
      'groupId' in one.to &&
      one.to.groupId === groupId &&
      isOpen(one, clock.now()) &&
      (isAll.allowed || within(asItStands(one)) !== undefined),
  );
  const who = granteeWords({ groupId });
  if (its.length === 0) return { lines: [say`I know of no role that is given to ${who}.`] };
  return { lines: [say`Everyone in ${who} holds:`], bullets: its.map((one) => say`${roleWords(one)}.`) };
}

async function show(deps: Rights, ask: Ask): Promise<Reply> {
  const { access, offers, rolesFile } = deps;
  const shown = await shownTo(deps, ask);
  const at = { channelId: ask.place.channelId };
  const mayGive =
    rolesFile === undefined && (await access.check(ask.actor, 'access:grant', 'any', at)).allowed;
  return mayGive ? withInstead(offers, OPENING, shown, [['grant'], ['revoke']]) : shown;
}

async function shownTo({ access, clock }: Rights, { actor, place: { channelId } }: Ask): Promise<Message> {
  if (actor.through?.on)
    throw new Refusal(
      'no-right',
      say`This agent is for some instances alone, and roles are about all of them.`,
    );
  const { policy, rules, decision } = await access.rules(actor, channelId);
  if (policy.grants === 'unreadable')
    throw new Refusal(
      'not-checked',
      say`I can't reach my database right now, so I can't tell who may do what. Try again in a minute.`,
    );
  const { grants, rolesFile } = policy;
  const isAll = await access.check(actor, 'access:grant', 'all', { channelId });
  if (isAll.allowed) return everybodysRoles({ ...policy, grants }, clock.now());
  const within = await access.within(actor, 'access:grant', channelId);
  // Those that somebody with a narrowed role could have given.
  const given = grants.filter((one) => isOpen(one, clock.now()) && within(asItStands(one)));
  const no = decision.allowed ? undefined : refusedAccess(decision, 'instances:read', policy);
  return ownRoles({ own: rules.map(heldWords), no, given, rolesFile });
}

/** What somebody holds, in half a sentence: the same rules that a request of theirs is judged by. */
function heldWords(rule: AccessRule): Phrase {
  if (rule.by === 'admins') return say`admin, by the configuration.`;
  if (rule.by === 'everyone') return say`${rule.role}, as every full member is.`;
  const { to } = rule.grant;
  const held = roleWords(rule.grant);
  return 'groupId' in to ? say`${held}, as everyone in ${granteeWords(to)}.` : say`${held}.`;
}

async function grant(deps: Rights, ask: Ask, { role, to, narrow, end }: GrantWords): Promise<Reply> {
  const without = { cannot: say`have a role`, undone: say`nothing was changed` };
  for (const one of to) await requireSomebody(deps, one, without);
  const now = deps.clock.now();
  const wanted = { ...narrow, ...(end ? { until: end.until } : {}) };
  const at = { channelId: ask.place.channelId };
  // Before it is said which names there are.
  await deps.access.requireWithin(ask.actor, 'access:grant', at, [wanted]);
  const maySee = await deps.access.which(ask.actor, 'instances:read', ask.place.channelId);
  await refuseUnknownPatterns(deps.hosting, narrow.on, maySee);
  let given: readonly Grant[] = [];
  let held: readonly Grant[] = [];
  await changeAsJudged(
    deps.accessStore,
    async ({ grants }) => {
      const [mine = wanted] = await deps.access.requireWithin(ask.actor, 'access:grant', at, [wanted]);
      const { on, in: places, until } = mine;
      const asked = to.map((one, index): Grant => ({
        // The id follows from the request, so that a request carried out twice gives one role.
        id: idOf(`grant ${ask.id} ${index}`),
        role,
        to: one,
        ...(on ? { on: [...on] } : {}),
        ...(places ? { in: [...places] } : {}),
        until,
        by: ask.actor.userId,
        at: now,
      }));
      const standing = (one: Grant): Grant | undefined =>
        grants.find((other) => isOpen(other, now) && isSameGrant(one, other));
      // What stands in the place of another ends it, so that must be theirs to end as well.
      const replaced = asked.flatMap((one) => standing(one) ?? []).map(asItStands);
      await deps.access.requireWithin(ask.actor, 'access:grant', at, replaced);
      // What the same request has given itself is not what somebody held before it.
      held = asked.filter((one) => {
        const there = standing(one);
        return there !== undefined && there.id !== one.id && there.until === one.until;
      });
      given = asked.filter((one) => !held.includes(one));
      if (given.length === 0)
        throw new Refusal('already', { lines: held.map(heldAlready), note: say`Nothing was changed.` });
      return (record) => given.reduce(granted, record);
    },
    () =>
      saying(
        deps,
        ask,
        now,
        given.map((one) => ({ id: `granted-${one.id}`, to: one.to, content: toldGranted(one) })),
      ),
  );
  return grantedMessage(given, held, end === undefined && given.some(({ until }) => until !== undefined));
}
