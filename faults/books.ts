import { connectBlocking, type RedisConnection } from '../src/platform/redis/connection.ts';
import type { z } from 'zod';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { PostedMessage } from '../sandbox/slack/index.ts';
import { type Operation, operationSchema } from '../src/core/operations/operation.ts';
import { type Batch, batchSchema } from '../src/core/batches/batch.ts';
import { BATCHES } from '../src/core/batches/batch-store.ts';
import { type Approval, approvalSchema } from '../src/core/approvals/approval.ts';
import { APPROVALS } from '../src/core/approvals/approvals.ts';
import { operationKeys } from '../src/core/operations/keys.ts';
import { requestKeys } from '../src/core/ask/ask.ts';
import { type Recorded as Numbered, verifyAudit, walkAudit } from '../src/core/audit/audit-reader.ts';
import { createVerifier, type Fault, type Link, START } from '../src/core/audit/chain.ts';
import { type Entry, entrySchema } from '../src/core/audit/entry.ts';
import { group } from './group.ts';
import { isQuestion } from './question.ts';
import { type FaultedKind, KINDS } from './kinds.ts';
import type { Deed } from './schedule.ts';
import { wait } from './wait.ts';

const POLL_EVERY_MS = 20;

/** What one person asked for, and what they read there and then. */
export interface Asked {
  readonly token: string;
  readonly instanceId: string;
  /** The instance as it was typed: an answer that doesn't name it is an answer to nothing. */
  readonly name: string;
  readonly kind: FaultedKind;
  readonly userId: string;
  /** Whether Slack got its acknowledgement; where not, the person saw that it failed. */
  readonly acknowledged: boolean;
  /** Whether the person said yes once more after a failure, so that what they read may be about the first time. */
  readonly saidAgain: boolean;
  /** Set where it was asked by a press or in a modal: what they stand for is in Redis, and can't be named while that is away. */
  readonly isPressed?: true;
  /** Set where they waited for the question in vain, and left. */
  readonly leftAt?: 'the question';
  /** What was shown to this person alone, questions left out but for people who left before theirs came. */
  readonly answers: readonly string[];
}

/** What one person wanted to see, and what they read of it. */
export type Looked = Pick<Asked, 'token' | 'name' | 'userId' | 'acknowledged' | 'answers' | 'isPressed'>;

/** What somebody pressed on a request that must be approved, and what they read of it. */
export interface Decided {
  readonly userId: string;
  /** Of the message that was pressed. */
  readonly mark: string;
  readonly deed: Deed;
  readonly acknowledged: boolean;
  /** Whether it was pressed once more after a failure, so that what was read may be about the first time. */
  readonly saidAgain: boolean;
  readonly answers: readonly string[];
}

/** A call that would change something, as the hosting service received it. */
export interface Written {
  readonly instanceId: string;
  readonly kind: FaultedKind;
  readonly hadEffect: boolean;
  /** When it came in; Unix ms. */
  readonly at: number;
}

/** An entry of the audit, and when Redis wrote it; Unix ms. */
export interface Recorded extends Numbered {
  readonly writtenAt: number;
}

/** A message everybody sees: the mark it bears and what it says now. */
export interface Shown {
  readonly mark: string;
  readonly text: string;
}

/** Everything known after a run, from the bot's records and from both services' own books. */
export interface Books {
  readonly asked: readonly Asked[];
  readonly looked: readonly Looked[];
  readonly operations: readonly Operation[];
  readonly batches: readonly Batch[];
  readonly approvals: readonly Approval[];
  readonly decided: readonly Decided[];
  readonly written: readonly Written[];
  readonly shown: readonly Shown[];
  /** Requests that still stand unanswered. */
  readonly openRequests: number;
  /** All that the audit says, oldest first, and where it isn't whole. */
  readonly audit: {
    readonly recorded: readonly Recorded[];
    readonly fault: Fault | undefined;
    /** Numbers of entries that could be taken out without a fault. */
    readonly unmissed: readonly number[];
  };
}

/** What is known of a request before anybody looks what its asker read. */
export type Ask = Omit<Asked, 'answers'>;
export type Look = Omit<Looked, 'answers'>;
export type Decide = Omit<Decided, 'answers'>;

/** Keeps a list of the changing calls that reach the hosting service from now on. */
export function countWrites(sandbox: Sandbox): readonly Written[] {
  const written: Written[] = [];
  sandbox.hosting.events.on('call', (call) => {
    const kind = KINDS.find((one) => one.method === call.method && one.path.test(call.path));
    // A 429 says for certain that nothing was done, so it may be followed by another call.
    if (kind && call.instanceId !== undefined && call.status !== 429) {
      written.push({ instanceId: String(call.instanceId), kind, hadEffect: call.hadEffect, at: call.at });
    }
  });
  return written;
}

/**
 * Resolves when each call to the hosting service has been answered or cut. One that is answered late does at once what it is
 * asked for: what it did can be seen, and reported, before it is counted.
 */
async function callsAnswered(sandbox: Sandbox): Promise<void> {
  // A cloud counts a call as soon as it has done what it asks for.
  if (sandbox.cloud) return;
  const { hosting } = sandbox;
  while (hosting.calls.some(({ status }) => status === 'pending')) await wait(POLL_EVERY_MS);
}

/** Reads the bot's records and what stands in the channels, once all that the service was asked is in `written`. */
export async function readBooks(
  sandbox: Sandbox,
  {
    asked,
    looked,
    decided = [],
  }: {
    readonly asked: readonly Ask[];
    readonly looked: readonly Look[];
    readonly decided?: readonly Decide[];
  },
  written: readonly Written[],
  channels: readonly string[],
): Promise<Books> {
  await callsAnswered(sandbox);
  const redis = connectBlocking({ url: sandbox.redisUrl }, () => undefined);
  try {
    const read = async <T>(keys: string, schema: z.ZodType<T>): Promise<T[]> => {
      const records = await Promise.all((await redis.keys(keys)).map((key) => redis.hget(key, 'record')));
      return records.flatMap((record) => (record === null ? [] : [schema.parse(JSON.parse(record))]));
    };
    const alone = group(
      channels
        .flatMap((channel) => sandbox.slack.channel(channel).history)
        .filter((one) => one.ephemeralFor !== undefined && one.bot_id !== undefined),
      (one) => one.ephemeralFor ?? '',
    );
    const privateTexts = (userId: string): PostedMessage[] => [
      ...(alone.get(userId) ?? []),
      ...sandbox.slack.person(userId).dms.filter((one) => one.bot_id !== undefined),
    ];
    return {
      operations: await read(operationKeys.operation('*'), operationSchema),
      batches: await read(BATCHES.keyOf('*'), batchSchema),
      approvals: await read(APPROVALS.keyOf('*'), approvalSchema),
      decided: decided.map((one) => ({
        ...one,
        answers: privateTexts(one.userId).map((message) => message.text),
      })),
      written,
      asked: asked.map((one) => ({
        ...one,
        answers: privateTexts(one.userId)
          .filter((message) => one.leftAt === 'the question' || !isQuestion(message, one.kind))
          .map((message) => message.text),
      })),
      looked: looked.map((one) => ({
        ...one,
        answers: privateTexts(one.userId).map((message) => message.text),
      })),
      shown: channels
        .flatMap((channel) => sandbox.slack.channel(channel).messages)
        .flatMap((message): Shown[] => {
          const mark = markOf(message.metadata);
          return mark === undefined ? [] : [{ mark, text: sandbox.slack.read(message) }];
        }),
      openRequests: await redis.zcard(requestKeys.open),
      audit: await readAudit(redis),
    };
  } finally {
    redis.disconnect();
  }
}

const OF_OPERATIONS: ReadonlySet<string> = new Set(['asked', 'ended', 'approved']);

/** Those entries that are about an operation, or about an approval that began one. Pure. */
export function ofOperations(recorded: readonly Recorded[]): readonly Entry[] {
  return recorded.flatMap(({ entry }) => (OF_OPERATIONS.has(entry.what) ? [entry] : []));
}

/** Every entry of the audit, oldest first, and what is wrong with it. */
async function readAudit(redis: RedisConnection): Promise<Books['audit']> {
  const links: Link[] = [];
  await walkAudit(redis, (link) => links.push(link) > 0);
  return {
    recorded: links.map(({ id, seq, entry }) => ({
      seq,
      entry: entrySchema.parse(JSON.parse(entry)),
      writtenAt: Number.parseInt(id, 10),
    })),
    fault: (await verifyAudit(redis)).fault,
    unmissed: unmissed(links),
  };
}

/** Numbers of entries without which a chain would be whole all the same. Nothing is pruned in a run. Pure. */
export function unmissed(links: readonly Link[]): readonly number[] {
  const head = links.at(-1) ?? START;
  return links.flatMap(({ seq }, at) => {
    const verifier = createVerifier(links[at - 1] ?? START);
    const next = links[at + 1];
    return (next ? verifier.next(next) : verifier.end(head)) ? [] : [seq];
  });
}

/** What a message bears by which it is one message; undefined for one that bears nothing. */
export function markOf(metadata: unknown): string | undefined {
  if (typeof metadata !== 'object' || metadata === null || !('event_payload' in metadata)) return undefined;
  const payload = metadata.event_payload;
  const mark = typeof payload === 'object' && payload !== null && 'key' in payload ? payload.key : undefined;
  return typeof mark === 'string' ? mark : undefined;
}
