import type { Entry } from '../audit/entry.ts';
import type { Operations } from '../operations/operations.ts';
import type { PastStore } from '../operations/past.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import type { Batch, Item } from './batch.ts';
import { hadBy, takenBy } from './card.ts';
import type { SeveralWords } from './words.ts';

const MAX_TRIES = 3;

/**
 * Begins the operation of one instance, by the same commit as any other: it takes the lock and is recorded in the audit. The
 * same once more is the same operation. Gives why it was left, where it was; else undefined.
 */
export async function beginChild(
  {
    operations,
    past,
    clock,
  }: {
    readonly operations: Operations;
    readonly past: Pick<PastStore, 'read'>;
    readonly clock: Pick<RedisClock, 'now'>;
  },
  batch: Batch,
  item: Item,
  { leavesDone }: Pick<SeveralWords, 'leavesDone'>,
): Promise<{ readonly why?: Phrase } | undefined> {
  const { kind, actor, place, because, override, card } = batch;
  const { operationId, subject } = item;
  if (!card) return {};
  const now = clock.now();
  const operation = {
    id: operationId,
    kind,
    subject,
    actor,
    place,
    because,
    override,
    // Its own minute begins with its turn.
    requestedAt: now,
    batch: { id: batch.id, ...card },
  };
  for (let tries = 1; ; tries++) {
    const done = leavesDone ? await past.read(subject.id, now) : undefined;
    const same = done?.past.find((one) => one.kind === kind && one.at > (batch.askedAt ?? batch.requestedAt));
    if (same) return { why: hadBy(same.userId) };
    const begun = await operations.begin(operation, { asRead: done?.asRead }, entryOf(batch, item, now));
    if (begun.result === 'begun') return undefined;
    if (begun.result !== 'busy' && begun.result !== 'overtaken') return {};
    const holder = begun.result === 'busy' ? await operations.find(begun.operationId) : undefined;
    if (holder && !holder.outcome) return { why: takenBy(holder.actor.userId) };
    // It ended this very moment, so the next try finds the instance free, and what was done with it.
    if (tries === MAX_TRIES) return { why: say`it is busy` };
  }
}

function entryOf(batch: Batch, { operationId, subject, rule }: Item, at: number): Entry {
  const { id, kind, actor, place, because, override, isUnattended } = batch;
  return {
    what: 'asked',
    at,
    requestId: operationId,
    of: id,
    by: actor.userId,
    channelId: place.channelId,
    route: kind,
    target: { id: subject.id, name: subject.name },
    args: { batch: id, ...(isUnattended ? { isUnattended } : {}) },
    rule,
    because,
    override,
  };
}
