import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instanceHostingTable as table } from '../../src/platform/hosting/adapters/instance-hosting.ts';
import {
  at,
  isObject,
  listIn,
  oneIn,
  renamed,
  statusOf,
} from '../../src/platform/hosting/table/service-table.ts';
import { decimalOf } from '../../src/platform/hosting/table/decimal.ts';
import { STATUSES } from '../../src/platform/hosting/service.ts';
import { PURE_RUNS, runs } from '../support/runs.ts';

/** Which words mean which status, written down a second time. */
const WORDS: Readonly<Record<string, string>> = {
  running: 'running, active, on, started, up, live',
  stopped: 'stopped, off, offline, halted, shutoff, exited, stopped in place',
  starting: 'starting, booting, powering_on, resuming',
  stopping: 'stopping, shutting_down, powering_off',
  restarting: 'restarting, rebooting, reboot, hard_reboot',
  provisioning: 'provisioning, pending, new, creating, initializing, building, build, installing, loading',
  deploying: 'deploying',
  pending_configuration: 'pending_configuration',
  resizing: 'resizing',
  migrating: 'migrating',
  rebuilding: 'rebuilding',
  paused: 'paused, suspended, billing_suspension, frozen, hibernated',
  deleting: 'deleting, destroying, terminating',
  deleted: 'deleted, destroyed, terminated',
  error: 'error, failed, unhealthy, crashed',
  deploy_failed: 'deploy_failed',
};
const wordsOfStatus = Object.entries(WORDS).flatMap(([status, words]) =>
  words.split(', ').map((word) => [word, status] as const),
);

describe('a status', () => {
  test.each(wordsOfStatus)('"%s" is %s, in any case and with any separator', (word, status) => {
    for (const separator of [' ', '_', '-', ' - ']) {
      const written = word.split(/[ _]/).join(separator);
      const titled = written.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
      for (const one of [written, written.toUpperCase(), titled, ` ${written} `]) {
        expect([one, statusOf(table, one)]).toEqual([one, status]);
      }
    }
  });

  test('stands in one row of the table only', () => {
    const all = STATUSES.flatMap((status) => table.statuses[status]);
    expect(new Set(all).size).toBe(all.length);
    expect(all.toSorted()).toEqual(wordsOfStatus.map(([word]) => word.replaceAll(' ', '_')).toSorted());
  });

  test('of any other word is unknown', () => {
    const known = new Set(wordsOfStatus.map(([word]) => word.replaceAll(' ', '_')));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('constructor', '__proto__', 'toString')), (word) => {
        const normal = word
          .trim()
          .toLowerCase()
          .replaceAll(/[\s-]+/g, '_');
        return known.has(normal) || statusOf(table, word) === 'unknown';
      }),
      { numRuns: PURE_RUNS },
    );
  });
});

describe('an amount', () => {
  test.each([
    [1500, '1500'],
    [-12, '-12'],
    [0, '0'],
    [12.5, '12.5'],
    ['1500.00', '1500.00'],
    [' 7 ', '7'],
    ['-0.10', '-0.10'],
    ['99999999999999999999', '99999999999999999999'],
  ])('%j is %s', (value, credits) => expect(decimalOf(value)).toBe(credits));

  test.each([
    Number.NaN,
    Infinity,
    1e21,
    '',
    ' ',
    '1,000',
    '1e3',
    '1e400',
    'NaN',
    'Infinity',
    '12abc',
    '0x10',
    '+5',
    '.5',
    '5.',
    '١٢',
    '1 000',
    null,
    true,
    [],
    {},
    [5],
    '5\n6',
  ])('%j is none', (value) => expect(decimalOf(value)).toBeUndefined());

  test.each([
    [0.1 + 0.2, '0.3'],
    [224.99999999999997, '225'],
    [-224.99999999999997, '-225'],
    [0.1 + 0.2 - 0.3, '0'],
    [-0, '0'],
    [Array.from({ length: 1_000 }, () => 0.1).reduce((sum, one) => sum + one, 0), '100'],
    [1.1 * 3, '3.3'],
    ['224.99999999999997', '225'],
    [1e-7, '0.0000001'],
  ])('%s, with what floats leave behind, is %s', (value, credits) => expect(decimalOf(value)).toBe(credits));

  test.each([0.1234567890123456, 1234567.123456789, 123456789.12345678, 1e15 + 0.3])(
    '%d has more digits than can be certain, and no residue',
    (value) => expect(decimalOf(value)).toBeUndefined(),
  );

  test('that is one is never changed, whatever its digits', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n }),
        fc.nat(10),
        (units, places) => {
          const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
          const point = digits.length - places;
          const text = `${units < 0n ? '-' : ''}${digits.slice(0, point)}${places === 0 ? '' : `.${digits.slice(point)}`}`;
          const short = places === 0 ? text : text.replace(/\.?0+$/, '');
          const read = decimalOf(JSON.parse(text));
          return decimalOf(text) === text && read === (short === '-0' ? '0' : short);
        },
      ),
      { numRuns: PURE_RUNS },
    );
  });

  test('that was summed in floats is what was meant, to the cent', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { maxLength: 60 }), (cents) => {
        const floats = cents.reduce((sum, one) => sum + one / 100, 0);
        const meant = cents.reduce((sum, one) => sum + one, 0);
        return Math.round(Number(decimalOf(floats)) * 100) === meant && String(decimalOf(floats)).length < 15;
      }),
      { numRuns: PURE_RUNS },
    );
  });

  test('is never changed on its way', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }), fc.nat(99), (whole, cents) => {
        const text = `${whole}.${String(cents).padStart(2, '0')}`;
        return decimalOf(text) === text;
      }),
      { numRuns: PURE_RUNS },
    );
  });
});

describe('a list', () => {
  test.each(table.listAt.filter((path) => path !== ''))('is found at %s', (path) => {
    const body = path.split('.').reduceRight<unknown>((inner, step) => ({ [step]: inner }), [1, 2]);
    expect(listIn(table, body)).toEqual([1, 2]);
  });

  test('is found bare, and an empty one is a list too', () => {
    expect(listIn(table, [])).toEqual([]);
    expect(listIn(table, { data: [] })).toEqual([]);
  });

  test.each([undefined, null, {}, { data: {} }, { data: 'x' }, 'x', 7])('is not found in %j', (body) => {
    expect(listIn(table, body)).toBeUndefined();
  });
});

describe('a record', () => {
  const record = { id: 1, name: 'web-1' };
  test.each([
    [record],
    [{ data: record }],
    [{ data: [record] }],
    [{ instance: record }],
    [{ server: record }],
    [{ data: { instance: record } }],
    [[record]],
  ])('is found in %j', (body) => expect(oneIn(table, body)).toEqual(record));

  test.each([
    [{}],
    [{ data: null }],
    [{ data: [record, record] }],
    [{ data: [] }],
    [{ action: { id: 7, status: 'running' } }],
    [{ data: { name: 'no id' } }],
    ['x'],
    [undefined],
  ])('is not found in %j', (body) => expect(oneIn(table, body)).toBeUndefined());
});

test('only own properties are read', () => {
  for (const path of [
    '__proto__',
    'constructor',
    'constructor.name',
    'toString',
    'data.__proto__',
    'length',
  ]) {
    expect(at({ data: {} }, path)).toBeUndefined();
  }
  expect(at(JSON.parse('{"__proto__":{"id":1}}'), '__proto__.id')).toBe(1);
});

test('nothing of any shape makes reading throw, or changes what it reads', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      const before = JSON.stringify(body);
      listIn(table, body);
      oneIn(table, body);
      const named = renamed(table, body);
      expect(isObject(named)).toBe(isObject(body));
      expect(JSON.stringify(body)).toBe(before);
      expect(({} as Record<string, unknown>)['id']).toBeUndefined();
    }),
    { numRuns: runs(50_000) },
  );
});

test('the documented name of a field comes before the names it has elsewhere', () => {
  expect(renamed(table, { state: 'running', id: 1 })).toMatchObject({ status: 'running' });
  expect(renamed(table, { state: 'deploying', status: 'running' })).toMatchObject({ status: 'running' });
  expect(renamed(table, { credits: '5' })).toMatchObject({ claws_balance: '5' });
});
