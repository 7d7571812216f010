import { describe } from 'vitest';
import { KINDS } from '../../faults/kinds.ts';
import { strikeAtEveryAwait } from '../support/every-await.ts';

/** The same road as that of a power action, but for its beginning, so that its later steps are interrupted less often. */
const MOST = { 'operations.change': 5, 'hosting.findInstance': 2, 'queue.wake': 3 };
const confirmed = KINDS.filter(({ confirms }) => confirms);

describe.each(confirmed.filter(({ kind }) => kind === 'instances.delete'))('$kind', (kind) => {
  strikeAtEveryAwait(kind, MOST);
});

// They share the whole road with a deletion, and differ in what is asked and looked at.
describe.each(confirmed.filter(({ kind }) => kind !== 'instances.delete'))('$kind', (kind) => {
  strikeAtEveryAwait(kind, MOST, { ways: ['crash', 'answer lost'] });
});
