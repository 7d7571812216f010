import { type Asked, ASKED_WHILE_DOWN, joined, type WaitingStore } from '../../core/intake/waiting.ts';
import { WAITING_ID, WAITING_JOB } from '../../core/intake/waiting-job.ts';
import type { Route } from '../../core/intake/route.ts';
import type { Offers } from '../../core/offers/offers.ts';
import { type NotTheirs, theirs } from '../../core/offers/theirs.ts';
import { Refusal } from '../../core/refusal.ts';
import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { isDirect } from '../../platform/slack/ids.ts';
import { say } from '../../platform/slack/phrase.ts';

export interface TellWhenBackDeps {
  readonly waiting: WaitingStore;
  readonly offers: Offers;
  readonly queue: Pick<WorkQueue, 'wake'>;
  readonly clock: Pick<RedisClock, 'now'>;
}

/** What is pressed under an answer that the hosting service was needed for: its person is told when the service answers. */
export function tellWhenBackRoute({ waiting, offers, queue, clock }: TellWhenBackDeps): Route {
  return {
    id: 'lamplighter.tell-when-back',
    serves: 'tell-when-back',
    verb: 'tell',
    permission: undefined,
    writes: false,
    isWrittenDown: () => true,
    summary: 'tell you when the hosting service answers again',
    handle: async (ask) => {
      const id = ask.value ?? '';
      const asked = theirs(await offers.find(ASKED_WHILE_DOWN, id), ask, NOT_THEIRS);
      const after = await waiting.change((record) => joined(record, { ...asked, id, at: clock.now() }), {
        wake: () => queue.wake(WAITING_JOB, WAITING_ID),
      });
      if (!after)
        throw new Refusal(
          'too-many',
          say`Too many people are waiting for it already, so I can't tell you. Ask again in a few minutes.`,
        );
      const how = isDirect(ask.place.channelId)
        ? say`I'll tell you here`
        : say`I'll send you a direct message`;
      return { lines: [say`${how} when the hosting service answers. I'll keep checking for a day.`] };
    },
  };
}

const NOT_THEIRS: NotTheirs<Asked> = {
  foreign: () => new Refusal('foreign', say`Someone else asked that. Ask for it yourself.`),
  expired: () => new Refusal('button-expired', say`That button is too old. Ask again.`),
};
