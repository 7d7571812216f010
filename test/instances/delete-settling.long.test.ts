import { describe, expect, it } from 'vitest';
import { instance } from '../../sandbox/world.ts';
import { BOT } from '../../sandbox/people.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import {
  deleteCalls,
  deletes,
  opensModal,
  play,
  privateTexts,
  readAll,
  runToEnd,
} from '../support/sandbox.ts';
import { until } from '../support/until.ts';

/** A deletion to its end, and what the channel says then. */
async function deleted(name: string, options: SandboxOptions = {}): Promise<[Sandbox, string]> {
  const sandbox = await play(options);
  await deletes(sandbox, name);
  await sandbox.settled();
  const [card, reply, ...more] = readAll(sandbox);
  expect(more).toEqual([]);
  expect(reply).toContain('@admin');
  return [sandbox, card!];
}

describe('an answer that got lost', () => {
  it('is settled by looking where it was done', async () => {
    const [sandbox, card] = await deleted('loses-answers');
    expect(card).toContain(
      "✅ Deleted loses-answers (203): it was there before my call and is gone now, though the service's answer was lost.",
    );
    expect(deleteCalls(sandbox)).toBe(1);
  });

  it('is asked again at most twice where it was not done, and is reported then', async () => {
    const [sandbox, card] = await deleted('loses-requests', { timings: { settleMs: 250 } });
    expect(card).toContain('❔ loses-requests (204): unknown whether it will be deleted');
    expect(card).toContain('It reports running.');
    expect(deleteCalls(sandbox)).toBe(3);
    expect(sandbox.hosting.statusOf(204)).toBe('running');
  });

  it('is asked again once the first failed, and done', async () => {
    const [sandbox, card] = await deleted('says-503');
    expect(card).toContain('✅ Deleted says-503 (205): it is gone');
    expect(deleteCalls(sandbox)).toBe(2);
  });

  it('is not asked again where the instance shows another state than before', async () => {
    const sandbox = await play();
    const held = sandbox.hosting.hold({ method: 'DELETE' });
    await deletes(sandbox);
    await held.arrived;
    held.drop();
    sandbox.hosting.changeStatus(101, 'stopped');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('❔ web-1 (101): unknown whether it will be deleted');
    expect(deleteCalls(sandbox)).toBe(1);
  });

  it('is not asked again where the instance was re-created under its id', async () => {
    const sandbox = await play();
    const held = sandbox.hosting.hold({ method: 'DELETE' });
    await deletes(sandbox);
    await held.arrived;
    held.drop();
    sandbox.hosting.removeInstance(101);
    sandbox.hosting.addInstance('harbour', instance(101, 'web-1', { createdDaysAgo: 0 }));
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('❔');
    expect(deleteCalls(sandbox)).toBe(1);
    expect(sandbox.hosting.statusOf(101)).toBe('running');
  });
});

describe('a deletion that the service', () => {
  it('refuses is shown in its own words', async () => {
    const [sandbox, card] = await deleted('subscribed');
    expect(card).toContain(
      '❌ Could not delete subscribed (215): the service refused. It reports running. The service said: "Instance has an active subscription. Cancel it first."',
    );
    expect(deleteCalls(sandbox)).toBe(1);
  });

  it('refuses in any other way is not asked for again', async () => {
    const answers: readonly (readonly [id: number, name: string, status: number, words: string])[] = [
      [101, 'web-1', 401, "the hosting service refused the bot's API key"],
      [102, 'web-2', 403, "the hosting service does not allow that with the bot's API key"],
      [103, 'worker-1', 404, 'the service refused. It reports running.'],
      [104, 'staging', 409, 'the service refused. It reports stopped.'],
      [105, 'db-1', 402, 'there is not enough credit.'],
    ];
    const sandbox = await play();
    for (const [id, name, status] of answers) {
      sandbox.hosting.failNext({ method: 'DELETE', path: new RegExp(`/${id}$`) }, status);
      await deletes(sandbox, name);
    }
    await sandbox.settled();
    const text = readAll(sandbox).join('\n');
    for (const [id, name, , words] of answers)
      expect(text).toContain(`❌ Could not delete ${name} (${id}): ${words}`);
    expect(readAll(sandbox)).toHaveLength(2 * answers.length);
    expect(deleteCalls(sandbox)).toBe(answers.length);
  });

  it('says 429 to is asked for again in its turn', async () => {
    const [sandbox, card] = await deleted('says-429');
    expect(card).toContain('✅ Deleted says-429 (209)');
    expect(deleteCalls(sandbox)).toBe(2);
  });

  it('is not there for when its time comes waits for it', async () => {
    const sandbox = await play();
    const posting = sandbox.slack.hold('chat.postMessage');
    await deletes(sandbox);
    await posting.arrived;
    await sandbox.hosting.stop();
    posting.release();
    await until(() => sandbox.logs.some((line) => line.includes('asking the hosting API')));
    await sandbox.hosting.start();
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('✅ Deleted web-1 (101)');
    expect(deleteCalls(sandbox)).toBe(1);
  });

  it('fails at every time ends in words after three', async () => {
    const [sandbox, card] = await deleted('always-503', { timings: { settleMs: 150 } });
    expect(card).toContain('always-503 (206)');
    expect(card).toMatch(
      /^❔ .*: unknown whether it will be deleted, because the service answered with an error \(503\): "Something went wrong"/,
    );
    expect(deleteCalls(sandbox)).toBe(3);
  });

  it('takes its time over is watched to its end', async () => {
    const sandbox = await play({ timings: { patienceMs: 10_000, slowAfterMs: 400 } });
    sandbox.hosting.setBehavior(216, { deleteMs: 1_200 });
    await deletes(sandbox, 'goes-slowly');
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('It reports deleting.'));
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('This is taking longer than usual.'));
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('✅ Deleted goes-slowly (216): it is gone');
    expect(deleteCalls(sandbox)).toBe(1);
  });

  it('never gets through with is given up on in words', async () => {
    const [sandbox, card] = await deleted('goes-slowly', { timings: { patienceMs: 600 } });
    expect(card).toContain('❔ goes-slowly (216) is still deleting after 1 s. I stopped watching');
    expect(deleteCalls(sandbox)).toBe(1);
  });

  it('did is done although somebody creates another under the name, which stays', async () => {
    const [sandbox, card] = await deleted('comes-back');
    expect(card).toContain('✅ Deleted comes-back (217): it is gone');
    expect(deleteCalls(sandbox)).toBe(1);
    expect(sandbox.hosting.statusOf(217)).toBe('gone');
    expect(sandbox.hosting.statusOf(2170)).toBe('running');
  });

  it('is doing already, for somebody in its dashboard, is watched to its end', async () => {
    const sandbox = await play();
    const held = sandbox.hosting.hold({ method: 'DELETE' });
    await deletes(sandbox);
    await held.arrived;
    sandbox.hosting.changeStatus(101, 'deleting');
    held.release();
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('It reports deleting.'));
    sandbox.hosting.removeInstance(101);
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('✅ Deleted web-1 (101)');
    expect(deleteCalls(sandbox)).toBe(1);
  });
});

describe('what changes in the cancel window', () => {
  /** Changes something between the confirmation and the look before the call: while Slack has the card's post. */
  async function inCancelWindow(change: (sandbox: Sandbox) => void): Promise<[Sandbox, string]> {
    const sandbox = await play();
    const held = sandbox.slack.hold('chat.postMessage');
    await deletes(sandbox);
    await held.arrived;
    change(sandbox);
    held.release();
    await sandbox.settled();
    expect(deleteCalls(sandbox)).toBe(0);
    const [card, reply, ...more] = readAll(sandbox);
    expect(more).toEqual([]);
    expect(reply).toContain('@admin');
    return [sandbox, card!];
  }

  it('is seen before the call: one re-created under its name stays', async () => {
    const [sandbox, card] = await inCancelWindow(({ hosting }) => hosting.recreateInstance(101, 999));
    expect(card).toContain('✅ web-1 (101) was gone already when its time came. Nothing was asked');
    expect(sandbox.hosting.statusOf(999)).toBe('running');
  });

  it.each([
    ['under another name', instance(101, 'web-1-new', { createdDaysAgo: 90 })],
    ['with another birthday', instance(101, 'web-1', { createdDaysAgo: 1 })],
  ])('is seen before the call: one that bears its id %s stays', async (_how, other) => {
    const [sandbox, card] = await inCancelWindow(({ hosting }) => {
      hosting.removeInstance(101);
      hosting.addInstance('harbour', other);
    });
    expect(card).toContain('⚪ Did not delete web-1 (101): a different instance has its id now');
    expect(sandbox.hosting.statusOf(101)).toBe('running');
  });

  it('is seen before the call: what is gone is not asked for', async () => {
    const [, card] = await inCancelWindow(({ hosting }) => hosting.removeInstance(101));
    expect(card).toContain('✅ web-1 (101) was gone already when its time came.');
  });

  // Who somebody is is remembered for a minute, so that only a fresh look sees it.
  it('is seen before the call: who has lost the right to it gets no deletion', async () => {
    const sandbox = await play({
      env: { LAMPLIGHTER_EVERYONE: 'admin' },
      timings: { cancelWindowMs: 2_000 },
    });
    await deletes(sandbox, 'web-1', 'ana');
    await sandbox.slack.until(() => readAll(sandbox).length > 0);
    sandbox.slack.setPerson('ana', { isRestricted: true });
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain(
      '⚪ Did not delete web-1 (101): the person who asked no longer has the right to. Nothing was done.',
    );
    expect(deleteCalls(sandbox)).toBe(0);
  });
});

describe('a card that can not be shown', () => {
  it('keeps the deletion from being asked for, because nobody could have canceled it', async () => {
    let isDown = true;
    const weather = ({ method }: { method: string }) =>
      isDown && method === 'chat.postMessage' ? { status: 500 } : undefined;
    const sandbox = await play({ slack: { weather }, timings: { acceptWithinMs: 1_000 } });
    await deletes(sandbox);
    await sandbox.slack.until(() => sandbox.logs.some((line) => line.includes('"code":"not-shown"')));
    isDown = false;
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain(
      "⚪ Did not delete web-1 (101): Slack didn't accept a message for it, so nobody could have followed or canceled it.",
    );
    expect(readAll(sandbox)[1]).toContain('@admin Did not delete');
    expect(deleteCalls(sandbox)).toBe(0);
  });

  it('is found where the answer to its post was lost, and the cancel window begins then', async () => {
    const sandbox = await play();
    sandbox.slack.loseAnswerOfNext('chat.postMessage');
    await deletes(sandbox);
    await sandbox.settled();
    expect(readAll(sandbox)).toHaveLength(2);
    expect(readAll(sandbox)[0]).toContain('✅ Deleted web-1 (101)');
    expect(deleteCalls(sandbox)).toBe(1);
  });

  it('stands in the direct messages where the channel was archived meanwhile', async () => {
    const sandbox = await play({ isRefused: true });
    const admin = sandbox.slack.person('admin');
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
    sandbox.slack.channel('#ops').archive();
    await admin.submits(modal, { typed: 'web-1' });
    await sandbox.settled();
    const texts = admin.dms
      .filter(({ bot_id: by }) => by === BOT.botId)
      .map((message) => sandbox.slack.read(message));
    expect(texts[0]).toContain('Deleted web-1 (101): it is gone');
    expect(deleteCalls(sandbox)).toBe(1);
  });
});

describe('a deletion that is not possible', () => {
  it.each([
    ['starting', 'Could not delete web-1 (101): it is starting right now. Wait until that has ended'],
    ['deleting', 'Could not delete web-1 (101): it is being deleted already.'],
  ] as const)('of what is %s is refused before anything is asked', async (status, words) => {
    const sandbox = await play();
    sandbox.hosting.changeStatus(101, status);
    await runToEnd(sandbox, 'admin', '/instances delete web-1');
    expect(privateTexts(sandbox, 'admin').join()).toContain(words);
    expect(sandbox.slack.person('admin').views).toEqual([]);
    expect(deleteCalls(sandbox)).toBe(0);
  });

  it('while something else is done with it is refused, with who is on it', async () => {
    const sandbox = await play({ hosting: { powerMs: 60_000 } });
    await sandbox.slack.person('ana').types('#ops', '/instances stop web-1');
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('It reports stopping'));
    await sandbox.slack.person('admin').types('#ops', '/instances delete web-1');
    await sandbox.slack.until(() => privateTexts(sandbox, 'admin').length > 0);
    expect(privateTexts(sandbox, 'admin')[0]).toContain('web-1 (101) is stopping, asked by @ana');
    sandbox.hosting.changeStatus(101, 'stopped');
    await sandbox.settled();
  });
});
