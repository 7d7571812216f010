import { describe, expect, it } from 'vitest';
import { letPass } from '../../sandbox/phrases/due-schedule.ts';
import { messageWith } from '../support/asking.ts';
import { answerTo, deleteCalls, deletes, play, powerCalls, readAll } from '../support/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

const open = (timings = {}): Promise<Sandbox> => play({ env: { LAMPLIGHTER_EVERYONE: 'none' }, timings });

describe('a right that is lost between the click and the call', () => {
  it('lets nothing be done that waits in its cancel window, once its role is taken back', async () => {
    const sandbox = await open({ cancelWindowMs: 600_000 });
    await answerTo(sandbox, 'admin', '/lamplighter access grant admin @ana');
    await deletes(sandbox, 'web-1', 'ana');
    await sandbox.slack.until(() => readAll(sandbox).length > 0);
    await answerTo(sandbox, 'admin', '/lamplighter access revoke admin @ana');
    await letPass(sandbox, 600_000);
    await messageWith(sandbox, 'no longer has the right to');
    expect(deleteCalls(sandbox)).toBe(0);
  });

  it('lets nothing be done by somebody who has left the group meanwhile, however freshly it was read', async () => {
    const sandbox = await open();
    await answerTo(sandbox, 'admin', '/lamplighter access grant operator @oncall');
    await answerTo(sandbox, 'ana', '/instances');
    // The first call is turned away for a second, and meanwhile Ana leaves.
    sandbox.hosting.failNext({ method: 'POST' }, { answer: 429, done: false, retryAfterSeconds: 1 });
    const held = sandbox.hosting.hold({ method: 'POST' });
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await held.arrived;
    sandbox.slack.membersOf('@oncall').delete('ana');
    held.release();
    await messageWith(sandbox, 'no longer has the right to');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('counts in every replica at once', async () => {
    const sandbox = await open();
    await sandbox.startBot();
    await answerTo(sandbox, 'admin', '/lamplighter access grant viewer @ana');
    for (let round = 0; round < 4; round++)
      expect(await answerTo(sandbox, 'ana', '/instances')).toContain('instances:');
    await answerTo(sandbox, 'admin', '/lamplighter access revoke viewer @ana');
    for (let round = 0; round < 4; round++)
      expect(await answerTo(sandbox, 'ana', '/instances')).toContain('took your viewer role back');
  });
});
