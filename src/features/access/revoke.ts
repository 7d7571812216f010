import type { Ask, Reply } from '../../core/ask/ask.ts';
import { changeAsJudged, revoked } from '../../core/policy/access-record.ts';
import { type Grant, type Grantee, isOpen, isSameGrant } from '../../core/policy/grant.ts';
import { adminsOf, granteeWords, holds, roleWords } from '../../core/policy/messages.ts';
import { asItStands } from '../../core/policy/narrow.ts';
import { ROLE_PERMISSIONS } from '../../core/policy/permissions.ts';
import type { Outbox } from '../../core/outbox/outbox.ts';
import { Refusal } from '../../core/refusal.ts';
import { join, say } from '../../platform/slack/phrase.ts';
import { lastAdmin } from './leaving.ts';
import { revokedMessage, toldRevoked } from './messages.ts';
import type { GrantWords } from '../../core/sentences/parse-grant.ts';
import { entryOf } from '../../core/audit/entry.ts';
import { type Commit, together } from '../../core/records/commit.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { Rights } from './rights.ts';

/** Takes a role back, from people or groups. Throws a Refusal where nobody of them holds it, or it isn't the asker\'s to take. */
export async function revoke(deps: Rights, ask: Ask, { role, to, narrow }: GrantWords): Promise<Reply> {
  const isNarrowed = narrow.on !== undefined || narrow.in !== undefined;
  const { channelId } = ask.place;
  const now = deps.clock.now();
  const addedBy = await addedAgents(deps, ask, role);
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
        if (adminsOf({ ...policy, grants: after.grants }).length === 0) throw lastAdmin();
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
  return revokedMessage(mine, staying, addedBy(mine));
}

/** Names the agents that those have added whose role is taken back, as far as whoever asks could end them. */
async function addedAgents(
  { access, moreHoldings }: Rights,
  { actor, place: { channelId } }: Ask,
  role: Grant['role'],
): Promise<(grants: readonly Grant[]) => readonly string[]> {
  if (!ROLE_PERMISSIONS[role].includes('access:grant')) return () => [];
  const within = await access.within(actor, 'access:grant', channelId);
  const holdings = await moreHoldings();
  return (grants) =>
    holdings.flatMap(({ userId, addedAgent }) =>
      addedAgent && within(addedAgent) && grants.some(({ to }) => 'userId' in to && to.userId === userId)
        ? [addedAgent.name]
        : [],
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
          ? say`They have no role here.`
          : say`They have: ${join(theirs.map(roleWords), '; ')}.`;
      return say`${granteeWords(who)} ${holds(narrowed, "isn't")}, so there is nothing to take back. ${what}`;
    }),
  });
}

/** What records a setting, with what each person reads of it. A group has no direct messages. */
export async function saying(
  { outbox }: { readonly outbox: Outbox },
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
