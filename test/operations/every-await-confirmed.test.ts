import { describe } from 'vitest';
import { KINDS } from '../../faults/kinds.ts';
import { strikeAtEveryAwait } from '../support/every-await.ts';

/** The same road as that of a power action, but for its beginning, so that its later steps are struck more seldom. */
const MOST = {
  'operations.change': 6,
  'confirmations.find': 2,
  'hosting.findInstance': 3,
  'requests.accept': 2,
};

describe.each(KINDS.filter(({ confirms }) => confirms))('$kind', (kind) => {
  strikeAtEveryAwait(kind, MOST);
});
