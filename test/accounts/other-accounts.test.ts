import { afterEach, expect, test, vi } from 'vitest';
import { createOtherAccounts } from '../../src/app/home.ts';
import { say, toPlainText } from '../../src/platform/slack/phrase.ts';

const ASK = {
  id: 'a'.repeat(22),
  route: 'lamplighter.home',
  words: [],
  actor: { userId: 'U0ANA000001' },
  place: { channelId: 'D0ANA000001' },
  replaces: false,
  askedAt: 0,
};

afterEach(() => vi.useRealTimers());

test.each([
  ['breaks', () => Promise.reject(new Error('broken'))],
  ['hangs', () => new Promise<never>(() => undefined)],
])('an account that %s holds up no Home of another, and says so there', async (_, summary) => {
  vi.useFakeTimers();
  const others = createOtherAccounts();
  others.add('labs', summary);
  others.add('beta', async () => ({ lines: [say`beta is fine`] }));
  const drawing = others.summaries(['labs', 'beta'], ASK);
  await vi.advanceTimersByTimeAsync(1_001);
  const said = (await drawing).map(({ lines }) => lines.map(toPlainText));
  expect(said).toEqual([['labs', "I can't read this account right now."], ['beta is fine']]);
});
