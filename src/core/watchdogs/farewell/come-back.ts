import { asError } from '../../../platform/log/log.ts';
import { slackErrorOf } from '../../../platform/slack/errors.ts';
import type { Messenger, Posted } from '../../../platform/slack/messenger.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import type { Over } from './decide.ts';
import type { LastWords, Scheduled } from './record.ts';
import { backMessage } from './messages.ts';
import type { Base } from '../../base.ts';

/** What an account has to say now, and by what it says it. */
export interface Speaking {
  readonly words: LastWords;
  readonly outbox: Pick<Outbox, 'post'>;
}

/** Slack posts what is due then, or a little later. */
const POSTED_FROM_MS = -60_000;
const POSTED_UNTIL_MS = 10 * 60_000;
const MAX_PAGES = 10;

/**
 * Says once below a farewell that was posted that the bot is back, and takes away another one of the same silence. Gives those of which
 * nothing is left to do. `told`: those it has told of before.
 */
export async function comeBack(
  { messenger, log }: Pick<Base, 'log'> & { readonly messenger: Pick<Messenger, 'findOnPage' | 'remove'> },
  maybe: readonly Scheduled[],
  told: readonly Scheduled[],
  speaking: readonly Speaking[],
  now: number,
): Promise<readonly Over[]> {
  const over = await Promise.all(
    [...new Set(maybe.map(({ channelId }) => channelId))].map(async (channelId) => {
      const inChannel = (one: { readonly channelId: string | undefined }): boolean =>
        one.channelId === channelId;
      const there = speaking.filter(({ words }) => inChannel(words));
      // Back is who does again what it is there for.
      const back = there.filter(({ words }) => words.isWatched);
      if (there.length > 0 && back.length === 0) return [];
      const own = maybe.filter(inChannel);
      try {
        return await tell(messenger, own, told.filter(inChannel), back, now);
      } catch (error) {
        const { code, dead } = slackErrorOf(error);
        log.limited(`telling below a farewell that I am back: ${code}`, asError(error));
        // What can't be read there can't be replied to either.
        return dead ? own.map(({ key }) => ({ key, isTold: false })) : [];
      }
    }),
  );
  return over.flat();
}

/** The same of one channel. Throws what Slack or Redis throws, and nothing is over then: what was said is said once all the same. */
async function tell(
  messenger: Pick<Messenger, 'findOnPage' | 'remove'>,
  maybe: readonly Scheduled[],
  told: readonly Scheduled[],
  back: readonly Speaking[],
  now: number,
): Promise<readonly Over[]> {
  const found: { readonly one: Scheduled; readonly posted: Posted }[] = [];
  for (const one of maybe) {
    const posted = await find(messenger, one);
    if (posted) found.push({ one, posted });
  }
  const first: Scheduled[] = [];
  for (const { one, posted } of found) {
    // It was scheduled before the other was posted: nobody was there in between.
    if ([...told, ...first].some(({ postAt }) => one.since < postAt)) await messenger.remove(posted);
    else {
      const to = { channelId: posted.channelId, threadTs: posted.ts };
      for (const { words, outbox } of back)
        await outbox.post({ id: `back-${one.key}`, to, content: backMessage(one.since, now, words) });
      first.push(one);
    }
  }
  return maybe.map(({ key }) => ({ key, isTold: first.some((one) => one.key === key) }));
}

async function find(
  messenger: Pick<Messenger, 'findOnPage'>,
  { channelId, key, postAt }: Scheduled,
): Promise<Posted | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { found, next } = await messenger.findOnPage({ channelId }, key, {
      from: postAt + POSTED_FROM_MS,
      to: postAt + POSTED_UNTIL_MS,
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (found[0] || next === undefined) return found[0];
    cursor = next;
  }
  return undefined;
}
