import { describe } from 'vitest';
import { KINDS } from '../../faults/kinds.ts';
import { strikeAtEveryAwait } from '../support/every-await.ts';

/** The first of each name, each change of the record and of the board, and both messages with their edits. */
const MOST = {
  'operations.change': 10,
  'messenger.post': 2,
  'messenger.update': 2,
  'queue.wake': 3,
  'boards.change': 12,
  'boards.markRows': 2,
  'boards.read': 3,
  'boards.clearUnread': 2,
  'boards.setRow': 4,
};

describe.each(KINDS.filter(({ kind, isApproved }) => kind === 'instances.restart' && !isApproved))(
  '$kind as a row of a board',
  (kind) => {
    strikeAtEveryAwait(kind, MOST, { timings: { ownCards: 0 } });
  },
);
