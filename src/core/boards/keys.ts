import { key } from '../../platform/redis/key.ts';
import type { Place } from '../../platform/slack/ids.ts';

export const boardKeys = {
  /** Hash of one board: version and record. */
  board: (boardId: string): string => key('board', boardId),
  /** Sorted set: boards that may have something to do. */
  open: key('boards', 'open'),
  /** Hash of one board's rows: what each says, and how far it has come. */
  rows: (boardId: string): string => key('board-rows', boardId),
  /** The board that new operations of a place join. */
  current: ({ channelId, threadTs }: Place): string => key('board-of', channelId, threadTs ?? ''),
  /** The board that an operation has joined. */
  assigned: (operationId: string): string => key('board-of-operation', operationId),
} as const;
