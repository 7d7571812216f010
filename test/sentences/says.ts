import type { Sandbox } from '../../sandbox/sandbox.ts';

/** What somebody reads who says this to the bot in #ops, alone. */
export async function says(
  { slack }: Sandbox,
  line: string,
  { who = 'admin', thread }: { readonly who?: string; readonly thread?: string } = {},
): Promise<string> {
  const before = slack.channel('#ops').ephemeralFor(who).length;
  await slack.person(who).mentions('#ops', line, thread === undefined ? {} : { thread });
  const message = await slack.until(() => slack.channel('#ops').ephemeralFor(who)[before]);
  return slack.read(message);
}
