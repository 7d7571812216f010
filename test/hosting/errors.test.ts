import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HostingError, HostingFault } from '../../src/platform/hosting/hosting-error.ts';
import { errorOfAnswer, errorOfBody, errorOfFailure } from '../../src/platform/hosting/errors.ts';
import { runs } from '../support/runs.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const answer = (status: number, body: unknown, headers: Record<string, string> = {}): HostingError =>
  errorOfAnswer('restarting web-1', { status, headers, body }, NOW);

/** What each HTTP status means with an error in the service's own form, written down a second time. */
function expected(
  status: number,
): [HostingFault | 'wrong-state or bad-input', 'not-done' | 'unknown', boolean] {
  if (status === 401) return ['unauthorized', 'not-done', false];
  if (status === 402) return ['no-credit', 'not-done', false];
  if (status === 403) return ['forbidden', 'not-done', false];
  if ([404, 410].includes(status)) return ['not-found', 'not-done', false];
  if (status === 408) return ['unavailable', 'unknown', true];
  if ([409, 423].includes(status)) return ['wrong-state', 'not-done', false];
  if (status === 422) return ['wrong-state or bad-input', 'not-done', false];
  if (status === 429) return ['rate-limited', 'not-done', true];
  if (status >= 500) return ['unavailable', 'unknown', true];
  // No word on whether it was done: of redirects, of what is no registered refusal, of what was only cut short.
  const isNoRefusal = status < 400 || [418, 419, 420, 425, 427, 430, 451].includes(status) || status > 431;
  return isNoRefusal ? ['unclear', 'unknown', false] : ['refused', 'not-done', false];
}

const words = fc.constantFrom(
  'Instance not found',
  'too many requests',
  'unauthorized',
  'already running',
  'success',
  'restart done',
  'internal_server_error',
);
const anyBody = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(undefined, '', '<html><h1>200 OK</h1></html>'),
  words.map((message) => ({ error: { code: message, message } })),
  words.map((error) => ({ error })),
  words.map((message) => ({ errors: [{ code: message, message }] })),
  words.map((message) => ({ id: message, message })),
  words.map((title) => ({ type: 'about:blank', title, detail: title, status: 200 })),
);

/** An error with this word in each form of a service. */
const ownErrors = (message: string): readonly unknown[] => [
  { error: { code: message, message } },
  { error: { message } },
  { error: message },
  { errors: [{ code: message, message }] },
  { errors: [message] },
  { id: message, message },
  { code: message, message },
  { type: 'about:blank', title: message, status: 200 },
];

describe('in the form of the service the HTTP status decides what a fault is, whatever the words say,', () => {
  const check = (status: number, body: unknown): void => {
    const error = answer(status, body);
    const [fault, outcome, retryable] = expected(status);
    if (status === 422) expect(['wrong-state', 'bad-input']).toContain(error.fault);
    else expect([status, error.fault]).toEqual([status, fault]);
    expect([error.outcome, error.retryable, error.answered]).toEqual([outcome, retryable, true]);
    expect(error.said === undefined || (error.said.length > 0 && error.said.length <= 300)).toBe(true);
  };

  test('of each status', () => {
    for (let status = 300; status < 600; status++)
      for (const body of ownErrors('already running')) check(status, body);
  });

  test('of any status and words', () => {
    const bodies = words.chain((message) => fc.constantFrom(...ownErrors(message)));
    fc.assert(fc.property(fc.integer({ min: 300, max: 599 }), bodies, check), { numRuns: runs(20_000) });
  });
});

test('without an error in any form of a service nothing but a 429 was certainly not done', () => {
  const bodies = [
    undefined,
    null,
    [],
    {},
    { ok: false },
    { data: { id: 101, name: 'web-1' } },
    { error: null },
    { error: {} },
    { message: 'Forbidden' },
    'Forbidden',
    '<html><title>403 Forbidden</title></html>',
    `<html>${'x'.repeat(1_000_000)}`,
  ];
  for (let status = 300; status < 600; status++) {
    for (const body of bodies) {
      const { fault, outcome, retryable } = answer(status, body);
      const isOurs = status >= 500 || status === 408;
      const wanted =
        status === 429
          ? ['rate-limited', 'not-done', true]
          : [isOurs ? 'unavailable' : 'unclear', 'unknown', isOurs];
      expect([status, body, fault, outcome, retryable]).toEqual([status, body, ...wanted]);
    }
  }
});

test.each([anyBody])('whatever an answer is, what it says is short and on one line', (body) => {
  fc.assert(
    fc.property(fc.integer({ min: 300, max: 599 }), body, (status, one) => {
      const { said = 'x' } = answer(status, one);
      return said.length > 0 && said.length <= 300 && !/[\r\n]/.test(said);
    }),
    { numRuns: runs(20_000) },
  );
});

test.each([
  [{ error: { code: 'unprocessable_entity', message: 'no', details: { tier: 'is unknown' } } }, 'bad-input'],
  [{ error: { code: 'unprocessable_entity', message: 'no', details: {} } }, 'wrong-state'],
  [{ error: { code: 'unprocessable_entity', message: 'no', details: null } }, 'wrong-state'],
  [{ error: { code: 'unprocessable_entity', message: 'no' } }, 'wrong-state'],
  [{ errors: { name: ['is too short'] } }, 'bad-input'],
  [{ error: 'validation failed' }, 'wrong-state'],
  ['<html>', 'unclear'],
  [undefined, 'unclear'],
])('a 422 with the body %j is %s', (body, fault) => {
  expect(answer(422, body).fault).toBe(fault);
});

describe('what the service said is found in', () => {
  test.each([
    [{ error: { code: 'not_found', message: 'gone' } }, 'gone'],
    [{ error: { code: 'not_found' } }, 'not_found'],
    [{ error: 'gone' }, 'gone'],
    [{ errors: ['one', { message: 'two' }, 'three', 'four'] }, 'one; two; three'],
    [{ type: 'about:blank', title: 'Gone', detail: 'It went' }, 'It went'],
    [{ id: 'not_found', message: 'gone' }, 'gone'],
    [{ title: 'Gone' }, 'Gone'],
    ['<html>gone</html>', undefined],
    ['<html><head><title>Attention Required!\n | Cloudflare</title>', 'Attention Required! | Cloudflare'],
    ['upstream connect error', 'upstream connect error'],
    ['{"error": {"message": "cut', undefined],
    [{ error: '' }, undefined],
    [{ message: 7 }, undefined],
    [null, undefined],
  ])('%j: %s', (body, said) => {
    expect(answer(400, body).said).toBe(said);
  });
});

describe('an error in a form of the service alone', () => {
  const NOW_ASKED = { failure: { code: 'TooOften', text: 'Ask me\nlater' } };
  const read = (status: number, service: Parameters<typeof errorOfAnswer>[3]): HostingError =>
    errorOfAnswer('restarting web-1', { status, headers: {}, body: NOW_ASKED }, NOW, service);

  test.each<[unknown, string | undefined]>([
    ['Ask me\nlater', 'Ask me later'],
    [undefined, undefined],
    ['', undefined],
    [7, undefined],
    [Promise.resolve('late'), undefined],
  ])('says %j where its adapter finds that', (found, said) => {
    const sentenceOf = (): string => found as string;
    expect(read(400, { sentenceOf }).said).toBe(said);
  });

  test('says what it would otherwise where its adapter throws', () => {
    const sentenceOf = (): never => {
      throw new Error('not as expected');
    };
    expect(
      errorOfAnswer('x', { status: 400, headers: {}, body: { error: 'gone' } }, NOW, { sentenceOf }).said,
    ).toBe('gone');
  });

  test.each<[number, HostingFault, HostingFault, string]>([
    [503, 'rate-limited', 'rate-limited', 'not-done'],
    // Whatever else it says with these, it may have been done.
    [503, 'refused', 'unavailable', 'unknown'],
    [503, 'not-found', 'unavailable', 'unknown'],
    [500, 'rate-limited', 'unavailable', 'unknown'],
    [504, 'rate-limited', 'unavailable', 'unknown'],
  ])('with %i that means %s is %s, %s', (status, named, fault, outcome) => {
    const own = read(status, { isError: () => true, faultOf: () => named });
    expect(own).toMatchObject({ fault, outcome });
    // A gateway that writes otherwise is not the service.
    const other = read(status, { isError: () => false, faultOf: () => named });
    expect(other).toMatchObject({ fault: 'unavailable', outcome: 'unknown' });
  });
});

test('what the service said is cut, and comes on one line', () => {
  const said = (message: string) => answer(400, { error: { message } }).said;
  expect(said('first\nsecond\r\nthird')).toBe('first second third');
  expect(said('x'.repeat(100_000))).toHaveLength(300);
});

test.each([409, 423, 429, 500, 502, 503, 504])('Retry-After counts with a %i', (status) => {
  expect(answer(status, undefined, { 'retry-after': '7' }).retryAfterMs).toBe(7_000);
});

test('a 429 is the limit also where the adapter reads something else in its body', () => {
  const service = { isError: () => true, faultOf: (): HostingFault => 'unauthorized' };
  const read = (status: number): HostingError =>
    errorOfAnswer('restarting web-1', { status, headers: {}, body: { error: 'no' } }, NOW, service);
  expect([read(429).fault, read(403).fault]).toEqual(['rate-limited', 'unauthorized']);
});

test('when a budget is back says something with a 429 alone', () => {
  const headers = { 'x-ratelimit-reset': '7' };
  expect(answer(429, undefined, headers).retryAfterMs).toBe(7_000);
  expect(answer(503, undefined, headers).retryAfterMs).toBeUndefined();
});

test('the error says what was being done and with which status, and nothing of the answer', () => {
  const error = answer(503, { error: { message: 'secret detail' } }, { authorization: 'Bearer x' });
  expect(error.message).toBe('restarting web-1: hosting API: 503');
});

describe('a call without an answer', () => {
  test.each([
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'UND_ERR_CONNECT_TIMEOUT',
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ])('was certainly not done after %s', (code) => {
    const cause = Object.assign(new Error(code), { code, syscall: 'connect' });
    for (const one of [cause, new TypeError('fetch failed', { cause })]) {
      expect(errorOfFailure('stopping', one)).toMatchObject({
        fault: 'unreachable',
        outcome: 'not-done',
        retryable: true,
        answered: false,
      });
    }
  });

  // On Linux a request that was sent ends so too, where its route dies.
  test.each(['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED'])(
    'may have been done after %s from anything but connecting',
    (code) => {
      const cause = Object.assign(new Error(code), { code, syscall: 'read' });
      expect(errorOfFailure('restarting', cause)).toMatchObject({ fault: 'no-answer', outcome: 'unknown' });
    },
  );

  test('may have been done after anything else at all', () => {
    const codes = fc.constantFrom('ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'UND_ERR_ABORTED');
    const causes = fc.oneof(
      fc.anything(),
      codes.map((code) => Object.assign(new Error(code), { code })),
      codes.map((code) => new Error('outer', { cause: Object.assign(new Error(code), { code }) })),
      fc.string().map((message) => new Error(`${message} ECONNREFUSED`)),
    );
    fc.assert(
      fc.property(causes, (cause) => {
        expect(errorOfFailure('stopping', cause)).toMatchObject({ fault: 'no-answer', outcome: 'unknown' });
      }),
      { numRuns: runs(3_000) },
    );
  });

  test('that came but made no sense may have been done, and asking again will not help', () => {
    expect(errorOfBody('stopping', 'no JSON')).toMatchObject({
      fault: 'unreadable',
      outcome: 'unknown',
      retryable: false,
      answered: false,
    });
  });
});

describe('a 403 that is a limit', () => {
  const own = { error: { code: 'forbidden', message: 'slow down' } };

  test.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT' }, 30_000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1_000 + 9) }, 9_000],
    [{ 'ratelimit-remaining': '0' }, undefined],
    [{ 'ratelimit-remaining': ' 0', 'ratelimit-limit': '100', 'ratelimit-reset': '12' }, 12_000],
  ])('by %j did nothing, and is waited for', (headers, retryAfterMs) => {
    const { fault, outcome, retryable, ...error } = answer(403, own, headers);
    expect([fault, outcome, retryable]).toEqual(['rate-limited', 'not-done', true]);
    expect(error.retryAfterMs).toBe(retryAfterMs);
  });

  test('is one in whatever form it comes, but then nobody knows what was done', () => {
    const { fault, outcome } = answer(403, '<html>Slow down</html>', { 'retry-after': '7' });
    expect([fault, outcome]).toEqual(['rate-limited', 'unknown']);
  });

  test('is one whatever the adapter reads in it', () => {
    const given = { status: 403, body: own, headers: { 'retry-after': '7' } };
    const error = errorOfAnswer('restarting', given, NOW, { faultOf: () => 'forbidden' });
    expect(error.fault).toBe('rate-limited');
  });

  test('is none where calls are left, or where a key has none at all', () => {
    const none: readonly Record<string, string>[] = [
      {},
      { 'x-ratelimit-remaining': '10' },
      { 'x-ratelimit-remaining': '' },
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-limit': '0' },
    ];
    for (const headers of none) expect(answer(403, own, headers).fault).toBe('forbidden');
  });

  test('is none with 401: a key that is none has no calls either', () => {
    for (const name of ['retry-after', 'x-ratelimit-remaining'])
      expect(answer(401, own, { [name]: '0' }).fault).toBe('unauthorized');
  });
});
