import { BUTTON_TOKENS } from '../../core/offers/button-token.ts';
import type { Offers } from '../../core/offers/offers.ts';
import type { Outbox, Standing } from '../../core/outbox/outbox.ts';
import type { Threads } from '../../core/threads/threads.ts';
import type { Timings } from '../../core/timings.ts';
import { idOf } from '../../platform/id.ts';
import type { JobHandler } from '../../platform/queue/run-job.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { isRefusedThere } from '../../platform/slack/errors.ts';
import { channel, say } from '../../platform/slack/phrase.ts';
import { forgotten, mapCards } from './judge.ts';
import { endedForSetter } from './list-messages.ts';
import { membersToActOn, type PowerRoutes } from './card-buttons.ts';
import { cardMessage, overReply } from './messages.ts';
import { ended } from './react.ts';
import type { WatchStore } from './watch-store.ts';
import { type Card, isToTell, type Member, type Watch } from './watch.ts';

export interface TellDeps extends PowerRoutes {
  readonly watches: WatchStore;
  readonly outbox: Outbox;
  readonly threads: Pick<Threads, 'note'>;
  readonly offers: Offers;
  readonly clock: Pick<RedisClock, 'now'>;
  readonly timings: Timings;
}

export const TELL_WATCH_JOB = 'watches.tell';

/** How soon it is looked again whether a message stands. */
const LOOK_AGAIN_MS = 500;

/**
 * Gives the outbox what the record of a watch says is to be sent, and writes down what it has. Each step can be done twice:
 * a message is posted once for its id, and an older content never takes the place of a newer one.
 */
export function createTellWatch(deps: TellDeps): JobHandler {
  const { watches } = deps;
  return async (id, signal) => {
    while (!signal.aborted) {
      const watch = await watches.find(id);
      if (!watch || watch.closedAt !== undefined) return undefined;
      if (!watch.cards.some(isToTell)) return watch.ended ? end(deps, watch) : tidy(deps, watch);
      const steps = watch.cards.filter(isToTell).map((one) => step(deps, watch, one));
      const isMoved = (await Promise.all(steps)).some(Boolean);
      if (!isMoved) return LOOK_AGAIN_MS;
    }
    return undefined;
  };
}

/** Takes the next step for a card. False where it waits for Slack. */
async function step(deps: TellDeps, watch: Watch, card: Card): Promise<boolean> {
  if (await needsTokens(deps, watch, card)) return true;
  if (card.sentRevision < card.revision) return tell(deps, watch, card);
  const standing = await deps.outbox.find(card.id);
  if (standing?.state === 'on its way') return false;
  if (standing?.state !== 'stands') return giveUp(deps, watch, card, standing);
  const { reply } = card;
  if (!card.stands) await deps.threads.note(standing, card.members);
  if (reply) {
    const { channelId, ts } = standing;
    const id = idOf(`${card.id} over ${reply.at}`);
    const content = overReply(card, reply.to);
    await deps.outbox.post({ id, to: { channelId, threadTs: ts }, content, isForPlaceAlone: true });
  }
  await change(deps, watch, card, (one) => {
    const { reply: due, ...rest } = one;
    return { ...rest, stands: true, ...(due && due.at !== reply?.at ? { reply: due } : {}) };
  });
  return true;
}

async function change(
  { watches }: TellDeps,
  { id }: Watch,
  { id: cardId }: Card,
  move: (card: Card) => Card,
): Promise<void> {
  await watches.change(id, (watch) => mapCards(watch, (one) => (one.id === cardId ? move(one) : one)));
}

/** Makes what the buttons of a card stand for, and writes that down before they are shown. Whether there was any. */
async function needsTokens(deps: TellDeps, watch: Watch, card: Card): Promise<boolean> {
  const lacking = membersToActOn(card).filter(({ buttonTokenId }) => buttonTokenId === undefined);
  if (lacking.length === 0 || watch.ended) return false;
  const tokens = new Map<Member['id'], string>();
  for (const { id, name, createdAt } of lacking) {
    const of = { instanceId: id, name, createdAt };
    tokens.set(id, await deps.offers.make(BUTTON_TOKENS, of));
  }
  await change(deps, watch, card, (one) => ({
    ...one,
    members: one.members.map((member) => {
      const buttonTokenId = tokens.get(member.id);
      return buttonTokenId === undefined || member.buttonTokenId !== undefined
        ? member
        : { ...member, buttonTokenId };
    }),
  }));
  return true;
}

async function tell(deps: TellDeps, watch: Watch, card: Card): Promise<boolean> {
  const { outbox } = deps;
  const { id, revision: order } = card;
  const content = cardMessage(watch, card, deps);
  const to = { channelId: watch.channelId };
  if (card.sentRevision === 0) await outbox.post({ id, to, content, order, isForPlaceAlone: true });
  await noteMore(deps, card);
  // Where it was posted before a crash, it may show less than this.
  await outbox.edit(id, content, order);
  await change(deps, watch, card, (one) => ({ ...one, sentRevision: Math.max(one.sentRevision, order) }));
  return true;
}

/** What has joined a card that stands is what its thread is about, too, before anybody sees it there. */
async function noteMore(
  { outbox, threads }: TellDeps,
  { id, isGroup, stands, members }: Card,
): Promise<void> {
  const standing = isGroup && stands ? await outbox.find(id) : undefined;
  if (standing?.state === 'stands') await threads.note(standing, members);
}

/** A message that never will stand: who set the watch hears it alone, and the watch ends where that is for its channel. */
async function giveUp(
  deps: TellDeps,
  watch: Watch,
  card: Card,
  standing: Extract<Standing, { state: 'given up' }> | undefined,
): Promise<boolean> {
  const { watches, clock } = deps;
  const isOfChannel = standing?.fault !== undefined && isRefusedThere(standing.fault);
  for (const one of isOfChannel ? watch.cards.filter(isToTell) : [card]) await tellSetter(deps, watch, one);
  if (!watch.ended && isOfChannel) {
    await watches.change(watch.id, (one) => {
      const over = ended(one, 'no channel', clock.now());
      return over && { ...over, cards: [] };
    });
    return true;
  }
  await change(deps, watch, card, (one) => {
    const { reply: _, ...rest } = one;
    return { ...rest, stands: true, sentRevision: one.revision };
  });
  return true;
}

/** What its channel doesn't take of an incident, for who set the watch: an incident that nobody reads of is lost. */
async function tellSetter(deps: TellDeps, watch: Watch, card: Card): Promise<void> {
  if (card.kind !== 'incident') return;
  const { buttons: _, menu: __, ...said } = cardMessage(watch, card, deps);
  const why = say`I couldn't post this in ${channel(watch.channelId)}:`;
  await deps.outbox.post({
    id: idOf(`${card.id} for its setter`),
    to: { userId: watch.setBy.userId },
    content: { ...said, lines: [why, ...said.lines] },
  });
}

/** All is reported of a watch that is over; the person who set it hears of an end that nobody asked for. */
async function end({ watches, outbox, clock }: TellDeps, watch: Watch): Promise<undefined> {
  if (watch.ended?.why === 'no channel') {
    const id = idOf(`watch ${watch.id} ended`);
    await outbox.post({ id, to: { userId: watch.setBy.userId }, content: endedForSetter(watch) });
  }
  await watches.change(watch.id, (one) => ({ ...one, closedAt: clock.now() }));
  return undefined;
}

/** Lets go of cards that need nobody any more. */
async function tidy({ watches, clock, timings }: TellDeps, watch: Watch): Promise<undefined> {
  if (forgotten(watch, clock.now(), timings).cards.length < watch.cards.length)
    await watches.change(watch.id, (one) => forgotten(one, clock.now(), timings));
  return undefined;
}
