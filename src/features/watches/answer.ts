import { Refusal } from '../../core/refusal.ts';
import type { Ask, Reply } from '../../core/ask/ask.ts';
import type { AuditAttempt, Route } from '../../core/intake/route.ts';
import { HOUR_MS } from '../../platform/time/duration.ts';
import { say, time } from '../../platform/slack/phrase.ts';
import { membersToHelp } from './card-buttons.ts';
import { snoozed, takenOn, awake } from './react.ts';
import { WATCH_ROUTES } from './route-ids.ts';
import type { SetWatchDeps } from './set-watch.ts';
import type { Member, Watch } from './watch.ts';

type ShowThose = (
  ask: Ask,
  those: { readonly those: readonly Member[]; readonly isForTrouble: true },
  audit: AuditAttempt,
) => Promise<Reply>;

export interface AnswerDeps extends Pick<SetWatchDeps, 'watches' | 'access' | 'clock'> {
  /** Each shows what it would do with these, and asks, as for several that are typed. Throws a Refusal. */
  readonly startThese: ShowThose;
  readonly restartThese: ShowThose;
}

const SNOOZE_MS = 4 * HOUR_MS;

/** The buttons of a card: on it, and snooze. */
export function answerRoutes(deps: AnswerDeps): readonly Route[] {
  return [
    {
      id: WATCH_ROUTES.onIt,
      verb: 'on it',
      permission: 'instances:watch',
      writes: true,
      summary: 'say that you are on what a watch reported',
      handle: async (ask) => {
        await answer(deps, ask, (watch, cardId, now) => takenOn(watch, cardId, ask.actor.userId, now));
        return { lines: [say`You're on it. The card says so, and I'll reply to you there when it's over.`] };
      },
    },
    {
      id: WATCH_ROUTES.snooze,
      verb: 'snooze',
      permission: 'instances:watch',
      writes: true,
      summary: 'snooze an instance for four hours',
      handle: async (ask) => {
        const until = deps.clock.now() + SNOOZE_MS;
        await answer(deps, ask, (watch, cardId, now) => snoozed(watch, cardId, ask.actor.userId, until, now));
        return {
          lines: [
            say`Snoozed here until ${time(until)}. If something else is wrong with it then, I'll say so.`,
          ],
        };
      },
    },
    {
      id: WATCH_ROUTES.endSnooze,
      verb: 'end snooze',
      permission: 'instances:watch',
      writes: true,
      summary: 'end the snooze of an instance early',
      handle: async (ask) => {
        await answer(deps, ask, (watch, cardId, now) => awake(watch, cardId, now));
        return { lines: [say`The snooze is over. I'll post here what is still wrong.`] };
      },
    },
    ...(['restart', 'start'] as const).map((power) => allRoute(deps, power)),
  ];
}

/** Restarts or starts whatever of one card needs it still, by a preview of exactly those. */
function allRoute({ watches, startThese, restartThese }: AnswerDeps, power: 'start' | 'restart'): Route {
  return {
    id: power === 'restart' ? WATCH_ROUTES.restartAll : WATCH_ROUTES.startAll,
    verb: `${power} all`,
    permission: 'instances:power',
    writes: true,
    summary: `${power} what is wrong on one card of a watch`,
    isAskable: false,
    handle: async (ask, audit) => {
      const [watchId = '', cardId = ''] = (ask.value ?? '').split('/');
      const watch = await watches.find(watchId);
      const card = watch?.channelId === ask.place.channelId && watch.cards.find(({ id }) => id === cardId);
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

/** Writes down what somebody pressed on a card, and has the card show it. Throws a Refusal. */
async function answer(
  { watches, access, clock }: AnswerDeps,
  { id, value = '', actor, place }: Ask,
  step: (watch: Watch, cardId: string, now: number) => Watch,
): Promise<void> {
  const [watchId = '', cardId = ''] = value.split('/');
  const { channelId } = place;
  const mayWatch = await access.which(actor, 'instances:watch', channelId);
  const known = await watches.find(watchId);
  const shown = known?.channelId === channelId ? known.cards.find((card) => card.id === cardId) : undefined;
  const target = shown?.members.find((member) => !mayWatch(member));
  if (target) await access.require(actor, 'instances:watch', target, { channelId, operationId: id });
  const after = await watches.change(watchId, (watch) =>
    // An id is no authority: what a channel shows is answered there alone.
    watch.channelId === place.channelId ? step(watch, cardId, clock.now()) : undefined,
  );
  if (!after) throw noRecord();
}
