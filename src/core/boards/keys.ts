import { key } from '../../platform/redis/key.ts';
import type { Place } from '../../platform/slack/ids.ts';

export const boardKeys = {
  /** Hash of one board: version and record. */
  board: (boardId: string): string => key('board', boardId),
  /** Sorted set: boards that may have something to do. */
  open: key('boards', 'open'),
  /** Hash of one board's lines: what each says, and how far it has come. */
  lines: (boardId: string): string => key('board-lines', boardId),
  /** The board that new operations of a place join. */
  current: ({ channelId, threadTs }: Place): string => key('board-of', channelId, threadTs ?? ''),
  /** The board that an operation has joined. */
  seat: (operationId: string): string => key('seat', operationId),
} as const;
