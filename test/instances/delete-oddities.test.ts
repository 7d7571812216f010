import { describe, expect, it } from 'vitest';
import { instance, worldOf } from '../../sandbox/world.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { deleteCalls, opensModal, play, privateMessage, readAll, ready, toldTo } from '../support/sandbox.ts';

/** Has the admin delete an instance, up to the submitted modal. */
async function confirm(sandbox: Sandbox, name = 'web-1'): Promise<void> {
  const modal = await opensModal(sandbox, 'admin', `/instances delete ${name}`);
  await sandbox.slack.person('admin').submits(modal, { typed: name });
}

describe('a name that is hard to type', () => {
  it('is shown and taken as a person sees it', async () => {
    const names: readonly (readonly [name: string, typed: string])[] = [
      ['`code` *b* _i_ ~s~ & &amp; <b>', '`code` *b* _i_ ~s~ & &amp; <b>'],
      [':tada: 👨‍👩‍👧 prod', ':tada: 👨‍👩‍👧 prod'],
      ['caf\u00e9', 'cafe\u0301'],
      ['  a   b ', 'a b'],
      ['we\u200bb\u202e-1', 'web-1'],
      ['x'.repeat(290), 'x'.repeat(290)],
      ['42', '42'],
      ['--dry-run', '--dry-run'],
    ];
    const world = worldOf(names.map(([name], index) => instance(70 + index, name)));
    const sandbox = await play({ hosting: { world } });
    for (const [index, [, typed]] of names.entries()) {
      const modal = await opensModal(sandbox, 'admin', `/instances delete ${70 + index}`);
      const turn = await sandbox.slack.person('admin').submits(modal, { typed });
      expect([typed, turn.errors]).toEqual([typed, undefined]);
    }
    await sandbox.settled();
    const cards = readAll(sandbox).filter((text) => text.startsWith('✅ Deleted'));
    expect(cards).toHaveLength(names.length);
    expect(deleteCalls(sandbox)).toBe(names.length);
    expect(sandbox.slack.refusals).toEqual([]);
  });
});

describe('a service that answers a deletion with', () => {
  it('a no is not asked again', async () => {
    const answers: readonly (readonly [id: number, name: string, status: number, words: string])[] = [
      [101, 'web-1', 401, "the hosting service refused the bot's API key"],
      [102, 'web-2', 403, "the hosting service refused the bot's API key"],
      [103, 'worker-1', 404, 'the service refused. It reports running.'],
      [104, 'staging', 409, 'the service refused. It reports stopped.'],
      [105, 'db-1', 402, 'there is not enough credit.'],
    ];
    const sandbox = await play();
    for (const [id, name, status] of answers) {
      sandbox.hosting.failNext({ method: 'DELETE', path: new RegExp(`/${id}$`) }, status);
      await confirm(sandbox, name);
    }
    await sandbox.settled();
    const text = readAll(sandbox).join('\n');
    for (const [id, name, , words] of answers)
      expect(text).toContain(`❌ Could not delete ${name} (${id}): ${words}`);
    expect(readAll(sandbox)).toHaveLength(2 * answers.length);
    expect(deleteCalls(sandbox)).toBe(answers.length);
    expect(sandbox.slack.refusals).toEqual([]);
  });

  it('429 is asked again in its turn', async () => {
    const sandbox = await play();
    sandbox.hosting.failNext({ method: 'DELETE' }, { answer: 429, done: false, retryAfterSeconds: 1 });
    await confirm(sandbox);
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('✅ Deleted web-1 (101)');
    expect(deleteCalls(sandbox)).toBe(2);
    expect(sandbox.slack.refusals).toEqual([]);
  });

  it('nothing, because it is down when the time comes, is waited for', async () => {
    const sandbox = await play();
    const posting = sandbox.slack.hold('chat.postMessage');
    await confirm(sandbox);
    await posting.arrived;
    await sandbox.hosting.stop();
    posting.release();
    while (!sandbox.logs.join('').includes('asking the hosting API')) await new Promise(setImmediate);
    await sandbox.hosting.start();
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('✅ Deleted web-1 (101)');
    expect(deleteCalls(sandbox)).toBe(1);
    expect(sandbox.slack.refusals).toEqual([]);
  });
});

describe('a modal whose submission can not be taken', () => {
  it('stays open and says so while Redis is down, and can be submitted again', async () => {
    const sandbox = await play({ ownRedis: true });
    const admin = sandbox.slack.person('admin');
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
    await sandbox.settled();
    await sandbox.redis!.kill();
    const turn = await admin.submits(modal, { typed: 'web-1' });
    expect(turn.error).toBeUndefined();
    expect(JSON.stringify(turn.errors)).toContain("I can't reach my database right now, so nothing was done");
    expect(modal.isOpen).toBe(true);
    await sandbox.redis!.restart();
    await ready(sandbox);
    await admin.submits(modal, { typed: 'web-1' });
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('✅ Deleted web-1 (101)');
    expect(deleteCalls(sandbox)).toBe(1);
    expect(sandbox.slack.refusals).toEqual([]);
  });

  it('stays open and says so for each that is too many from one person', async () => {
    const sandbox = await play({ timings: { asksPerMinute: 1 } });
    const admin = sandbox.slack.person('admin');
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
    for (let times = 1; times <= 3; times++) {
      const turn = await admin.submits(modal, { typed: 'web-1' });
      expect(JSON.stringify(turn.errors)).toContain('That is more than I take from one person in a minute');
      expect(modal.isOpen).toBe(true);
    }
    await sandbox.settled();
    expect(deleteCalls(sandbox)).toBe(0);
    expect(sandbox.slack.refusals).toEqual([]);
  });
});

describe('Slack', () => {
  it('that loses the answer to the opened modal shows a button, too, and it is deleted once', async () => {
    const sandbox = await play();
    const admin = sandbox.slack.person('admin');
    sandbox.slack.loseAnswerOfNext('views.open');
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
    const button = await privateMessage(sandbox, 'admin', 'Delete web-1 (101) permanently?');
    await admin.submits(modal, { typed: 'web-1' });
    await sandbox.settled();
    expect(deleteCalls(sandbox)).toBe(1);
    // What the button stands for has been used.
    await admin.presses(button, 'Delete…');
    await sandbox.settled();
    const again = await sandbox.slack.until(() => admin.views[0]);
    await admin.submits(again, { typed: 'web-1' });
    await sandbox.settled();
    expect(deleteCalls(sandbox)).toBe(1);
    expect(toldTo(sandbox, 'admin').at(-1)).toContain('web-1 (101) is gone already');
    expect(sandbox.slack.refusals).toEqual([]);
  });

  it('that loses the answer to the card begins the grace once the card is found', async () => {
    const sandbox = await play();
    sandbox.slack.loseAnswerOfNext('chat.postMessage');
    await confirm(sandbox);
    await sandbox.settled();
    expect(readAll(sandbox)).toHaveLength(2);
    expect(readAll(sandbox)[0]).toContain('✅ Deleted web-1 (101)');
    expect(deleteCalls(sandbox)).toBe(1);
    expect(sandbox.slack.refusals).toEqual([]);
  });

  it('that takes the card nowhere keeps the deletion from being asked for', async () => {
    const sandbox = await play({ timings: { acceptWithinMs: 1_500 } });
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
    sandbox.slack.channel('#ops').archive();
    for (let times = 0; times < 10; times++)
      sandbox.slack.failNext('conversations.open', { error: 'user_disabled' });
    await sandbox.slack.person('admin').submits(modal, { typed: 'web-1' });
    await sandbox.settled();
    expect(sandbox.logs.some((line) => line.includes('"code":"not-shown"'))).toBe(true);
    expect(deleteCalls(sandbox)).toBe(0);
  });

  it('has the card in the direct messages of whoever asks where the bot is no member', async () => {
    const sandbox = await play();
    const admin = sandbox.slack.person('admin');
    await admin.types('#secret', '/instances delete web-1');
    const modal = await sandbox.slack.until(() => admin.views[0]);
    await admin.submits(modal, { typed: 'web-1' });
    await sandbox.settled();
    expect(admin.dms.map((message) => sandbox.slack.read(message)).join('\n')).toContain(
      'Deleted web-1 (101)',
    );
    expect(deleteCalls(sandbox)).toBe(1);
  });

  it('has it all in the direct messages where it is asked there', async () => {
    const sandbox = await play();
    const admin = sandbox.slack.person('admin');
    await admin.types('dm', '/instances delete web-1');
    const modal = await sandbox.slack.until(() => admin.views[0]);
    await admin.submits(modal, { typed: 'web-1' });
    await sandbox.settled();
    expect(admin.dms.map((message) => sandbox.slack.read(message)).join('\n')).toContain(
      'Deleted web-1 (101)',
    );
    expect(sandbox.slack.refusals).toEqual([]);
  });
});

describe('whoever may not delete', () => {
  const NO = 'You need the admin role to delete instances. @admin can help.';

  it('is told which role it takes, in every way', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'admin' } });
    const ana = sandbox.slack.person('ana');
    await ana.types('#ops', '/instances web-1');
    const card = await privateMessage(sandbox, 'ana', 'web-1 (101) · running');
    await sandbox.stopBots();
    await sandbox.startBot({ LAMPLIGHTER_EVERYONE: 'operator' });
    for (const [words, no] of [
      ['delete web-1', `Delete web-1: ${NO}`],
      ['delete', NO],
      ['delete web-1 --dry-run', `Delete web-1 --dry-run: ${NO}`],
    ]) {
      const turn = await ana.types('#ops', `/instances ${words}`);
      const [told] = await sandbox.slack.until(() => turn.ephemeral.length > 0 && turn.ephemeral);
      expect(sandbox.slack.read(told!)).toBe(no);
    }
    await ana.presses(card, 'Delete…');
    await sandbox.slack.until(() => toldTo(sandbox, 'ana').includes(`Delete web-1 (101): ${NO}`));
    await sandbox.settled();
    expect(ana.views).toEqual([]);
    expect(sandbox.slack.refusals).toEqual([]);
  });
});
