import type { Ask } from '../core/ask/ask.ts';
import type { Message } from '../platform/slack/message.ts';
import { say, strong } from '../platform/slack/phrase.ts';
import { atMost } from '../platform/time/at-most.ts';

/** What is going on in an account, for one person, by their rights there. */
type Summary = (ask: Ask) => Promise<Message>;

/** What the Home of one account says of the others. */
export interface OtherAccounts {
  /** An account tells how it is summed up. */
  add(account: string, summary: Summary): void;
  /** Those of these accounts, in their order; what was drawn a moment ago is good enough for a Home. */
  summaries(accounts: readonly string[], ask: Ask): Promise<readonly Message[]>;
}

/** Each costs its account a call, and open Homes are drawn each second. */
const FRESH_MS = 20_000;
/** One account must not hold up the Home of another. */
const DRAWN_WITHIN_MS = 1_000;

function notRead(account: string): Message {
  return { lines: [say`${strong(account)}`, say`I can't read this account right now.`] };
}

export function createOtherAccounts(): OtherAccounts {
  const byAccount = new Map<string, Summary>();
  const drawn = new Map<string, { readonly at: number; readonly message: Promise<Message> }>();
  const draw = (account: string, summary: Summary, ask: Ask): Promise<Message> => {
    const now = Date.now();
    for (const [key, { at }] of drawn) if (now - at > FRESH_MS) drawn.delete(key);
    const key = `${account} ${ask.actor.userId}`;
    const before = drawn.get(key);
    if (before) return before.message;
    const message = summary(ask);
    drawn.set(key, { at: now, message });
    message.catch(() => drawn.delete(key));
    return message;
  };
  return {
    add: (account, summary) => {
      byAccount.set(account, summary);
    },
    summaries: (accounts, ask) =>
      Promise.all(
        accounts.flatMap((account) => {
          const summary = byAccount.get(account);
          if (!summary) return [];
          const drawing = atMost(DRAWN_WITHIN_MS, draw(account, summary, ask));
          return [drawing.then((one) => one ?? notRead(account))];
        }),
      ),
  };
}
