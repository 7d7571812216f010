import { Readable } from 'node:stream';
import { Refusal } from '../refusal.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import type { Messenger } from '../../platform/slack/messenger.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import type { Uploads } from '../../platform/slack/upload.ts';

export interface SendFileDeps {
  readonly messenger: Pick<Messenger, 'directChannel'>;
  readonly uploads: Uploads;
}

/**
 * Sends a text as a file to one person, in their direct messages. Gives what is to be said of it: `sent`, or that Slack hasn't confirmed it.
 * Throws a Refusal where Slack didn't take it.
 */
export async function sendFile(
  { messenger, uploads }: SendFileDeps,
  userId: string,
  { name, text }: { readonly name: string; readonly text: string },
  sent: Phrase,
): Promise<Phrase> {
  const bytes = Buffer.from(text);
  try {
    const channelId = await messenger.directChannel(userId);
    await uploads.send(channelId, { name, lengthBytes: bytes.length, read: () => Readable.from([bytes]) });
  } catch (error) {
    const { outcome } = slackErrorOf(error);
    if (outcome === 'unknown')
      return say`Slack hasn't confirmed ${name}. If it isn't in our direct messages, ask again.`;
    throw new Refusal('no-file', say`Slack didn't take ${name}, so you got no file. Try again in a minute.`);
  }
  return sent;
}
