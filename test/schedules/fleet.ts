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
  await slack.person(who).presses(await answeredWith(sandbox, who, `/instances schedule ${line}`), 'Save');
  await slack.until(() => count() > before);
}

/** The year of the next 1 January in Berlin, where that may be today. */
export function yearOfNewYear(): number {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format();
  return Number(today.slice(0, 4)) + (today.endsWith('-01-01') ? 0 : 1);
}
