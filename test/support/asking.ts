import type { PostedMessage } from '../../sandbox/slack/index.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { botMessages, privateMessage } from './sandbox.ts';

/** The last message in somebody's direct messages with the bot that contains `words`, once it is there. */
export function dmWith(sandbox: Sandbox, who: string, words: string): Promise<PostedMessage> {
  const { slack } = sandbox;
  return slack.until(() => slack.person(who).dms.findLast((message) => slack.read(message).includes(words)));
}

/** The newest message in #ops that holds these words, once it stands there. */
export function messageWith(sandbox: Sandbox, words: string): Promise<PostedMessage> {
  return sandbox.slack.until(() =>
    botMessages(sandbox).findLast((message) => sandbox.slack.read(message).includes(words)),
  );
}

/** All that stands in somebody's direct messages with the bot, as they read it. */
export function readDms(sandbox: Sandbox, who: string): string {
  const { slack } = sandbox;
  return slack
    .person(who)
    .dms.map((message) => slack.read(message))
    .join('\n');
}

/** Somebody types a line in #ops, is refused in these words, and presses "Ask them". */
export async function asksThem(sandbox: Sandbox, who: string, line: string, no: string): Promise<void> {
  await sandbox.slack.person(who).types('#ops', line);
  await sandbox.slack.person(who).presses(await privateMessage(sandbox, who, no), 'Ask them');
}

/** All that somebody is answered alone by the time that they are answered, as they read it. */
export async function hears(sandbox: Sandbox, who: string, line: string, channel = '#ops'): Promise<string> {
  const { slack } = sandbox;
  const interaction = await slack.person(who).types(channel, line);
  await slack.until(() => interaction.ephemeral.length > 0);
  return interaction.ephemeral.map((message) => slack.read(message)).join('\n');
}
