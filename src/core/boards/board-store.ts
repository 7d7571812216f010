import { readStored, toStored } from '../../platform/redis/stored.ts';
import { z } from 'zod';
import { operationKeys } from '../operations/keys.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { commit, field, release, unfile } from '../records/commit.ts';
import { there, holds } from '../records/conditions.ts';
import type { Woken } from '../records/job.ts';
import { createRecords, type RecordKind, type Records } from '../records/records.ts';
import { loadScript } from '../../platform/redis/script.ts';
import type { SlackPlace } from '../../platform/slack/ids.ts';
import type { Timings } from '../timings.ts';
import { type Board, boardSchema, type BoardView, isSameReply, newBoard } from './board.ts';
import { key } from '../../platform/redis/key.ts';
import { isFinal, type Row, rowSchema, type Mark, MARKS, type Member } from './row.ts';

export const boardKeys = {
  /** Hash of one board's rows: what each says, and how far it has come. */
  rows: (boardId: string): string => key('board-rows', boardId),
  /** The board that new operations of a place join. */
  current: ({ channelId, threadTs }: SlackPlace): string => key('board-of', channelId, threadTs ?? ''),
  /** The board that an operation has joined. */
  assigned: (operationId: string): string => key('board-of-operation', operationId),
} as const;

export interface BoardStore extends Pick<Records<Board>, 'create' | 'find' | 'change' | 'listDue'> {
  /** Where an operation is shown: undefined for a card of its own, or the id of the board that it shares. */
  assign(operationId: string, place: SlackPlace, now: number): Promise<string | undefined>;
  /** Sets a row of a board; `isAwaited`: people wait to see it. Tells whether the board's job is to be woken. */
  setRow(boardId: string, operationId: string, row: Row, isAwaited: boolean): Promise<boolean>;
  /** A row that is set from now on wakes the board's job again. */
  clearUnread(boardId: string): Promise<void>;
  read(boardId: string): Promise<BoardView | undefined>;
  /**
   * The same with its rows as they are now. They are read again only where a row was set or a reply was begun or ended since
   * they were read with the record `before`: a thousand take 8 ms.
   */
  refresh(view: BoardView, before: Board): Promise<BoardView>;
  /** Leaves a board alone until then (Unix ms), unless something is put on it. */
  rest(boardId: string, until: number): Promise<void>;
  /** Marks what was done with these rows. */
  markRows(boardId: string, operationIds: readonly string[], markRows: Mark): Promise<void>;
  /** Ends a board, unless something was put on it since it was read. */
  close(view: BoardView): Promise<boolean>;
}

/** So many operations share a board at most. */
const MAX_ROWS = 1_000;
const KEPT_MS = 7 * 24 * 3_600_000;
/** Boards. Open are those that may have something to do. */
export const BOARDS = {
  job: 'board',
  keyOf: (boardId: string) => key('board', boardId),
  index: key('boards', 'open'),
  schema: boardSchema,
  keptMs: KEPT_MS,
} satisfies Omit<RecordKind<Board>, 'dueAt'> & Woken;
/** What began longer ago than any operation takes no longer has a card of its own. */
const CARD_KEPT_MS = 30 * 60_000;

const assignedSchema = z.tuple([z.enum(['alone', 'joined', 'ask again']), z.string()]);
const assign = loadScript(new URL('./assign.lua', import.meta.url));
const setRow = loadScript(new URL('./set-row.lua', import.meta.url));

export function createBoardStore(
  redis: RedisConnection,
  timings: Pick<Timings, 'ownCards'>,
  clock: Pick<RedisClock, 'now'>,
): BoardStore {
  const records = createRecords(redis, {
    ...BOARDS,
    // Who moves it takes the next step, too; `close` is what ends it.
    dueAt: clock.now,
  });
  const read = async (boardId: string): Promise<BoardView | undefined> => {
    // The record first, so that its rows are never older: an end that a reply has reported is marked by then.
    const [board, fields] = await Promise.all([
      records.find(boardId),
      redis.hgetall(boardKeys.rows(boardId)),
    ]);
    return board && viewOf(board, fields);
  };
  return {
    ...records,
    assign: async (operationId, place, now) => {
      // The first to join a board gives it its id.
      const board = newBoard(operationId, place, now);
      const args = [operationId, timings.ownCards, CARD_KEPT_MS, board.id, toStored(board)];
      for (let current = ''; ;) {
        const keys = [
          boardKeys.assigned(operationId),
          operationKeys.cards(place),
          boardKeys.current(place),
          BOARDS.keyOf(board.id),
          boardKeys.rows(board.id),
          BOARDS.index,
          boardKeys.rows(current),
        ];
        const answer = await assign(redis, keys, [...args, MAX_ROWS, KEPT_MS, now, current]);
        const [how, boardId] = assignedSchema.parse(answer);
        if (how !== 'ask again') return how === 'joined' ? boardId : undefined;
        current = boardId;
      }
    },
    setRow: async (boardId, operationId, row, isAwaited) => {
      const keys = [boardKeys.rows(boardId), BOARDS.keyOf(boardId), BOARDS.index];
      const how = [isAwaited ? 2 : 1, KEPT_MS, standingOf(row), clock.now()];
      return (await setRow(redis, keys, [operationId, toStored(row), boardId, ...how])) === 'wake';
    },
    clearUnread: async (boardId) => {
      await redis.hdel(boardKeys.rows(boardId), 'unread');
    },
    read,
    refresh: async (view, before) => {
      const { board } = view;
      // Another process may have reported ends, which moves no row.
      const isToldAlike = isSameReply(board, before);
      const rev = isToldAlike ? await redis.hget(boardKeys.rows(board.id), 'rev') : undefined;
      const isSame = isToldAlike && Number(rev ?? 0) === view.rev;
      const now = isSame ? undefined : await read(board.id);
      return now ? { ...now, board } : view;
    },
    rest: async (boardId, until) => {
      await redis.zadd(BOARDS.index, 'XX', until, boardId);
    },
    ...createMarks(redis),
  };
}

/** How rows are marked, and a board is closed. */
function createMarks(redis: RedisConnection): Pick<BoardStore, 'markRows' | 'close'> {
  return {
    markRows: async (boardId, operationIds, mark) => {
      if (operationIds.length === 0) return;
      const rows = boardKeys.rows(boardId);
      await commit<'gone'>(redis, {
        if: [there(rows, 'gone')],
        write: operationIds.map((id) => field(rows, `${mark}:${id}`, '1')),
        // A reply is over once its rows are marked, and the next would tell again what is not.
        survives: true,
      });
    },
    close: async ({ board: { id, place }, rev, joined }) => {
      const rows = boardKeys.rows(id);
      const { result } = await commit<'changed'>(redis, {
        if: [
          holds(rows, 'rev', rev === 0 ? '' : String(rev), 'changed'),
          holds(rows, 'joined', joined === 0 ? '' : String(joined), 'changed'),
        ],
        write: [unfile(BOARDS.index, id), release(boardKeys.current(place), id)],
      });
      return result === 'written';
    },
  };
}

/** Which other row of the same operation this one gives way to. */
function standingOf({ state, ofBatch }: Row): 'ended' | 'new' | '' {
  if (isFinal(state)) return 'ended';
  return ofBatch === 'ahead' ? 'new' : '';
}

function viewOf(board: Board, fields: Readonly<Record<string, string>>): BoardView {
  const count = (name: string): number => Number(fields[name] ?? 0);
  const members = Object.entries(fields).flatMap(([name, text]): Member[] => {
    if (!name.startsWith('row:')) return [];
    const operationId = name.slice('row:'.length);
    const marks = new Set(MARKS.filter((mark) => fields[`${mark}:${operationId}`] !== undefined));
    return [{ ...readStored(rowSchema, text), operationId, rev: count(`rev:${operationId}`), marks }];
  });
  return {
    board,
    members,
    rev: count('rev'),
    awaitedRev: count('awaited'),
    joined: count('joined'),
    joinedAt: count('joinedAt'),
    isUnread: fields['unread'] !== undefined,
  };
}
