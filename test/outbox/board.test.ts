import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import type { PlayOptions } from '../support/sandbox.ts';
import { botMessages, play, powerCalls, readAll } from '../support/sandbox.ts';

/** A channel in which a second operation shares a board with the others. */
function playWithBoards(count: number, options: PlayOptions = {}): Promise<Sandbox> {
  const instances = Array.from({ length: count }, (_, index) => instance(1_000 + index, `m-${index}`));
  return play({
    ...options,
    hosting: { world: worldOf(instances), ...options.hosting },
    timings: { ownCards: 1, acceptWithinMs: 20_000, ...options.timings },
  });
}

async function restartsAll(sandbox: Sandbox, count: number, who = 'ana'): Promise<void> {
  const person = sandbox.slack.person(who);
  await Promise.all(
    Array.from({ length: count }, (_, index) => person.types('#ops', `/instances restart m-${index}`)),
  );
}

describe('several restarts at once in one channel', () => {
  it('share one board, and their ends are told together to who asked', async () => {
    const sandbox = await playWithBoards(6);
    await restartsAll(sandbox, 6);
    await sandbox.settled();
    console.log(readAll(sandbox).join('\n---\n'), sandbox.slack.calls.map((c) => c.method).join(' '));
    expect(powerCalls(sandbox)).toBe(6);
    expect(botMessages(sandbox).length).toBeLessThan(8);
  });
});
