import { atOneRedis } from '../../platform/redis/at-one-redis.ts';
import type { JobHandler } from '../../platform/queue/run-job.ts';
import type { Operation } from './operation.ts';
import type { Operations } from './operations.ts';
import type { AttemptLimit } from './attempt-limit.ts';
import type { Operating } from './operating.ts';

/** One part of an operation's job: does its next step if one is due, and tells whether it did. */
export type JobPart = (operation: Operation) => Promise<boolean>;

/** A kind that this version does not know is left to a process that does, as during a deployment. */
const UNKNOWN_KIND_REST_MS = 60_000;

/**
 * The operation's own job: asks the service and speaks to Slack side by side until nothing is due. It is short;
 * waiting is done by running again later.
 */
export function createRunOperation({
  operations,
  attempts,
  clock,
  parts,
}: Pick<Operating, 'clock' | 'operations'> & {
  readonly attempts: AttemptLimit;
  readonly parts: readonly JobPart[];
}): JobHandler {
  const findOpen = async (operationId: string, find: Operations['find']): Promise<Operation | undefined> => {
    const operation = await find(operationId);
    return operation?.closedAt === undefined ? operation : undefined;
  };
  return async (operationId, signal, isTakenOver = false) => {
    const run = async (part: JobPart): Promise<void> => {
      for (;;) {
        const operation = signal.aborted ? undefined : await findOpen(operationId, operations.findLatest);
        if (!operation || !(await part(operation))) return;
      }
    };
    // Another process may have moved it.
    const first = await findOpen(operationId, operations.find);
    if (!first) return undefined;
    if (!operations.knows(first)) return UNKNOWN_KIND_REST_MS;
    // Counted before it is tried, so that what ends the process counts as well.
    if (isTakenOver) await attempts.count(first);
    try {
      for (;;) {
        // Each by itself: the answer to a call builds on nothing that another part wrote meanwhile.
        await Promise.all(parts.map((part) => atOneRedis(() => run(part))));
        const operation = signal.aborted ? undefined : await findOpen(operationId, operations.findLatest);
        const waitMs = operation ? operations.dueAt(operation) - clock.now() : Number.POSITIVE_INFINITY;
        if (waitMs > 0) {
          await attempts.forget(operationId);
          return Number.isFinite(waitMs) ? Math.ceil(waitMs) : undefined;
        }
      }
    } catch (error) {
      if (!isTakenOver) await attempts.count(first);
      throw error;
    }
  };
}
