import { createDeliver } from '../outbox/deliver.ts';
import type { DeliverDeps, MessageSource } from '../outbox/message-source.ts';
import type { OutboxStep } from '../outbox/outbox-message.ts';
import type { Address } from '../../platform/slack/messenger.ts';
import type { Step } from './change.ts';
import type { JobPart } from './run.ts';
import { contentKey } from './content-key.ts';
import {
  mentionedAtEnd,
  closedIfThrough,
  isAwaited,
  mayShare,
  moved,
  nextMessage,
  type Part,
  replied,
  rowSet,
  through,
} from './message-order.ts';
import { audience, type Operation, ownerOf } from './operation.ts';
import type { Operations } from './operations.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import { nextNotice, noticeAt, noticed, notNoticed } from './asker-notice.ts';
import type { Base } from '../base.ts';

/** Messages that several operations of a place share. */
export interface SharedMessages {
  /** Where an operation is shown: undefined for a card of its own, or the id of its board. The same answer each time. */
  assign(operation: Operation): Promise<string | undefined>;
  /** Has its board say what the operation says now. */
  setRow(boardId: string, operation: Operation): Promise<void>;
}

/** The part that speaks: one card, edited to its end, and one reply for whom an edit wouldn't reach; or a row on a board that does both. */
export function createPostMessages(
  deps: DeliverDeps & { readonly operations: Operations; readonly boards: SharedMessages },
): JobPart {
  const { operations, boards, clock, timings } = deps;
  const deliver = createDeliver(deps);

  const stepOf =
    (part: Part, move: Parameters<MessageSource<Operation>['change']>[0]): Step =>
    (now) => {
      const next = moved(now, part, (message) => move(message, now), clock.now());
      return next && closedIfThrough(next, clock.now(), timings);
    };

  const sourceOf = (
    operationId: string,
    part: Part,
    mentioned: readonly string[] = [],
  ): MessageSource<Operation> => ({
    of: { operation: operationId },
    name: part,
    messageOf: (operation) => operation[part],
    contentOf: (operation) =>
      part === 'card' ? operations.cardOf(operation) : operations.replyOf(operation, mentioned),
    contentKeyOf: contentKey,
    addressOf: (operation) => addressOf(operation, part),
    sinceOf: (operation) => operation.next?.at ?? operation.requestedAt,
    fallbacksOf: (operation) => [{ userId: ownerOf(operation) }],
    // The end is seen at least once, and nobody is called twice.
    isBetterTwice: part === 'card',
    isAwaited,
    change: (move, beside) => operations.change(operationId, stepOf(part, move), beside),
  });

  const putOn = async (boardId: string, operation: Operation): Promise<void> => {
    const there = { ...operation, boardId };
    await boards.setRow(boardId, there);
    await operations.change(operation.id, (now) => rowSet(now, boardId, contentKey(there)));
  };

  /** One reply to those who are to hear of the end; none where nobody is. */
  const sendReply = async (operation: Operation, step: OutboxStep): Promise<void> => {
    const mentioned = mentionedAtEnd(operation, timings.mentionAfterMs);
    if (mentioned.length === 0 && operation.reply.state === 'waiting') {
      await operations.change(operation.id, (now) => replied(now, clock.now(), timings));
      return;
    }
    // One that may stand already says what it said.
    const people = mentioned.length === 0 ? audience(operation) : mentioned;
    await deliver(sourceOf(operation.id, 'reply', people), operation, step);
  };

  return async (operation) => {
    const step = nextMessage(operation, contentKey(operation), clock.now(), timings);
    if (!step) return false;
    const { id, boardId } = operation;
    if (step.do === 'close') await operations.change(id, (now) => through(now, clock.now(), timings));
    else if (step.do === 'set row') {
      if (boardId !== undefined) await putOn(boardId, operation);
    } else if (step.part === 'reply') await sendReply(operation, step.do);
    else {
      const board = mayShare(operation) ? await boards.assign(operation) : undefined;
      if (board === undefined) await deliver(sourceOf(id, 'card'), operation, step.do);
      else await putOn(board, operation);
    }
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

/**
 * The lane of an operation that was asked for by a button on the card of an ended one: that card says so, without the
 * button. It belongs to the new operation's job, so that it is done even if the process that began it dies.
 */
export function createMarkUsedButton({ operations }: { operations: Operations }): JobPart {
  return async (operation) => {
    if (operation.usesButtonOf === undefined) return false;
    await operations.markUsedButton(operation);
    return true;
  };
}

/** The part that answers the asker alone where no card stands. Said twice where Slack's answer is lost. */
export function createAskerNotice({
  operations,
  responseUrls,
  clock,
  timings,
  log,
}: Pick<Base, 'clock' | 'timings' | 'log' | 'responseUrls'> & { readonly operations: Operations }): JobPart {
  return async (operation) => {
    const kind = nextNotice(operation);
    const { id, responseUrl } = operation;
    if (!kind || responseUrl === undefined || noticeAt(operation, timings) > clock.now()) return false;
    try {
      await responseUrls.post(responseUrl, operations.noticeOf(operation, kind));
      await operations.change(id, (now) => noticed(now, kind, clock.now()));
    } catch (error) {
      const fault = slackErrorOf(error);
      log.warn({ operation: id, code: fault.code }, 'answering the asker alone');
      await operations.change(id, (now) => notNoticed(now, fault, clock.now(), timings));
    }
    return true;
  };
}
