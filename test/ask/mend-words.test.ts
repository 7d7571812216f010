import { expect, it } from 'vitest';
import { mendTimes } from '../../src/core/ask/mend-words.ts';

it.each([
  ['for 2 weeks', ['for', '2w']],
  ['for 2h and 30 minutes', ['for', '2h', 'and', '30m']],
  ['for 2 or 3 hours', undefined],
  ['for 2h to 4 hours', undefined],
  ['--last 30 days --in 2026-10', ['--last', '30d', '--in', '2026-10']],
])('of "%s" a length of time is offered as it is read, where it is one', (line, mended) => {
  expect(mendTimes(line.split(' '))).toEqual(mended ? [mended] : []);
});
