import { SPOKEN } from './spoken.ts';
import { type Commit, together } from '../../core/records/commit.ts';
import type { Message } from '../../platform/slack/message.ts';
import { entryOf } from '../../core/audit/entry-of.ts';
import type { Outbox } from '../../core/outbox/outbox.ts';
import type { Access } from '../../core/policy/access.ts';
import { type AccessStore, changeAsJudged, granted, revoked } from '../../core/policy/access-record.ts';
import type { Rule } from '../../core/policy/decide.ts';
import { type Grant, type Grantee, isOpen, isSameGrant } from '../../core/policy/grant.ts';
import { asItStands } from '../../core/policy/narrow.ts';
import { adminsOf, granteeWords, holds, refusedAccess, roleWords } from '../../core/policy/messages.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask, Reply } from '../../core/ask/ask.ts';
import type { Route } from '../../core/intake/route.ts';
import { idOf } from '../../platform/id.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { People } from '../../platform/slack/people.ts';
import { join, type Phrase, say } from '../../platform/slack/phrase.ts';
import type { UserGroups } from '../../platform/slack/user-groups.ts';
import {
  everybodysRoles,
  grantedMessage,
  heldAlready,
  keptInFile,
  ownRoles,
  revokedMessage,
  toldGranted,
  toldRevoked,
} from './messages.ts';
import { type GrantWords, parseGrant } from './parse-grant.ts';

export interface AccessRouteDeps {
  readonly access: Access;
  readonly accessStore: AccessStore;
  readonly people: People;
  readonly userGroups: UserGroups;
  readonly outbox: Outbox;
  readonly clock: Pick<RedisClock, 'now'>;
}

export const ACCESS_ROUTE = 'lamplighter.access';

/** `/lamplighter access`, `… grant operator @ana on staging-*`, `… revoke operator @ana`: who may do what. */
export function accessRoute(deps: AccessRouteDeps): Route {
  return {
    id: ACCESS_ROUTE,
    namesPeople: true,
    verb: 'access',
    spoken: SPOKEN,
    topics: [
      {
        words: ['grant', 'give'],
        usage: 'grant operator @ana on staging-* in #ops for 8h',
        summary: 'give a role, to a person or a user group; on, in and for narrow it and may be left out',
      },
      {
        words: ['revoke', 'take'],
        usage: 'revoke operator @ana',
        summary: 'take a role back, in the same words',
      },
    ],
    permission: undefined,
    writes: (words) => words.length > 0,
    usage: '[grant | revoke] [role] [@who] [on …] [in #…] [for 8h]',
    summary: 'who may do what',
    handle: async (ask, audit) => {
      const [word, ...words] = ask.words;
      if (word === undefined) return show(deps, ask);
      const verb = word.toLowerCase();
      if (verb !== 'grant' && verb !== 'revoke')
        throw new Refusal(
          'bad-access',
          say`I don't know "${word}" here. There are grant and revoke, as in access grant operator @ana on staging-*.`,
        );
      await deps.access.require(ask.actor, 'access:grant', 'any', { channelId: ask.place.channelId });
      const { rolesFile } = await deps.access.policy();
      if (rolesFile !== undefined) throw new Refusal('kept-in-file', keptInFile(rolesFile));
      audit('recorded');
      return verb === 'grant'
        ? grant(deps, ask, parseGrant(words, verb))
        : revoke(deps, ask, parseGrant(words, verb));
    },
  };
}

async function show(
  { access, clock }: AccessRouteDeps,
  { actor, place: { channelId } }: Ask,
): Promise<Reply> {
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
function heldWords(rule: Rule): Phrase {
  if (rule.by === 'admins') return say`admin, by the configuration.`;
  if (rule.by === 'everyone') return say`${rule.role}, as every full member is.`;
  const { to } = rule.grant;
  const held = roleWords(rule.grant);
  return 'groupId' in to ? say`${held}, as everybody in ${granteeWords(to)}.` : say`${held}.`;
}

async function grant(deps: AccessRouteDeps, ask: Ask, { role, to, narrow }: GrantWords): Promise<Reply> {
  for (const one of to) await mustExist(deps, one);
  const now = deps.clock.now();
  const { forMs, ...limits } = narrow;
  const wanted = { ...limits, ...(forMs === undefined ? {} : { until: now + forMs }) };
  const at = { channelId: ask.place.channelId };
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
  return grantedMessage(given, held, forMs === undefined && given.some(({ until }) => until !== undefined));
}

async function revoke(deps: AccessRouteDeps, ask: Ask, { role, to, narrow }: GrantWords): Promise<Reply> {
  const isNarrowed = narrow.on !== undefined || narrow.in !== undefined;
  const { channelId } = ask.place;
  const now = deps.clock.now();
  let mine: readonly Grant[] = [];
  let staying: readonly Grant[] = [];
  await changeAsJudged(
    deps.accessStore,
    async ({ grants }) => {
      const within = await deps.access.within(ask.actor, 'access:grant', channelId);
      const { on, in: places } = within(narrow) ?? narrow;
      // As it was typed, or as it was given by somebody with a role like this one.
      const typed = [narrow, { ...(on ? { on: [...on] } : {}), ...(places ? { in: [...places] } : {}) }];
      const isMeant = (one: Grant): boolean =>
        to.some((who) =>
          isNarrowed
            ? typed.some((as) => isSameGrant(one, { role, to: who, ...as }))
            : isSameGrant(one, { ...one, role, to: who }),
        );
      // A request that is carried out twice finds what it has taken back itself.
      mine = grants.filter((one) => isMeant(one) && (isOpen(one, now) || one.revoked?.requestId === ask.id));
      if (mine.length === 0)
        throw notHeld(
          { role, to, ...narrow },
          grants.filter((one) => isOpen(one, now) && within(asItStands(one))),
        );
      await deps.access.requireWithin(ask.actor, 'access:grant', { channelId }, mine.map(asItStands));
      // Of a group nobody knows who was in it then.
      const givers = mine.flatMap((one) => ('userId' in one.to ? [one.to.userId] : []));
      staying = grants.filter(
        (one) =>
          givers.includes(one.by) && isOpen(one, now) && !mine.includes(one) && within(asItStands(one)),
      );
      const policy = await deps.access.policy();
      const ids = mine.map(({ id }) => id);
      const by = { by: ask.actor.userId, at: now, requestId: ask.id };
      return (record) => {
        const after = revoked(record, ids, by);
        if (adminsOf({ ...policy, grants: after.grants }).length === 0)
          throw new Refusal(
            'last-admin',
            say`That would leave nobody who can give a role, so nothing was changed. Make somebody else an admin first.`,
          );
        return after;
      };
    },
    () =>
      saying(
        deps,
        ask,
        now,
        mine.map((one) => ({
          id: `revoked-${one.id}`,
          to: one.to,
          content: toldRevoked(one, ask.actor.userId),
        })),
      ),
  );
  return revokedMessage(mine, staying);
}

/** What records a setting, with what each person reads of it. A group has no direct messages. */
async function saying(
  { outbox }: AccessRouteDeps,
  ask: Ask,
  now: number,
  messages: readonly { readonly id: string; readonly to: Grantee; readonly content: Message }[],
): Promise<Commit<'moved'>> {
  const said = messages.flatMap(({ to, ...one }) => ('userId' in to ? [{ ...one, to }] : []));
  return together<'moved'>(
    { audit: entryOf(ask, 'set', now, { result: 'done' }) },
    await outbox.saying(said, 'moved'),
  );
}

/** Throws a Refusal where Slack knows no such person or group, or can't say. */
async function mustExist({ people, userGroups }: AccessRouteDeps, to: Grantee): Promise<void> {
  const whom = granteeWords(to);
  const known = 'userId' in to ? people.standing(to.userId, undefined) : userGroups.members(to.groupId, true);
  const standing = await known.catch(() => {
    throw new Refusal(
      'not-checked',
      say`I couldn't look up ${whom} with Slack, so nothing was changed. Try again in a minute, or mention somebody else.`,
    );
  });
  if (standing === 'bot' || standing === 'deactivated')
    throw new Refusal(
      'nobody',
      say`${whom} is ${standing === 'bot' ? 'a bot' : 'deactivated'}, so they get no role.`,
    );
}

/** Nobody of these holds what was to be taken back. `grants`: all that is open and the admin may take back. */
function notHeld(
  { role, to, on, in: places }: GrantWords['narrow'] & Pick<GrantWords, 'role' | 'to'>,
  grants: readonly Grant[],
): Refusal {
  const narrowed = { role, ...(on ? { on: [...on] } : {}), ...(places ? { in: [...places] } : {}) };
  return new Refusal('no-such-grant', {
    lines: to.map((who) => {
      const theirs = grants.filter((one) => JSON.stringify(who) === JSON.stringify(one.to));
      const what =
        theirs.length === 0
          ? say`No role was given to them here.`
          : say`They hold: ${join(theirs.map(roleWords), '; ')}.`;
      return say`${granteeWords(who)} ${holds(narrowed, "isn't")}, so there is nothing to take back. ${what}`;
    }),
  });
}
