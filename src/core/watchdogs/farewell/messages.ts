import { type Message, upTo } from '../../../platform/slack/message.ts';
import { join, type Phrase, say, strong, time } from '../../../platform/slack/phrase.ts';
import type { RedisMark } from '../redis-loss.ts';
import type { LastWords } from './record.ts';

/** Whether a text is that of a farewell: of what is scheduled Slack lists the text, and nothing else that is ours. Pure. */
export function isFarewell(text: string): boolean {
  return text.includes('I have been silent since ');
}

/** So much that has not ended is named. */
const MAX_OPEN = 8;

/** How new Redis was when a farewell was scheduled; undefined where it doesn't say so. Pure. */
export function markIn(text: string): RedisMark | undefined {
  const [, identity = '', checks] = /Redis was at ([\w-]+):(\d{1,15})\b/.exec(text) ?? [];
  return checks === undefined ? undefined : { identity, checks: Number(checks) };
}

/**
 * What Slack posts by itself if the bot falls silent. `since`: Unix ms; `all`: of every account whose alerts go there; `mark`: how new
 * Redis is, which whoever starts next reads back. Pure.
 */
export function farewellMessage(
  since: number,
  all: readonly LastWords[],
  mark: RedisMark | undefined,
): Message {
  const whats = [...new Set(all.map(({ what }) => what))];
  const open = all.flatMap((one) => one.open.map((phrase) => named(one, phrase)));
  return {
    lines: [
      say`🔕 I have been silent since ${time(since)}, so nobody watches ${join(
        whats.map((what) => say`${what}`),
        ' and ',
      )}.`,
      ...figuresOf(all),
      ...(open.length > 0 ? [say`Open then:`] : []),
    ],
    ...(open.length > 0 ? upTo(MAX_OPEN, open) : {}),
    note: say`Slack posts this because I didn't take it back. Whoever runs me: are my processes, Redis and the network up?${
      mark ? say` Redis was at ${mark.identity}:${String(mark.checks)}.` : ''
    }`,
  };
}

/** What the bot says below that once it is back. `since`, `until`: when it was silent, Unix ms. Pure. */
export function backMessage(since: number, until: number, words: LastWords): Message {
  return {
    lines: [
      say`▶️ I'm back. From ${time(since)} to ${time(until)} nobody watched ${words.what}. Ask again for what you asked me meanwhile.`,
      ...words.figures,
    ],
  };
}

function figuresOf(all: readonly LastWords[]): readonly Phrase[] {
  return all.flatMap((one) => one.figures.map((phrase) => named(one, phrase)));
}

/** With the account before it, where there are several. */
function named({ account }: LastWords, phrase: Phrase): Phrase {
  return account === undefined ? phrase : say`${strong(account)}: ${phrase}`;
}
