import { Readable } from 'node:stream';
import type { Ask } from '../ask/ask.ts';
import { Refusal } from '../refusal.ts';
import { type Column, csvOf } from './columns.ts';
import { isRefusal, isRefusedToken, type SlackError, slackErrorOf } from '../../platform/slack/errors.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { Messenger } from '../../platform/slack/messenger.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import type { Base } from '../base.ts';

export type SendFileDeps = Pick<Base, 'uploads'> & { readonly messenger: Pick<Messenger, 'directChannel'> };

/** Sends rows as a file of comma-separated values to who asks. `noun`: what a line is of; `more`: what else is to be said of it. Gives and throws as below. */
export async function sendRows<Row>(
  deps: SendFileDeps,
  { actor }: Pick<Ask, 'actor'>,
  {
    name,
    columns,
    rows,
    noun,
    more = say``,
  }: {
    readonly name: string;
    readonly columns: readonly Column<Row>[];
    readonly rows: readonly Row[];
    readonly noun?: readonly [one: string, several: string];
    readonly more?: Phrase;
  },
): Promise<Message> {
  const sent = sentWords(name, rows.length, noun);
  return sendFile(deps, actor.userId, { name, text: csvOf(columns, rows) }, [say`${sent}${more}`]);
}

/** "I sent you month-2026-10-by-type.csv with 3 lines, in our direct messages." */
export function sentWords(
  name: string,
  count: number,
  [one, several]: readonly [one: string, several: string] = ['line', 'lines'],
): Phrase {
  return say`I sent you ${name} with ${count} ${count === 1 ? one : several}, in our direct messages.`;
}

/** The name of a file of that day: "audit-2026-10-31.csv". */
export function nameOn(kind: string, at: number, extension = 'csv'): string {
  return `${kind}-${new Date(at).toISOString().slice(0, 10)}.${extension}`;
}

/**
 * Sends a text, which may come in parts, as a file to one person, in their direct messages. Gives what is to be said of it: `sent`, or
 * that Slack may have it. Throws a Refusal where Slack didn't take it.
 */
export async function sendFile(
  deps: SendFileDeps,
  userId: string,
  { name, text }: { readonly name: string; readonly text: string | readonly string[] },
  sent: readonly Phrase[],
): Promise<Message> {
  const channelId = await openDirect(deps, userId);
  const parts = [text].flat();
  const lengthBytes = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  const read = (): Readable => Readable.from(parts.map((part) => Buffer.from(part)));
  try {
    await deps.uploads.send(channelId, { name, lengthBytes, read });
  } catch (thrown) {
    const error = slackErrorOf(thrown);
    if (error.outcome !== 'unknown') throw new Refusal('no-file', noFileWords(error, 'files:write'));
    const unsure = say`I don't know whether ${name} arrived: Slack has it, but its answer got lost. Look into our direct messages, and ask again if it isn't there.`;
    return { lines: [unsure] };
  }
  return { lines: sent };
}

/** Opens the direct messages with a person, and gives their id. Throws a Refusal where no file can come there. */
export async function openDirect({ messenger }: SendFileDeps, userId: string): Promise<string> {
  return messenger.directChannel(userId).catch((error: unknown) => {
    throw new Refusal('no-file', noFileWords(slackErrorOf(error), 'im:write'));
  });
}

/** Why no file was sent and what now. `scope`: what the call needs. */
function noFileWords(error: SlackError, scope: string): Phrase {
  const { code } = error;
  if (code === 'missing_scope')
    return say`I sent no file: this Slack doesn't let me, because the app lacks the scope ${scope}. The person who runs the bot must add it and install the app again; then ask again.`;
  if (code === 'foreign_upload_url')
    return say`I sent no file: Slack named a place to upload it to that isn't Slack's own, and I don't trust that. Tell the person who runs the bot.`;
  if (isRefusedToken(code))
    return say`I sent no file: Slack refuses the bot's token. The person who runs the bot must check it.`;
  if (isRefusal(error))
    return say`I sent no file: Slack refused it (${code}). The person who runs the bot can find out why.`;
  return say`I sent no file: Slack doesn't take it right now. Try again in a minute.`;
}
