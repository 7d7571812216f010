import { describe, expect, test } from 'vitest';
import { attemptWords, notMadeMessage } from '../../../src/features/billing/bulletin/messages.ts';
import { Refusal } from '../../../src/core/refusal.ts';
import { HostingError, type HostingErrorDetails } from '../../../src/platform/hosting/hosting-error.ts';
import { toPlainText } from '../../../src/platform/slack/phrase.ts';

const NOW = Date.UTC(2026, 10, 16, 8);
const DIGEST = { icon: '🗞️', called: 'digest', whose: "This week's" };

describe('a bulletin that is being made', () => {
  const attempt = { of: NOW, startedAt: NOW, dueAt: NOW, failures: 0 };

  test('says what it waits for, and when it is tried again', () => {
    expect(toPlainText(attemptWords(DIGEST, attempt))).toBe(
      "This week's is being made: I'm still reading what the service has charged.",
    );
    expect(toPlainText(attemptWords(DIGEST, { ...attempt, failures: 2 }))).toMatch(
      /^This week's couldn't be made yet: next try .+\.$/,
    );
  });

  const fault = (details: Pick<HostingErrorDetails, 'fault' | 'status'>): HostingError =>
    new HostingError('reading', { outcome: 'unknown', retryable: true, ...details });

  test.each([
    [fault({ fault: 'unauthorized', status: 401 }), "the hosting service refused the bot's API key"],
    [
      fault({ fault: 'forbidden', status: 403 }),
      "the hosting service does not allow that with the bot's API key",
    ],
    [fault({ fault: 'rate-limited', status: 429 }), 'the hosting service took no more requests'],
    [fault({ fault: 'unreadable' }), "the hosting service answered something I can't read"],
    [fault({ fault: 'unavailable', status: 503 }), 'the hosting service answered with an error'],
    [fault({ fault: 'no-answer' }), "the hosting service didn't answer"],
    [new Refusal('balance-unreadable', []), "the balance couldn't be read"],
    [new TypeError('a bug'), 'something went wrong on our side'],
  ])('and can not be says why: %s', (error, why) => {
    const { lines } = notMadeMessage(DIGEST, error, 5, NOW);
    expect(lines.map(toPlainText).join('\n')).toContain(
      `This week's digest couldn't be made: ${why}, 5 times in a row. The next one comes `,
    );
  });
});
