import { createDeliver, type DeliverDeps, type MessageSource } from '../outbox/deliver.ts';
import type { Address } from '../../platform/slack/messenger.ts';
import type { JobPart } from './run.ts';
import { contentKey } from './content-key.ts';
import type { Operation } from './operation.ts';
import type { Operations } from './operations.ts';
import { closed, moved, nextMessage, type Part } from './message-order.ts';

export interface PostMessagesDeps extends DeliverDeps {
  readonly operations: Operations;
}

/** The part that speaks: one card, edited to its end, and one reply. */
export function createPostMessages(deps: PostMessagesDeps): JobPart {
  const { operations, clock, timings } = deps;
  const deliver = createDeliver(deps);

  const sourceOf = (operationId: string, part: Part): MessageSource<Operation> => ({
    of: { operation: operationId },
    name: part,
    messageOf: (operation) => operation[part],
    contentOf: (operation) =>
      part === 'card' ? operations.cardOf(operation) : operations.replyOf(operation),
    contentKeyOf: contentKey,
    addressOf: (operation) => addressOf(operation, part),
    sinceOf: (operation) => operation.next?.at ?? operation.requestedAt,
    fallbacksOf: (operation) => [operation.actor.userId],
    // The end is seen at least once, and nobody is called twice.
    isBetterTwice: part === 'card',
    isAwaited: (operation) => operation.outcome !== undefined || operation.graceMs !== undefined,
    change: (move) =>
      operations.change(operationId, (now) => moved(now, part, (message) => move(message, now), clock.now())),
  });

  return async (operation) => {
    const step = nextMessage(operation, contentKey(operation), clock.now(), timings);
    if (!step) return false;
    if (step.do === 'close') await operations.change(operation.id, (now) => closed(now, clock.now()));
    else await deliver(sourceOf(operation.id, step.part), operation, step.do);
    return true;
  };
}

function addressOf(operation: Operation, part: Part): Address {
  const { place, card } = operation;
  const { fallback } = operation[part];
  if (fallback !== undefined) return { channelId: fallback };
  if (part === 'card') return place;
  // Where the card is gone, the reply stands by itself.
  if (card.state !== 'sent' || card.channelId === undefined) return place;
  const threadTs = card.fallback === undefined ? (place.threadTs ?? card.ts) : card.ts;
  return { channelId: card.channelId, threadTs };
}
