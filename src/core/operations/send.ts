import { untilAtOneRedis } from '../../platform/redis/survive.ts';
import { isId } from '../../platform/hosting/address.ts';
import { isOutOfCalls, HostingError } from '../../platform/hosting/hosting-error.ts';
import type { SentCall } from '../../platform/hosting/service.ts';
import { newId } from '../../platform/id.ts';
import { createDepartures, type Departures } from '../departures.ts';
import type { JobPart } from './run.ts';
import { observeOne } from './kind.ts';
import {
  accepted,
  afterFault,
  ended,
  abandoned,
  answerUnknown,
  heard,
  notSent,
  pauseOf,
  putOff,
  startSending,
} from './execution.ts';
import { isPolled } from './polled.ts';
import { whyNoMore } from './may-still.ts';
import type { Operation } from './operation.ts';
import type { OutcomeCode } from '../outcome-words.ts';
import { sendDeadline, mayLeave } from './cancel-window.ts';
import { enqueued } from './write-queue.ts';
import { isBotRefused } from './asker-notice.ts';
import type { PollTimes } from './poll-times.ts';
import { effectAt, type Operating } from './operations.ts';

/** The call was not made: somebody else moved the operation, or too much time passed since it was written down. */
class NotSent extends Error {}

interface SendDeps extends Pick<
  Operating,
  'clock' | 'timings' | 'log' | 'writeQueue' | 'hosting' | 'access' | 'approvalRules' | 'operations'
> {
  /** Has this process poll soon. */
  readonly wakePoller: () => void;
  readonly pollTimes: PollTimes;
}

/** The part that asks the hosting API: at most once, unless it is provably not done. */
export function createSend(deps: SendDeps): JobPart {
  const { operations, wakePoller, clock, timings } = deps;
  const departures = createDepartures(timings, deps.log);
  return async (operation) => {
    const { execution } = operation;
    if (effectAt(operation, timings) > clock.now()) return false;
    if (execution.state === 'sending') {
      // The process that sent it is gone, with the answer.
      const { sendId = '' } = execution;
      await operations.change(operation.id, (now) =>
        heardAs(answerUnknown(now, sendId, undefined, clock.now()), sendId, NOBODY_HEARD, clock.now()),
      );
    } else if (!mayLeave(operation)) {
      const code = isBotRefused(operation) ? 'bot-refused' : 'not-shown';
      await operations.change(operation.id, (now) =>
        mayLeave(now) ? undefined : notToSend(deps, now, code),
      );
    } else if (execution.sends === 0 && clock.now() > sendDeadline(operation, timings)) {
      const code = operation.queued ? 'queue-too-long' : 'too-late';
      await operations.change(operation.id, (now) => notToSend(deps, now, code));
    } else if (!canBeAskedFor(deps, operation)) {
      await operations.change(operation.id, (now) => notToSend(deps, now, 'bad-id'));
    } else if (await takeCall(deps, operation)) {
      const no = await whyNoMore(deps, operation);
      if (no === undefined) await send(deps, departures, operation);
      else if (no === 'not-checked') await operations.change(operation.id, (now) => postponed(deps, now, no));
      else await operations.change(operation.id, (now) => notToSend(deps, now, no));
    }
    const after = await operations.findLatest(operation.id);
    if (after && isPolled(after)) wakePoller();
    return true;
  };
}

/** Whether each id can stand in the path of a call: else none ever leaves, and none is taken from the budget. */
function canBeAskedFor({ operations }: SendDeps, operation: Operation): boolean {
  const ids = operations.kindOf(operation).idsOf?.(operation) ?? [operation.subject.id];
  return ids.every(isId);
}

/** Takes the call from the service's budget; an operation that has to wait for it gets its place in the queue. */
async function takeCall(
  { operations, writeQueue, clock, timings }: SendDeps,
  operation: Operation,
): Promise<boolean> {
  const { id, requestedAt } = operation;
  const place = await writeQueue.takeOrWait({ id, since: requestedAt });
  if (place) await operations.change(id, (now) => enqueued(now, place, clock.now(), timings));
  return place === undefined;
}

/**
 * Writes down that the call leaves, and refuses to let it leave late:
 * docs/decisions/0004-write-down-before-sending.md.
 */
async function writeDown(
  { operations, clock, timings }: SendDeps,
  departures: Departures,
  operation: Operation,
  sendId: string,
  call: SentCall,
): Promise<void> {
  const written = await departures.writeDown(
    (start) =>
      operations.change(
        operation.id,
        // Counted from here: the record may have taken long to read, and is read again where others have moved it.
        (now) => {
          const at = clock.now() + start();
          const next = startSending(now, sendId, clock.now(), timings, at);
          return next && withCall(next, sendId, call, at);
        },
        { survives: true },
      ),
    () =>
      operations.change(operation.id, (now) => {
        const next = notSent(now, sendId, clock.now());
        return next && withoutCall(next, sendId);
      }),
  );
  if (!written) throw new NotSent();
}

async function send(deps: SendDeps, departures: Departures, operation: Operation): Promise<void> {
  const { operations, clock, timings, log } = deps;
  const kind = operations.kindOf(operation);
  const sendId = newId();
  let hasLeft = false;
  let answered: { readonly as: string; readonly at: number } | undefined;
  const told = (next: Operation | undefined): Operation | undefined =>
    heardAs(next, sendId, answered?.as ?? NOBODY_HEARD, answered?.at ?? clock.now());
  try {
    const inTheWay = await kind.prepare?.(operation);
    if (inTheWay) {
      await operations.change(operation.id, (now) =>
        now.execution.state === 'requested' ? ended(now, { ...inTheWay, at: clock.now() }) : undefined,
      );
      return;
    }
    const answer = await kind.send(operation, {
      isCounted: true,
      beforeSend: async (call) => {
        await writeDown(deps, departures, operation, sendId, call);
        hasLeft = true;
      },
      answered: (result) => {
        answered = { as: result, at: clock.now() };
      },
    });
    await deps.pollTimes.learn([operation.kind]);
    await hear(deps, operation, (now) =>
      told(accepted(now, sendId, answer, clock.now(), firstGapMs(deps, now))),
    );
  } catch (error) {
    if (error instanceof NotSent) return;
    if (!(error instanceof HostingError)) throw error;
    log.warn({ operation: operation.id, error }, 'asking the hosting API');
    if (hasLeft && (error.fault === 'wrong-state' || error.fault === 'not-found'))
      return judgeRefused(deps, operation, sendId, error, told);
    await hear(deps, operation, (now) =>
      hasLeft ? told(afterFault(now, sendId, error, clock.now(), timings)) : neverLeft(deps, now, error),
    );
  }
}

/** Writes down what came of a call: that it was sent is certain, and nobody else heard the answer. */
async function hear(
  { operations }: SendDeps,
  { id }: Operation,
  move: (now: Operation) => Operation | undefined,
): Promise<void> {
  await untilAtOneRedis(() => operations.change(id, move));
}

/** Where the process that sent a call is gone. */
const NOBODY_HEARD = 'no-answer';

/** The operation after a step that an answer led to, with what that was. Pure. */
function heardAs(
  next: Operation | undefined,
  sendId: string,
  answer: string,
  at: number,
): Operation | undefined {
  return next && withAnswer(next, sendId, answer, at);
}

/** How long after it was accepted an operation is first polled, in ms. */
function firstGapMs({ pollTimes, timings }: SendDeps, { kind }: Operation): Parameters<typeof accepted>[4] {
  return { onTheWay: pollTimes.gapOf(kind, 0), unseen: timings.pollEveryMs };
}

/** Given up before the call, unless somebody else has begun to make it meanwhile. */
function notToSend(deps: SendDeps, operation: Operation, code: OutcomeCode): Operation | undefined {
  const { clock } = deps;
  return operation.execution.state === 'requested' ? abandoned(operation, code, clock.now()) : undefined;
}

function neverLeft(deps: SendDeps, before: Operation, error: HostingError): Operation | undefined {
  const { clock } = deps;
  if (before.execution.state !== 'requested') return undefined;
  const operation = { ...before, execution: heard(before.execution, error) };
  if (error.retryable) return postponed(deps, operation, error.fault, error);
  return abandoned(operation, error.fault, clock.now(), error.said);
}

/** The call can't leave just now: later, or never when it has waited too long. */
function postponed(
  deps: SendDeps,
  operation: Operation,
  code: OutcomeCode,
  error?: HostingError,
): Operation | undefined {
  const { clock, timings } = deps;
  if (operation.execution.state !== 'requested') return undefined;
  // Where no call was left, this was no try.
  const waitMs = isOutOfCalls(error) ? error.retryAfterMs : undefined;
  const nextAt = clock.now() + (waitMs ?? pauseOf(operation, error?.retryAfterMs));
  if (nextAt > sendDeadline(operation, timings)) return abandoned(operation, code, clock.now(), error?.said);
  if (waitMs === undefined) return putOff(operation, nextAt);
  return { ...operation, execution: { ...operation.execution, nextAt } };
}

/** "Wrong state" may mean that it is as wanted already: its state tells, if the service lets us read it. */
async function judgeRefused(
  deps: SendDeps,
  operation: Operation,
  sendId: string,
  error: HostingError,
  told: (next: Operation | undefined) => Operation | undefined,
): Promise<void> {
  const { operations, clock } = deps;
  const kind = operations.kindOf(operation);
  const observed = await observeOne(kind.observer, operation).catch((fault: unknown) => {
    if (fault instanceof HostingError) return undefined;
    throw fault;
  });
  await hear(deps, operation, (now) => {
    if (now.execution.sendId !== sendId || now.execution.state !== 'sending') return undefined;
    const polled = observed ? { ...now, execution: { ...now.execution, lastState: observed } } : now;
    const judgment = kind.judgeRefused(polled, observed, error.said);
    return told(
      judgment === 'under way'
        ? accepted(polled, sendId, {}, clock.now(), firstGapMs(deps, now))
        : ended(polled, { ...judgment, at: clock.now() }),
    );
  });
}

/** An operation tries far fewer times. */
const MOST_CALLS = 20;

/** The operation with the call that leaves at `at` (Unix ms). Pure. */
function withCall(operation: Operation, sendId: string, call: SentCall, at: number): Operation {
  return { ...operation, calls: [...(operation.calls ?? []), { sendId, ...call, at }].slice(-MOST_CALLS) };
}

/** The operation, whose call was answered so at `answeredAt` (Unix ms), or given up. Pure. */
function withAnswer(operation: Operation, sendId: string, answer: string, answeredAt: number): Operation {
  const { calls = [] } = operation;
  if (calls.every((one) => one.sendId !== sendId)) return operation;
  return {
    ...operation,
    calls: calls.map((one) => (one.sendId === sendId ? { ...one, answer, answeredAt } : one)),
  };
}

/** The operation without a call that never left. Pure. */
function withoutCall(operation: Operation, sendId: string): Operation {
  return { ...operation, calls: (operation.calls ?? []).filter((one) => one.sendId !== sendId) };
}
