import { offered, foreign, outOfDate } from '../../core/offers/canceled.ts';
import { z } from 'zod';
import type { Ask, Reply } from '../../core/ask/ask.ts';
import { entryOf } from '../../core/audit/entry.ts';
import type { Route } from '../../core/intake/route.ts';
import { type OfferKind, offerKey, usingUp } from '../../core/offers/offers.ts';
import { type NotTheirs, theirs, toAsker, toOneFields } from '../../core/offers/confirmation.ts';
import { type AccessRecord, changeAsJudged, revoked } from '../../core/policy/access-record.ts';
import { type EndedBy, type Holding, lineOf } from '../../core/policy/owned.ts';
import { adminsOf } from '../../core/policy/messages.ts';
import { type Commit, together } from '../../core/records/commit.ts';
import { Unmet } from '../../core/records/records.ts';
import { Refusal } from '../../core/refusal.ts';
import { type Phrase, phraseSchema, say } from '../../platform/slack/phrase.ts';
import { listFixed, listHoldings, openGrantsOf } from './holdings.ts';
import { endedMessage, heldMessage, previewMessage, toldEnded } from './leaving-messages.ts';
import { LEAVING_ROUTES } from './messages.ts';
import type { Rights } from './rights.ts';

/** What an admin was shown of somebody before all of it is taken back. */
const leavingSchema = z.object({
  ...toOneFields,
  userId: z.string(),
  ends: z.array(phraseSchema),
  stays: z.array(phraseSchema),
});
type LeavingPerson = z.infer<typeof leavingSchema>;

const LEAVING: OfferKind<LeavingPerson> = { name: 'leaving', schema: leavingSchema };

/** What somebody holds: what ends where it is taken back, and what stays then. */
interface Held {
  readonly ending: readonly Holding[];
  readonly ends: readonly Phrase[];
  readonly stays: readonly Phrase[];
}

/** `access show @ana`: all that one person holds. Others than themselves see it only as admins. Throws a Refusal. */
export async function showHeld(deps: Rights, ask: Ask, userId: string): Promise<Reply> {
  const isOwn = userId === ask.actor.userId;
  const mayEnd = await deps.access.check(ask.actor, 'access:grant', 'all', {
    channelId: ask.place.channelId,
  });
  if (!isOwn && !mayEnd.allowed) await requireAll(deps, ask);
  const { ends, stays } = await heldBy(deps, userId);
  return heldMessage({ userId, ends, stays, isOwn, mayEnd: mayEnd.allowed });
}

/** `access revoke @ana`: shows all that they hold, and asks. Throws a Refusal. */
export async function askToEnd(deps: Rights, ask: Ask, userId: string): Promise<Reply> {
  await requireAll(deps, ask);
  return preview(deps, ask, userId, await heldBy(deps, userId), false);
}

async function preview(
  { offers, clock, timings }: Rights,
  ask: Ask,
  userId: string,
  { ends, stays }: Held,
  hasChanged: boolean,
): Promise<NonNullable<Reply>> {
  if (ends.length === 0) return previewMessage({ userId, ends, stays, hasChanged });
  const offerId = await offers.make(LEAVING, {
    ...toAsker(ask, { clock, timings }),
    userId,
    ends: ends.map((one) => [...one]),
    stays: stays.map((one) => [...one]),
  });
  return previewMessage({ userId, ends, stays, hasChanged, offerId, offered: offered(LEAVING, offerId) });
}

/** The buttons about all that somebody holds. */
export function leavingRoutes(deps: Rights): readonly Route[] {
  return [
    {
      id: LEAVING_ROUTES.ask,
      verb: 'revoke all',
      permission: 'access:grant',
      writes: false,
      summary: 'show what someone holds, to take all of it back',
      handle: (ask) => askToEnd(deps, ask, ask.value ?? ''),
    },
    {
      id: LEAVING_ROUTES.end,
      verb: 'revoke all that was shown',
      permission: 'access:grant',
      writes: true,
      isAskable: false,
      summary: 'take back all that someone holds',
      handle: async (ask, audit) => {
        const reply = await endShown(deps, ask);
        audit('recorded');
        return reply;
      },
    },
  ];
}

/** Ends exactly what was shown, in one commit; asks again where that has changed. Throws a Refusal. */
async function endShown(deps: Rights, ask: Ask): Promise<Reply> {
  const { offerId, shown, usedBy } = await findShown(deps, ask);
  const { userId } = shown;
  // A press that is carried out twice says what it did.
  if (usedBy === ask.id) return endedMessage(shown);
  await requireAll(deps, ask);
  const now = deps.clock.now();
  const how = { by: ask.actor.userId, at: now, requestId: ask.id };
  await changeAsJudged(
    deps.accessStore,
    async () => {
      const policy = await deps.access.policy();
      return (record) => {
        const ids = openGrantsOf(record.grants, userId, now).map(({ id }) => id);
        const after = revoked(record, ids, how);
        const isLast =
          policy.rolesFile === undefined && adminsOf({ ...policy, grants: after.grants }).length === 0;
        if (ids.length > 0 && isLast) throw lastAdmin();
        return after;
      };
    },
    async (_after, before) => endingCommit(deps, ask, { offerId, shown, before, how }),
  ).catch((error: unknown) => {
    throw error instanceof Unmet ? answeredBefore() : error;
  });
  return endedMessage(shown);
}

/** What goes with the roles that are taken back. By `used` it was answered already. Throws a Refusal where what was shown isn't what there is. */
async function endingCommit(
  deps: Rights,
  ask: Ask,
  {
    offerId,
    shown,
    before,
    how,
  }: {
    readonly offerId: string;
    readonly shown: LeavingPerson;
    readonly before: AccessRecord;
    readonly how: EndedBy;
  },
): Promise<Commit<'moved' | 'used'>> {
  const { userId, ends, stays } = shown;
  const held = await heldBy(
    { ...deps, accessStore: { ...deps.accessStore, get: async () => before } },
    userId,
  );
  const isAsShown = JSON.stringify([held.ends, held.stays]) === JSON.stringify([ends, stays]);
  if (!isAsShown) throw new Refusal('list-changed', await preview(deps, ask, userId, held, true));
  const ending = await Promise.all(held.ending.map(async ({ end }) => (await end?.(how)) ?? {}));
  const isTold = userId !== how.by && (await canRead(deps, userId));
  const told = { id: `left-${ask.id}`, to: { userId }, content: toldEnded(how.by) };
  return together<'moved' | 'used'>(
    usingUp([offerKey(LEAVING, offerId)], ask.id),
    ...ending,
    await deps.outbox.saying(isTold ? [told] : [], 'moved'),
    { audit: entryOf(ask, 'set', how.at, { result: 'done', args: { userId, ended: ends.length } }) },
  );
}

async function heldBy(deps: Rights, userId: string): Promise<Held> {
  const [all, fixed, everyone] = await Promise.all([
    listHoldings(deps),
    listFixed(deps, userId),
    asEveryone(deps, userId),
  ]);
  const theirsOf = all.filter((one) => one.userId === userId);
  const ending = theirsOf.filter(({ stays }) => stays === undefined);
  const staying = [...fixed, ...everyone, ...theirsOf.filter(({ stays }) => stays !== undefined)];
  return { ending, ends: ending.map(lineOf), stays: staying.map(lineOf) };
}

/** The role that they have as every full member has it. */
async function asEveryone({ access, people }: Rights, userId: string): Promise<readonly Holding[]> {
  const { everyone } = await access.policy();
  if (everyone === 'none') return [];
  const standing = await people.standing(userId, undefined).catch(() => undefined);
  if (standing !== 'member') return [];
  return [
    {
      userId,
      line: say`${everyone}, as every full member is.`,
      stays: say`It ends when their account is deactivated in Slack.`,
    },
  ];
}

async function canRead({ people }: Rights, userId: string): Promise<boolean> {
  const standing = await people.standing(userId, undefined).catch(() => undefined);
  return standing !== undefined && standing !== 'deactivated' && standing !== 'bot';
}

async function requireAll({ access }: Rights, { actor, place: { channelId } }: Ask): Promise<void> {
  await access.require(actor, 'access:grant', 'all', { channelId });
}

async function findShown(
  { offers }: Rights,
  ask: Ask,
): Promise<{ readonly offerId: string; readonly shown: LeavingPerson; readonly usedBy: string | undefined }> {
  const offerId = ask.value ?? '';
  const offer = await offers.find(LEAVING, offerId);
  return { offerId, shown: theirs(offer, ask, NOT_THEIRS), usedBy: offer.usedBy };
}

const NOT_THEIRS: NotTheirs<LeavingPerson> = {
  foreign: ({ actor }) => new Refusal('confirmation-foreign', foreign(actor, 'confirm it', 'done for you')),
  expired: () =>
    new Refusal('confirmation-expired', outOfDate('changed', 'Ask again to see what they hold now.')),
};

function answeredBefore(): Refusal {
  return new Refusal(
    'over',
    say`That was answered already. To see what they hold now, type /lamplighter access show.`,
  );
}

/** Nobody could give a role after that. */
export function lastAdmin(): Refusal {
  return new Refusal(
    'last-admin',
    say`That would leave nobody who can give a role, so nothing was changed. Make someone else an admin first.`,
  );
}
