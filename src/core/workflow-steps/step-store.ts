import type { RedisConnection } from '../../platform/redis/connection.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { createRecords, type Records } from '../records/records.ts';
import { key } from '../../platform/redis/key.ts';
import { type Step, stepSchema } from './step.ts';

export const stepKeys = {
  /** Hash of one step of a workflow: version and record. */
  step: (id: string): string => key('step', id),
  /** Sorted set: steps that are not through, by when something is to be done. */
  open: key('steps', 'open'),
} as const;

export type StepStore = Records<Step>;

export const STEP_JOB = 'step';

/** Slack may deliver its event again until then. */
const KEPT_MS = 7 * DAY_MS;

export function createStepStore(redis: RedisConnection): StepStore {
  return createRecords<Step>(redis, {
    keyOf: stepKeys.step,
    index: stepKeys.open,
    schema: stepSchema,
    dueAt: ({ closedAt, dueAt }) => (closedAt === undefined ? dueAt : 'closed'),
    keptMs: KEPT_MS,
  });
}
