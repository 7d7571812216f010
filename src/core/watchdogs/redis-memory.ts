import { newId } from '../../platform/id.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Operations } from '../operations/operations.ts';
import type { Operation } from '../operations/operation.ts';
import { memoryKeys } from './keys.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { inFormsTaken } from '../../platform/slack/forms.ts';
import type { Messenger } from '../../platform/slack/messenger.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import { memoryLost } from './messages.ts';

export interface MemoryWatchDeps {
  readonly redis: RedisConnection;
  readonly operations: Operations;
  readonly messenger: Messenger;
  readonly admins: readonly string[];
  readonly log: Log;
}

/** How long it is remembered who tells of one loss. */
const CLAIM_KEPT_MS = 24 * 3_600_000;

/**
 * Notices a Redis that came back empty: BullMQ says nothing then, and nothing would ever be heard of what was under
 * way. One of those who remember another memory tells the admins, once, with what it knew.
 */
export function createMemoryWatch(deps: MemoryWatchDeps): () => Promise<void> {
  const { redis, operations, messenger, admins, log } = deps;
  const me = newId();
  let mark: string | undefined;
  let open: readonly Operation[] = [];

  /** Sets `value` where nothing stands yet, and gives what stands there: the same however often an answer is lost. */
  const claim = async (key: string, value: string, keptMs?: number): Promise<string | null> => {
    const standing = await redis.get(key);
    if (standing !== null) return standing;
    await (keptMs === undefined ? redis.set(key, value, 'NX') : redis.set(key, value, 'PX', keptMs, 'NX'));
    return redis.get(key);
  };

  const tell = async (now: string): Promise<void> => {
    const forgotten = open
      // One that only marks the button of an ended one as used has ended.
      .filter((operation) => operations.knows(operation) && operation.next === undefined)
      .map((operation) => ({ operation, kind: operations.kindOf(operation) }));
    for (const admin of admins) {
      try {
        const channelId = await messenger.directChannel(admin);
        const message = memoryLost(forgotten);
        await inFormsTaken(message, (form) => messenger.post({ channelId }, message, `memory-${now}`, form));
      } catch (error) {
        log.error({ admin, code: slackErrorOf(error).code }, 'telling an admin that the memory is gone');
      }
    }
  };

  return async () => {
    const now = await claim(memoryKeys.memory, newId());
    if (now === null) return;
    if (mark !== undefined && now !== mark) {
      log.error({ operations: open.map((operation) => operation.id) }, 'the memory in Redis is gone');
      // A worker that is new may have marked the new memory first, and it knows of no other.
      if ((await claim(memoryKeys.reported(now), me, CLAIM_KEPT_MS)) === me) await tell(now);
    }
    // Only now: whatever failed before this is noticed again.
    mark = now;
    open = await operations.listOpenLatest();
  };
}
