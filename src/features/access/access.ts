import type { Entry } from '../../core/audit/entry.ts';
import { entryOf } from '../../core/audit/entry-of.ts';
import type { Outbox } from '../../core/outbox/outbox.ts';
import type { Access } from '../../core/policy/access.ts';
import { type AccessRecord, type AccessStore, granted, revoked } from '../../core/policy/access-record.ts';
import { type Grant, type Grantee, isOpen, isSameGrant } from '../../core/policy/grant.ts';
import { adminsOf, granteeWords, roleWords } from '../../core/policy/messages.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask, Reply, Route } from '../../core/routing/route.ts';
import { idOf } from '../../platform/id.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { People } from '../../platform/slack/people.ts';
import { join, say } from '../../platform/slack/phrase.ts';
import type { UserGroups } from '../../platform/slack/user-groups.ts';
import {
  everybodysRoles,
  grantedMessage,
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
    verb: 'access',
    synonyms: ['roles', 'role', 'permissions', 'grants'],
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
    handle: async (ask, note) => {
      const [word, ...words] = ask.words;
      if (word === undefined) return show(deps, ask);
      const verb = word.toLowerCase();
      if (verb !== 'grant' && verb !== 'revoke')
        throw new Refusal(
          'bad-access',
          say`I don't know "${word}" here. There are grant and revoke, as in access grant operator @ana on staging-*.`,
        );
      await deps.access.require(ask.actor, 'access:grant', { channelId: ask.place.channelId });
      const { rolesFile } = await deps.access.policy();
      if (rolesFile !== undefined) throw new Refusal('kept-in-file', keptInFile(rolesFile));
      note('recorded');
      return verb === 'grant'
        ? grant(deps, ask, parseGrant(words, verb))
        : revoke(deps, ask, parseGrant(words, verb));
    },
  };
}

async function show({ access, clock }: AccessRouteDeps, ask: Ask): Promise<Reply> {
  const policy = await access.policy();
  if (policy.grants === 'unreadable')
    throw new Refusal(
      'not-checked',
      say`I can't reach my database right now, so I can't tell who may do what. Try again in a minute.`,
    );
  const { everyone, grants } = policy;
  const decision = await access.check(ask.actor, 'access:grant', { channelId: ask.place.channelId });
  if (decision.allowed) return everybodysRoles({ ...policy, grants }, clock.now());
  const own = grants.filter(
    (one) => 'userId' in one.to && one.to.userId === ask.actor.userId && isOpen(one, clock.now()),
  );
  const byDefault = everyone === 'none' ? [] : [say`${everyone}, as every full member is.`];
  return ownRoles([...own.map((one) => say`${roleWords(one)}.`), ...byDefault]);
}

async function grant(deps: AccessRouteDeps, ask: Ask, { role, to, narrow }: GrantWords): Promise<Reply> {
  for (const one of to) await mustExist(deps, one);
  const now = deps.clock.now();
  const { forMs, ...limits } = narrow;
  const grants = to.map((one, index): Grant => ({
    // The id follows from the request, so that a request carried out twice gives one role.
    id: idOf(`grant ${ask.id} ${index}`),
    role,
    to: one,
    ...limits,
    ...(forMs === undefined ? {} : { until: now + forMs }),
    by: ask.actor.userId,
    at: now,
  }));
  await deps.accessStore.change((record) => grants.reduce(granted, record), entryOfSetting(ask, now));
  for (const one of grants)
    if ('userId' in one.to)
      await deps.outbox.post({ id: `granted-${one.id}`, to: one.to, content: toldGranted(one) });
  return grantedMessage(grants);
}

async function revoke(deps: AccessRouteDeps, ask: Ask, { role, to, narrow }: GrantWords): Promise<Reply> {
  const isNarrowed = narrow.on !== undefined || narrow.in !== undefined;
  const isMeant = (one: Grant): boolean =>
    to.some((who) => isSameGrant(one, isNarrowed ? { role, to: who, ...narrow } : { ...one, role, to: who }));
  const policy = await deps.access.policy();
  const now = deps.clock.now();
  const before = await deps.accessStore.get();
  // A request that is carried out twice finds what it has taken back itself.
  const mine = before.grants.filter(
    (one) => isMeant(one) && (isOpen(one, now) || one.revoked?.ref === ask.id),
  );
  if (mine.length === 0) throw noSuchGrant(before, to, now);
  const ids = mine.map(({ id }) => id);
  const by = { by: ask.actor.userId, at: now, ref: ask.id };
  await deps.accessStore.change(
    (record) => {
      const after = revoked(record, ids, by);
      if (adminsOf({ ...policy, grants: after.grants }).length === 0)
        throw new Refusal(
          'last-admin',
          say`That would leave nobody who can give a role, so nothing was changed. Make somebody else an admin first.`,
        );
      return after;
    },
    entryOfSetting(ask, now),
  );
  for (const one of mine)
    if ('userId' in one.to)
      await deps.outbox.post({
        id: `revoked-${one.id}`,
        to: one.to,
        content: toldRevoked(one, ask.actor.userId),
      });
  return revokedMessage(mine);
}

function entryOfSetting(ask: Ask, now: number): Entry {
  return entryOf(ask, 'set', now, { result: 'done' });
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

function noSuchGrant({ grants }: AccessRecord, to: readonly Grantee[], now: number): Refusal {
  const theirs = grants.filter(
    (one) => isOpen(one, now) && to.some((who) => JSON.stringify(who) === JSON.stringify(one.to)),
  );
  const whom = join(to.map(granteeWords), ', ');
  const what = theirs.length === 0 ? say`no role` : join(theirs.map(roleWords), '; ');
  return new Refusal('no-such-grant', say`That role wasn't given. ${whom} has ${what}.`);
}
