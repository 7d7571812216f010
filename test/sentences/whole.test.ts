import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FILLER, FILLER_PHRASES, LEADING } from '../../src/core/sentences/atoms.ts';
import { isCommon } from '../../src/core/sentences/names.ts';
import { isSmallWord } from '../../src/core/sentences/tables.ts';
import type { OfferedChange } from '../../src/core/sentences/understood.ts';
import { runs } from '../support/runs.ts';
import { phrasebookOfAll } from '../support/phrasebook.ts';
import { readLines } from './lines.ts';
import { instances, powerOf, read, VERBS } from './reading.ts';

/** What takes something out of an order, as far as anybody thought of it; the half of it is in no table of the bot. */
const EXCEPTIONS =
  `except, except for, but not, but, not, without, other than, besides, save, save for, minus, excluding, bar, barring, sans, less,
  apart from, aside from, with the exception of, leaving out, leave out, omit, omitting, skip, skipping, spare, sparing, ignore, ignoring, keep, leave,
  keep away from, hands off, do not touch, never, no, nix, exempt, exempting, protect, preserving, unless it is, only not, rather than, instead of,
  in place of, anything but, all except, stay off, stay clear of, avoid, avoiding, forget about, outside, beyond, until after, once, after, before, when`
    .split(',')
    .map((words) => words.trim().replaceAll(/\s+/g, ' '));
const AFTER = [
  '',
  '',
  ' alone',
  ' running',
  ' out of it',
  ' as it is',
  ' is fine',
  ' is done',
  ' for now',
  '.',
];
const MANY =
  `everything, all servers, every box, all instances, all of the web servers, web-1 and db-1, web-1 web-2 db-1, both web servers, staging and db-1,
  everything running, all the boxes that are running, web-2, worker-1`
    .split(',')
    .map((words) => words.trim());
const NAMES = ['db-1', 'web-1', 'web-2', 'worker-1', 'staging'];
const BETWEEN = [' ', ' ', ', ', '; ', ' - ', ' (', '. ', ' // ', '\n'];
const idOf = (name: string): string => instances.find((one) => one.name === name)?.id ?? '';

/** Whether an offer leaves an instance alone. */
function spares({ words, about }: OfferedChange, name: string): boolean {
  if (about.some((one) => one.name === name) || words.includes(idOf(name))) return false;
  const filters = words.filter((word) => /^-?[a-z]+:/.test(word));
  const kin = `${/^[a-z]+/.exec(name)?.[0]}`;
  const leaves = (word: string): boolean =>
    word.startsWith('-name:') && (word.slice(6).split(',').includes(name) || word === `-name:${kin}-*`);
  const isOther = (word: string): boolean => word.startsWith('name:') && !word.startsWith(`name:${kin}`);
  return filters.length === 0 || filters.some((word) => leaves(word) || isOther(word));
}

const book = phrasebookOfAll();
const vocabulary = [
  ...new Set(
    readLines('sentences.tsv').flatMap(({ line }) => line.toLowerCase().match(/[a-z][a-z'-]+/g) ?? []),
  ),
];
const fillers = new Set([...FILLER, ...LEADING, ...FILLER_PHRASES.flatMap((phrase) => phrase.split(' '))]);
/** Words of people that are in no pattern of the bot, in none of its tables, no names and no sizes. */
const foreign = vocabulary.filter(
  (word) =>
    !book.ordinary.has(word) &&
    !fillers.has(word) &&
    !isCommon(word) &&
    !isSmallWord(word) &&
    !/^(?:sorry|rather|two|three|four|five|[ap]m|(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:days?)?|weekdays?)$|'/.test(
      word,
    ) &&
    !instances.some(({ tier }) => tier === word) &&
    read(word) === undefined,
);

describe('of an order with an exception', () => {
  it('none offers what was excepted, whatever the exception is called', () => {
    const lines = fc.tuple(
      fc.constantFrom(...VERBS),
      fc.constantFrom(...MANY),
      fc.constantFrom(...BETWEEN),
      fc.oneof(
        fc.constantFrom(...EXCEPTIONS),
        fc.constantFrom(...foreign),
        fc.tuple(fc.constantFrom(...foreign), fc.constantFrom(...EXCEPTIONS)).map((words) => words.join(' ')),
      ),
      fc.constantFrom(...NAMES),
      fc.constantFrom(...AFTER),
    );
    fc.assert(
      fc.property(lines, ([verb, many, between, words, name, after]) => {
        const line = `${verb} ${many}${between}${words} ${name}${after}`;
        const offered = powerOf(read(line));
        fc.pre(many !== name);
        expect(
          offered.filter((one) => !spares(one, name)),
          line,
        ).toEqual([]);
      }),
      { numRuns: runs(10_000) },
    );
  });

  it('none offers it among words at random', () => {
    const lines = fc.tuple(
      fc.array(fc.constantFrom(...vocabulary, ...VERBS, ...MANY, ','), { minLength: 1, maxLength: 6 }),
      fc.constantFrom(...EXCEPTIONS),
      fc.constantFrom(...NAMES),
    );
    fc.assert(
      fc.property(lines, ([words, intro, name]) => {
        fc.pre(!words.some((word) => word.includes(name)));
        const line = `${words.join(' ')} ${intro} ${name}`;
        expect(
          powerOf(read(line)).filter((one) => !spares(one, name)),
          line,
        ).toEqual([]);
      }),
      { numRuns: runs(10_000) },
    );
  });
});

describe('of an order with several exceptions', () => {
  it('each of them is left out, and no other', () => {
    const intros = [
      'except',
      'except for',
      'but not',
      'but',
      'without',
      'other than',
      'excluding',
      'apart from',
    ];
    const lines = fc.tuple(
      fc.constantFrom(...VERBS),
      fc.constantFrom('everything', 'all servers', 'every box', 'everything running'),
      fc.constantFrom(' ', ', '),
      fc.constantFrom(...intros),
      fc.shuffledSubarray(NAMES, { minLength: 2 }),
      fc.constantFrom(', ', ' and ', ', and ', ' or '),
    );
    fc.assert(
      fc.property(lines, ([verb, many, between, intro, names, join]) => {
        const line = `${verb} ${many}${between}${intro} ${names.join(join)}`;
        for (const { words } of powerOf(read(line))) {
          const out = words.find((word) => word.startsWith('-name:')) ?? '';
          expect(out.slice('-name:'.length).split(',').toSorted(), line).toEqual(names.toSorted());
        }
      }),
      { numRuns: runs(10_000) },
    );
  });
});

describe('of an order with what cannot be both', () => {
  it('none is offered at a time that is none', () => {
    const times = [
      'this morning at 22:00',
      'tomorrow morning at 9pm',
      'tonight at noon',
      'this evening at 9am',
      'tomorrow evening at 9 am',
      'tomorrow afternoon at 9am',
      'noon at 3pm',
      'at noon at 3pm',
      'tomorrow at noon at 15:00',
      'noon tonight',
      'every evening at 9am',
      'every morning at 22:00',
    ];
    const lines = fc.tuple(
      fc.constantFrom(...VERBS),
      fc.constantFrom('', 'until '),
      fc.constantFrom(...times),
      fc.constantFrom(...NAMES),
    );
    fc.assert(
      fc.property(lines, ([verb, until, time, name]) => {
        expect(powerOf(read(`${verb} ${name} ${until}${time}`)), time).toEqual([]);
        expect(powerOf(read(`${until}${time} ${verb} ${name}`)), time).toEqual([]);
      }),
      { numRuns: runs(10_000) },
    );
  });
});

describe('of an order with a word that the bot knows nothing of', () => {
  it('none is offered without saying so, whatever its place', () => {
    const lines = fc.tuple(
      fc.constantFrom(...VERBS),
      fc.constantFrom(...MANY),
      fc.constantFrom('', ' tonight at 22:30', ' every day at 20:00', ' tomorrow at 7:00'),
      fc.constantFrom(...foreign),
      fc.constantFrom(...BETWEEN),
      fc.nat({ max: 9 }),
    );
    fc.assert(
      fc.property(lines, ([verb, many, when, word, between, place]) => {
        const words = `${verb} ${many}${when}`.split(' ');
        const at = Math.min(1 + place, words.length);
        const line = `${words.slice(0, at).join(' ')}${at === words.length ? between : ' '}${[word, ...words.slice(at)].join(' ')}`;
        const understood = read(line);
        if (powerOf(understood).length === 0 || understood?.what !== 'offers') return;
        const said = [...(understood.apart ?? []), ...(understood.unknown ?? [])].join(' ');
        expect(said.toLowerCase(), line).toContain(word.replace(/'.*/, ''));
      }),
      { numRuns: runs(10_000) },
    );
  });
});

describe('of an order with two times', () => {
  const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const day = fc.constantFrom(
    '',
    ...DAYS.map((one) => ` ${one}`),
    ...DAYS.map((one) => ` every ${one}`),
    ' mon-fri',
    ' every day',
  );
  const clock = fc.constantFrom('06:15', '07:45', '18:30', '20:00');
  const joins = fc.constantFrom(
    ' and',
    ',',
    ' and then',
    ' until',
    ' or',
    ' to',
    '; and',
    ' -',
    ' plus',
    ' then also',
    '',
  );

  it('all of it is offered, or none of it', () => {
    fc.assert(
      fc.property(
        day,
        clock,
        joins,
        day,
        clock,
        fc.constantFrom(...VERBS),
        (one, at, join, other, then, verb) => {
          fc.pre(at !== then || one !== other);
          const line = `${verb} web-1${one} at ${at}${join}${other} at ${then}`;
          const understood = read(line);
          const offered = powerOf(understood);
          if (offered.length === 0 || understood?.what !== 'offers') return;
          const said = [...offered.flatMap(({ words }) => words), ...(understood.apart ?? [])].join(' ');
          for (const time of [at, then]) expect(said, line).toContain(time);
          for (const typed of [one, other].flatMap((words) => words.match(/mon-fri|[a-z]{3}$/g) ?? []))
            if (typed !== 'day') expect(daysIn(said), line).toContain(typed.slice(0, 3));
        },
      ),
      { numRuns: runs(10_000) },
    );
  });

  it.each(DAYS.flatMap((one) => DAYS.filter((other) => other !== one).map((other) => [one, other] as const)))(
    'every %s and %s is both, and %s %s once is neither',
    (one, other) => {
      expect(powerOf(read(`stop web-1 every ${one} and ${other} at 20:00`))).toMatchObject([
        { words: [idOf('web-1'), 'stop', 'at', '20:00', `${one},${other}`] },
      ]);
      expect(powerOf(read(`stop web-1 at 20:00 ${one} ${other}`))).toEqual([]);
    },
  );

  /** The days of the week that words of a schedule name, or of a date in them. */
  function daysIn(said: string): readonly string[] {
    const dates = said.match(/\d{4}-\d\d-\d\d/g) ?? [];
    const ofDates = dates.map((date) => DAYS[(new Date(date).getUTCDay() + 6) % 7] ?? '');
    return [...(said.match(/\b(?:mon|tue|wed|thu|fri|sat|sun)\b/g) ?? []), ...ofDates];
  }
});
