import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/app/config/config.ts';
import { createLog, createRedactor } from '../../src/platform/log/log.ts';

const ENOUGH = {
  SLACK_BOT_TOKEN: 'xoxb-1234-5678',
  SLACK_SIGNING_SECRET: '8f742231b10e8888',
  HOSTING_API_URL: 'https://api.example.test',
  HOSTING_API_TOKEN: 'oc_live_abc',
};

// texts are cut before the redactor sees them, so a secret that stands across the cut
// is no longer recognized and most of it comes out. Redact first, cut then (or redact in describeError).
describe('a secret that a text was cut through does not come out in part', () => {
  const secret = '8f742231b10e8888abcdcanary04';
  test.each([
    ['the message of an error', 1_000],
    ['a limited error', 300],
  ])('%s', (what, limit) => {
    const lines: string[] = [];
    const log = createLog('debug', [secret], { write: (line) => lines.push(line) });
    const before = 'about: '.length + 20;
    const error = new Error(`${'x'.repeat(limit - before)}${secret}`);
    error.stack = '';
    if (what === 'a limited error') log.limited('about', error);
    else
      log.error({ error: Object.assign(error, { message: `${'x'.repeat(limit - 20)}${secret}` }) }, 'text');
    expect(lines.join('')).not.toContain(secret.slice(0, 12));
  });
});

// `[^@/]*:` is greedy, and the password is kept as the URL writes it, not as it is sent.
describe('the password of Redis is hidden', () => {
  test.each([
    ['with a colon in it', 'redis://:first-half:second-half@h:6379', 'first-half:second-half'],
    ['with a user and a colon', 'redis://ana:first-half:second-half@h:6379', 'first-half:second-half'],
    ['percent-encoded, as it is sent', 'redis://:p%40ss%2Fword@h:6379', 'p@ss/word'],
  ])('%s', (_name, url, secret) => {
    const redact = createRedactor(loadConfig({ ...ENOUGH, REDIS_URL: url }).secrets);
    expect(redact(`AUTH ${secret} failed`)).not.toContain(secret);
    expect(redact(`connecting to ${url}`)).not.toContain(secret);
  });
});

// a JSON text inside a JSON line is escaped twice.
test('a secret with a quote or backslash in it is hidden in JSON inside JSON', () => {
  for (const secret of ['canary08"with"quotes', 'canary09\\with\\backslash']) {
    const lines: string[] = [];
    const log = createLog('debug', [secret], { write: (line) => lines.push(line) });
    log.info({ body: JSON.stringify({ token: secret }) }, 'text');
    const shown = JSON.parse((JSON.parse(lines[0] ?? '') as { body: string }).body) as { token: string };
    expect(shown.token).not.toBe(secret);
  }
});

// a value is trimmed after the test for emptiness, so that white space is a value: PORT=" "
// becomes port 0, any free one.
test('a variable of white space alone is as one that is not set', () => {
  expect(loadConfig({ ...ENOUGH, PORT: '  ' }).port).toBe(3_000);
  expect(loadConfig({ ...ENOUGH, HOST: '  ' }).host).toBe('127.0.0.1');
});

// URLSearchParams encodes ! ' ( ) ~ too, and writes a space as +; encodeURIComponent doesn't.
test('a secret in a form is hidden, as forms write it', () => {
  const secret = "canary11'(with)!*~";
  const form = new URLSearchParams({ token: secret }).toString();
  expect(createRedactor([secret])(form)).toContain('[hidden]');
});

// String(error) throws for an object that has no way to become a text, and the throw leaves
// somebody who wanted to log a fault with another one.
test('anything that was thrown can be logged', () => {
  const lines: string[] = [];
  const log = createLog('debug', [], { write: (line) => lines.push(line) });
  for (const error of [Object.create(null), { toString: {} }])
    log.error({ error: error as object }, 'thrown');
  expect(lines).toHaveLength(2);
});

// the words of the URL check begin with "must", so that nothing at all reads as a bad URL.
test('a hosting URL that is not set is missing, not malformed', () => {
  expect(() => loadConfig({ ...ENOUGH, HOSTING_API_URL: undefined })).toThrow(/HOSTING_API_URL is missing/);
});
