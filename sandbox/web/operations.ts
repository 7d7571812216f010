import { Redis } from 'ioredis';
import { namesIn, scopeIn } from '../../src/platform/redis/key.ts';
import { operationKeys } from '../../src/core/operations/keys.ts';
import { type Operation, operationSchema } from '../../src/core/operations/operation.ts';
import type { OperationOfPage } from './wire.ts';

/** The bot's records of its operations, as they stand in Redis. */
export interface OperationsReader {
  /** The newest ones, newest first; what was last read where Redis is away. */
  read(): Promise<readonly OperationOfPage[]>;
  close(): void;
}

const SHOWN = 12;

export function createOperationsReader(redisUrl: string): OperationsReader {
  const redis = new Redis(redisUrl, {
    maxRetriesPerRequest: 0,
    retryStrategy: () => 500,
    commandTimeout: 1_000,
  });
  redis.on('error', () => undefined);
  let last: readonly OperationOfPage[] = [];
  const readAll = async (): Promise<readonly OperationOfPage[]> => {
    // Those of an account among several have its name before them.
    const keys = await redis.keys(`*${operationKeys.operation('*')}`);
    const records = await Promise.all(
      keys.map(async (key) => [key, await redis.hget(key, 'record')] as const),
    );
    return records
      .flatMap(([key, record]) => {
        const operation = record === null ? undefined : operationSchema.safeParse(JSON.parse(record)).data;
        return operation ? [{ operation, names: namesIn(scopeIn(key) ?? '') }] : [];
      })
      .toSorted((one, other) => other.operation.requestedAt - one.operation.requestedAt)
      .slice(0, SHOWN)
      .map(({ operation, names }) => toPage(operation, names));
  };
  return {
    read: async () => {
      try {
        last = await readAll();
      } catch {
        // Redis is away; it is shown so elsewhere.
      }
      return last;
    },
    close: () => redis.disconnect(),
  };
}

/** `names`: of its account, where there are several. */
function toPage(operation: Operation, names: readonly string[]): OperationOfPage {
  const { id, kind, subject, outcome, execution } = operation;
  const { card, reply, notice: _, responseUrl: __, ...rest } = operation;
  const state = outcome ? outcome.result : execution.state;
  return {
    id,
    title: `${kind.split('.').at(-1) ?? kind} ${[...names, subject.name].join(':')}: ${state}`,
    record: flat({ ...rest, card: messageOf(card), reply: messageOf(reply) }),
  };
}

/** Where a message stands, without what it says. */
function messageOf(message: object): object {
  const shown = Object.entries(message).filter(
    ([name, value]) => name !== 'id' && (typeof value !== 'object' || value === null),
  );
  return Object.fromEntries(shown);
}

/** A record as lines: the names of what is inside joined by dots. */
function flat(value: object, before = ''): (readonly [string, string])[] {
  return Object.entries(value).flatMap(([name, one]: [string, unknown]) => {
    const path = before === '' ? name : `${before}.${name}`;
    if (typeof one === 'object' && one !== null && !Array.isArray(one)) return flat(one, path);
    if (one === undefined) return [];
    const isTime = typeof one === 'number' && /(?:At|Until|\.at|since)$/.test(path) && one > 0;
    return [[path, isTime ? new Date(one).toISOString().slice(11, 23) : JSON.stringify(one)] as const];
  });
}
