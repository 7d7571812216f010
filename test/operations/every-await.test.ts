import { describe } from 'vitest';
import { KINDS } from '../../faults/kinds.ts';
import { STRIKES } from '../support/failpoints.ts';
import { strikeAtEveryAwait } from '../support/every-await.ts';

/** The first of each name, each change of the record that every run has, and both messages with their edits. */
const MOST = { 'operations.change': 7, 'messenger.post': 2, 'messenger.update': 2 };

describe.each(KINDS.filter(({ confirms }) => !confirms))('$kind', (kind) => {
  // A start goes the very road of a stop: it is asked again, and looked at, in the same way.
  const ways = STRIKES.filter((way) => kind.kind !== 'instances.start' || way !== 'pause');
  strikeAtEveryAwait(kind, MOST, ways);
});
