import { BoundedMap } from '../../platform/bounded-map.ts';
import { wholeName } from '../../platform/redis/key.ts';
import { operationKeys } from '../operations/keys.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { commit } from '../records/commit.ts';
import { holds, there } from '../records/conditions.ts';
import { createRecords, type Records } from '../records/records.ts';
import { field, release, unfile } from '../records/writes.ts';
import { loadScript } from '../../platform/redis/script.ts';
import type { Place } from '../../platform/slack/ids.ts';
import type { Timings } from '../timings.ts';
import { type Board, boardSchema, type BoardView, isSameReply, newBoard } from './board.ts';
import { boardKeys } from './keys.ts';
import { isFinal, type Line, lineSchema, type Mark, MARKS, type Member } from './line.ts';

export interface BoardStore extends Pick<Records<Board>, 'create' | 'find' | 'change' | 'listDue'> {
  /** Where an operation is shown: undefined for a card of its own, or the id of the board that it shares. */
  seat(operationId: string, place: Place, now: number): Promise<string | undefined>;
  /** Puts a line on a board; `isAwaited`: people wait to see it. Tells whether the board's job is to be woken. */
  put(boardId: string, operationId: string, line: Line, isAwaited: boolean): Promise<boolean>;
  /** What is put from now on wakes the board's job again. */
  heard(boardId: string): Promise<void>;
  read(boardId: string): Promise<BoardView | undefined>;
  /** The same, but its record is as this process last saw it: for a job that has just moved it. */
  readOn(boardId: string): Promise<BoardView | undefined>;
  /**
   * The same with its lines as they are now. They are not read again where, since they were read with the record `before`,
   * nothing was put on the board and no reply was begun or ended.
   */
  refresh(view: BoardView, before: Board): Promise<BoardView>;
  /** Leaves a board alone until then (Unix ms), unless something is put on it. */
  rest(boardId: string, until: number): Promise<void>;
  /** Notes what was done with these lines. */
  mark(boardId: string, operationIds: readonly string[], mark: Mark): Promise<void>;
  /** Ends a board, unless something was put on it since it was read. */
  close(view: BoardView): Promise<boolean>;
}

/** So many operations share a board at most. */
const MAX_LINES = 1_000;
const MOST_REMEMBERED = 100;
const KEPT_MS = 7 * 24 * 3_600_000;
/** What began longer ago than any operation takes no longer has a card of its own. */
const CARD_KEPT_MS = 30 * 60_000;

const seat = loadScript(new URL('./seat.lua', import.meta.url));
const put = loadScript(new URL('./put.lua', import.meta.url));

export function createBoardStore(
  redis: RedisConnection,
  timings: Pick<Timings, 'ownCards'>,
  clock: Pick<RedisClock, 'now'>,
): BoardStore {
  const records = createRecords(redis, {
    keyOf: boardKeys.board,
    index: boardKeys.open,
    schema: boardSchema,
    // Who moves it takes the next step, too; `close` is what ends it.
    dueAt: clock.now,
    keptMs: KEPT_MS,
    remembered: MOST_REMEMBERED,
  });
  const lineIn = createLineReader();
  const readWith =
    (find: (boardId: string) => Promise<Board | undefined>) =>
    async (boardId: string): Promise<BoardView | undefined> => {
      // The record first, so that its lines are never older: an end that a reply has reported is marked by then.
      const [board, fields] = await Promise.all([find(boardId), redis.hgetall(boardKeys.lines(boardId))]);
      return board && viewOf(board, fields, lineIn);
    };
  const read = readWith(records.find);
  return {
    ...records,
    seat: async (operationId, place, now) => {
      // The first to join a board gives it its id.
      const board = newBoard(operationId, place, now);
      const keys = [
        boardKeys.seat(operationId),
        operationKeys.cards(place),
        boardKeys.current(place),
        boardKeys.board(board.id),
        boardKeys.open,
      ];
      const lines = wholeName(redis, boardKeys.lines(''));
      const kept = [MAX_LINES, KEPT_MS, lines, now];
      const own = [operationId, timings.ownCards, CARD_KEPT_MS, board.id, JSON.stringify(board)];
      const answer = await seat(redis, keys, [...own, ...kept]);
      return seatOf(answer);
    },
    put: async (boardId, operationId, line, isAwaited) => {
      const keys = [boardKeys.lines(boardId), boardKeys.board(boardId), boardKeys.open];
      const how = [isAwaited ? 2 : 1, KEPT_MS, standingOf(line), clock.now()];
      return (await put(redis, keys, [operationId, JSON.stringify(line), boardId, ...how])) === 'wake';
    },
    heard: async (boardId) => {
      await redis.hdel(boardKeys.lines(boardId), 'unread');
    },
    read,
    readOn: readWith(records.findLatest),
    refresh: async (view, before) => {
      const { board } = view;
      // Another process may have reported ends, which moves no line.
      const isToldAlike = isSameReply(board, before);
      const rev = isToldAlike ? await redis.hget(boardKeys.lines(board.id), 'rev') : undefined;
      const isSame = isToldAlike && Number(rev ?? 0) === view.rev;
      const now = isSame ? undefined : await read(board.id);
      return now ? { ...now, board } : view;
    },
    rest: async (boardId, until) => {
      await redis.zadd(boardKeys.open, 'XX', until, boardId);
    },
    ...createMarks(redis),
  };
}

/** What is noted of a board that was read. */
function createMarks(redis: RedisConnection): Pick<BoardStore, 'mark' | 'close'> {
  return {
    mark: async (boardId, operationIds, mark) => {
      if (operationIds.length === 0) return;
      const lines = boardKeys.lines(boardId);
      await commit<'gone'>(redis, {
        if: [there(lines, 'gone')],
        write: operationIds.map((id) => field(lines, `${mark}:${id}`, '1')),
      });
    },
    close: async ({ board: { id, place }, rev, joined }) => {
      const lines = boardKeys.lines(id);
      const { result } = await commit<'changed'>(redis, {
        if: [
          holds(lines, 'rev', rev === 0 ? '' : String(rev), 'changed'),
          holds(lines, 'joined', joined === 0 ? '' : String(joined), 'changed'),
        ],
        write: [unfile(boardKeys.open, id), release(boardKeys.current(place), id)],
      });
      return result === 'written';
    },
  };
}

/** Which other line of the same operation this one gives way to. */
function standingOf({ state, ofBatch }: Line): 'ended' | 'new' | '' {
  if (isFinal(state)) return 'ended';
  return ofBatch === 'ahead' ? 'new' : '';
}

function seatOf(answer: unknown): string | undefined {
  if (typeof answer !== 'string') throw new Error('seating an operation: unexpected answer of the script');
  return answer === '' ? undefined : answer;
}

/** Reads lines from their text: those that stand on a board from one reading to the next only once. */
function createLineReader(): (text: string) => Line {
  const known = new BoundedMap<string, Line>(MAX_LINES);
  return (text) => {
    const line = known.get(text) ?? lineSchema.parse(JSON.parse(text));
    known.set(text, line);
    return line;
  };
}

function viewOf(
  board: Board,
  fields: Readonly<Record<string, string>>,
  lineIn: (text: string) => Line,
): BoardView {
  const count = (name: string): number => Number(fields[name] ?? 0);
  const members = Object.entries(fields).flatMap(([name, text]): Member[] => {
    if (!name.startsWith('line:')) return [];
    const operationId = name.slice('line:'.length);
    const marks = new Set(MARKS.filter((mark) => fields[`${mark}:${operationId}`] !== undefined));
    return [{ ...lineIn(text), operationId, rev: count(`rev:${operationId}`), marks }];
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
