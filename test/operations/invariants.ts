import { expect } from 'vitest';
import type { Outcome, Operation } from '../../src/core/operations/operation.ts';
import { effectAt } from '../../src/core/operations/operations.ts';
import { nextMessage, nextMessageAt } from '../../src/core/operations/message-order.ts';
import { timings } from './operation.ts';
import { type Bot, type Call, editsUnderWay, type Lookup, type Post, type Truth } from './truth.ts';

/** What must hold of an operation whatever happens, each as one small function over the truth and the record. */

const TARGETS = { start: 'running', stop: 'stopped', restart: 'running' } as const;
const ON_THE_WAY = ['starting', 'stopping', 'restarting', 'provisioning', 'deploying', 'deleting'];
/** Ends whose words claim, or let one conclude, that none of our calls did anything. */
const CLAIM_NOTHING = new Set([
  'too-late',
  'no-right',
  'approver-no-right',
  'needs-approval',
  'not-checked',
  'rate-limited',
  'unreachable',
  'already',
  'unauthorized',
  'forbidden',
  'no-credit',
  'not-found',
  'bad-input',
  'refused',
]);

const hasEffect = (truth: Truth): boolean => truth.calls.some((call) => call.tookEffect);
const hasSuccess = (truth: Truth): boolean => truth.calls.some((call) => call.succeeded);

/** A restart's call leaves again only where every earlier one provably did nothing. */
export function aRestartLeavesOnce(truth: Truth, leaving: Call): void {
  if (truth.power !== 'restart') return;
  expect(truth.calls.filter((call) => call !== leaving && call.left && !call.isUndone)).toEqual([]);
}

/** The answer of a call that was overtaken by another says nothing of that other. */
export function anEarlierAnswerMovesNothing(before: Operation, after: Operation, call: Call): void {
  if (before.execution.sendId !== call.id) expect(after).toBe(before);
}

/** What is heard of a post that nobody waits for any more, or of an earlier one, moves nothing. */
export function aLateWordMovesNothing(before: Operation, after: Operation, word: Post | Lookup): void {
  const { state, postingAt } = before[word.part];
  if (state !== 'posting' || postingAt !== word.writtenAt) expect(after).toBe(before);
}

/** How often the next message of a part may go out although nobody can tell whether the last one stands. */
const MAX_BLIND_CARDS = 2;

/** No message goes out while an earlier one of its part may stand there. */
export function noPostOverAnother(truth: Truth, post: Post): void {
  const open = truth.posts.filter((one) => one !== post && one.part === post.part && !one.isSettled);
  expect(open.length).toBeLessThanOrEqual(post.part === 'card' && truth.isBlind ? MAX_BLIND_CARDS : 0);
}

/** There is at most one reply, and one card wherever cards can be looked up. */
function atMostOneEach(truth: Truth): void {
  const count = (part: Post['part']): number =>
    truth.posts.filter((post) => post.part === part && post.stands).length;
  expect(count('reply')).toBeLessThanOrEqual(1);
  if (!truth.isBlind) expect(count('card')).toBeLessThanOrEqual(1);
}

/** An outcome stays, word for word, and with it the state that asks for nothing more. */
function anEndIsFinal(truth: Truth, record: Operation): void {
  expect(record.outcome !== undefined).toBe(record.execution.state === 'ended');
  if (truth.outcome) expect(record.outcome).toEqual(truth.outcome);
}

/** The record counts at least the calls that did something, so that no later step takes them for never made. */
function noCallIsForgotten(truth: Truth, record: Operation): void {
  expect(record.execution.sends).toBeGreaterThanOrEqual(truth.calls.filter((call) => call.tookEffect).length);
}

/** "Nothing was done" is reported only where no call of the bot did anything. */
function nothingDoneIsTrue(truth: Truth, outcome: Outcome): void {
  if (outcome.result === 'canceled' || CLAIM_NOTHING.has(outcome.code))
    expect([outcome.code, hasEffect(truth)]).toEqual([outcome.code, false]);
}

/**
 * "Done" is reported only of an instance that was seen as asked: `done` after the service took a call; `seen` and `already`
 * by the look alone, no matter what brought it there; a restart is called done only after a sign of it. "Asked" is reported
 * only where the service took a call.
 */
function doneWasSeen(truth: Truth, outcome: Outcome): void {
  if (outcome.result === 'asked') expect(hasSuccess(truth)).toBe(true);
  if (outcome.result !== 'done') return;
  expect(truth.sights.at(-1)?.status).toBe(TARGETS[truth.power]);
  if (outcome.code === 'done') expect(hasSuccess(truth)).toBe(true);
  if (truth.power === 'restart') expect(showsSign(truth)).toBe(true);
}

function showsSign(truth: Truth): boolean {
  return truth.sights.some(
    (seen) => seen && (ON_THE_WAY.includes(seen.status) || seen.health === 'unhealthy'),
  );
}

/** "Failed" after a call that did something is reported only by what a look showed, and never of a success. */
function failedWasSeen(truth: Truth, outcome: Outcome): void {
  if (outcome.result !== 'failed' || !hasEffect(truth)) return;
  const last = truth.sights.at(-1);
  expect(last).toBeDefined();
  if (truth.power !== 'restart') expect(last?.status).not.toBe(TARGETS[truth.power]);
}

/** A closed operation is due for nothing more. */
function closedIsSilent(record: Operation, contentKey: string): void {
  if (record.closedAt === undefined) return;
  expect(record.outcome).toBeDefined();
  expect(nextMessage(record, contentKey, Number.MAX_SAFE_INTEGER, timings)).toBeUndefined();
  expect(nextMessageAt(record, contentKey, timings)).toBe(Number.POSITIVE_INFINITY);
  expect(effectAt(record, timings)).toBe(Number.POSITIVE_INFINITY);
}

/** When the last word is said, the card in Slack is the card of the record, and nothing on its way can change it. */
export function theCardTellsTheEnd(truth: Truth, record: Operation, contentKey: string): void {
  if (record.card.state !== 'sent') return;
  expect(record.card.shown).toBe(contentKey);
  const { ts } = record.card;
  expect(truth.posts.find((post) => post.ts === ts)?.contentKey).toBe(contentKey);
  const others = editsUnderWay(truth).filter((edit) => edit.ts === ts && edit.contentKey !== contentKey);
  expect(others, 'edits that would land after the end').toEqual([]);
}

/** Everything that can be known from truth and record alone, after every step. */
export function holdsTrue(truth: Truth, bot: Bot, contentKey: string): void {
  const { record } = bot;
  anEndIsFinal(truth, record);
  noCallIsForgotten(truth, record);
  atMostOneEach(truth);
  closedIsSilent(record, contentKey);
  if (!record.outcome) return;
  nothingDoneIsTrue(truth, record.outcome);
  if (truth.outcome) return;
  doneWasSeen(truth, record.outcome);
  failedWasSeen(truth, record.outcome);
  truth.outcome = record.outcome;
}
