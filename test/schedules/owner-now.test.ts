import { expect, it } from 'vitest';
import { runOpen } from '../../src/core/schedules/run-schedule.ts';
import { newSchedule } from '../../src/core/schedules/schedule.ts';
import type { Schedule } from '../../src/core/schedules/schedule-record.ts';
import type { Decision } from '../../src/core/policy/decide.ts';
import { allowing } from '../support/allowing.ts';

const NOW = 1_000;
const MAY: Decision = { allowed: true, rule: { by: 'admins' } };
const MAY_NOT: Decision = { allowed: false, reason: 'no role' };
const INSTANCE = { id: '1', name: 'web-1', status: 'running' };

/** How a run goes of an owner who a moment ago was a member with the right, by what Slack says of them now. */
async function runOf(now: { readonly standing: string; readonly decision: Decision }): Promise<string> {
  const schedule: Schedule = {
    ...newSchedule(
      {
        id: 's',
        owner: { userId: 'U1' },
        channelId: 'C1',
        target: { instances: [INSTANCE] },
        when: { kind: 'once', zone: 'UTC', verb: 'stop', date: '2099-01-01', hour: 1, minute: 0 },
      },
      0,
    ),
    open: { verb: 'stop', at: NOW, ruleAt: NOW, nextTryAt: 0, tries: 0 },
  };
  let began = false;
  let ended: string | undefined;
  const deps = {
    access: allowing(async (_actor, _permission, _about, at) => (at?.isFresh === true ? now.decision : MAY)),
    people: {
      standing: async (_userId: string, _teamId: string | undefined, isFresh?: boolean) =>
        isFresh === true ? now.standing : 'member',
    },
    hosting: { listInstances: async () => ({ instances: [INSTANCE] }) },
    changeOf: () => ({
      id: 'instances.stop',
      permission: 'instances:power',
      several: {},
      examine: async () => ({ chosen: [{ instance: INSTANCE, rule: { by: 'admins' } }], skipped: [] }),
    }),
    batches: {
      find: async () => undefined,
      begin: async () => {
        began = true;
        return { result: 'begun' };
      },
    },
    scheduleStore: {
      change: async (_id: string, step: (one: Schedule) => Schedule | undefined) => {
        ended = step(schedule)?.last?.result;
      },
    },
    clock: { now: () => NOW },
  };
  await runOpen(deps as never /* what else there is, a run doesn't use */, schedule, schedule.open!);
  return `${ended}, ${began ? 'begun' : 'not begun'}`;
}

it.each([
  ['who may still do it', 'member', MAY, 'begun, begun'],
  ['who lost the right a moment ago', 'member', MAY_NOT, 'no right, not begun'],
  ['who left the workspace a moment ago', 'deactivated', MAY, 'no right, not begun'],
])('the run of an owner %s goes by what Slack says now', async (_who, standing, decision, wanted) => {
  expect(await runOf({ standing, decision })).toBe(wanted);
});
