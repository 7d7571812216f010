import { expect } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { play, readAll } from '../support/sandbox.ts';
import { startProcess } from '../support/process.ts';

/**
 * Kills the bot at a moment, and not before it has acknowledged the request where `isAcknowledged`; starts another, and gives what the
 * channel says in the end.
 */
export async function crashAt(
  moment: (sandbox: Sandbox) => Promise<unknown>,
  words = 'restart web-1',
  isAcknowledged = false,
): Promise<{ sandbox: Sandbox; texts: string[] }> {
  const sandbox = await play({ bot: false });
  const first = await startProcess(sandbox);
  const reached = moment(sandbox);
  const typed = sandbox.slack.person('ana').types('#ops', `/instances ${words}`);
  await reached;
  if (isAcknowledged) await typed;
  await Promise.all([first.end('SIGKILL'), typed]);
  await startProcess(sandbox);
  await sandbox.settled();
  return { sandbox, texts: readAll(sandbox) };
}

export function expectToldOnce(texts: string[]): void {
  expect(texts).toHaveLength(2);
  expect(texts[0]).toMatch(/✅|❔/);
  expect(texts[1]).toContain('@ana');
}
