import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import { createLog, type Log } from '../../src/platform/log/log.ts';
import { CANARIES } from './canaries.ts';
import { anyText } from '../support/any-text.ts';
import { runs } from '../support/runs.ts';

function open(level = 'debug', secrets: readonly string[] = CANARIES): { log: Log; lines: string[] } {
  const lines: string[] = [];
  return { log: createLog(level, secrets, { write: (line) => lines.push(line) }), lines };
}

/** Any way in which a line could hold a secret. */
const ways: readonly [string, (canary: string) => [object, string]][] = [
  ['the text', (canary) => [{}, `calling with ${canary}`]],
  ['a field', (canary) => [{ token: canary }, 'x']],
  ['the name of a field', (canary) => [{ [canary]: 1 }, 'x']],
  ['a field deep down', (canary) => [{ a: [{ b: { c: [canary] } }] }, 'x']],
  ['JSON in a field', (canary) => [{ body: JSON.stringify({ token: canary }).replaceAll('\\', '') }, 'x']],
  ['a URL in a field', (canary) => [{ url: `https://h.test/${encodeURIComponent(canary)}` }, 'x']],
  ['a form in a field', (canary) => [{ form: `token=${encodeURIComponent(canary)}&x=1` }, 'x']],
  ['a header', (canary) => [{ headers: { authorization: `Bearer ${canary}` } }, 'x']],
  ['the message of an error', (canary) => [{ error: new Error(`at ${canary}`) }, 'x']],
  [
    'the stack of an error',
    (canary) => [{ error: Object.assign(new Error('x'), { stack: `at ${canary}` }) }, 'x'],
  ],
  [
    'the cause of an error',
    (canary) => [{ error: new Error('x', { cause: new Error(`at ${canary}`) }) }, 'x'],
  ],
  ['the cause of a hosting error', (canary) => [{ error: hostingError(canary) }, 'x']],
  [
    'what a library hung on an error',
    (canary) => [{ error: Object.assign(new Error('x'), { config: { canary } }) }, 'x'],
  ],
  [
    'an error under another name',
    (canary) => [{ err: Object.assign(new Error(canary), { request: { canary } }) }, 'x'],
  ],
  ['what was thrown that is no error', (canary) => [{ error: `thrown ${canary}` }, 'x']],
];

function hostingError(canary: string): HostingError {
  const cause = new Error(`connecting with ${canary}`);
  return new HostingError(`restarting ${canary}`, {
    fault: 'no-answer',
    outcome: 'unknown',
    retryable: true,
    cause,
  });
}

describe.each(ways)('in %s', (_name, put) => {
  test.each(CANARIES)('the secret %s does not come out', (canary) => {
    const { log, lines } = open();
    const [fields, text] = put(canary);
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level](fields, text);
    log.limited(text, new Error(JSON.stringify(Object.values(fields)).replaceAll('\\', '')));
    expect(lines.length).toBeGreaterThanOrEqual(4);
    for (const line of lines) {
      expect(line).not.toContain(canary);
      expect(line).not.toContain(JSON.stringify(canary).slice(1, -1));
      expect(line).not.toContain(encodeURIComponent(canary));
      expect(() => JSON.parse(line)).not.toThrow();
    }
  });
});

test('a line tells level, time, fields and text', () => {
  const { log, lines } = open();
  log.info({ operation: 'op-1' }, 'done');
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    operation: 'op-1',
    msg: 'done',
  });
});

test('what is below the level is not written', () => {
  const { log, lines } = open('warn');
  log.debug({}, 'a');
  log.info({}, 'b');
  log.warn({}, 'c');
  log.error({}, 'd');
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['c', 'd']);
});

test('an error is logged by name, words and stack, cut, and without what a library hung on it', () => {
  const { log, lines } = open();
  const error = Object.assign(new TypeError('x'.repeat(50_000), { cause: new Error('y'.repeat(50_000)) }), {
    config: { headers: { cookie: 'session' } },
  });
  log.error({ error }, 'oops');
  expect(lines[0]?.length).toBeLessThan(6_000);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    error: { name: 'TypeError', cause: 'y'.repeat(1_000) },
  });
  expect(lines[0]).not.toContain('session');
});

test('anything at all can be logged, one line each, and nothing throws', () => {
  const { log, lines } = open();
  fc.assert(
    fc.property(fc.jsonValue(), anyText(), (thing, text) => {
      lines.length = 0;
      log.error({ thing, error: new Error(text) }, text);
      return lines.length === 1 && /^[^\n]*\n$/.test(lines[0] ?? '');
    }),
    { numRuns: runs(2_000) },
  );
});

describe('an error that comes thousands of times', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is written once, and after ten seconds once more with the count', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { log, lines } = open();
    for (let time = 0; time < 5_000; time++) log.limited('redis', new Error('ECONNREFUSED'));
    expect(lines).toHaveLength(1);
    vi.advanceTimersByTime(9_999);
    log.limited('redis', new Error('ECONNREFUSED'));
    expect(lines).toHaveLength(1);
    vi.advanceTimersByTime(1);
    log.limited('redis', new Error('ECONNREFUSED'));
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 'warn', about: 'redis', before: 0, msg: 'redis: ECONNREFUSED' },
      { level: 'warn', about: 'redis', before: 5_000, msg: 'redis: ECONNREFUSED' },
    ]);
  });

  test('does not hide another', () => {
    const { log, lines } = open();
    for (let time = 0; time < 10; time++) {
      log.limited('redis', new Error('one'));
      log.limited('redis', new Error('two'));
      log.limited('slack', new Error('one'));
    }
    expect(lines).toHaveLength(3);
  });

  test('is cut to a length that can be read', () => {
    const { log, lines } = open();
    log.limited('redis', new Error('x'.repeat(100_000)));
    expect(lines[0]?.length).toBeLessThan(600);
  });
});
