import { Refusal } from '../../core/refusal.ts';
import type { Entry } from '../../core/audit/entry.ts';
import type { Ask } from '../../core/ask/ask.ts';
import type { AuditAttempt, Route } from '../../core/intake/route.ts';
import type { AccessRule } from '../../core/policy/decide.ts';
import { HOUR_MS } from '../../platform/time/duration.ts';
import { isDirect } from '../../platform/slack/ids.ts';
import { say, time } from '../../platform/slack/phrase.ts';
import { WATCH_ROUTES, membersToHelp } from './card-buttons.ts';
import { snoozed, takenOn, awake } from './react.ts';
import { type Card, targetOf, type Watch } from './watch.ts';
import type { Watching } from './watch-store.ts';

const SNOOZE_MS = 4 * HOUR_MS;

/** The buttons of a card: on it, and snooze. */
export function answerRoutes(deps: Watching): readonly Route[] {
  return [
    {
      id: WATCH_ROUTES.onIt,
      verb: 'on it',
      permission: 'instances:watch',
      writes: true,
      askedIn: askedInOf(deps),
      summary: 'say that you are on what a watch reported',
      handle: async (ask, audit, by) => {
        await answer(deps, ask, audit, by, (watch, cardId, now) =>
          takenOn(watch, cardId, ask.actor.userId, now),
        );
        const said = isDirect(ask.place.channelId)
          ? say`You're on it, and the card in the channel says so. This message shows when it's over.`
          : say`You're on it. The card says so, and I'll reply to you there when it's over.`;
        return { lines: [said] };
      },
    },
    {
      id: WATCH_ROUTES.snooze,
      verb: 'snooze',
      permission: 'instances:watch',
      writes: true,
      askedIn: askedInOf(deps),
      summary: 'snooze an instance for four hours',
      handle: async (ask, audit, by) => {
        const until = deps.clock.now() + SNOOZE_MS;
        await answer(deps, ask, audit, by, (watch, cardId, now) =>
          snoozed(watch, cardId, ask.actor.userId, until, now),
        );
        return {
          lines: [say`Snoozed until ${time(until)}. If it gets worse before, I'll say so.`],
        };
      },
    },
    {
      id: WATCH_ROUTES.endSnooze,
      verb: 'end snooze',
      permission: 'instances:watch',
      writes: true,
      askedIn: askedInOf(deps),
      summary: 'end the snooze of an instance early',
      handle: async (ask, audit, by) => {
        await answer(deps, ask, audit, by, (watch, cardId, now) => awake(watch, cardId, now));
        return { lines: [say`The snooze is over. What is still wrong is posted in the channel.`] };
      },
    },
    ...(['restart', 'start'] as const).map((power) => allRoute(deps, power)),
  ];
}

/** Restarts or starts whatever of one card needs it still, by a preview of exactly those. */
function allRoute({ watches, startThese, restartThese }: Watching, power: 'start' | 'restart'): Route {
  return {
    id: power === 'restart' ? WATCH_ROUTES.restartAll : WATCH_ROUTES.startAll,
    verb: `${power} all`,
    permission: 'instances:power',
    writes: true,
    askedIn: askedInOf({ watches }),
    summary: `${power} what is wrong on one card of a watch`,
    isAskable: false,
    handle: async (ask, audit) => {
      const [watchId = '', cardId = ''] = (ask.value ?? '').split('/');
      const watch = await watches.find(watchId);
      const card = watch && isAnsweredAt(watch, cardId, ask.actor, ask.place) && cardOf(watch, cardId);
      if (!card) throw noRecord();
      const those = membersToHelp(card, power);
      if (those.length === 0)
        throw new Refusal('over', say`Nothing there needs a ${power} any more, so nothing was done.`);
      const show = power === 'restart' ? restartThese : startThese;
      return show(ask, { those, isForTrouble: true }, audit);
    },
  };
}

function noRecord(): Refusal {
  return new Refusal('no-incident', say`I have no record of that any more, so nothing was changed.`);
}

/** Writes down what somebody pressed on a card, by what allows it, and has the card show it. Throws a Refusal. */
async function answer(
  { watches, access, clock }: Watching,
  { id, value = '', actor, place }: Ask,
  audit: AuditAttempt,
  by: AccessRule | undefined,
  step: (watch: Watch, cardId: string, now: number) => Watch,
): Promise<void> {
  const [watchId = '', cardId = ''] = value.split('/');
  const known = await watches.find(watchId);
  const shown = known && isAnsweredAt(known, cardId, actor, place) ? cardOf(known, cardId) : undefined;
  const channelId = known && shown ? known.channelId : place.channelId;
  const mayWatch = await access.which(actor, 'instances:watch', channelId);
  const target = shown?.members.map(targetOf).find((one) => !mayWatch(one));
  if (shown) audit(aboutCard(shown));
  if (target) await access.require(actor, 'instances:watch', target, { channelId, operationId: id });
  const after = await watches.change(
    watchId,
    (watch) => (isAnsweredAt(watch, cardId, actor, place) ? step(watch, cardId, clock.now()) : undefined),
    () => access.using([by], id),
  );
  if (!after) throw noRecord();
}

/** An id is no authority: what a channel shows is answered there alone, or by who was told of it in their direct messages. */
function isAnsweredAt(
  watch: Watch,
  cardId: string,
  { userId }: Ask['actor'],
  { channelId }: Ask['place'],
): boolean {
  if (watch.channelId === channelId) return true;
  return isDirect(channelId) && (cardOf(watch, cardId)?.told ?? []).some(({ to }) => to === userId);
}

/** The channel of the watch that a card is of, for who answers it where they were told of it alone. */
function askedInOf({ watches }: Pick<Watching, 'watches'>) {
  return async ({ value = '', actor, place }: Ask): Promise<string | undefined> => {
    const [watchId = '', cardId = ''] = value.split('/');
    const watch = await watches.find(watchId);
    return watch && isAnsweredAt(watch, cardId, actor, place) ? watch.channelId : undefined;
  };
}

function cardOf({ cards }: Watch, cardId: string): Card | undefined {
  return cards.find(({ id }) => id === cardId);
}

/** What the audit keeps of an answer to a card: the card, and its instance where it is about one. Pure. */
function aboutCard({ id: of, members }: Card): Pick<Entry, 'of' | 'target'> {
  const [only, ...others] = members;
  return only && others.length === 0 ? { of, target: { id: only.id, name: only.name } } : { of };
}
