import type { SlackDouble } from '../../sandbox/slack/index.ts';

/** What everybody reads of the bot in #ops. */
export function readAll(slack: SlackDouble): string[] {
  return slack
    .channel('#ops')
    .messages.filter((message) => message.bot_id !== undefined)
    .map((message) => slack.read(message));
}

/** What a person alone reads in answer to a line. */
export async function answerTo(slack: SlackDouble, line: string, who = 'ana'): Promise<string> {
  const interaction = await slack.person(who).types('#ops', line);
  return slack.read(await slack.until(() => interaction.ephemeral[0]));
}

export const restarted = (slack: SlackDouble): boolean =>
  readAll(slack).some((text) => text.includes('✅ Restarted'));
