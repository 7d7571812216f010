import { describe, expect, it } from 'vitest';
import { instance } from '../../sandbox/world.ts';
import { BOT } from '../../sandbox/people.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { deleteCalls, opensModal, play, readAll, toldTo } from '../support/sandbox.ts';

/** Has the admin delete an instance, up to the submitted modal. */
async function confirm(sandbox: Sandbox, name: string, who = 'admin'): Promise<void> {
  const modal = await opensModal(sandbox, who, `/instances delete ${name}`);
  await sandbox.slack.person(who).submits(modal, { typed: name });
}

/** A deletion to its end, and what the channel says then. */
async function deleted(name: string, options: SandboxOptions = {}): Promise<[Sandbox, string]> {
  const sandbox = await play(options);
  await confirm(sandbox, name);
  await sandbox.settled();
  const [card, reply, ...more] = readAll(sandbox);
  expect(more).toEqual([]);
  expect(reply).toContain('@admin');
  expect(sandbox.slack.refusals).toEqual([]);
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

  it('is asked again at most twice where it was not done, and told then', async () => {
    const [sandbox, card] = await deleted('loses-requests', { timings: { settleLostMs: 250 } });
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
    await confirm(sandbox, 'web-1');
    await held.arrived;
    held.drop();
    sandbox.hosting.changeStatus(101, 'stopped');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('❔ web-1 (101): unknown whether it will be deleted');
    expect(deleteCalls(sandbox)).toBe(1);
    expect(sandbox.slack.refusals).toEqual([]);
  });

  it('is not asked again where the instance was re-created under its id', async () => {
    const sandbox = await play();
    const held = sandbox.hosting.hold({ method: 'DELETE' });
    await confirm(sandbox, 'web-1');
    await held.arrived;
    held.drop();
    sandbox.hosting.removeInstance(101);
    sandbox.hosting.addInstance('harbour', instance(101, 'web-1', { createdDaysAgo: 0 }));
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('❔');
    expect(deleteCalls(sandbox)).toBe(1);
    expect(sandbox.hosting.statusOf(101)).toBe('running');
    expect(sandbox.slack.refusals).toEqual([]);
  });
});

describe('a deletion that the service', () => {
  it('refuses is told in its own words', async () => {
    const [sandbox, card] = await deleted('subscribed');
    expect(card).toContain(
      '❌ Could not delete subscribed (215): the service refused. It reports running. The service said: "Instance has an active subscription. Cancel it first.".',
    );
    expect(deleteCalls(sandbox)).toBe(1);
  });

  it('fails at every time ends in words after three', async () => {
    const [sandbox, card] = await deleted('always-503', { timings: { settleAnsweredMs: 150 } });
    expect(card).toContain('always-503 (206)');
    expect(card).toMatch(/^❔ .*: unknown whether it will be deleted/);
    expect(deleteCalls(sandbox)).toBe(3);
  });

  it('takes its time over is watched to its end', async () => {
    const sandbox = await play({ timings: { patienceMs: 10_000, slowAfterMs: 400 } });
    sandbox.hosting.setBehaviour(216, { deleteMs: 1_200 });
    await confirm(sandbox, 'goes-slowly');
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('It reports deleting.'));
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('This takes longer than usual.'));
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('✅ Deleted goes-slowly (216): it is gone');
    expect(deleteCalls(sandbox)).toBe(1);
    expect(sandbox.slack.refusals).toEqual([]);
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
    await confirm(sandbox, 'web-1');
    await held.arrived;
    sandbox.hosting.changeStatus(101, 'deleting');
    held.release();
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('It reports deleting.'));
    sandbox.hosting.removeInstance(101);
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('✅ Deleted web-1 (101)');
    expect(deleteCalls(sandbox)).toBe(1);
    expect(sandbox.slack.refusals).toEqual([]);
  });
});

describe('what changes in the grace', () => {
  /** Changes something between the confirmation and the look before the call: while Slack has the card's post. */
  async function inGrace(change: (sandbox: Sandbox) => void): Promise<[Sandbox, string]> {
    const sandbox = await play();
    const held = sandbox.slack.hold('chat.postMessage');
    await confirm(sandbox, 'web-1');
    await held.arrived;
    change(sandbox);
    held.release();
    await sandbox.settled();
    expect(deleteCalls(sandbox)).toBe(0);
    const [card, reply, ...more] = readAll(sandbox);
    expect(more).toEqual([]);
    expect(reply).toContain('@admin');
    expect(sandbox.slack.refusals).toEqual([]);
    return [sandbox, card!];
  }

  it('is seen before the call: one re-created under its name stays', async () => {
    const [sandbox, card] = await inGrace(({ hosting }) => hosting.recreateInstance(101, 999));
    expect(card).toContain('✅ web-1 (101) was gone already when its time came. Nothing was asked');
    expect(sandbox.hosting.statusOf(999)).toBe('running');
  });

  it.each([
    ['under another name', instance(101, 'web-1-new', { createdDaysAgo: 90 })],
    ['with another birthday', instance(101, 'web-1', { createdDaysAgo: 1 })],
  ])('is seen before the call: one that bears its id %s stays', async (_how, other) => {
    const [sandbox, card] = await inGrace(({ hosting }) => {
      hosting.removeInstance(101);
      hosting.addInstance('harbour', other);
    });
    expect(card).toContain('⚪ Did not delete web-1 (101): a different instance has its id now');
    expect(sandbox.hosting.statusOf(101)).toBe('running');
  });

  it('is seen before the call: what is gone is not asked for', async () => {
    const [, card] = await inGrace(({ hosting }) => hosting.removeInstance(101));
    expect(card).toContain('✅ web-1 (101) was gone already when its time came.');
  });

  // Who somebody is is remembered for a minute, so another process looks.
  it('is seen before the call: who has lost the right to it gets no deletion', async () => {
    const sandbox = await play({
      env: { LAMPLIGHTER_EVERYONE: 'admin' },
      timings: { findPostAfterMs: 750 },
    });
    const held = sandbox.slack.hold('chat.postMessage');
    await confirm(sandbox, 'web-1', 'ana');
    await held.arrived;
    const stopped = sandbox.stopBots();
    held.drop();
    await stopped;
    sandbox.slack.setPerson('ana', { isRestricted: true });
    await sandbox.startBot();
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain(
      '⚪ Did not delete web-1 (101): who asked may not do that any more. Nothing was done.',
    );
    expect(deleteCalls(sandbox)).toBe(0);
    expect(sandbox.slack.refusals).toEqual([]);
  });
});

describe('a card that can not be shown', () => {
  it('keeps the deletion from being asked for, because nobody could have cancelled it', async () => {
    let isDown = true;
    const weather = ({ method }: { method: string }) =>
      isDown && method === 'chat.postMessage' ? { status: 500 } : undefined;
    const sandbox = await play({ slack: { weather }, timings: { acceptWithinMs: 1_000 } });
    await confirm(sandbox, 'web-1');
    await sandbox.slack.until(() => sandbox.logs.some((line) => line.includes('"code":"not-shown"')));
    isDown = false;
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain(
      '⚪ Did not delete web-1 (101): Slack took no message that shows it, so nobody could have followed or cancelled it.',
    );
    expect(readAll(sandbox)[1]).toContain('@admin Did not delete');
    expect(deleteCalls(sandbox)).toBe(0);
    expect(sandbox.slack.refusals).toEqual([]);
  });

  it('stands in the direct messages where the channel was archived meanwhile', async () => {
    const sandbox = await play();
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
    await sandbox.slack.person('admin').types('#ops', '/instances delete web-1');
    await sandbox.settled();
    expect(toldTo(sandbox, 'admin').join()).toContain(words);
    expect(sandbox.slack.person('admin').views).toEqual([]);
    expect(deleteCalls(sandbox)).toBe(0);
    expect(sandbox.slack.refusals).toEqual([]);
  });

  it('while something else is done with it is refused, with who is on it', async () => {
    const sandbox = await play({ hosting: { powerMs: 60_000 } });
    await sandbox.slack.person('ana').types('#ops', '/instances stop web-1');
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('It reports stopping'));
    await sandbox.slack.person('admin').types('#ops', '/instances delete web-1');
    await sandbox.slack.until(() => toldTo(sandbox, 'admin').length > 0);
    expect(toldTo(sandbox, 'admin')[0]).toContain('web-1 (101) is stopping, asked by @ana');
    sandbox.hosting.changeStatus(101, 'stopped');
    await sandbox.settled();
    expect(sandbox.slack.refusals).toEqual([]);
  });
});
