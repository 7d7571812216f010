import type { Ask } from '../../core/ask/ask.ts';
import { asTyped } from '../../core/ask/words.ts';
import { entryOf } from '../../core/audit/entry-of.ts';
import type { Feature } from '../../core/intake/feature.ts';
import type { RequestStore } from '../../core/intake/request-store.ts';
import { isWrite, type Route } from '../../core/intake/route.ts';
import { openOperations } from '../../core/operations/messages.ts';
import { canBeTakenBack } from '../../core/operations/write-queue.ts';
import type { Message } from '../../platform/slack/message.ts';
import { join, type Phrase, plain, say } from '../../platform/slack/phrase.ts';
import { ongoingOf, openFor, type OperationsDeps } from './running.ts';

export interface CancelSaidDeps extends OperationsDeps {
  readonly requests: Pick<RequestStore, 'listOpen' | 'decide' | 'finish'>;
  readonly features: () => readonly Feature[];
}

const MAX_SAID = 60;

/**
 * "Cancel", said in a word: takes back what this person asked for here and nothing has come of yet, and shows what runs, with a
 * button for each that can be canceled still.
 */
export function cancelSaidRoute(deps: CancelSaidDeps, cancelRoute: string): Route {
  const { requests, operations, clock, features } = deps;
  const routeOf = (id: string): Route | undefined =>
    features()
      .flatMap(({ routes }) => routes)
      .find((route) => route.id === id);
  const isOwn = (ask: Ask, one: Ask): boolean => {
    const route = routeOf(one.route);
    return (
      one.id !== ask.id &&
      one.actor.userId === ask.actor.userId &&
      one.place.channelId === ask.place.channelId &&
      route !== undefined &&
      isWrite(route, one.words)
    );
  };
  /** Gives what was taken back: what has begun by now is no request any more. */
  const takeBack = async (one: Ask): Promise<Phrase | undefined> => {
    const verb = routeOf(one.route)?.verb ?? '';
    const words = say`"${plain(asTyped([verb, ...one.words]), MAX_SAID)}"`;
    const entry = entryOf(one, 'refused', clock.now(), { result: 'over' });
    const result = await requests.decide(one, { lines: [say`Canceled: ${words}.`] }, entry);
    if (result !== 'decided') return undefined;
    await requests.finish(one.id);
    return words;
  };
  return {
    id: 'lamplighter.cancel-said',
    serves: 'cancel',
    verb: 'cancel',
    permission: undefined,
    writes: false,
    summary: 'take back what was just asked for',
    handle: async (ask) => {
      const own = (await requests.listOpen()).filter((one) => isOwn(ask, one));
      const canceled = (await Promise.all(own.map(takeBack))).filter((one) => one !== undefined);
      const running = await openFor(deps, ask);
      const lines =
        canceled.length > 0 ? [say`Canceled ${join(canceled, ', ')} before anything was sent.`] : [];
      if (running.length === 0) return { lines: canceled.length > 0 ? lines : nothingToCancel() };
      const open: Message = openOperations(ongoingOf(operations, running), clock.now(), cancelRoute);
      return {
        ...open,
        lines: [...lines, ...(running.some(canBeTakenBack) ? [] : tooLate()), ...open.lines],
      };
    },
  };
}

function nothingToCancel(): readonly Phrase[] {
  return [
    say`Nothing is in progress. If I asked you something, press Cancel under it: nothing begins until you answer.`,
  ];
}

function tooLate(): readonly Phrase[] {
  return [say`I can't cancel what the hosting service was asked to do already.`];
}
