import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SlackError, slackErrorOf } from '../../src/platform/slack/errors.ts';
import { runs } from '../support/runs.ts';

const platform = (error: string): WebAPIPlatformError => new WebAPIPlatformError({ ok: false, error });
const http = (status: number): WebAPIHTTPError => new WebAPIHTTPError(status, 'x', {});
const coded = (code: string): Error => Object.assign(new Error(code), { code });

describe('an error that Slack names', () => {
  test.each([
    'channel_not_found',
    'is_archived',
    'not_in_channel',
    'invalid_blocks',
    'missing_scope',
    'user_not_found',
  ])('%s was not done and never will be', (code) =>
    expect(slackErrorOf(platform(code))).toMatchObject({ code, outcome: 'not-done', dead: true }),
  );

  test.each(['ratelimited', 'message_limit_exceeded', 'team_added_to_org', 'invalid_auth', 'token_revoked'])(
    '%s was not done and passes',
    (code) => expect(slackErrorOf(platform(code))).toMatchObject({ code, outcome: 'not-done', dead: false }),
  );

  test.each(['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'])(
    '%s may have been done',
    (code) => expect(slackErrorOf(platform(code))).toMatchObject({ code, outcome: 'unknown', dead: false }),
  );
});

test('a 429 was not done, and says how long to wait', () => {
  expect(slackErrorOf(new WebAPIRateLimitedError(30))).toMatchObject({
    code: 'ratelimited',
    outcome: 'not-done',
    dead: false,
    retryAfterMs: 30_000,
  });
});

test.each([
  [400, 'not-done'],
  [404, 'not-done'],
  [500, 'unknown'],
  [502, 'unknown'],
  [503, 'unknown'],
])('HTTP %i: %s', (status, outcome) => {
  expect(slackErrorOf(http(status))).toMatchObject({ code: `http_${status}`, outcome, dead: false });
});

describe('a request without an answer', () => {
  test.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])(
    'was not done after %s',
    (code) => {
      // As Node says it of connecting; of a socket in use the same codes prove nothing.
      const connecting = Object.assign(coded(code), { syscall: 'connect' });
      for (const original of [connecting, new TypeError('fetch failed', { cause: connecting })]) {
        expect(slackErrorOf(new WebAPIRequestError(original))).toMatchObject({
          code: 'unreachable',
          outcome: 'not-done',
        });
      }
    },
  );

  test.each(['ECONNRESET', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT'])(
    'may have been done after %s',
    (code) => {
      for (const original of [coded(code), new TypeError('fetch failed', { cause: coded(code) })]) {
        expect(slackErrorOf(new WebAPIRequestError(original))).toMatchObject({
          outcome: 'unknown',
          dead: false,
        });
      }
    },
  );
});

test('an error that the bot made stays what it is', () => {
  const error = new SlackError('x', { outcome: 'not-done' });
  expect(slackErrorOf(error)).toBe(error);
});

test('anything else may have been done, and its words are not repeated', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.anything(),
        fc.string().map((text) => new Error(text)),
      ),
      (thrown) => {
        const error = slackErrorOf(thrown);
        expect(error).toBeInstanceOf(SlackError);
        expect(error).toMatchObject({ outcome: 'unknown', dead: false });
        expect(error.message.length).toBeLessThan(40);
      },
    ),
    { numRuns: runs(1_000) },
  );
});
