import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { instance } from '../../sandbox/world.ts';
import { botMessages, type PlayOptions, powerCalls, privateMessage, readAll } from '../support/sandbox.ts';
import { confirms, playFleet, previewOf } from './fleet.ts';

const AGAIN = 'Start them again';
const REST = 'Continue with the rest';

/** A fleet of which ana has stopped all, and the card that says so. */
async function stopped(
  count: number,
  options: Parameters<typeof playFleet>[1] = {},
): Promise<{ sandbox: Sandbox; card: PostedMessage }> {
  const sandbox = await playFleet(count, options);
  await confirms(sandbox, await previewOf(sandbox, '/instances stop name:stg-*'), `Stop ${count}`);
  await sandbox.settled();
  const card = botMessages(sandbox).find((one) => sandbox.slack.read(one).includes(`[ ${AGAIN} ]`));
  if (!card) throw new Error('no card offers to start them again');
  return { sandbox, card };
}

/** A batch of five of which two run when bob stops the rest, and its card. */
async function halfDone(options: PlayOptions = {}): Promise<{ sandbox: Sandbox; card: PostedMessage }> {
  const sandbox = await playFleet(5, options);
  const held = sandbox.hosting.hold({ method: 'POST' }, 'after');
  const preview = await previewOf(sandbox, '/instances stop name:stg-* --at-once 1 --because "night"');
  await confirms(sandbox, preview, 'Stop 5');
  await held.arrived;
  const card = await sandbox.slack.until(() =>
    botMessages(sandbox).find((one) => sandbox.slack.read(one).includes('Cancel the rest')),
  );
  await sandbox.slack.person('admin').presses(card, 'Cancel the rest');
  await privateMessage(sandbox, 'admin', 'Canceled the rest');
  held.release();
  await sandbox.settled();
  return { sandbox, card };
}

describe('what a batch stopped', () => {
  it('is started again by an ordinary preview of exactly those, and the card says who asked', async () => {
    const { sandbox, card } = await stopped(4, { others: [instance(2_000, 'other', { status: 'stopped' })] });
    const bob = sandbox.slack.person('bob');
    await bob.presses(card, AGAIN);
    const preview = await privateMessage(sandbox, 'bob', 'Start 4 instances? Nothing has been done yet.');
    expect(sandbox.slack.read(preview)).not.toContain('other');
    expect(powerCalls(sandbox, 'start')).toBe(0);
    await confirms(sandbox, preview, 'Start 4', 'bob');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'start')).toBe(4);
    expect(sandbox.hosting.countCalls('POST', /\/2000\/start$/)).toBe(0);
    expect(readAll(sandbox).some((text) => text === '@bob All 4 started.')).toBe(true);
    expect(sandbox.slack.read(card)).toContain('Start them again: asked by @bob');
    // What started them has nothing to start again.
    expect(readAll(sandbox).filter((text) => text.includes(AGAIN))).toHaveLength(1);
  });

  it('is left out where it was started, deleted or made again since, each with the reason', async () => {
    const { sandbox, card } = await stopped(5);
    sandbox.hosting.changeStatus(1_000, 'running');
    sandbox.hosting.removeInstance(1_001);
    sandbox.hosting.removeInstance(1_002);
    sandbox.hosting.addInstance(
      'harbour',
      instance(1_002, 'stg-2', { status: 'stopped', createdDaysAgo: 0 }),
    );
    sandbox.hosting.renameInstance(1_003, 'payments');
    await sandbox.slack.person('ana').presses(card, AGAIN);
    const preview = await privateMessage(sandbox, 'ana', 'Start 2 of 5 instances?');
    const text = sandbox.slack.read(preview);
    expect(text).toContain('Skipped stg-0: it is running already');
    expect(text).toContain('Skipped stg-1: it no longer exists');
    expect(text).toContain('Skipped stg-2: it is a different instance now');
    expect(text).toContain('payments (1003) · stopped');
    await confirms(sandbox, preview, 'Start 2');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'start')).toBe(2);
  });

  it('is not taken for another that was made in its place between the preview and the yes', async () => {
    const { sandbox, card } = await stopped(2);
    await sandbox.slack.person('ana').presses(card, AGAIN);
    const preview = await privateMessage(sandbox, 'ana', 'Start 2 instances?');
    sandbox.hosting.removeInstance(1_001);
    sandbox.hosting.addInstance(
      'harbour',
      instance(1_001, 'stg-1', { status: 'stopped', createdDaysAgo: 0 }),
    );
    await confirms(sandbox, preview, 'Start 2');
    const again = await privateMessage(sandbox, 'ana', 'stg-1 (1001) is a different instance now');
    expect(sandbox.slack.read(again)).toContain('Start 1 of 2 instances?');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'start')).toBe(0);
  });

  it('is refused in words for who may not start it, and offered once more after that', async () => {
    const { sandbox, card } = await stopped(2, {
      env: { LAMPLIGHTER_EVERYONE: 'viewer', LAMPLIGHTER_ADMINS: 'U0ANA000001,U0ADA000001' },
    });
    await sandbox.slack.person('bob').presses(card, AGAIN);
    await privateMessage(sandbox, 'bob', 'You need the operator role');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'start')).toBe(0);
    expect(sandbox.slack.read(card)).toContain(AGAIN);
  });
});

describe('what a batch did not begin', () => {
  it('is gone on with by a preview of its own, once', async () => {
    const { sandbox, card } = await halfDone();
    expect(powerCalls(sandbox, 'stop')).toBe(1);
    const text = sandbox.slack.read(card);
    expect(text).toContain(`[ ${REST} ] [ ${AGAIN} ]`);
    const version = card.edits.length;
    const ana = sandbox.slack.person('ana');
    await ana.presses(card, REST);
    const preview = await privateMessage(sandbox, 'ana', 'Stop 4 instances? Nothing has been done yet.');
    expect(sandbox.slack.read(preview)).toContain('One runs at a time.');
    await sandbox.slack.person('bob').presses(card, REST);
    const late = await privateMessage(sandbox, 'bob', 'Stop 4 instances?');
    await confirms(sandbox, preview, 'Stop 4');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'stop')).toBe(5);
    expect(sandbox.slack.read(card)).toContain('Continue with the rest: asked by @ana');
    expect(sandbox.slack.read(card)).not.toContain(`[ ${REST} ]`);
    // Even where everything is as bob was shown it.
    for (const id of [1_001, 1_002, 1_003, 1_004]) sandbox.hosting.changeStatus(id, 'running');
    await confirms(sandbox, late, 'Stop 4', 'bob');
    await privateMessage(sandbox, 'bob', 'That was confirmed already');
    await sandbox.slack.person('bob').presses(card, REST, { version });
    await privateMessage(sandbox, 'bob', 'The rest was asked for already by @ana');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'stop')).toBe(5);
  });

  it('after three failures stands beside what failed, and the third button is in the menu', async () => {
    const sandbox = await playFleet(6);
    sandbox.hosting.failNext({ path: /\/(1001|1002|1003)\/stop$/ }, 400, 3);
    const preview = await previewOf(sandbox, '/instances stop name:stg-* --at-once 1');
    await confirms(sandbox, preview, 'Stop 6');
    await sandbox.settled();
    const card = botMessages(sandbox)[0]!;
    expect(sandbox.slack.read(card)).toContain(`[ Retry failed ] [ ${REST} ] ⋯ [ ${AGAIN} ]`);
    await sandbox.slack.person('ana').presses(card, REST);
    const rest = await privateMessage(sandbox, 'ana', 'Stop 2 instances?');
    expect(sandbox.slack.read(rest)).toContain('stg-4 (1004)');
    await confirms(sandbox, rest, 'Stop 2');
    await sandbox.settled();
    await sandbox.slack.person('ana').presses(card, AGAIN);
    await privateMessage(sandbox, 'ana', 'Start 1 instance?');
  });

  it('is refused in words for who may not stop it', async () => {
    const { sandbox, card } = await halfDone({
      env: { LAMPLIGHTER_EVERYONE: 'viewer', LAMPLIGHTER_ADMINS: 'U0ANA000001,U0ADA000001' },
    });
    await sandbox.slack.person('bob').presses(card, REST);
    await privateMessage(sandbox, 'bob', 'You need the operator role');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'stop')).toBe(1);
  });
});
