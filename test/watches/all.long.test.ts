import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { confirms } from '../batches/fleet.ts';
import { play, type PlayOptions, powerCalls, privateMessage, readAll } from '../support/sandbox.ts';
import { addNodes, findCard, incidents, looks, reads, setWatch, watch } from './watching.ts';

const IDS = [1_000, 1_001, 1_002, 1_003, 1_004];
/** Five instances that are unhealthy, or were stopped elsewhere, on one card in #ops. */
async function trouble(
  what: 'unhealthy' | 'stopped' = 'unhealthy',
  options: PlayOptions = {},
): Promise<{ sandbox: Sandbox; card: PostedMessage }> {
  const sandbox = await play({ ...options, timings: { unhealthyAfterMs: 1, ...options.timings } });
  addNodes(sandbox, IDS);
  await setWatch(sandbox, 'name:node-*');
  for (const id of IDS) {
    if (what === 'stopped') sandbox.hosting.changeStatus(id, what);
    else sandbox.hosting.changeHealth(id, what);
  }
  const card = await findCard(sandbox, `5 instances changed: 5 ${what}`);
  return { sandbox, card };
}

describe('a card about many', () => {
  it('restarts whatever of it needs that still, by an ordinary preview of exactly those', async () => {
    const { sandbox, card } = await trouble();
    const ana = sandbox.slack.person('ana');
    expect(sandbox.slack.read(card)).toContain("[ I'm on it ] [ Restart all ] ⋯ [ Snooze for four hours |");
    await ana.presses(card, 'Restart all');
    const preview = await privateMessage(sandbox, 'ana', 'Restart 5 instances? Nothing has been done yet.');
    expect(powerCalls(sandbox)).toBe(0);
    await confirms(sandbox, preview, 'Restart 5');
    await sandbox.slack.until(() => readAll(sandbox).includes('@ana All 5 restarted.'));
    expect(powerCalls(sandbox, 'restart')).toBe(5);
    for (const id of IDS) expect(sandbox.hosting.countCalls('POST', new RegExp(`/${id}/restart$`))).toBe(1);
  });

  it('leaves out what recovered, is gone or is another one by now', async () => {
    const { sandbox, card } = await trouble();
    sandbox.hosting.changeHealth(1_000, 'healthy');
    sandbox.hosting.removeInstance(1_001);
    sandbox.hosting.removeInstance(1_002);
    addNodes(sandbox, [1_002], { status: 'error', createdDaysAgo: 0 });
    await sandbox.slack.person('ana').presses(card, 'Restart all');
    const text = sandbox.slack.read(await privateMessage(sandbox, 'ana', 'Restart 2'));
    expect(text).toContain('node-1003 (1003)');
    expect(text).toContain('node-1004 (1004)');
    for (const id of [1_000, 1_001, 1_002]) expect(text).not.toContain(`node-${id} (${id}) · `);
  });

  it('starts what was stopped', async () => {
    const { sandbox, card } = await trouble('stopped');
    await sandbox.slack.person('ana').presses(card, 'Start all');
    await confirms(sandbox, await privateMessage(sandbox, 'ana', 'Start 5 instances?'), 'Start 5');
    await reads(sandbox, 'All 5 are running again');
    expect(powerCalls(sandbox, 'start')).toBe(5);
  });

  it('is refused in words for who may not restart them', async () => {
    const { sandbox, card } = await trouble('unhealthy', {
      env: { LAMPLIGHTER_EVERYONE: 'viewer', LAMPLIGHTER_ADMINS: 'U0ADA000001' },
    });
    await sandbox.slack.person('bob').presses(card, 'Restart all');
    await privateMessage(sandbox, 'bob', 'You need the operator role');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('asks for nothing where nothing needs it any more', async () => {
    const { sandbox, card } = await trouble('stopped');
    const version = card.edits.length;
    for (const id of IDS) sandbox.hosting.changeStatus(id, 'running');
    await reads(sandbox, 'All 5 are running again');
    await sandbox.slack.person('ana').presses(card, 'Start all', { version });
    await privateMessage(sandbox, 'ana', 'Nothing there needs a start any more, so nothing was done.');
  });
});

describe('an incident that is snoozed', () => {
  it('can be woken, and what is wrong by then is reported', async () => {
    const sandbox = await watch('name:web-*');
    const ana = sandbox.slack.person('ana');
    sandbox.hosting.changeStatus(101, 'error');
    const card = await findCard(sandbox, 'web-1 (101) reports an error');
    await ana.presses(card, 'Snooze for four hours');
    await reads(sandbox, 'Snoozed by @ana');
    sandbox.hosting.changeStatus(101, 'stopped');
    await looks(sandbox);
    expect(incidents(sandbox).some((text) => text.includes('web-1 (101) was stopped'))).toBe(false);
    expect(sandbox.slack.read(card)).toContain('End snooze');
    expect(sandbox.slack.read(card)).not.toContain('Snooze for four hours');
    await ana.presses(card, 'End snooze');
    await reads(sandbox, 'web-1 (101) was stopped');
    // The snoozed card changes by itself, before or after the new one comes.
    await sandbox.slack.until(() => !readAll(sandbox).some((text) => text.includes('Snoozed by')));
  });

  it('is woken by nobody who may not snooze', async () => {
    const sandbox = await watch('name:web-*', {
      env: { LAMPLIGHTER_EVERYONE: 'viewer', LAMPLIGHTER_ADMINS: 'U0ADA000001' },
    });
    sandbox.hosting.changeStatus(101, 'error');
    const card = await findCard(sandbox, 'web-1 (101) reports an error');
    await sandbox.slack.person('admin').presses(card, 'Snooze for four hours');
    await reads(sandbox, 'Snoozed by @admin');
    await sandbox.slack.person('bob').presses(card, 'End snooze');
    await privateMessage(sandbox, 'bob', 'You need the operator role');
    expect(sandbox.slack.read(card)).toContain('Snoozed by @admin');
  });
});
