import { expect, test } from 'vitest';
import { brokenRules } from '../../sandbox/slack/limits/faults.ts';
import { optionsAnswer } from '../../sandbox/slack/limits/options.ts';
import { render, toOptions } from '../../src/platform/slack/render.ts';
import { say, strong } from '../../src/platform/slack/phrase.ts';

// a first line longer than 3,800 characters once escaped ("&" becomes five) is dropped
// whole, so the notification reads "… and 1 more lines" and nothing else.
test('the text of a message begins with what it says, however much of it must be escaped', () => {
  const name = '&'.repeat(300);
  const { text } = render({
    lines: [say`Did you mean ${strong(name)}, ${strong(name)} or ${strong(name)}?`],
  });
  expect(text).toContain('Did you mean');
  expect(text.length).toBeLessThanOrEqual(4_000);
});

// a listed id may have any length or be empty; one such option spoils the whole answer.
test.each(['', 'x'.repeat(151)])('a choice whose value Slack would refuse is left out', (value) => {
  const options = toOptions([
    { value, label: 'odd' },
    { value: '42', label: 'web-1' },
  ]);
  expect(brokenRules(optionsAnswer, { options })).toEqual([]);
});
