import type { Operations } from '../operations/operations.ts';
import type { SharedMessages } from '../operations/post-messages.ts';
import { type BoardStore, BOARDS } from './board-store.ts';
import { mentionedAtEnd } from '../operations/message-order.ts';
import { isQueued } from '../operations/cancel-window.ts';
import type { OperationKind } from '../operations/kind.ts';
import { cancelButton, hadBy, progress, reply, subject } from '../operations/messages.ts';
import { audience, isLeftOpen, type Operation } from '../operations/operation.ts';
import { canBeTakenBack } from '../operations/write-queue.ts';
import { type Phrase, person, say } from '../../platform/slack/phrase.ts';
import type { Row } from './row.ts';
import type { Parts } from '../parts/parts.ts';

/** Boards as operations use them: each is assigned one, or none, and sets its row there. */
export function createBoards({
  boardStore,
  operations,
  queue,
  clock,
  timings,
  cancelRoute,
}: Pick<Parts, 'clock' | 'queue' | 'timings' | 'cancelRoute'> & {
  readonly boardStore: BoardStore;
  readonly operations: Pick<Operations, 'kindOf'>;
}): SharedMessages {
  return {
    assign: ({ id, place }) => boardStore.assign(id, place, clock.now()),
    setRow: async (boardId, operation) => {
      const kind = operation.deadLetteredAt === undefined ? operations.kindOf(operation) : undefined;
      // A row is as good as a card.
      const asShown = { ...operation, card: { ...operation.card, state: 'sent' as const } };
      const mentioned = mentionedAtEnd(asShown, timings.mentionAfterMs);
      const row = rowOf(operation, kind, cancelRoute, mentioned);
      const isAwaited = operation.card.state !== 'sent' || operation.outcome !== undefined;
      // Where this fails, the sweep wakes the board.
      if (await boardStore.setRow(boardId, operation.id, row, isAwaited))
        await queue.wake(BOARDS.job, boardId).catch(() => undefined);
    },
  };
}

/**
 * What a board says of an operation. `kind`: undefined where no kind can speak for it any more. `cancelRoute`: what
 * takes one back of which nothing was asked yet. `mentioned`: who is to hear of its end by a reply, if anybody. Pure.
 */
function rowOf(
  operation: Operation,
  kind: OperationKind | undefined,
  cancelRoute: string,
  mentioned: readonly string[],
): Row {
  const { outcome, subject: on, part, actor, owner, next, batchId } = operation;
  // The header of a batch says who asked for all of them, and what can be done next.
  const ofBatch = batchId === undefined ? {} : ({ ofBatch: 'child' } as const);
  const who = batchId === undefined ? say` · ${person(actor.userId)}${hadBy(owner)}` : say``;
  const name = part === undefined ? on.name : `${part} on ${on.name}`;
  if (!outcome) {
    const cancels = canBeTakenBack(operation) ? [cancelButton(operation, cancelRoute)] : [];
    return {
      state: operation.execution.state === 'requested' ? 'waiting' : 'running',
      name,
      says: say`${underWay(operation, kind)}${who}`,
      steps: kind ? (kind.card(operation).buttons ?? []) : cancels,
      at: operation.requestedAt,
      ...ofBatch,
    };
  }
  const isNext = isLeftOpen(outcome) && kind !== undefined && next === undefined;
  return {
    state: outcome.result,
    name,
    says: say`${withoutBold(kind ? kind.ending(operation, outcome) : say`${subject(operation)}: I gave up after repeated errors.`)}${who}${asked(operation)}`,
    ...(batchId === undefined ? replyTo(operation, kind, mentioned) : {}),
    steps: isNext && batchId === undefined ? kind.nextSteps(operation, outcome) : [],
    at: outcome.at,
    ...ofBatch,
  };
}

function replyTo(
  operation: Operation,
  kind: OperationKind | undefined,
  mentioned: readonly string[],
): Pick<Row, 'reply' | 'isQuiet'> {
  const isQuiet = mentioned.length === 0;
  const [line = say``] = reply(operation, kind, isQuiet ? audience(operation) : mentioned).lines;
  return { reply: withoutBold(line), ...(isQuiet ? { isQuiet } : {}) };
}

function underWay(operation: Operation, kind: OperationKind | undefined): Phrase {
  const topic = withoutBold(kind?.topic?.(operation) ?? subject(operation));
  const more = progress(operation).flatMap((line) => say` ${line}`);
  const what = isQueued(operation) ? 'waits' : `is ${kind?.doing ?? 'being worked on'}`;
  return say`${topic} ${what}.${more}`;
}

/** What was begun by the row's own next step. */
function asked({ next }: Operation): Phrase {
  return next === undefined ? say`` : say` Asked again by ${person(next.userId)}.`;
}

/** Bold letters are for what stands alone; forty of them say nothing. */
function withoutBold(phrase: Phrase): Phrase {
  return phrase.map((piece) => (piece.type === 'text' ? { type: 'text', text: piece.text } : piece));
}
