import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import {
  addonCalls,
  botMessages,
  deleteCalls,
  deletes,
  opensModal,
  play,
  privateMessage,
  privateTexts,
  readAll,
} from '../support/sandbox.ts';

/** Has the admin add an add-on to web-2, up to the press. */
async function add(sandbox: Sandbox, type: string, name = 'web-2'): Promise<void> {
  const admin = sandbox.slack.person('admin');
  await admin.types('#ops', `/addons add ${type} ${name}`);
  const question = await privateMessage(sandbox, 'admin', `Add ${type} to ${name}`);
  await admin.presses(question, 'Add it');
}

const typesOf = (sandbox: Sandbox, id: number): string[] =>
  sandbox.hosting.addonsOf(id).map((addon) => addon.addon_type);

describe('two things at once with one instance', () => {
  it('are both done where they are add-ons of two types', async () => {
    const sandbox = await play();
    const held = sandbox.hosting.hold({ method: 'POST' });
    await add(sandbox, 'backup');
    await held.arrived;
    await add(sandbox, 'monitoring');
    await sandbox.slack.until(() =>
      botMessages(sandbox).some(({ thread_ts: thread }) => thread !== undefined),
    );
    held.release();
    await sandbox.settled();
    expect(typesOf(sandbox, 102).toSorted()).toEqual(['backup', 'monitoring']);
    expect(addonCalls(sandbox, 'POST')).toBe(2);
    expect(readAll(sandbox)).toHaveLength(4);
  });

  it('are refused where the other one is about the same type, with who is on it', async () => {
    const sandbox = await play({
      timings: { cancelWindowMs: 60_000 },
      env: { LAMPLIGHTER_EVERYONE: 'admin' },
    });
    const modal = await opensModal(sandbox, 'admin', '/addons remove llm web-1');
    await sandbox.slack.person('admin').submits(modal, { typed: 'llm' });
    const [card] = await sandbox.slack.until(() => botMessages(sandbox).length > 0 && botMessages(sandbox));
    await sandbox.slack.person('ana').types('#ops', '/addons add llm web-1 --tier premium');
    const busy = await privateMessage(sandbox, 'ana', 'llm (standard) on web-1 (101) will be removed in');
    expect(sandbox.slack.read(busy)).toContain('[ Cancel ] [ Tell me too ]');
    await sandbox.slack.person('ana').types('#ops', '/addons remove llm web-1');
    await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length === 2);
    expect(privateTexts(sandbox, 'ana').join()).not.toContain('being removed');
    await sandbox.slack.person('ana').presses(card!, 'Cancel');
    await sandbox.settled();
    expect(addonCalls(sandbox, 'DELETE')).toBe(0);
  });

  it('do not disturb each other where one is a restart', async () => {
    const sandbox = await play();
    const held = sandbox.hosting.hold({ method: 'POST', path: /addons/ });
    await add(sandbox, 'backup');
    await held.arrived;
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-2');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('✅ Restarted web-2')));
    held.release();
    await sandbox.settled();
    expect(typesOf(sandbox, 102)).toEqual(['backup']);
  });

  it('are refused where the instance is about to be deleted', async () => {
    const sandbox = await play({ timings: { cancelWindowMs: 60_000 } });
    const admin = sandbox.slack.person('admin');
    await deletes(sandbox, 'web-2');
    const [card] = await sandbox.slack.until(() => botMessages(sandbox).length > 0 && botMessages(sandbox));
    const interaction = await admin.types('#ops', '/addons add backup web-2');
    await sandbox.slack.until(() => interaction.ephemeral.length > 0);
    await admin.presses(card!, 'Cancel');
    await sandbox.settled();
    expect(sandbox.slack.read(interaction.ephemeral[0]!)).toContain('asked by @admin');
  });

  it('ends well for a removal whose instance is deleted before it', async () => {
    const sandbox = await play();
    const posting = sandbox.slack.hold('chat.postMessage');
    const modal = await opensModal(sandbox, 'admin', '/addons remove llm web-1');
    await sandbox.slack.person('admin').submits(modal, { typed: 'llm' });
    await posting.arrived;
    sandbox.hosting.removeInstance(101);
    posting.release();
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('web-1 (101) has no llm (standard) any more. Nothing was changed.');
    expect(addonCalls(sandbox, 'DELETE') + deleteCalls(sandbox)).toBe(0);
  });
});

describe('a service that answers an add-on with', () => {
  it.each([
    [402, '❌ Could not add backup to web-2 (102): there is not enough credit. Top up, then try again.'],
    [
      403,
      "❌ Could not add backup to web-2 (102): the hosting service does not allow that with the bot's API key.",
    ],
    [404, '❌ Could not add backup to web-2 (102): the service refused.'],
    [409, '❌ Could not add backup to web-2 (102): the service refused.'],
    [500, '❔ backup on web-2 (102): unknown whether it will be added'],
  ])('%i is not asked again', async (status, words) => {
    const sandbox = await play();
    sandbox.hosting.failNext({ method: 'POST' }, status);
    await add(sandbox, 'backup');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain(words);
    expect(readAll(sandbox)).toHaveLength(2);
    expect(addonCalls(sandbox, 'POST')).toBe(1);
  });

  it('nothing that can be seen of it is reported as unknown after a while', async () => {
    const sandbox = await play({ timings: { patienceMs: 600 } });
    sandbox.hosting.failNext({ method: 'POST' }, { answer: 201, done: false });
    await add(sandbox, 'backup');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toMatch(/^❔ .*backup (to|on) web-2 \(102\)/);
    expect(addonCalls(sandbox, 'POST')).toBe(1);
  });
});

describe('while Slack can not say who somebody is', () => {
  it('nothing is shown to confirm', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'admin' } });
    for (let times = 0; times < 3; times++) sandbox.slack.failNext('users.info', { status: 500 });
    await sandbox.slack.person('ana').types('#ops', '/addons remove llm web-1');
    await privateMessage(
      sandbox,
      'ana',
      "Remove llm web-1: I couldn't check your role with Slack, so nothing was done.",
    );
    expect(sandbox.slack.person('ana').views).toEqual([]);
  });
});
