import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { approvalOf } from '../../src/core/policy/pattern.ts';
import { type PolicyFile, readPolicyFile } from '../../src/core/policy/policy-file.ts';
import { readCostFilter } from '../../src/core/instances/cost-filter.ts';
import { parseFilters } from '../../src/core/instances/filter.ts';
import { groupsBy } from '../../src/core/policy/sections.ts';
import { anyText } from '../support/any-text.ts';
import { RULE_RUNS, runs } from '../support/runs.ts';

const VERBS = ['start', 'stop', 'restart', 'delete'];

function fileOf(text: string): PolicyFile {
  const read = readPolicyFile(text);
  if ('faults' in read) throw new Error('faults', { cause: read.faults });
  return read.file;
}

/** Each fault as "line: sentence". */
function faultsOf(text: string, verbs?: readonly string[]): string[] {
  const read = readPolicyFile(text, verbs && { verbs, service: 'Example Cloud' });
  return 'faults' in read ? read.faults.map(({ line, what }) => `${line}: ${what}`) : [];
}

const WHOLE = `people: { ana: U0ANA000001, oncall: S0ONCALL001 }
everyone: viewer
roles:
  operator:
    - who: ana
      on: [staging-*, 101]
      in: [C0OPS000001]
    - who: oncall
  admin:
    - who: W0ADA000001
protected: [prod-*]
channels:
  C0OPS000001: { on: [staging-*], roles: [viewer, operator] }
approvals:
  - on: [prod-*]
    for: [restart, stop, delete]
  - on: ['*-vault']
`;

test('a file says who holds which role, what is protected, what channels are limited to, and what needs approval', () => {
  const file = fileOf(WHOLE);
  expect(file).toEqual({
    people: new Map([
      ['ana', 'U0ANA000001'],
      ['oncall', 'S0ONCALL001'],
    ]),
    everyone: 'viewer',
    grants: [
      {
        role: 'operator',
        to: { userId: 'U0ANA000001' },
        on: ['staging-*', '101'],
        in: ['C0OPS000001'],
      },
      { role: 'operator', to: { groupId: 'S0ONCALL001' } },
      { role: 'admin', to: { userId: 'W0ADA000001' } },
    ].map((grant) => ({ ...grant, id: expect.any(String), by: 'policy', at: 0 })),
    protectedInstances: ['prod-*'],
    channels: { C0OPS000001: { on: ['staging-*'], roles: ['viewer', 'operator'] } },
    approvals: [{ on: ['prod-*'], for: ['restart', 'stop', 'delete'] }, { on: ['*-vault'] }],
  });
});

test('the ids of its roles are the same at every start, and differ from one another', () => {
  const ids = (text: string): string[] => (fileOf(text).grants ?? []).map(({ id }) => id);
  expect(ids(WHOLE)).toEqual(ids(`# moved down\n\n${WHOLE}`));
  expect(new Set(ids(WHOLE)).size).toBe(3);
});

test('what a file leaves out it does not fix, and an empty list fixes that there is nothing', () => {
  expect(fileOf('everyone: none')).toEqual({ people: new Map(), everyone: 'none' });
  expect(fileOf('roles: {}\nprotected: []')).toEqual({
    people: new Map(),
    grants: [],
    protectedInstances: [],
  });
});

describe('the fault of', () => {
  test.each([
    ['an empty file', '', '1: the file is empty, so it fixes nothing.'],
    ['a file with comments alone', '# all\n# off\n', '1: the file is empty, so it fixes nothing.'],
    [
      'a file that is no map',
      'xoxb-123-secret',
      '1: the file must be a map with people, everyone, roles, protected, channels, approvals, oncall, holidays or costgroups.',
    ],
    [
      'an unknown section',
      'everyone: none\nroels: {}\n',
      '2: "roels" is not known here. There are people, everyone, roles, protected, channels, approvals, oncall, holidays, costgroups.',
    ],
    [
      'an unknown role',
      'roles:\n  operator: []\n  boss: []\n',
      '3: "boss" is not known here. There are viewer, operator, finance, admin.',
    ],
    [
      'an unknown key of a role',
      'roles:\n  viewer:\n    - who: U0ANA000001\n      onn: [a]\n',
      '4: "onn" is not known here. There are who, on, in.',
    ],
    [
      'a role of everybody that there is none of',
      '\n\neveryone: boss',
      '3: everyone must be one of viewer, operator, finance, admin and none.',
    ],
    [
      'a section without anything',
      'everyone: none\nprotected:\n',
      '2: protected must be a list of names of instances like prod-*, of ids, or of label:env=prod and region:fra1.',
    ],
    [
      'a name that people does not have',
      'people: { ana: U0ANA000001 }\nroles:\n  viewer:\n    - who: anna\n',
      '4: "anna" is neither a name in people nor an id like U012ABCDEF.',
    ],
    ['a role of nobody', 'roles:\n  viewer:\n    - on: [a]\n', '3: who is missing.'],
    [
      'a holder without a map',
      'roles:\n  viewer:\n    - U0ANA000001\n',
      '3: each of viewer must be a map with who, and on or in to narrow it.',
    ],
    [
      'a role for no instance',
      'roles:\n  viewer:\n    - who: U0ANA000001\n      on: []\n',
      '4: on must have at least one; leave it out if it is to limit nothing.',
    ],
    [
      'a channel by its name',
      'roles:\n  viewer:\n    - who: U0ANA000001\n      in:\n        - C0OPS000001\n        - ops\n',
      '6: each of in must be the id of a channel like C012ABCDEF.',
    ],
    [
      'a limit of a channel by its name',
      'channels:\n  ops: { on: [a] }\n',
      '2: ops must be the id of a channel like C012ABCDEF.',
    ],
    [
      'a limit to a role that there is none of',
      'channels:\n  C0OPS000001:\n    roles: [viewer, boss]\n    at: [a]\n',
      [
        '3: each of roles must be one of viewer, operator, finance, admin.',
        '4: "at" is not known here. There are on, roles.',
      ],
    ],
    [
      'a name in upper case',
      'people:\n  Ana: U0ANA000001\n',
      '2: Ana must be a name in lower case, without spaces.',
    ],
    [
      'a person without an id',
      'people:\n  ana: ana@example.com\n',
      '2: ana must be the id of a person or a user group, like U012ABCDEF.',
    ],
    [
      'a value that begins below its key, at the key',
      'everyone:\n\n  boss\n',
      '1: everyone must be one of viewer, operator, finance, admin and none.',
    ],
    ['an approval of nothing', 'approvals:\n  - for: [stop]\n', '2: on is missing.'],
    [
      'an approval for a verb that there is none of',
      'approvals:\n  - on: [a]\n    for:\n      - stop\n      - restrat\n',
      '5: "restrat" is not a verb that changes something at Example Cloud. The verbs are start, stop, restart, delete.',
    ],
    [
      'a star without quotation marks',
      'everyone: none\nprotected: [*-vault]\n',
      '2: A text that begins with * needs quotation marks, as in "*-vault".',
    ],
    [
      'a star alone',
      'protected: [*]\n',
      '1: A text that begins with * needs quotation marks, as in "*-vault".',
    ],
    ['a key that stands there twice', 'everyone: none\neveryone: viewer\n', '2: this key stands here twice.'],
    ['a prototype', 'everyone: none\n__proto__: { roles: {} }\n', '2: this key is no name.'],
    ['a key that is a list', '? [a]\n: b\n', '1: this key is no name.'],
    [
      'a second document',
      'everyone: none\n---\nroles: {}\n',
      '2: a second document begins here; there can be one.',
    ],
    [
      'a tag',
      'everyone: !role none\n',
      '1: this is not valid YAML: a text that begins with ! needs quotation marks.',
    ],
    ['a list that contains itself', 'protected: &a [*a]\n', '1: this alias is a part of what it stands for.'],
    [
      'a brace that stays open, with the rest of the file below it',
      '# people\npeople: { ana: U0ANA000001\neveryone: none\nprotected: [a]\n',
      '2: this { is never closed: a } is missing.',
    ],
    [
      'a bracket that a brace closes',
      'roles:\n  viewer:\n    - { who: U0ANA000001, on: [a }\neveryone: none\n',
      '3: this [ is never closed: a ] is missing.',
    ],
    [
      'a bracket that stays open',
      'everyone: none\nprotected: [prod-*\nchannels: {}\n',
      '2: this [ is never closed: a ] is missing.',
    ],
    ['a tab', 'roles:\n\tviewer: []\n', expect.stringMatching(/^2: this is not valid YAML: /)],
  ])('%s is said with its line', (_what, text, said) => {
    const faults = [said].flat();
    expect(faultsOf(text, VERBS).slice(0, faults.length)).toEqual(faults);
    if (!text.includes('[prod-*\n') && !text.includes('\t'))
      expect(faultsOf(text, VERBS)).toHaveLength(faults.length);
  });

  test('aliases that unfold to too much is said, and nothing unfolds', () => {
    const bomb = Array.from(
      { length: 12 },
      (_, level) => `a${level}: &a${level} [${level === 0 ? 'x' : `*a${level - 1},`.repeat(9).slice(0, -1)}]`,
    ).join('\n');
    expect(faultsOf(bomb)).toEqual(['1: its aliases unfold to too much.']);
  });

  // Deeper than this ends the process within the library, where nobody can catch it.
  test.each(['[', '{', '- ', '? ', '{a: '])('a file that is nested too deeply is said: %j', (opening) => {
    expect(faultsOf(opening.repeat(20_000))).toEqual(['1: this is nested deeper than a policy can be.']);
  });
});

test('a fault quotes keys and names, and never what stands elsewhere: it may be a secret in the wrong file', () => {
  const said = faultsOf('SLACK_BOT_TOKEN: xoxb-1234\neveryone: xoxb-1234\nprotected: { a: xoxb-1234 }\n');
  expect(said).toHaveLength(3);
  expect(said.join()).not.toContain('xoxb');
});

test('a list can be used twice by an alias', () => {
  expect(fileOf('protected: &prod [prod-*]\napprovals: [{ on: *prod }]').approvals).toEqual([
    { on: ['prod-*'] },
  ]);
});

test('whatever text comes, it gives a file or faults with lines that are there, and never throws', () => {
  const word = fc.constantFrom(
    ...'people everyone roles protected channels approvals who on in for viewer none ana prod-*'.split(' '),
    ...'U0ANA000001 S0ONCALL001 C0OPS000001 *a &a !x << __proto__ constructor "" ~'.split(' '),
  );
  const mark = fc.constantFrom(
    ': ',
    '\n',
    '\n  ',
    '\n    - ',
    '- ',
    '[',
    ']',
    '{',
    '}',
    ', ',
    '#',
    '|',
    '\t',
    '---\n',
  );
  const text = fc.oneof(
    anyText(),
    fc.array(fc.oneof(word, mark), { maxLength: 40 }).map((parts) => parts.join('')),
    fc.json(),
    // A whole file with a piece of it taken out or put in.
    fc
      .tuple(fc.nat(WHOLE.length), fc.nat(12), fc.oneof(word, mark, fc.constant('')))
      .map(([at, length, put]) => WHOLE.slice(0, at) + put + WHOLE.slice(at + length)),
  );
  fc.assert(
    fc.property(text, (given) => {
      const read = readPolicyFile(given, { verbs: VERBS, service: 'Example Cloud' });
      if ('file' in read) return;
      expect(read.faults.length).toBeGreaterThan(0);
      for (const { line, what } of read.faults) {
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(given.split(/\r\n|\n/).length);
        expect(what).toMatch(/\.$/);
        expect(what).not.toMatch(/\n/);
      }
    }),
    { numRuns: runs(5_000) },
  );
});

test('holidays are days by the names of their lists, and what is none is named with its line', () => {
  const file = fileOf(
    'holidays:\n  berlin: [2026-12-25, 2026-12-31..2027-01-01]\n  bad-tölz: [2026-08-15]\n',
  );
  expect(file.holidays).toEqual({
    berlin: [
      { from: '2026-12-25', to: '2026-12-25' },
      { from: '2026-12-31', to: '2027-01-01' },
    ],
    'bad-tölz': [{ from: '2026-08-15', to: '2026-08-15' }],
  });
  expect(
    faultsOf(
      'holidays:\n  Berlin: [2026-12-25]\n  none: []\n  odd:\n    - 2026-02-30\n    - 2027-01-01..2026-12-24\n    - 24 Dec\n  text: 2026-12-25\n  long:\n    - 2026-01-01..2027-02-04\n    - 2026-01-01..2027-02-05\n',
    ),
  ).toEqual([
    '2: Berlin must be a name in lower case that begins with a letter, without spaces.',
    '3: none must have at least one day; leave it out if it has none.',
    ...[5, 6, 7].map(
      (line) => `${line}: each of odd must be a day like 2026-12-25, or days like 2026-12-24..2027-01-01.`,
    ),
    '8: text must be a list of days like 2026-12-25.',
    '11: each of long must be at most 400 days from the first to the last.',
  ]);
});

test('cost groups are filters by their names in the order of the file, and what is none is named with its line', () => {
  const groups =
    fileOf('costgroups:\n  web: name:web-*\n  a-team: -tier:pro name:db-*,*-test\n').costGroups ?? [];
  expect(groups).toEqual([
    { name: 'web', filter: 'name:web-*' },
    { name: 'a-team', filter: '-tier:pro name:db-*,*-test' },
  ]);
  const of = groupsBy(groups);
  expect(of({ name: 'WEB-1', tier: 'pro', labels: undefined })).toBe('web');
  expect(of({ name: 'web-test', tier: undefined, labels: undefined })).toBe('web');
  expect(of({ name: 'db-1', tier: undefined, labels: undefined })).toBe('a-team');
  expect(of({ name: 'db-1', tier: 'pro', labels: undefined })).toBeUndefined();
  expect(
    faultsOf(
      'costgroups:\n  Web: name:web-*\n  a: web-*\n  b: "name:"\n  c: status:running\n  d: ""\n  all: name:a\n  e: [name:a]\n  f: name:a older:3d\n  g: nmae:a\n',
    ),
  ).toEqual([
    '2: Web must be a name in lower case that begins with a letter, without spaces.',
    '3: a has "web-*", which is no filter; use name:, tier: and label:, as in name:web-*.',
    '4: b has "name:", which is no filter; use name:, tier: and label:, as in name:web-*.',
    `5: c can't have "status:running": of what was charged, only the name, the tier and the labels of an instance are known, so use name:, tier: and label:.`,
    '6: d must have a filter like name:web-*.',
    "7: all can't be the name of a group: it stands for all costs.",
    '8: e must be a filter like name:web-*.',
    `9: f can't have "older:3d": of what was charged, only the name, the tier and the labels of an instance are known, so use name:, tier: and label:.`,
    '10: g has "nmae:a", which is no filter; use name:, tier: and label:, as in name:web-*.',
  ]);
  expect(faultsOf('costgroups:\n  web: name:a\n  web: name:b\n')).toEqual(['3: this key stands here twice.']);
  expect(faultsOf('costgroups: web')).toEqual([
    '1: costgroups must be a map of names to filters like name:web-*.',
  ]);
});

test('a filter of costs is read as lists of instances read it, or refused with why', () => {
  const word = fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.constantFrom('name', 'tier', 'label', 'status', 'nmae'),
      fc.array(fc.constantFrom('', 'web-*', 'a', '*', 'pro', 'b*b'), { maxLength: 3 }),
    )
    .map(([not, field, values]) => `${not}${field}:${values.join(',')}`);
  const costed = fc.record({
    name: fc.constantFrom('', 'web-1', 'a', 'bab', 'PRO'),
    tier: fc.constantFrom(undefined, 'pro', 'a'),
    labels: fc.constantFrom(undefined, [], ['a=pro', 'web-1'], ['pro:a']),
  });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(word, { maxLength: 3 }).map((all) => all.join(' ')),
        anyText(),
      ),
      costed,
      (text, one) => {
        const read = readCostFilter(text);
        if ('why' in read) expect(read.why).toMatch(/^(?:must have|has|can't have) /);
        else {
          const words = text.split(/\s+/).filter((each) => each !== '');
          const listed = { id: '1', status: 'running', statusWord: 'running', can: {}, ...one } as const;
          expect(read.filter(one)).toBe(parseFilters(words, 0)(listed));
        }
      },
    ),
    { numRuns: RULE_RUNS },
  );
});

test('an approval is for its instances, by name or id, and for its verbs, or all', () => {
  const rules = fileOf(WHOLE).approvals ?? [];
  const of = (verb: string, name: string, id = '7'): readonly string[] | undefined =>
    approvalOf(rules, verb, { id, name })?.on;
  expect(of('restart', 'prod-1')).toEqual(['prod-*']);
  expect(of('start', 'prod-1')).toBeUndefined();
  expect(of('start', 'big-vault')).toEqual(['*-vault']);
  expect(of('restart', 'web-1')).toBeUndefined();
  expect(approvalOf([{ on: ['101'] }], 'stop', { id: '101', name: 'web-1' })).toBeDefined();
});

test('what needs an approval needs one to be forced as well', () => {
  const web = { id: '101', name: 'web-1' };
  expect(approvalOf([{ on: ['*'], for: ['stop'] }], 'force-stop', web)).toBeDefined();
  expect(approvalOf([{ on: ['*'], for: ['force-stop'] }], 'force-stop', web)).toBeDefined();
  expect(approvalOf([{ on: ['*'], for: ['force-stop'] }], 'stop', web)).toBeUndefined();
  expect(approvalOf([{ on: ['*'], for: ['start'] }], 'force-stop', web)).toBeUndefined();
});
