import type { Address } from '../../platform/slack/messenger.ts';
import type { MessageSource } from '../outbox/message-source.ts';
import type { OutboxMessage } from '../outbox/outbox-message.ts';
import {
  type Board,
  boardContentKey,
  type BoardReply,
  type BoardView,
  headerAt,
  isAwaited,
  REPLY_KEY,
} from './board.ts';
import type { Base } from '../base.ts';
import type { BoardStore } from './board-store.ts';
import type { Member } from './row.ts';
import { boardMessage, replyMessage } from './messages.ts';

/** Hears how a board stands after a change of it; undefined where the change did not apply. */
type OnView = (view: BoardView | undefined) => void;

/** Does what changes a board; gives the board as it stood after the last change. */
export async function lastViewOf(work: (onView: OnView) => Promise<void>): Promise<BoardView | undefined> {
  let last: BoardView | undefined;
  await work((view) => {
    last = view;
  });
  return last;
}

/** A message of the board's record, whatever its rows say by the time that it moves. */
function source(
  boardStore: BoardStore,
  view: BoardView,
  onView: OnView,
  part: {
    readonly read: (board: Board) => OutboxMessage | undefined;
    readonly write: (board: Board, message: OutboxMessage) => Board;
  },
): Pick<MessageSource<BoardView>, 'of' | 'fallbacksOf' | 'change'> {
  const { id } = view.board;
  return {
    of: { board: id },
    // Where Slack no longer takes it, its operations speak for themselves, to each asker alone if need be. A batch has one asker.
    fallbacksOf: ({ board: { batchOf } }) => (batchOf === undefined ? [] : [{ userId: batchOf }]),
    change: async (move, beside) => {
      const moving = (board: Board): Board | undefined => {
        const message = part.read(board);
        const moved = message && move(message, { ...view, board });
        return moved && part.write(board, moved);
      };
      const after = await boardStore.change(id, moving, beside);
      // A process that slept must not put old rows over newer ones.
      const now = after && (await boardStore.refresh({ ...view, board: after }, view.board));
      onView(now);
      return now;
    },
  };
}

/** The card of a board. */
export function cardSource(
  {
    boardStore,
    showBoardRoute,
    clock,
  }: Pick<Base, 'clock'> & { readonly boardStore: BoardStore; readonly showBoardRoute: string },
  view: BoardView,
  onView: OnView,
): MessageSource<BoardView> {
  return {
    ...source(boardStore, view, onView, {
      read: ({ message }) => message,
      write: (board, message) => ({ ...board, message }),
    }),
    name: 'board',
    messageOf: ({ board }) => board.message,
    contentOf: ({ board, members }) => boardMessage(board.id, members, showBoardRoute),
    contentKeyOf: boardContentKey,
    addressOf: ({ board: { place, message } }) =>
      message.fallback === undefined ? place : { channelId: message.fallback },
    sinceOf: ({ board }) => board.since,
    isBetterTwice: true,
    isAwaited,
    // Its rows are read again as the edit is about to leave.
    isToWait: ({ members }) => headerAt(members) > clock.now(),
  };
}

/** A reply that tells ends together. */
export function replySource(
  boardStore: BoardStore,
  view: BoardView,
  reply: BoardReply,
  onView: OnView,
): MessageSource<BoardView> {
  const { key } = reply.message;
  const ofBoard = ({ reply: now }: Board): BoardReply => (now?.message.key === key ? now : reply);
  return {
    ...source(boardStore, view, onView, {
      read: (board) => (board.reply?.message.key === key ? board.reply.message : undefined),
      write: (board, message) => ({ ...board, reply: { ...ofBoard(board), message } }),
    }),
    name: 'reply',
    messageOf: ({ board }) => ofBoard(board).message,
    contentOf: () => replyMessage(membersOf(view, reply.operationIds)),
    contentKeyOf: () => REPLY_KEY,
    addressOf: ({ board }) => {
      const { place, message } = board;
      const { fallback } = ofBoard(board).message;
      if (fallback !== undefined) return { channelId: fallback };
      return {
        channelId: message.channelId ?? place.channelId,
        ...threadOf(message.fallback === undefined ? (place.threadTs ?? message.ts) : message.ts),
      };
    },
    sinceOf: () => reply.since,
    // Nobody is called twice.
    isBetterTwice: false,
  };
}

function threadOf(threadTs: string | undefined): Pick<Address, 'threadTs'> {
  return threadTs === undefined ? {} : { threadTs };
}

/** The rows of these operations, in their order; those that are not there are left out. Pure. */
export function membersOf({ members }: BoardView, operationIds: readonly string[]): readonly Member[] {
  const byId = new Map(members.map((member) => [member.operationId, member]));
  return operationIds.flatMap((id) => byId.get(id) ?? []);
}
