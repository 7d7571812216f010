import { expect } from 'vitest';
import { answerTo, botMessages, play } from '../support/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';

export const APPROVER = 'bob';

export async function asked(
  options: SandboxOptions = {},
): Promise<{ sandbox: Sandbox; question: () => PostedMessage }> {
  const sandbox = await play({
    ...options,
    env: { LAMPLIGHTER_APPROVE: 'web-*', ...options.env },
  });
  expect(await answerTo(sandbox, 'ana', '/instances restart web-1 --because "new config"')).toContain(
    'Someone else must approve that. I asked in #ops; nothing has been done yet.',
  );
  const question = (): PostedMessage =>
    botMessages(sandbox).find((one) => sandbox.slack.read(one).includes('asks to restart'))!;
  await sandbox.slack.until(() => question());
  return { sandbox, question };
}

export const ends = (sandbox: Sandbox, question: () => PostedMessage, words: string): Promise<unknown> =>
  sandbox.slack.until(() => sandbox.slack.read(question()).includes(words));
