import { describe, expect, it } from 'vitest';
import { asksThem, dmWith, readDms } from '../support/asking.ts';
import { fileWith } from '../support/file-with.ts';
import { botMessages, play, powerCalls, readAll } from '../support/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/** Bob asks for a restart in #ops and is allowed to once. */
async function allowed(env: Readonly<Record<string, string>> = {}): Promise<Sandbox> {
  const sandbox = await play({
    env: { LAMPLIGHTER_EVERYONE: 'none', ...env },
  });
  await asksThem(sandbox, 'bob', '/instances restart web-1 --because "memory"', 'You need the operator role');
  const admin = sandbox.slack.person('admin');
  await admin.presses(await dmWith(sandbox, 'admin', '@bob asks to restart web-1'), 'Allow once');
  await dmWith(sandbox, 'bob', '@admin allowed you');
  return sandbox;
}

async function pressesIt(sandbox: Sandbox): Promise<void> {
  const allowing = await dmWith(sandbox, 'bob', '@admin allowed you');
  await sandbox.slack.person('bob').presses(allowing, 'Restart it');
}

describe('what was allowed and is pressed in direct messages', () => {
  it('asks for its approval in the channel of the first request, and says where', async () => {
    const sandbox = await allowed({ LAMPLIGHTER_APPROVE: 'web-*' });
    const { slack } = sandbox;
    await pressesIt(sandbox);
    await dmWith(sandbox, 'bob', 'I asked in #ops');
    await slack.until(() => readAll(sandbox).some((text) => text.includes('@bob asks to restart web-1')));
    expect(readDms(sandbox, 'bob')).not.toContain('🔐');
    expect(readAll(sandbox).join()).toContain('Because: memory');
    const card = botMessages(sandbox).find((one) => slack.read(one).includes('asks to restart'))!;
    await slack.person('admin').presses(card, 'Approve');
    await slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('has its card in the channel of the first request, and says where', async () => {
    const sandbox = await allowed();
    await pressesIt(sandbox);
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
    await dmWith(sandbox, 'bob', 'The card in #ops shows how it goes');
    expect(readAll(sandbox).join()).toContain('Because: memory');
    expect(readDms(sandbox, 'bob')).not.toContain('asked by @bob');
  });

  it('shows its question in direct messages and its card in the channel, where it is asked about first', async () => {
    const sandbox = await allowed({ LAMPLIGHTER_PROTECTED: 'web-*' });
    await pressesIt(sandbox);
    await sandbox.slack.person('bob').presses(await dmWith(sandbox, 'bob', 'is protected'), 'Restart');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
    expect(readDms(sandbox, 'bob')).not.toContain('asked by @bob');
  });

  it('is refused where the channel of the first request no longer lets them', async () => {
    const sandbox = await allowed();
    await sandbox.stopBots();
    const policy = fileWith('channels:\n  C0OPS000001: { roles: [viewer] }\n');
    await sandbox.startBot({ LAMPLIGHTER_POLICY: policy });
    await pressesIt(sandbox);
    await dmWith(sandbox, 'bob', "The policy doesn't let anyone");
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is not asked where nobody else would read it', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_APPROVE: 'web-*' } });
    await sandbox.slack.person('bob').types('dm', '/instances restart web-1');
    await dmWith(sandbox, 'bob', 'Nobody else can read this direct message');
    await sandbox.settled();
    expect(readDms(sandbox, 'bob')).not.toContain('🔐');
  });
});
