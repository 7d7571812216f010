import { Refusal } from '../../core/refusal.ts';
import type { Ask, Route } from '../../core/routing/route.ts';
import { HOUR_MS } from '../../platform/time/duration.ts';
import { say, time } from '../../platform/slack/phrase.ts';
import { muted, takenOn } from './react.ts';
import { WATCH_ROUTES } from './route-ids.ts';
import type { SetWatchDeps } from './set-watch.ts';
import { TELL_WATCH_JOB } from './tell.ts';
import type { Watch } from './watch.ts';

type AnswerDeps = Pick<SetWatchDeps, 'watches' | 'queue' | 'clock'>;

const MUTED_MS = 4 * HOUR_MS;

/** The buttons of a card: on it, and quiet for a while. */
export function answerRoutes(deps: AnswerDeps): readonly Route[] {
  return [
    {
      id: WATCH_ROUTES.onIt,
      verb: 'on it',
      permission: 'instances:watch',
      writes: true,
      summary: 'say that you are on what a watch told',
      handle: async (ask) => {
        await answer(deps, ask, (watch, cardId, now) => takenOn(watch, cardId, ask.actor.userId, now));
        return { lines: [say`You're on it; the card says so. I'll reply to you there when it is over.`] };
      },
    },
    {
      id: WATCH_ROUTES.mute,
      verb: 'mute',
      permission: 'instances:watch',
      writes: true,
      summary: 'hear nothing of an instance for four hours',
      handle: async (ask) => {
        const until = deps.clock.now() + MUTED_MS;
        await answer(deps, ask, (watch, cardId, now) => muted(watch, cardId, ask.actor.userId, until, now));
        return {
          lines: [
            say`Muted here until ${time(until)}. If something else is wrong with it then, I'll say so.`,
          ],
        };
      },
    },
  ];
}

/** Writes down what somebody pressed on a card, and has the card show it. Throws a Refusal. */
async function answer(
  { watches, queue, clock }: AnswerDeps,
  { value = '', place }: Ask,
  step: (watch: Watch, cardId: string, now: number) => Watch,
): Promise<void> {
  const [watchId = '', cardId = ''] = value.split('/');
  const after = await watches.change(watchId, (watch) =>
    // An id is no authority: what a channel shows is answered there alone.
    watch.channelId === place.channelId ? step(watch, cardId, clock.now()) : undefined,
  );
  if (!after)
    throw new Refusal('no-incident', say`I have no record of that any more, so nothing was changed.`);
  await queue.wake(TELL_WATCH_JOB, watchId).catch(() => undefined);
}
