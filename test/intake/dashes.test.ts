import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createBareFeatures } from '../../src/app/features.ts';
import { splitWords, waysToRead } from '../../src/core/ask/words.ts';
import { createRouteTable } from '../../src/core/intake/routes.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { answerTo, play, powerCalls } from '../support/sandbox.ts';
import { PURE_RUNS } from '../support/runs.ts';

const features = createBareFeatures();
const table = createRouteTable(features);
const VERBS = features.flatMap(({ noun, routes }) =>
  routes.flatMap(({ verb, aliases = [], usage }) =>
    usage === undefined
      ? []
      : [verb, ...aliases].filter((one) => one.includes('-')).map((one) => ({ noun, verb: one })),
  ),
);
/** What phones, and texts that were copied, have in place of a hyphen. */
const DASHES = ['\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212'];

/** A line with one of these for each of its hyphens between two letters, digits or asterisks. */
function dashed(line: string, dashes: readonly string[]): string {
  let at = 0;
  return line.replace(/(?<=[\w*])-(?=[\w*])/g, () => dashes[at++ % dashes.length] ?? '-');
}

const dashes = fc.array(fc.constantFrom('-', ...DASHES), { minLength: 1, maxLength: 4 });
const word = fc.constantFrom(
  'web-1',
  'staging-*',
  'name:web-*',
  '-name:web-*',
  '--dry-run',
  'mon-fri',
  '08:00-20:00',
  'db',
);

it('a verb, an option, a filter and a name are read with hyphens, whichever dash stands for one', () => {
  expect(VERBS.map(({ verb }) => verb)).toContain('what-if');
  fc.assert(
    fc.property(
      fc.constantFrom(...VERBS),
      fc.array(word, { maxLength: 4 }),
      dashes,
      ({ noun, verb }, rest, marks) => {
        const line = [verb, ...rest].join(' ');
        const plain = table.matchCommand(noun, line);
        const typed = table.matchCommand(noun, dashed(line, marks));
        expect([typed.route.id, typed.words]).toEqual([plain.route.id, plain.words]);
      },
    ),
    { numRuns: PURE_RUNS },
  );
});

it('a name that has a dash itself is one of the ways in which a word is read, and the last is that of the words', () => {
  const letters = fc.string({
    unit: fc.constantFrom('a', '1', '*', '.', '_', '-', ...DASHES),
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(letters, (typed) => {
      const [read = ''] = splitWords(typed).letters;
      const [meant] = splitWords(typed).words;
      fc.pre(meant !== undefined);
      expect(waysToRead(read).at(-1) ?? read).toBe(meant);
    }),
    { numRuns: PURE_RUNS },
  );
});

it('who types on a phone asks what if, and starts what they mean, and no other that looks like it', async () => {
  const fleet = ['web-1', 'web\u20132', 'web-2', 'web--3', 'web-3'].map((name, at) =>
    instance(101 + at, name, { status: 'stopped' }),
  );
  const sandbox = await play({ hosting: { world: worldOf(fleet) }, env: { LAMPLIGHTER_EVERYONE: 'admin' } });
  expect(await answerTo(sandbox, 'ana', '/billing what\u2014if start web\u20141')).toContain('web-1 (101)');
  expect(await answerTo(sandbox, 'ana', '/instances start web\u20132 \u2014dry\u2014run')).toContain(
    'web\u20132 (102)',
  );
  expect(await answerTo(sandbox, 'ana', '/instances start web\u20143 --dry-run')).toContain(
    'it may be one of these',
  );
  expect(powerCalls(sandbox)).toBe(0);
});
