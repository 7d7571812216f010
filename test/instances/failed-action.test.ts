import { expect, test } from 'vitest';
import { accepted } from '../../src/core/operations/execution.ts';
import { observeOne } from '../../src/core/operations/kind.ts';
import type { Operation } from '../../src/core/operations/operation.ts';
import { polled } from '../../src/core/operations/polled.ts';
import { createInstanceObserver } from '../../src/features/instances/observer.ts';
import { DELETE, FORCE_ROUTES, RESTART, START, STOP } from '../../src/features/instances/route-ids.ts';
import type { Action, HostingService, Status } from '../../src/platform/hosting/service.ts';
import { firstGapMs, gapOf, instance, kindWith, NOW, operation } from '../operations/operation.ts';
import { fixedClock } from '../support/fixed-clock.ts';

/** A service at which an instance has a status and whose action stands so; `asked`: how often it was asked for that; `isUnknownOnce`: it knows nothing of the action when it is asked first. */
function serviceWith(
  status: Status,
  action: Action,
  actionProves: string[] = ['start'],
  isUnknownOnce = false,
) {
  const asked: string[] = [];
  const known = {
    about: { actionProves },
    findInstance: async () => instance(status),
    findActions: () => async (id: string) => {
      asked.push(id);
      return isUnknownOnce ? undefined : action;
    },
    findAction: async (id: string) => {
      asked.push(id);
      return action;
    },
  };
  return { hosting: known as unknown as HostingService, asked };
}

/** What the next poll makes of a change of that kind that was accepted of an instance of that status. */
async function pollOf(kindId: string, before: Status, { hosting }: ReturnType<typeof serviceWith>) {
  const asked = {
    ...operation({ status: before, execution: { sendId: 's', state: 'sending' } }),
    kind: kindId,
  };
  const taken: Operation = accepted(asked, 's', { actionId: 'a-1' }, NOW, firstGapMs)!;
  const observer = createInstanceObserver(
    hosting,
    fixedClock(() => NOW),
    { actionsSince: async () => undefined },
  );
  const kind = kindWith({ kind: kindId, observer });
  return polled(taken, kind, await observeOne(observer, taken), NOW, gapOf)?.outcome;
}

const FAILED = { state: 'failed', said: 'no capacity' } as const;

test.each([
  [START, 'stopped'],
  [STOP, 'running'],
  [RESTART, 'running'],
  [FORCE_ROUTES.stop, 'running'],
  [FORCE_ROUTES.restart, 'running'],
  [DELETE, 'running'],
] as const)(
  '%s: that the service gave its action up is said at the first poll, in its words',
  async (kind, status) => {
    const outcome = await pollOf(kind, status, serviceWith(status, FAILED));
    expect(outcome).toEqual({ result: 'failed', code: 'action-failed', said: 'no capacity', at: NOW });
  },
);

test('the action is not asked for where the status has moved already, and one on its way ends nothing', async () => {
  const moved = serviceWith('stopped', FAILED);
  expect(await pollOf(STOP, 'running', moved)).toBeUndefined();
  expect(moved.asked).toEqual([]);
  for (const state of ['running', 'done'] as const)
    expect(await pollOf(STOP, 'running', serviceWith('running', { state }))).toBeUndefined();
});

test('an action that the service knows nothing of is asked for once more before a restart is told without it', async () => {
  const unknownOnce = serviceWith('running', FAILED, [], true);
  expect(await pollOf(RESTART, 'running', unknownOnce)).toMatchObject({
    result: 'failed',
    said: 'no capacity',
  });
  expect(unknownOnce.asked).toEqual(['a-1', 'a-1']);
});
