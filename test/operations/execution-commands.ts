import fc from 'fast-check';
import { expect } from 'vitest';
import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import { errorOfAnswer, errorOfBody, errorOfFailure } from '../../src/platform/hosting/errors.ts';
import { STATUSES, type WriteAnswer } from '../../src/platform/hosting/service.ts';
import {
  accepted,
  afterFault,
  ended,
  abandoned,
  answerUnknown,
  notSent,
  startSending,
} from '../../src/core/operations/execution.ts';
import { mayLeave } from '../../src/core/operations/cancel-window.ts';
import type { OperationKind } from '../../src/core/operations/kind.ts';
import { polled, pollFailed } from '../../src/core/operations/polled.ts';
import { isBotRefused, isShown } from '../../src/core/operations/asker-notice.ts';
import type { Operation, Outcome, ObservedState } from '../../src/core/operations/operation.ts';
import { effectAt, recoverAfterMs } from '../../src/core/operations/operations.ts';
import { anEarlierAnswerMovesNothing, aRestartLeavesOnce } from './invariants.ts';
import { timings, firstGapMs, gapOf } from './operation.ts';
import { type Bot, type Call, callOf, type Truth, type Worker, WORKERS } from './truth.ts';

/** What can happen between the bot and the hosting service, each as one command over truth and record. */

export interface Happening {
  readonly name: string;
  /** Whether it can happen, by the truth alone. */
  readonly can?: (truth: Readonly<Truth>) => boolean;
  readonly happen: (truth: Truth, bot: Bot, kind: OperationKind) => void;
}

export const worker = fc.constantFrom(...WORKERS);
const status = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('running' as const, 'stopped' as const) },
  { weight: 2, arbitrary: fc.constantFrom('starting' as const, 'stopping' as const, 'restarting' as const) },
  { weight: 2, arbitrary: fc.constantFrom(...STATUSES, 'unknown' as const) },
);
const sight = fc.record({
  status: fc.oneof({ weight: 12, arbitrary: status }, { weight: 1, arbitrary: fc.constant('gone' as const) }),
  health: fc.constantFrom(undefined, 'healthy', 'unhealthy'),
});

/** What can come back of a call that left, as the client tells it. */
type Answer =
  | { readonly tells: 'taken'; readonly answer: WriteAnswer }
  | { readonly tells: 'undone' | 'unknown'; readonly error: HostingError };

const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' });
const httpError = (
  code: number,
  headers: Record<string, string> = {},
  body: unknown = { error: { code: 'x', message: 'no' } },
): HostingError => errorOfAnswer('asking', { status: code, headers, body }, 0);
const answer: fc.Arbitrary<Answer> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .option(status, { nil: undefined })
      .map((word): Answer => ({ tells: 'taken', answer: word === undefined ? {} : { status: word } })),
  },
  fc
    .constantFrom(
      ...[400, 401, 402, 403, 404, 409, 409, 409].map((code) => httpError(code)),
      httpError(422, {}, { error: { details: { power: 'no' } } }),
      ...['1', '30', '90'].map((seconds) => httpError(429, { 'retry-after': seconds })),
      errorOfFailure('asking', refused),
    )
    .map((error): Answer => ({ tells: 'undone', error })),
  fc
    .constantFrom(
      httpError(302),
      httpError(403, {}, '<html></html>'),
      httpError(408),
      httpError(418),
      httpError(500),
      httpError(503),
      errorOfBody('asking', 'no JSON'),
      errorOfFailure('asking', new Error('reset')),
    )
    .map((error): Answer => ({ tells: 'unknown', error })),
);

interface Sight {
  readonly status: ObservedState['status'];
  readonly health: string | undefined;
}

const sawOf = (saw: Sight, at: number): ObservedState => ({
  status: saw.status,
  word: saw.status,
  at,
  ...(saw.health === undefined ? {} : { health: saw.health }),
});

/** The lane takes up what is due: the call is written down, or it is too late for one. */
export function takeUp(truth: Truth, bot: Bot, by: Worker): void {
  const { record } = bot;
  const { now } = truth;
  if (record.execution.state === 'ended' || effectAt(record, timings) > now) return;
  if (record.execution.state === 'sending') {
    bot.record = answerUnknown(record, record.execution.sendId ?? '', undefined, now) ?? record;
  } else if (!mayLeave(record)) {
    bot.record = abandoned(record, isBotRefused(record) ? 'bot-refused' : 'not-shown', now) ?? record;
  } else if (record.execution.sends === 0 && now > record.requestedAt + timings.acceptWithinMs) {
    bot.record = abandoned(record, 'too-late', now) ?? record;
  } else if (!callOf(truth, by)) {
    const id = `call-${truth.calls.length + 1}`;
    const after = startSending(record, id, now, timings);
    if (!after) return;
    expect(record.execution.sends > 0 || isShown(record), 'nothing leaves that nobody can see').toBe(true);
    expect(startSending(after, 'another', now, timings), 'written down by one only').toBeUndefined();
    bot.record = after;
    const facts = { left: false, tookEffect: false, isUndone: false, succeeded: false };
    truth.calls.push({ id, by, writtenAt: now, state: 'written', ...facts });
  }
}

/** The call leaves, or is taken back because writing it down took too long. */
export function leave(truth: Truth, bot: Bot, call: Call, takesEffect: boolean): void {
  if (truth.now - call.writtenAt > timings.sendWithinMs) {
    call.state = 'over';
    call.isUndone = true;
    const { record } = bot;
    bot.record = notSent(record, call.id, truth.now) ?? record;
    anEarlierAnswerMovesNothing(record, bot.record, call);
    return;
  }
  aRestartLeavesOnce(truth, call);
  call.state = 'left';
  call.left = true;
  call.tookEffect = takesEffect;
}

export function handle(
  truth: Truth,
  bot: Bot,
  kind: OperationKind,
  call: Call,
  given: Answer,
  saw: ObservedState | undefined,
): void {
  const { record } = bot;
  const { now } = truth;
  call.state = 'over';
  let after: Operation | undefined;
  if (given.tells === 'taken') {
    call.succeeded = true;
    after = accepted(record, call.id, given.answer, now, firstGapMs);
    const word = given.answer.status;
    if (after && word !== undefined) truth.sights.push({ status: word, word, at: now });
  } else {
    if (given.tells === 'undone') call.isUndone = true;
    after =
      given.error.fault === 'wrong-state'
        ? refusedState(truth, record, kind, call, given.error, saw)
        : afterFault(record, call.id, given.error, now, timings);
  }
  bot.record = after ?? record;
  anEarlierAnswerMovesNothing(record, bot.record, call);
}

/** The answer "wrong state" with the poll that follows it, as `send.ts` puts the two together. */
function refusedState(
  truth: Truth,
  record: Operation,
  kind: OperationKind,
  call: Call,
  error: HostingError,
  saw: ObservedState | undefined,
): Operation | undefined {
  if (record.execution.sendId !== call.id || record.execution.state !== 'sending') return undefined;
  truth.sights.push(saw);
  const known = saw ? { ...record, execution: { ...record.execution, lastState: saw } } : record;
  const judgment = kind.judgeRefused(known, saw, error.said);
  return judgment === 'under way'
    ? accepted(known, call.id, {}, truth.now, firstGapMs)
    : ended(known, { ...judgment, at: truth.now });
}

/** What a poll that sees nothing fails by. */
const unseen = new HostingError('polling', { fault: 'no-answer', outcome: 'unknown', retryable: true });

const blindLook: Happening = {
  name: 'a poll sees nothing',
  happen: (truth, bot) => {
    bot.record = pollFailed(bot.record, unseen, truth.now, timings, gapOf) ?? bot.record;
  },
};

/** The lane gives up what nobody sends meanwhile. */
const giveUp = (code: Outcome['code']): Happening => ({
  name: `it is given up before a call leaves: ${code}`,
  happen: (truth, bot) => {
    const { record } = bot;
    if (record.execution.state === 'requested') bot.record = abandoned(record, code, truth.now) ?? record;
  },
});

/** What the service can truly say of a call: nothing done where it did something is no answer of an honest one. */
const canSay = (call: Call, given: Answer): boolean =>
  given.tells === 'unknown' || (given.tells === 'taken') === call.tookEffect;

const tell = (given: Answer): string =>
  given.tells === 'taken' ? `taken ${given.answer.status ?? ''}` : `${given.tells}: ${given.error.message}`;

/** All of one call at once, so that sequences come far. */
function makeCall(truth: Truth, bot: Bot, kind: OperationKind, by: Worker, given: Answer): void {
  takeUp(truth, bot, by);
  const made = callOf(truth, by);
  if (made?.state === 'written') leave(truth, bot, made, given.tells !== 'undone');
  if (made?.state === 'left' && canSay(made, given)) handle(truth, bot, kind, made, given, undefined);
}

/** A worker sleeps with a call in hand until the other has given that up, looked, and made its own. */
function overtake(truth: Truth, bot: Bot, kind: OperationKind, by: Worker): void {
  const other = by === 'one' ? 'other' : 'one';
  truth.now += recoverAfterMs(timings);
  takeUp(truth, bot, other);
  truth.now += timings.settleMs;
  poll(truth, bot, kind, { status: truth.power === 'start' ? 'stopped' : 'running', health: undefined });
  takeUp(truth, bot, other);
  const call = callOf(truth, other);
  if (call?.state === 'written') leave(truth, bot, call, true);
}

function poll(truth: Truth, bot: Bot, kind: OperationKind, shown: Sight): void {
  const saw = sawOf(shown, truth.now);
  const after = polled(bot.record, kind, saw, truth.now, gapOf);
  if (!after) return;
  truth.sights.push(saw);
  bot.record = after;
}

export const executionHappenings: readonly fc.Arbitrary<Happening>[] = [
  fc.tuple(worker, answer).map(([by, given]) => ({
    name: `${by} makes the call and is answered ${tell(given)}`,
    happen: (truth, bot, kind) => makeCall(truth, bot, kind, by, given),
  })),
  worker.map((by) => ({ name: `${by} takes up the call`, happen: (truth, bot) => takeUp(truth, bot, by) })),
  fc.tuple(worker, fc.boolean()).map(([by, takesEffect]) => ({
    name: `the call of ${by} leaves and ${takesEffect ? 'takes effect' : 'does nothing'}`,
    can: (truth) => callOf(truth, by)?.state === 'written',
    happen: (truth, bot) => leave(truth, bot, callOf(truth, by)!, takesEffect),
  })),
  fc.tuple(worker, answer, fc.option(sight, { nil: undefined })).map(([by, given, shown]) => ({
    name: `${by} is answered ${tell(given)}, then sees ${JSON.stringify(shown)}`,
    can: (truth) => {
      const call = callOf(truth, by);
      return call?.state === 'left' && canSay(call, given);
    },
    happen: (truth, bot, kind) =>
      handle(truth, bot, kind, callOf(truth, by)!, given, shown && sawOf(shown, truth.now)),
  })),
  sight.map((shown) => ({
    name: `a poll sees ${JSON.stringify(shown)}`,
    happen: (truth, bot, kind) => poll(truth, bot, kind, shown),
  })),
  worker.map((by) => ({
    name: `${by} sleeps until the other asks again`,
    can: (truth) => callOf(truth, by) !== undefined,
    happen: (truth, bot, kind) => overtake(truth, bot, kind, by),
  })),
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(blindLook) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('no-right', 'not-checked', 'unauthorized', 'unreachable', 'rate-limited')
        .map(giveUp),
    },
  ),
];
