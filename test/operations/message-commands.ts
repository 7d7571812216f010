import fc from 'fast-check';
import { expect } from 'vitest';
import type { OperationKind } from '../../src/core/operations/kind.ts';
import type { Operation } from '../../src/core/operations/operation.ts';
import * as moves from './said.ts';
import { isPutOffTooLong } from '../../src/core/outbox/history-lookup.ts';
import { SlackError } from '../../src/platform/slack/errors.ts';
import { type Happening, worker } from './execution-commands.ts';
import { aLateWordMovesNothing, noPostOverAnother, theCardTellsTheEnd } from './invariants.ts';
import { timings } from './operation.ts';
import {
  type Bot,
  die,
  type Edit,
  land,
  landsUntil,
  type Lookup,
  type Post,
  type Truth,
  type Worker,
} from './truth.ts';

/** What can happen between the bot and Slack, each as one command over truth and record. */

const faces = new WeakMap<Operation, string>();

/** What the card of a record shows. A record never changes, so it is rendered once. */
export function contentKeyOf(record: Operation, kind: OperationKind): string {
  const contentKey = faces.get(record) ?? JSON.stringify(kind.card(record));
  faces.set(record, contentKey);
  return contentKey;
}

const notDone = fc.oneof(
  fc.constantFrom(undefined, 1_000, 45_000).map((retryAfterMs) => {
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
    return new SlackError('ratelimited', { outcome: 'not-done', ...wait });
  }),
  fc.constant(new SlackError('channel_not_found', { outcome: 'not-done', dead: true })),
);
const unknown = fc.constant(new SlackError('unreachable', { outcome: 'unknown' }));
const mayFail = fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, notDone, unknown);

/** The speaking lane takes up what is due; a worker does one thing at a time. */
export function speakUp(truth: Truth, bot: Bot, kind: OperationKind, by: Worker): void {
  const { record } = bot;
  const { now } = truth;
  const contentKey = contentKeyOf(record, kind);
  const step = moves.nextMessage(record, contentKey, now, timings);
  if (!step) return;
  if (step.do === 'close') {
    theCardTellsTheEnd(truth, record, contentKey);
    bot.record = moves.closed(record, now) ?? record;
  } else if (step.do === 'edit') {
    startEdit(truth, bot, by, contentKey);
  } else if (step.do === 'dedupe') {
    // Here every post lands in its time or never, so that nothing is to be taken away.
    bot.record = moves.deduped(record, step.part, record[step.part].repostedAt) ?? record;
  } else if (step.do === 'find') {
    const about = truth.posts.filter((post) => post.part === step.part);
    const { fallback } = record[step.part];
    const found = about.find(
      (post) => post.stands && (fallback === undefined || post.channelId === fallback),
    );
    truth.speaking[by] = {
      do: 'find',
      part: step.part,
      found,
      about,
      writtenAt: record[step.part].postingAt,
    };
  } else if (step.do !== 'set row') startPost(truth, bot, by, step.part, contentKey);
}

function startPost(truth: Truth, bot: Bot, by: Worker, part: moves.Part, contentKey: string): void {
  const after = moves.startPosting(bot.record, part, contentKey, truth.now);
  if (!after) return;
  expect(moves.startPosting(after, part, contentKey, truth.now), 'written down by one only').toBeUndefined();
  bot.record = after;
  const channelId = after[part].fallback ?? 'C1';
  const facts = { left: false, stands: false, isSettled: false };
  const ts = `${truth.posts.length + 1}.0`;
  const post: Post = { do: 'post', part, ts, channelId, contentKey, writtenAt: truth.now, ...facts };
  truth.posts.push(post);
  truth.speaking[by] = post;
  noPostOverAnother(truth, post);
}

function startEdit(truth: Truth, bot: Bot, by: Worker, contentKey: string): void {
  const after = moves.startEditing(bot.record, truth.now, timings);
  if (!after) return;
  bot.record = after;
  const ts = after.card.ts ?? '';
  const edit: Edit = { do: 'edit', ts, contentKey, writtenAt: truth.now, state: 'written', landed: false };
  truth.edits.push(edit);
  truth.speaking[by] = edit;
}

/** What was written down reaches Slack or gets lost on the way; what would leave late does not leave. */
export function reach(truth: Truth, bot: Bot, by: Worker, arrives: boolean): void {
  const hand = truth.speaking[by];
  if (hand?.do === 'edit') {
    reachByEdit(truth, bot, by, hand, arrives);
  } else if (hand?.do === 'post' && !hand.left) {
    if (truth.now - hand.writtenAt > timings.sendWithinMs) {
      truth.speaking[by] = undefined;
      hand.isSettled = true;
      bot.record = moves.notPosted(bot.record, hand.part, hand.writtenAt, undefined, truth.now) ?? bot.record;
      return;
    }
    hand.left = true;
    hand.stands = arrives;
  }
}

function reachByEdit(truth: Truth, bot: Bot, by: Worker, edit: Edit, arrives: boolean): void {
  if (edit.state === 'written') {
    if (truth.now - edit.writtenAt > timings.sendWithinMs) {
      truth.speaking[by] = undefined;
      edit.state = 'over';
      bot.record = moves.notEditing(bot.record, edit.writtenAt) ?? bot.record;
      return;
    }
    edit.state = 'on its way';
    edit.leftAt = truth.now;
  }
  if (edit.state === 'on its way' && arrives) arrive(truth, edit);
}

/** A call to Slack gets there within its time or never. */
function arrive(truth: Truth, edit: Edit): void {
  if (truth.now > landsUntil(edit)) edit.state = 'over';
  else land(truth, edit);
}

/** Slack's answer arrives, or the fault `error` in its place where that is no lie. `opens`: direct messages can be opened. */
export function hear(
  truth: Truth,
  bot: Bot,
  by: Worker,
  error: SlackError | undefined,
  opens: boolean,
): void {
  const hand = truth.speaking[by];
  if (!hand) return;
  truth.speaking[by] = undefined;
  if (hand.do === 'edit') return hearEdit(truth, bot, hand, error);
  const before = bot.record;
  if (hand.do === 'find') hearLookup(truth, bot, hand, error);
  else hearPost(truth, bot, hand, error, opens);
  aLateWordMovesNothing(before, bot.record, hand);
}

function hearPost(truth: Truth, bot: Bot, hand: Post, error: SlackError | undefined, opens: boolean): void {
  const { record } = bot;
  const { now } = truth;
  if (!hand.stands && error?.outcome === 'not-done') hand.isSettled = true;
  if (hand.stands && !error) {
    bot.record =
      moves.posted(record, hand.part, hand.writtenAt, { channelId: hand.channelId, ts: hand.ts }, now) ??
      record;
    return;
  }
  if (hand.stands || !error || error.outcome === 'unknown') return;
  const isRedirected = error.dead && hand.channelId === 'C1' && opens;
  bot.record =
    (isRedirected
      ? moves.redirected(record, hand.part, hand.writtenAt, 'D1', now)
      : moves.notPosted(record, hand.part, hand.writtenAt, error, now)) ?? record;
}

function hearLookup(truth: Truth, bot: Bot, hand: Lookup, error: SlackError | undefined): void {
  const { record } = bot;
  const { now } = truth;
  const { part, found } = hand;
  if (!error && !found) for (const post of hand.about) post.isSettled = true;
  if (error) {
    // What is put off for too long counts as impossible to look up.
    const isPutOff = error.retryAfterMs !== undefined && isPutOffTooLong(hand.writtenAt ?? 0, now);
    truth.isBlind ||= error.dead || isPutOff;
    bot.record = moves.notFound(record, part, hand.writtenAt, error, now) ?? record;
  } else if (found) {
    const at = { channelId: found.channelId, ts: found.ts };
    bot.record = moves.lookedUp(record, part, hand.writtenAt, [at], now) ?? record;
  } else bot.record = moves.lookedUp(record, part, hand.writtenAt, [], now) ?? record;
}

function hearEdit(truth: Truth, bot: Bot, hand: Edit, error: SlackError | undefined): void {
  const { record } = bot;
  const isDone = hand.landed;
  if (isDone && !error) {
    bot.record = moves.edited(record, hand.writtenAt, hand.contentKey, truth.now) ?? record;
    return;
  }
  // An honest Slack does not refuse what it did, and an edit without any answer may still be on its way.
  const said = !error || isDone ? new SlackError('unreachable', { outcome: 'unknown' }) : error;
  hand.state = hand.state === 'over' || said.outcome === 'not-done' ? 'over' : 'late';
  bot.record = moves.notEdited(record, hand.writtenAt, said, truth.now, timings) ?? record;
}

/** A worker hears late of its edit, when the other has sent one too and died. */
function editTwice(truth: Truth, bot: Bot, kind: OperationKind, by: Worker, later: number): void {
  const other = by === 'one' ? 'other' : 'one';
  speakUp(truth, bot, kind, by);
  if (truth.speaking[by]?.do !== 'edit') return;
  reach(truth, bot, by, false);
  truth.now += later;
  die(truth, other, true);
  speakUp(truth, bot, kind, other);
  reach(truth, bot, other, false);
  die(truth, other, true);
  reach(truth, bot, by, true);
  hear(truth, bot, by, undefined, true);
}

const isHearable = (truth: Readonly<Truth>, by: Worker): boolean => {
  const hand = truth.speaking[by];
  if (hand?.do === 'edit') return hand.state !== 'written';
  return hand !== undefined && (hand.do === 'find' || hand.left);
};

export const messageHappenings: readonly fc.Arbitrary<Happening>[] = [
  fc.tuple(worker, fc.boolean(), mayFail).map(([by, arrives, error]) => ({
    name: `${by} says what is due, which ${arrives ? 'arrives' : 'gets lost'}, and hears ${error?.code ?? 'the answer'}`,
    can: (truth) => truth.speaking[by] === undefined,
    happen: (truth, bot, kind) => {
      speakUp(truth, bot, kind, by);
      reach(truth, bot, by, arrives);
      if (isHearable(truth, by)) hear(truth, bot, by, error, true);
    },
  })),
  worker.map((by) => ({
    name: `${by} speaks up`,
    can: (truth) => truth.speaking[by] === undefined,
    happen: (truth, bot, kind) => speakUp(truth, bot, kind, by),
  })),
  fc.tuple(worker, fc.boolean()).map(([by, arrives]) => ({
    name: `what ${by} says ${arrives ? 'arrives' : 'gets lost'}`,
    can: (truth) => truth.speaking[by] !== undefined,
    happen: (truth, bot) => reach(truth, bot, by, arrives),
  })),
  fc.tuple(worker, mayFail, fc.boolean()).map(([by, error, opens]) => ({
    name: `${by} hears ${error ? error.code : 'the answer'}`,
    can: (truth) => isHearable(truth, by),
    happen: (truth, bot) => hear(truth, bot, by, error, opens),
  })),
  fc.tuple(worker, fc.constantFrom(1_500, 3_000, 4_500)).map(([by, later]) => ({
    name: `${by} hears of its edit ${later} ms later, when the other has sent one too and died`,
    can: (truth) => truth.speaking[by] === undefined,
    happen: (truth, bot, kind) => editTwice(truth, bot, kind, by, later),
  })),
  fc.constant({
    name: 'a late edit lands',
    can: (truth: Readonly<Truth>) => truth.edits.some((edit) => edit.state === 'late'),
    happen: (truth: Truth) => {
      arrive(
        truth,
        truth.edits.find((one) => one.state === 'late')!,
      );
    },
  }),
];
