import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeSigned } from '../../src/platform/slack/signed-request.ts';
import { anyText } from '../support/any-text.ts';
import { PURE_RUNS } from '../support/runs.ts';

/** The example in Slack's documentation of signed requests. */
const SECRET = '8f742231b10e8888abcd99yyyzzz85a5';
const TIMESTAMP = '1531420618';
const SIGNATURE = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503';
const BODY = Buffer.from(
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
);
const NOW = Number(TIMESTAMP) * 1000;
const signed = (over: {
  secret?: string;
  timestamp?: string;
  signature?: string;
  body?: Buffer;
  now?: number;
}): boolean => {
  const all = { secret: SECRET, timestamp: TIMESTAMP, signature: SIGNATURE, body: BODY, now: NOW, ...over };
  const headers = { timestamp: all.timestamp, signature: all.signature };
  return judgeSigned(all.secret, headers, all.body, all.now) === 'signed';
};

test('the example of Slack\u2019s own documentation is signed', () => {
  expect(signed({})).toBe(true);
});

test('a change of any one byte of the body, and any byte more or less, is not', () => {
  fc.assert(
    fc.property(fc.nat(BODY.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const changed = Buffer.from(BODY);
      changed[at] = (changed[at] ?? 0) ^ by;
      const cut = BODY.subarray(0, at);
      return (
        !signed({ body: changed }) &&
        !signed({ body: cut }) &&
        !signed({ body: Buffer.concat([BODY, Buffer.from([by])]) })
      );
    }),
    { numRuns: PURE_RUNS },
  );
});

test('any other signature, timestamp or secret is not', () => {
  const anything = fc.oneof(
    fc.string(),
    anyText(),
    fc.nat(SIGNATURE.length - 1).map((at) => SIGNATURE.slice(0, at)),
    fc
      .tuple(fc.nat(SIGNATURE.length - 1), fc.constantFrom('0', 'f', 'G', ' ', 'é'))
      .map(([at, letter]) => SIGNATURE.slice(0, at) + letter + SIGNATURE.slice(at + 1)),
  );
  fc.assert(
    fc.property(anything, (text) => {
      if (text !== SIGNATURE && signed({ signature: text })) return false;
      if (text !== TIMESTAMP && signed({ timestamp: text })) return false;
      return text === SECRET || !signed({ secret: text });
    }),
    { numRuns: PURE_RUNS },
  );
});

test.each([
  SIGNATURE.toUpperCase(),
  SIGNATURE.replace('v0=', 'v1='),
  SIGNATURE.slice(3),
  `${SIGNATURE} `,
  `${SIGNATURE}\n`,
  '',
])('the signature %j is not', (signature) => expect(signed({ signature })).toBe(false));

describe('the time of a request', () => {
  const at = (seconds: number): boolean => {
    const timestamp = String(Number(TIMESTAMP) + seconds);
    const signature = `v0=${createHmac('sha256', SECRET).update(`v0:${timestamp}:`).update(BODY).digest('hex')}`;
    return signed({ timestamp, signature });
  };
  test.each([0, -1, -299, -300, 299])('%i s from now is right', (seconds) => expect(at(seconds)).toBe(true));
  test.each([-301, -3_600, 301, 3_600, 10 ** 9])('%i s from now is refused, though well signed', (seconds) =>
    expect(at(seconds)).toBe(false),
  );

  test.each([
    '',
    ' ',
    '-1531420618',
    '1531420618.0',
    '1e9',
    '0x5b47c28a',
    '1531420618\n',
    ' 1531420618',
    'NaN',
    '१५३१४२०६१८',
    '9'.repeat(13),
  ])('%j is no time, though well signed', (timestamp) => {
    const signature = `v0=${createHmac('sha256', SECRET).update(`v0:${timestamp}:`).update(BODY).digest('hex')}`;
    expect(signed({ timestamp, signature })).toBe(false);
  });
});

test('a request without signature or time is refused', () => {
  expect(signed({ signature: undefined })).toBe(false);
  expect(signed({ timestamp: undefined })).toBe(false);
});

test('bytes that are no text are signed as they are', () => {
  const body = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
  const signature = `v0=${createHmac('sha256', SECRET).update(`v0:${TIMESTAMP}:`).update(body).digest('hex')}`;
  expect(signed({ body, signature })).toBe(true);
  expect(signed({ body: Buffer.from(body.toString('utf8')), signature })).toBe(false);
});
