import { type Asked, ASKED_WHILE_DOWN, joined, type WaitingStore } from '../../core/intake/waiting.ts';
import { WAITING_ID, WAITING_JOB } from '../../core/intake/waiting-job.ts';
import type { Ask } from '../../core/ask/ask.ts';
import type { Route } from '../../core/intake/route.ts';
import type { Offers } from '../../core/offers/offers.ts';
import { type NotTheirs, theirs } from '../../core/offers/theirs.ts';
import { findButtonToken } from '../../core/operations/find-button-token.ts';
import type { Operations } from '../../core/operations/operations.ts';
import { Refusal } from '../../core/refusal.ts';
import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { isDirect } from '../../platform/slack/ids.ts';
import { say } from '../../platform/slack/phrase.ts';
import { TELL_ROUTE } from './route-ids.ts';

export interface TellWhenBackDeps {
  readonly waiting: WaitingStore;
  readonly offers: Offers;
  readonly operations: Pick<Operations, 'find'>;
  readonly queue: Pick<WorkQueue, 'wake'>;
  readonly clock: Pick<RedisClock, 'now'>;
}

/** What is pressed under an answer that the hosting service was needed for: its person is told when the service answers. */
export function tellWhenBackRoute(deps: TellWhenBackDeps): Route {
  const { waiting, offers, queue, clock } = deps;
  return {
    id: TELL_ROUTE,
    serves: 'tell-when-back',
    verb: 'tell',
    permission: undefined,
    writes: false,
    isWrittenDown: () => true,
    summary: 'tell you when the hosting service answers again',
    handle: async (ask) => {
      const id = ask.value ?? '';
      const asked =
        (await askedOfCard(deps, ask)) ?? theirs(await offers.find(ASKED_WHILE_DOWN, id), ask, NOT_THEIRS);
      const waiter = { ...asked, id: `${id} ${ask.actor.userId}`, at: clock.now() };
      const after = await waiting.change((record) => joined(record, waiter), {
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

/** What the button of a card asks for again, for whoever presses it; undefined where it is none of a card. */
async function askedOfCard({ offers, operations }: TellWhenBackDeps, ask: Ask): Promise<Asked | undefined> {
  const operation = await operations.find(ask.value ?? '');
  if (!operation || !(await findButtonToken({ offers, operations }, ask))) return undefined;
  const { id, kind, part, subject } = operation;
  const verb = kind.slice(kind.indexOf('.') + 1);
  const start = `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`;
  const what = say`${start} ${part === undefined ? '' : say`${part}, `}${subject.name} (${subject.id})`;
  return { actor: ask.actor, what: [...what], route: kind, value: id };
}

const NOT_THEIRS: NotTheirs<Asked> = {
  foreign: () => new Refusal('foreign', say`Someone else asked that. Ask for it yourself.`),
  expired: () => new Refusal('button-expired', say`That button is too old. Ask again.`),
};
