import { describe } from 'vitest';
import { KINDS } from '../../faults/kinds.ts';
import { strikeAtEveryAwait } from '../support/every-await.ts';

/** The first of each name, each change of the record, and both messages with their edits. */
const MOST = { 'operations.change': 12, 'messenger.post': 2, 'messenger.update': 2, 'queue.wake': 3 };

describe.each(KINDS.filter(({ confirms, isApproved }) => !confirms && !isApproved))('$kind', (kind) => {
  strikeAtEveryAwait(kind, MOST);
});
