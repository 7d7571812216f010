import { isDeepStrictEqual } from 'node:util';
import type { Ask, Reply } from '../../core/ask/ask.ts';
import { CANCELED } from '../../core/offers/canceled.ts';
import { listing, offering } from '../../core/offers/offers.ts';
import type { Grantee } from '../../core/policy/grant.ts';
import { granteeWords } from '../../core/policy/messages.ts';
import { Refusal } from '../../core/refusal.ts';
import { idOf } from '../../platform/id.ts';
import { isDirect } from '../../platform/slack/ids.ts';
import type { Message } from '../../platform/slack/message.ts';
import { say } from '../../platform/slack/phrase.ts';
import { askedMessage, askMessage, calledOffMessage, mineMessage, expiredMessage } from './messages.ts';
import {
  editsOf,
  HANDOVER_KEPT_MS,
  HANDOVERS,
  messageIdOf,
  type Offered,
  ofPerson,
  EXPIRED,
  type HandoverDeps,
  isIn,
  listThings,
  type Thing,
  refuseNobody,
  splitByRight,
} from './things.ts';

/** Who is asked has reached nobody: who hands over hears it. */
export const UNSAID = 'handover.unsaid';
/** So many handovers of one person are known at once. */
const MOST_OPEN = 10;

/** It follows from the request, so that one carried out twice asks once, for what it showed. */
export function offerIdOf({ id }: Pick<Ask, 'id'>): string {
  return idOf(`handover ${id}`);
}

/** What names no instance that whoever asks may not see here, and the others. */
export async function seenHere(
  { access }: Pick<HandoverDeps, 'access'>,
  { actor, place: { channelId } }: Ask,
  things: readonly Thing[],
): Promise<{ readonly seen: readonly Thing[]; readonly unseen: readonly Thing[] }> {
  const maySee = await access.which(actor, 'instances:read', channelId);
  const isSeen = ({ needs: { of } }: Thing): boolean => of.every((one) => maySee(one));
  return { seen: things.filter(isSeen), unseen: things.filter((one) => !isSeen(one)) };
}

/** Asks somebody, or a user group, to take over all that is the actor's. Throws a Refusal where nothing can be. */
export async function askToTake(deps: HandoverDeps, ask: Ask, to: Grantee): Promise<Reply> {
  const { offers, clock } = deps;
  const { actor, place } = ask;
  // Carried out once more, it asks what it asked before.
  const offerId = offerIdOf(ask);
  const before = (await offers.find(HANDOVERS, offerId)).what;
  if (before) return askOnce(deps, offerId, before, []);
  await refuseNobody(deps, ask, to);
  const { seen } = await seenHere(deps, ask, await listThings(deps, actor.userId));
  const moving = seen.filter(({ stays }) => stays === undefined);
  const staying = seen.filter(({ stays }) => stays !== undefined);
  if (moving.length === 0) {
    const { lines, ...rest } = mineMessage(staying, 0);
    const why = staying.length === 0 ? lines : [say`None of this can be handed over:`];
    throw new Refusal('over', { ...rest, lines: why, note: say`Nobody was asked.` });
  }
  const { theirs, others } = await splitByRight(deps, to, moving, place.channelId, actor.userId);
  if (theirs.length === 0)
    throw new Refusal(
      'no-right',
      say`${granteeWords(to)} may not see or act on anything of yours here, so I asked nobody.`,
    );
  const offered: Offered = {
    actor,
    to,
    place,
    things: theirs.map(shownAs),
    kept: others.map(shownAs),
    expiresAt: clock.now() + HANDOVER_KEPT_MS,
  };
  await offers.write([
    ...offering(HANDOVERS, offerId, offered),
    listing(ofPerson, actor.userId, { offerId }, MOST_OPEN),
  ]);
  return askOnce(deps, offerId, offered, staying);
}

/** Posts what asks whoever is to take it over, once. Gives what who hands over reads. */
async function askOnce(
  deps: HandoverDeps,
  offerId: string,
  offered: Offered,
  staying: readonly Thing[],
): Promise<Message> {
  const { outbox } = deps;
  const { to, place } = offered;
  const calledOff = await callOffEarlier(deps, offerId, offered);
  const onDeadLetter = { handler: UNSAID, id: offerId };
  const isAlone = isDirect(place.channelId);
  if (!isAlone)
    await outbox.post({
      id: messageIdOf(offerId),
      to: place,
      content: askMessage(offerId, offered, false),
      isForPlaceAlone: true,
      onDeadLetter,
    });
  // They may not read that channel, or I may not post there.
  if ('userId' in to)
    await outbox.post({
      id: messageIdOf(offerId, 'alone'),
      to: { userId: to.userId },
      content: askMessage(offerId, offered, true),
      isForPlaceAlone: true,
      onDeadLetter,
    });
  return askedMessage(offerId, offered, staying, calledOff);
}

/** Calls off what its person asked before of the same things, since each can pass but once. Gives whom it was asked of. */
async function callOffEarlier(
  deps: HandoverDeps,
  offerId: string,
  { actor, to, things }: Offered,
): Promise<readonly Grantee[]> {
  const { offers, outbox } = deps;
  const ids = (await offers.list(ofPerson, actor.userId, MOST_OPEN)).map((one) => one.offerId);
  const calledOff: Grantee[] = [];
  // Of two at once, each calls off only what came before it.
  const at = ids.indexOf(offerId);
  for (const id of at < 0 ? [] : ids.slice(at + 1)) {
    const { what, usedBy } = await offers.find(HANDOVERS, id);
    if (!what || usedBy !== undefined || (await endExpired(deps, id, what))) continue;
    if (id === offerId || !what.things.some((one) => isIn(things, one))) continue;
    const message = calledOffMessage(actor.userId, { to, isSame: isDeepStrictEqual(what.to, to) });
    const by = await offers.useWith(HANDOVERS, id, CANCELED, () =>
      outbox.saying(editsOf(id, message), 'moved'),
    );
    if (by === CANCELED) calledOff.push(what.to);
  }
  return calledOff;
}

function shownAs({ source, id, line }: Thing): Offered['things'][number] {
  return { source, id, line: [...line] };
}

/** Ends one that nobody took in time, and says so where it stands. Gives whether its time is over. */
export async function endExpired(
  { offers, outbox, clock, timings }: Pick<HandoverDeps, 'offers' | 'outbox' | 'clock' | 'timings'>,
  offerId: string,
  { actor, expiresAt }: Pick<Offered, 'actor' | 'expiresAt'>,
): Promise<boolean> {
  if (clock.now() <= expiresAt) return false;
  // A press that came in time may still be on its way.
  if (clock.now() > expiresAt + timings.acceptWithinMs)
    await offers.useWith(HANDOVERS, offerId, EXPIRED, () =>
      outbox.saying(editsOf(offerId, expiredMessage(actor.userId, expiresAt)), 'moved'),
    );
  return true;
}
