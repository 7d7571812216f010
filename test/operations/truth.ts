import type { Power } from '../../src/platform/hosting/service.ts';
import type { Operation, Outcome, ObservedState } from '../../src/core/operations/operation.ts';
import type { Part } from '../../src/core/operations/message-order.ts';
import { NOW, timings } from './operation.ts';

/**
 * What the world truly did, kept beside an operation's record and never derived from it: calls that left and took
 * effect, messages that stand in Slack, what was seen. The record is held against it after every step.
 */
export interface Truth {
  readonly power: Power;
  now: number;
  /** Every call that was ever written down. */
  readonly calls: Call[];
  /** What looks have shown, the newest last; undefined for one that was needed and failed. */
  readonly sights: (ObservedState | undefined)[];
  readonly posts: Post[];
  readonly edits: Edit[];
  /** What each worker waits for in its speaking lane. */
  readonly speaking: Record<Worker, Post | Lookup | Edit | undefined>;
  /** The first outcome that the record ever held. */
  outcome?: Outcome;
  /** Whether a lookup was ever refused for good: then nobody can tell whether a card stands. */
  isBlind: boolean;
}

export type Worker = 'one' | 'other';
export const WORKERS = ['one', 'other'] as const;

export interface Call {
  readonly id: string;
  readonly by: Worker;
  readonly writtenAt: number;
  /** `over`: its answer was handled, or it never left, or nobody waits for it any more. */
  state: 'written' | 'left' | 'over';
  left: boolean;
  tookEffect: boolean;
  /** It is proven that it did nothing: it never left, or an answer said so. */
  isUndone: boolean;
  succeeded: boolean;
}

export interface Post {
  readonly do: 'post';
  readonly part: Part;
  readonly ts: string;
  readonly channelId: string;
  readonly writtenAt: number;
  /** What it shows, or would if it stood. */
  contentKey: string;
  left: boolean;
  stands: boolean;
  /** Whether it may be followed by another of its part: it was refused, or a lookup found nothing of it. */
  isSettled: boolean;
}

/** A lookup of a message; `found` is what stood there when Slack looked. */
export interface Lookup {
  readonly do: 'find';
  readonly part: Part;
  readonly found: Post | undefined;
  readonly writtenAt: number | undefined;
  readonly about: readonly Post[];
}

export interface Edit {
  readonly do: 'edit';
  /** The card it is about. */
  readonly ts: string;
  readonly contentKey: string;
  readonly writtenAt: number;
  leftAt?: number;
  /** `late`: nobody waits for it any more, and it is still on its way. */
  state: 'written' | 'on its way' | 'late' | 'over';
  landed: boolean;
}

/** The one record that the pure functions move. */
export interface Bot {
  record: Operation;
}

export function newTruth(power: Power): Truth {
  return {
    power,
    now: NOW,
    calls: [],
    sights: [],
    isBlind: false,
    posts: [],
    edits: [],
    speaking: { one: undefined, other: undefined },
  };
}

/** The call that a worker waits for. */
export function callOf(truth: Readonly<Truth>, by: Worker): Call | undefined {
  return truth.calls.find((call) => call.by === by && call.state !== 'over');
}

/** Until when an edit may reach its card: it leaves in time or never, and arrives in time or never. */
export function landsUntil(edit: Edit): number {
  return edit.leftAt === undefined
    ? edit.writtenAt + timings.sendWithinMs + timings.slackTimeoutMs
    : edit.leftAt + timings.slackTimeoutMs;
}

/** The edits that may yet reach their card. */
export function editsUnderWay(truth: Readonly<Truth>): readonly Edit[] {
  return truth.edits.filter((edit) => {
    if (edit.state === 'over' || edit.landed) return false;
    if (edit.state === 'written') return truth.now - edit.writtenAt <= timings.sendWithinMs;
    return truth.now <= landsUntil(edit);
  });
}

/** An edit reaches its card. */
export function land(truth: Truth, edit: Edit): void {
  const card = truth.posts.find((post) => post.ts === edit.ts);
  if (card) card.contentKey = edit.contentKey;
  edit.landed = true;
  edit.state = 'over';
}

/** The process is gone: what it had sent may have got through, and nobody waits for the answers. */
export function die(truth: Truth, by: Worker, getsThrough: boolean): void {
  const call = callOf(truth, by);
  if (call) call.state = 'over';
  const hand = truth.speaking[by];
  if (hand?.do === 'edit') hand.state = hand.state === 'on its way' && getsThrough ? 'late' : 'over';
  truth.speaking[by] = undefined;
}
