import type { Sandbox } from '../../sandbox/sandbox.ts';
import { answeredWith, botMessages } from '../support/sandbox.ts';

/** What everybody reads in #ops that holds these words, once there is such a message. */
export function reads(sandbox: Sandbox, words: string): Promise<string> {
  return sandbox.slack.until(() =>
    botMessages(sandbox)
      .map((message) => sandbox.slack.read(message))
      .find((text) => text.includes(words)),
  );
}

/** Has somebody schedule something, and saves it. */
export async function saves(sandbox: Sandbox, line: string, who = 'ana'): Promise<void> {
  const { slack } = sandbox;
  const count = (): number =>
    botMessages(sandbox).filter((message) => slack.read(message).includes('scheduled:')).length;
  const before = count();
  const preview = await answeredWith(sandbox, who, `/instances schedule ${line}`);
  await slack.person(who).presses(preview, 'Save');
  await slack.until(() => count() > before);
}
