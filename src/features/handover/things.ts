import { z } from 'zod';
import type { OfferKind } from '../../core/offers/offers.ts';
import type { Said } from '../../core/outbox/outbox.ts';
import { granteeSchema, type Grantee } from '../../core/policy/grant.ts';
import { actorSchema, placeSchema, isDirect } from '../../platform/slack/ids.ts';
import type { Message } from '../../platform/slack/message.ts';
import { phraseSchema, say } from '../../platform/slack/phrase.ts';
import { HOUR_MS } from '../../platform/time/duration.ts';
import type { Ask } from '../../core/ask/ask.ts';
import { granteeWords } from '../../core/policy/messages.ts';
import { mayHave, type Owned, type OwnedSource } from '../../core/policy/owned.ts';
import { requireSomebody } from '../../core/policy/somebody.ts';
import { Refusal } from '../../core/refusal.ts';
import type { People } from '../../platform/slack/people.ts';
import type { Bot } from '../../core/bot/bot.ts';

const thingSchema = z.object({ source: z.string(), id: z.string(), line: phraseSchema });

/** What one person asks another, or a user group, to take over. */
const handoverSchema = z.object({
  /** Whose it is, and who can cancel it. */
  actor: actorSchema,
  to: granteeSchema,
  place: placeSchema,
  /** What was shown, by its source and its id there. */
  things: z.array(thingSchema),
  /** What they may not have to whom it is offered. */
  kept: z.array(thingSchema),
  /** Redis' clock, Unix ms. */
  expiresAt: z.number(),
});
export type Offered = z.infer<typeof handoverSchema>;

export const HANDOVERS: OfferKind<Offered> = { name: 'handover', schema: handoverSchema };

/** The handovers of one person, by their id, the last first. */
export const ofPerson: OfferKind<{ readonly offerId: string }> = {
  name: 'handovers-of',
  schema: z.object({ offerId: z.string() }),
};

/** How long it can be taken over. */
export const HANDOVER_KEPT_MS = 12 * HOUR_MS;

/** What has used one up that nobody took in time. */
export const EXPIRED = 'expired';

/** The id of the message that asks, in its place or in the direct messages of whom it asks, which says what came of it. */
export function messageIdOf(offerId: string, where: 'place' | 'alone' = 'place'): string {
  return where === 'place' ? `handover-${offerId}` : `handover-${offerId}-alone`;
}

/** This in the place of the messages that ask. Pure. */
export function editsOf(offerId: string, content: Message): readonly Said[] {
  return (['place', 'alone'] as const).map((where) => ({
    id: messageIdOf(offerId, where),
    content,
    isEdit: true as const,
  }));
}

export interface HandoverDeps extends Pick<
  Bot,
  'clock' | 'timings' | 'userGroups' | 'outbox' | 'offers' | 'access'
> {
  /** Every kind of open thing. */
  readonly sources: readonly OwnedSource[];
  readonly people: Pick<People, 'standing' | 'name'>;
}

/** An open thing with where it is kept. */
export type Thing = Owned & { readonly source: string };

/** All open things of one person. */
export async function listThings(
  { sources }: Pick<HandoverDeps, 'sources'>,
  userId: string,
): Promise<readonly Thing[]> {
  const all = await Promise.all(
    sources.map(async ({ name, list }) =>
      (await list(userId)).map((one): Thing => ({ ...one, source: name })),
    ),
  );
  return all.flat();
}

export function isSame(one: Pick<Thing, 'source' | 'id'>, other: Pick<Thing, 'source' | 'id'>): boolean {
  return one.source === other.source && one.id === other.id;
}

/** Whether a thing is one of these. */
export function isIn(
  those: readonly Pick<Thing, 'source' | 'id'>[],
  thing: Pick<Thing, 'source' | 'id'>,
): boolean {
  return those.some((one) => isSame(one, thing));
}

/** So many members of a group are looked at, each for what is theirs beside what the group may. */
const MOST_MEMBERS = 30;

/** Those that somebody, or anybody of a group, may see and act on, and the others. `from`: who hands over, and takes nothing. */
export async function splitByRight(
  deps: Pick<HandoverDeps, 'access' | 'userGroups'>,
  who: Grantee,
  things: readonly Thing[],
  channelId: string,
  from?: string,
): Promise<{ readonly theirs: readonly Thing[]; readonly others: readonly Thing[] }> {
  const theirs = new Set<Thing>();
  const look = async (one: Grantee): Promise<void> => {
    const left = things.filter((thing) => !theirs.has(thing));
    const may = await Promise.all(left.map(({ needs }) => mayHave(deps.access, one, needs, channelId)));
    left.forEach((thing, at) => may[at] && theirs.add(thing));
  };
  await look(who);
  if ('groupId' in who)
    for (const userId of await membersOf(deps, who.groupId, from)) {
      if (theirs.size === things.length) break;
      await look({ userId });
    }
  return {
    theirs: things.filter((thing) => theirs.has(thing)),
    others: things.filter((thing) => !theirs.has(thing)),
  };
}

/** Throws a Refusal where that can be nobody who takes something over. */
export async function refuseNobody(deps: HandoverDeps, ask: Ask, to: Grantee): Promise<void> {
  const whom = granteeWords(to);
  if ('groupId' in to && isDirect(ask.place.channelId))
    throw new Refusal(
      'bad-argument',
      say`A user group has no direct messages. Hand over to ${whom} in a channel.`,
    );
  if ('userId' in to && to.userId === ask.actor.userId)
    throw new Refusal('bad-argument', say`It's yours already. Mention someone else to hand it over.`);
  await requireSomebody(deps, to, { cannot: say`take anything over`, undone: say`nobody was asked` });
  if (await hasAnyRole(deps, ask, to)) return;
  throw new Refusal(
    'nobody',
    'userId' in to
      ? say`${whom} has no role here, so they can't take anything over.`
      : say`Nobody else in ${whom} has a role here, so they can't take anything over.`,
  );
}

async function hasAnyRole(
  deps: HandoverDeps,
  { actor, place: { channelId } }: Ask,
  to: Grantee,
): Promise<boolean> {
  const { access } = deps;
  const mayLook = async (userId: string): Promise<boolean> =>
    (await access.check({ userId }, 'operations:read', 'any', { channelId })).allowed;
  if ('userId' in to) return mayLook(to.userId);
  if ((await access.checkMember(to.groupId, 'operations:read', 'any', { channelId })).allowed) return true;
  for (const userId of await membersOf(deps, to.groupId, actor.userId))
    if (await mayLook(userId)) return true;
  return false;
}

/** None where Slack doesn't say: what the group itself may is known all the same. */
async function membersOf(
  { userGroups }: Pick<HandoverDeps, 'userGroups'>,
  groupId: string,
  but: string | undefined,
): Promise<readonly string[]> {
  const members = await userGroups.members(groupId).catch(() => new Set<string>());
  return [...members].filter((userId) => userId !== but).slice(0, MOST_MEMBERS);
}
