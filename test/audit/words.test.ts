import { describe, expect, test } from 'vitest';
import { type Attempt, resultOf } from '../../src/core/audit/attempts.ts';
import type { Entry } from '../../src/core/audit/entry.ts';
import { OUTCOME_CODES } from '../../src/core/outcome-words.ts';
import { REFUSAL_CODES } from '../../src/core/refusal.ts';
import { toText } from '../../src/platform/slack/phrase.ts';
import { withMentions } from '../../src/platform/slack/message-text.ts';

const entry = (more: Partial<Entry>): Entry => ({
  what: 'asked',
  at: 0,
  requestId: 'r',
  route: 'instances.restart',
  ...more,
});
const ended = (result: string, answer: string): Attempt => ({
  entry: entry({}),
  end: entry({ what: 'ended', result, answer }),
});

/** A code, in the middle of words: "no-right", "wrong-state". */
const A_CODE = /[a-z]+-[a-z]+/;
const HYPHENED = /add-on/g;

describe('what the audit says of a result', () => {
  test.each(REFUSAL_CODES)('of the refusal %s is in words', (result) => {
    const said = resultOf({ entry: entry({ what: 'refused', result }), end: undefined });
    expect(said).toMatch(/^refused: .{9,}/);
    expect(said.replace(HYPHENED, '')).not.toMatch(A_CODE);
  });

  test.each(OUTCOME_CODES)('of an operation that ended as %s is in words', (code) => {
    const said = resultOf(ended('failed', code));
    expect(said).toMatch(/^failed(: .{9,})?$/);
    expect(said).not.toMatch(A_CODE);
  });

  test('is once what it came to, and what the service said itself', () => {
    expect(resultOf(ended('done', 'done'))).toBe('done');
    expect(resultOf(ended('unknown', 'no-answer'))).toBe('unknown: no answer told what came of it');
    expect(resultOf(ended('failed', 'no-credit: top up: now'))).toBe(
      'failed: there was not enough credit. The service said: "top up: now"',
    );
  });

  test('is the code itself where an older bot wrote one that is not known any more', () => {
    const old = entry({ what: 'refused', result: 'old-code' });
    expect(resultOf({ entry: old, end: undefined })).toBe('refused: old-code');
    expect(resultOf({ entry: entry({ what: 'failed', result: 'toString' }), end: undefined })).toBe(
      'failed: toString',
    );
  });
});

test('people, groups, channels and times are shown as such, and the words around them as they are', () => {
  expect(
    toText(
      withMentions(
        'operator on WEB, <!here> in <#C0OPS000001> until 2026-11-22 15:00 UTC, given to S0ONCALL001 by U0ADA000001',
      ),
    ),
  ).toBe(
    'operator on WEB, &lt;!here&gt; in <#C0OPS000001> until <!date^1795359600^{date_short_pretty} {time}|2026-11-22 15:00 UTC>, given to <!subteam^S0ONCALL001> by <@U0ADA000001>',
  );
});
