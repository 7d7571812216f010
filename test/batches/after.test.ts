import { describe, expect, it } from 'vitest';
import { instance } from '../../sandbox/world.ts';
import { powerCalls, privateMessage, readAll } from '../support/sandbox.ts';
import { confirms } from './fleet.ts';
import { AGAIN, halfDone, REST, stopped } from './stopped.ts';

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
});
