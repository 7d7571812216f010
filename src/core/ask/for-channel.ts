import { isDirect } from '../../platform/slack/ids.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { Refusal } from '../refusal.ts';
import type { Ask } from './ask.ts';
import { CHANNEL, followedBy } from './mend-words.ts';

const CHANNEL_ID = /^[CG][A-Z0-9_]{2,63}$/;

/** Whether a word is the id of a channel, as a mention of one arrives. Pure. */
export function isChannelId(word: string | undefined): word is string {
  return word !== undefined && CHANNEL_ID.test(word);
}

/** Whether what follows these words is where something is sent, as in "alerts to ops". Pure. */
export function isSentTo(before: readonly string[]): boolean {
  return /^(?:to|into)$/i.test(before.at(-1) ?? '');
}

/** What is asked for the channel that the words end with, as in "in #ops"; undefined where they name none. Pure. */
export function inNamedChannel(ask: Ask): Ask | undefined {
  const [before = '', channelId] = ask.words.slice(-2);
  if (before.toLowerCase() !== 'in' || !isChannelId(channelId)) return undefined;
  return { ...ask, words: ask.words.slice(0, -2), place: { channelId } };
}

/**
 * The same, else for the channel that it is asked in. Throws a Refusal where that is the bot's own conversation, in which a
 * channel is picked. `what`: what the channel is for, as in "get the digest".
 */
export function forChannel(ask: Ask, what: Phrase | string): Ask {
  const named = inNamedChannel(ask);
  if (named || !isDirect(ask.place.channelId)) return named ?? ask;
  throw new Refusal('missing-argument', say`Which channel should ${what}?`, followedBy(['in', CHANNEL]));
}
