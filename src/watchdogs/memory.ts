import { newId } from '../id.ts';
import type { Log } from '../log/log.ts';
import type { Operations } from '../operations/operations.ts';
import type { Operation } from '../operations/operation.ts';
import { keys } from '../redis/keys.ts';
import type { RedisConnection } from '../redis/connection.ts';
import type { Messenger } from '../slack/messenger.ts';
import { slackErrorOf } from '../slack/errors.ts';
import { memoryLost } from './messages.ts';

export interface MemoryWatchDeps {
  readonly redis: RedisConnection;
  readonly operations: Operations;
  readonly messenger: Messenger;
  readonly admins: readonly string[];
  readonly log: Log;
}

/**
 * Notices a Redis that came back empty: BullMQ says nothing then, and nothing would ever be heard of what was under
 * way (reliability.md 5.3). Whoever marks the new memory first tells the admins, once, with what it knew.
 */
export function createMemoryWatch(deps: MemoryWatchDeps): () => Promise<void> {
  const { redis, operations, messenger, admins, log } = deps;
  let mark: string | undefined;
  let open: readonly Operation[] = [];

  return async () => {
    const mine = newId();
    const isFirst = (await redis.set(keys.memory, mine, 'NX')) === 'OK';
    const now = isFirst ? mine : await redis.get(keys.memory);
    if (now === null) return;
    const isLost = mark !== undefined && now !== mark;
    const known = open;
    mark = now;
    open = await operations.listOpen();
    if (!isLost) return;
    log.error({ operations: known.map((operation) => operation.id) }, 'the memory in Redis is gone');
    if (!isFirst) return;
    for (const admin of admins) {
      try {
        const channelId = await messenger.directChannel(admin);
        const forgotten = known.map((operation) => ({ operation, kind: operations.kindOf(operation) }));
        await messenger.post({ channelId }, memoryLost(forgotten), `memory-${now}`);
      } catch (error) {
        log.error({ admin, code: slackErrorOf(error).code }, 'telling an admin that the memory is gone');
      }
    }
  };
}
