import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withoutSpaces } from '../../src/core/instances/filter.ts';
import { PURE_RUNS } from '../support/runs.ts';

it.each([
  ['label:team = web', 'label:team=web'],
  ['label: team = web', 'label:team=web'],
  ['label : team= web', 'label:team=web'],
  ['LABEL:team =web status:running', 'LABEL:team=web status:running'],
  ['-region : fra1', '-region:fra1'],
  ['region :fra1', 'region:fra1'],
  ['nightly = label:team = web', 'nightly = label:team=web'],
  ['label:team=web = b', 'label:team=web = b'],
  ['label: status:running', 'label: status:running'],
  ['web-1 : web-2', 'web-1 : web-2'],
  ['tier:pro = x', 'tier:pro = x'],
  ['web-1 because label: team = web', 'web-1 because label: team = web'],
  ['label: --dry-run', 'label: --dry-run'],
  ['web-1 --because address: web-1', 'web-1 --because address: web-1'],
  ['host :tada:', 'host :tada:'],
  ['label:team = web because region : fra1', 'label:team=web because region : fra1'],
])('"%s" is read as "%s"', (typed, read) => {
  expect(withoutSpaces(typed.split(' '))).toEqual(read.split(' '));
});

it('no letter is lost or added, and what was read is read as itself', () => {
  const words = fc.array(
    fc.constantFrom(
      'label',
      'region',
      'label:',
      'label:team',
      'team',
      '=',
      ':',
      '=web',
      'web-1',
      'because',
      '-tier:',
    ),
  );
  fc.assert(
    fc.property(words, (typed) => {
      const read = withoutSpaces(typed);
      expect(read.join('')).toBe(typed.join(''));
      expect(withoutSpaces(read)).toEqual(read);
    }),
    { numRuns: PURE_RUNS },
  );
});
