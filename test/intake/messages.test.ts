import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HostingError, type HostingErrorDetails } from '../../src/platform/hosting/hosting-error.ts';
import { hostingWords } from '../../src/core/intake/messages.ts';
import { toPlainText } from '../../src/platform/slack/phrase.ts';

const AT_TWO = Date.UTC(2026, 10, 22, 14, 0, 0);

function words(details: Partial<HostingErrorDetails>, isRead = true): string {
  const error = new HostingError('reading', {
    fault: 'no-answer',
    outcome: 'unknown',
    retryable: true,
    ...details,
  });
  return toPlainText(hostingWords(error, { requestId: 'abc', isRead, now: AT_TWO }));
}

test('a service that takes no more is said to take more from when on', () => {
  expect(words({ fault: 'rate-limited', status: 429, retryAfterMs: 100_000 })).toBe(
    "The hosting service isn't taking more requests for another 100 s (until 2026-11-22 14:01 UTC). Request abc",
  );
  expect(words({ fault: 'rate-limited', retryAfterMs: 300_000 }, false)).toBe(
    "The hosting service isn't taking more requests for another 300 s (until 2026-11-22 14:05 UTC), so nothing was done. Request abc",
  );
});

test.each([
  ['silence', {}, 'does not answer right now.'],
  ['a refused connection', { fault: 'unreachable' }, 'does not answer right now.'],
  ['a 500', { fault: 'unavailable', status: 500 }, 'answered with an error (500).'],
  ['a page in place of JSON', { fault: 'unreadable' }, "gave an answer that I can't read."],
  ['a key that is refused', { fault: 'unauthorized', status: 401 }, "refused the bot's API key."],
  [
    'a right that is missing',
    { fault: 'forbidden', status: 403 },
    "does not allow that with the bot's API key.",
  ],
] as const)('%s is called that', (_name, details, said) => {
  expect(words(details)).toContain(`The hosting service ${said}`);
});

test('whatever failed, a read does not say that nothing was done, and no variable is named', () => {
  const details = fc.record<Partial<HostingErrorDetails>>({
    fault: fc.constantFrom('unauthorized', 'no-answer', 'refused', 'rate-limited', 'unreadable', 'not-found'),
    status: fc.option(fc.integer({ min: 300, max: 599 }), { nil: undefined }),
    retryAfterMs: fc.option(fc.integer({ min: 0, max: 10_000_000 }), { nil: undefined }),
    said: fc.stringMatching(/^[a-z <>&*]{0,40}$/),
  });
  fc.assert(
    fc.property(details, (one) => {
      const said = words(one);
      expect(said).not.toContain('nothing was done');
      expect(said).not.toMatch(/[A-Z]+_[A-Z]+/);
      expect(words(one, false)).toContain('nothing was done');
    }),
  );
});
