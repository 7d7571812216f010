import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import type { OperationStore } from '../../src/core/operations/operation-store.ts';
import { instead } from '../support/instead.ts';
import {
  addonCalls,
  botMessages,
  deleteCalls,
  deletes,
  play,
  powerCalls,
  privateMessage,
  privateTexts,
  readAll,
  runToEnd,
} from '../support/sandbox.ts';

const DOCUMENTED = { hosting: { style: 'documented' } } as const;

/** Types a line that begins an operation, and gives its card once that has ended. */
async function endedCard(sandbox: Sandbox, line: string, who = 'ana'): Promise<PostedMessage> {
  const before = botMessages(sandbox).length;
  await runToEnd(sandbox, who, line);
  return botMessages(sandbox)[before]!;
}

/** Deletes an instance as admin, and gives the card once that has ended. */
async function deletedCard(sandbox: Sandbox, name: string): Promise<PostedMessage> {
  await deletes(sandbox, name);
  await sandbox.settled();
  return botMessages(sandbox)[0]!;
}

describe('the next restart after one whose end is unknown', () => {
  it('asks first, typed by anybody and on the button of show, and says why', async () => {
    const sandbox = await play(DOCUMENTED);
    const card = await endedCard(sandbox, '/instances restart loses-answers');
    expect(sandbox.slack.read(card)).toContain(
      "❔ loses-answers (203): unknown whether it restarted, because the service's answer was lost. Running now. Not retried.",
    );
    const why = /A restart of .* ended unknown/;
    await sandbox.slack.person('bob').types('#ops', '/instances restart loses-answers');
    const typed = await privateMessage(sandbox, 'bob', 'Restart loses-answers (203)?');
    expect(sandbox.slack.read(typed)).toMatch(why);
    await sandbox.slack.person('ana').types('#ops', '/instances show loses-answers');
    const shown = await privateMessage(sandbox, 'ana', 'loses-answers (203) · running');
    await sandbox.slack.person('ana').presses(shown, 'Restart');
    const pressed = await privateMessage(sandbox, 'ana', 'Restart loses-answers (203)?');
    expect(sandbox.slack.read(pressed)).toMatch(why);
    await sandbox.settled();
    expect(powerCalls(sandbox, 'restart')).toBe(1);
  });

  it('asks first on the button of its card, which goes once that is confirmed and says by whom it was used', async () => {
    const sandbox = await play(DOCUMENTED);
    const card = await endedCard(sandbox, '/instances restart loses-answers');
    expect(sandbox.slack.read(card)).toContain('[ Look again ] [ Restart again ]');
    const bob = sandbox.slack.person('bob');
    await bob.presses(card, 'Restart again');
    const question = await privateMessage(sandbox, 'bob', 'A restart of');
    // Asked about and not confirmed, it is there for others.
    await sandbox.settled();
    expect(sandbox.slack.read(card)).toContain('[ Restart again ]');
    sandbox.hosting.setBehavior(203, {});
    await bob.presses(question, 'Restart');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'restart')).toBe(2);
    expect(sandbox.slack.read(card)).toMatch(/Restart again: asked by @bob .* ago\./);
    expect(sandbox.slack.read(card)).not.toContain('[ Restart again ]');
    expect(sandbox.slack.read(card)).toContain('[ Look again ]');
    // Two cards and one reply each: the old one's is not reported twice.
    expect(readAll(sandbox)).toHaveLength(4);

    await sandbox.slack.person('ana').presses(card, 'Restart again', { version: card.edits.length - 1 });
    await privateMessage(sandbox, 'ana', 'That button has been used');
    expect(powerCalls(sandbox, 'restart')).toBe(2);
  });

  it('is marked on the old card even if the process dies in the middle of that', async () => {
    const sandbox = await play({ bot: false });
    let injected = 0;
    // What is written down for the old card is written, but the process that wrote it never hears so.
    const dies = instead('operations', 'change', async (own, ...args) => {
      const after = await (own as OperationStore).change(...(args as Parameters<OperationStore['change']>));
      if (after?.next === undefined || injected > 0) return after;
      injected += 1;
      throw new Error('the process dies here');
    });
    await sandbox.startBot({}, dies);
    const card = await endedCard(sandbox, '/instances stop always-503');
    await sandbox.slack.person('bob').presses(card, 'Try again');
    await sandbox.slack.until(() => injected > 0);
    await sandbox.settled();
    expect(sandbox.slack.read(card)).toMatch(/Try again: asked by @bob .* ago\./);
    expect(sandbox.slack.read(card)).not.toContain('[ Try again ]');
    expect(readAll(sandbox)).toHaveLength(4);
  });
});

describe('the card of what failed or ended unknown', () => {
  it('lets a failed stop be tried again once, by one of however many press', async () => {
    const sandbox = await play();
    const card = await endedCard(sandbox, '/instances stop always-503');
    expect(sandbox.slack.read(card)).toContain('[ Look again ] [ Try again ]');
    sandbox.hosting.setBehavior(206, {});
    await Promise.all(
      ['ana', 'bob', 'admin'].map((who) => sandbox.slack.person(who).presses(card, 'Try again')),
    );
    await sandbox.settled();
    expect(powerCalls(sandbox, 'stop')).toBe(4);
    expect(readAll(sandbox)[2]).toContain('✅ Stopped always-503 (206)');
  });

  it('checks the right of the person who presses', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'viewer' } });
    const card = await endedCard(sandbox, '/instances stop always-503', 'admin');
    await sandbox.slack.person('ana').presses(card, 'Try again');
    await privateMessage(sandbox, 'ana', 'You need');
    await sandbox.slack.person('ana').presses(card, 'Look again');
    await privateMessage(sandbox, 'ana', 'always-503 (206) · running');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'stop')).toBe(3);
  });

  it('offers to start what could not be restarted because it is stopped', async () => {
    const sandbox = await play();
    const held = sandbox.hosting.hold({ method: 'POST' });
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await held.arrived;
    sandbox.hosting.changeStatus(101, 'stopped');
    held.release();
    await sandbox.settled();
    const [card] = botMessages(sandbox);
    expect(sandbox.slack.read(card!)).toContain('❌ Could not restart web-1 (101)');
    expect(sandbox.slack.read(card!)).toContain('[ Start ] [ Show ]');
    await sandbox.slack.person('ana').presses(card!, 'Start');
    await sandbox.settled();
    expect(readAll(sandbox)[2]).toContain('✅ Started web-1 (101)');
    expect(sandbox.slack.read(card!)).toMatch(/Start: asked by @ana/);
  });

  it('shows the instance to anybody who presses Show, alone and as often as they like', async () => {
    const sandbox = await play();
    const card = await endedCard(sandbox, '/instances restart breaks');
    expect(sandbox.slack.read(card)).toContain('Could not restart breaks (202): it reports error');
    expect(sandbox.slack.read(card)).toContain('[ Try again ] [ Show ]');
    for (const who of ['ana', 'bob']) {
      await sandbox.slack.person(who).presses(card, 'Show');
      const shown = await privateMessage(sandbox, who, 'breaks (202) · error');
      expect(sandbox.slack.read(shown)).toContain('[ Restart ]');
    }
    await sandbox.slack.person('bob').presses(card, 'Show');
    await sandbox.slack.until(() => privateTexts(sandbox, 'bob').length === 2);
    expect(readAll(sandbox)).toHaveLength(2);
  });

  it('offers all instances where its own is gone', async () => {
    const sandbox = await play();
    const card = await endedCard(sandbox, '/instances restart gone-soon');
    expect(sandbox.slack.read(card)).toContain('[ All instances ]');
    await sandbox.slack.person('bob').presses(card, 'All instances');
    await privateMessage(sandbox, 'bob', 'instances:');
  });

  it('leads back to the preview of a deletion, and never deletes by one press', async () => {
    const sandbox = await play();
    const card = await deletedCard(sandbox, 'subscribed');
    expect(sandbox.slack.read(card)).toContain('❌ Could not delete subscribed (215)');
    expect(sandbox.slack.read(card)).toContain('[ Show ] [ Delete… ]');
    const calls = deleteCalls(sandbox);
    sandbox.hosting.setBehavior(215, {});
    const admin = sandbox.slack.person('admin');
    await admin.presses(card, 'Delete…');
    const modal = await sandbox.slack.until(() => admin.views.find((view) => view.isOpen));
    expect(sandbox.slack.readView(modal)).toContain('Type subscribed to delete it');
    await sandbox.settled();
    expect(deleteCalls(sandbox)).toBe(calls);
    await admin.submits(modal, { typed: 'subscribed' });
    await sandbox.settled();
    expect(deleteCalls(sandbox)).toBe(calls + 1);
    expect(sandbox.slack.read(card)).toMatch(/Delete…: asked by @admin .* ago\./);
    expect(sandbox.slack.read(card)).not.toContain('[ Delete… ]');
  });

  it('shows the add-ons where nobody knows whether one was added', async () => {
    const sandbox = await play();
    sandbox.hosting.failNext({ method: 'POST', path: /addons/ }, 503, Infinity);
    const admin = sandbox.slack.person('admin');
    await admin.types('#ops', '/addons add backup web-1');
    await admin.presses(await privateMessage(sandbox, 'admin', 'Add backup to web-1 (101)?'), 'Add it');
    await sandbox.settled();
    expect(addonCalls(sandbox, 'POST')).toBe(1);
    const [card] = botMessages(sandbox);
    expect(sandbox.slack.read(card!)).toContain('❔ backup on web-1 (101): unknown whether it will be added');
    await sandbox.slack.person('bob').presses(card!, 'Look again');
    await privateMessage(sandbox, 'bob', '1 active add-on of web-1 (101)');
  });
});

describe('who is on it already', () => {
  it('is not offered to be notified too', async () => {
    const sandbox = await play({ hosting: { powerMs: 3_000 } });
    const ana = sandbox.slack.person('ana');
    await ana.types('#ops', '/instances restart web-1');
    await sandbox.slack.until(() => readAll(sandbox).length > 0);
    await ana.types('#ops', '/instances restart web-1');
    const own = await privateMessage(sandbox, 'ana', 'web-1 (101) is already restarting, asked by @ana');
    expect(sandbox.slack.read(own)).not.toContain('[ Tell me too ]');
    const bob = sandbox.slack.person('bob');
    await bob.types('#ops', '/instances stop web-1');
    const busy = await privateMessage(sandbox, 'bob', 'web-1 (101) is restarting, asked by @ana');
    await bob.presses(busy, 'Tell me too');
    await privateMessage(sandbox, 'bob', "I'll mention you");
    await bob.types('#ops', '/instances restart web-1');
    const again = await privateMessage(sandbox, 'bob', 'web-1 (101) is already restarting');
    expect(sandbox.slack.read(again)).not.toContain('[ Tell me too ]');
  });
});
