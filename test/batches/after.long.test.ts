import { describe, expect, it } from 'vitest';
import { instance } from '../../sandbox/world.ts';
import { botMessages, powerCalls, privateMessage } from '../support/sandbox.ts';
import { confirms, playFleet, previewOf } from './fleet.ts';
import { AGAIN, halfDone, REST, stopped } from './stopped.ts';

describe('what a batch stopped', () => {
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
});

describe('what a batch did not begin', () => {
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
