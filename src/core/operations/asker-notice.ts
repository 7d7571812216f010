import { pauseAfterTries } from '../outbox/pause.ts';
import { isBotRefused as isRefusedBy } from '../../platform/slack/errors.ts';
import type { SlackError } from '../../platform/slack/errors.ts';
import type { Timings } from '../timings.ts';
import type { Notice, Operation } from './operation.ts';

/**
 * What the asker alone reads over the response_url of their request while no card stands, as pure functions: that the
 * operation has begun, so that nothing is done that nobody can see, and how it ended.
 */

/** What a notice says. */
export type NoticeKind = 'begun' | 'ended';

/** Slack serves a response_url for half an hour. */
const LIFE_MS = 29 * 60_000;

/** Whether its asker can see the operation: the card stands, or Slack took the notice that it has begun. */
export function isShown({ card, notice }: Operation): boolean {
  return card.state === 'sent' || notice?.begunAt !== undefined;
}

/** Whether Slack refuses the bot itself, so that no card can stand until somebody repairs the installation. */
export function isBotRefused({ card }: Operation): boolean {
  return card.state !== 'sent' && card.fault !== undefined && isRefusedBy(card.fault);
}

/** Whether nothing that is still to come can show the operation before its call. */
export function cannotBeShown(operation: Operation): boolean {
  if (isShown(operation)) return false;
  if (isBotRefused(operation)) return true;
  return operation.card.state === 'dead-lettered' && nextNotice(operation) !== 'begun';
}

/** What is to be said next over the response_url; undefined for nothing, whenever that is due. */
export function nextNotice(operation: Operation): NoticeKind | undefined {
  const { card, notice, responseUrl, outcome, execution, cancelWindowMs } = operation;
  if (responseUrl === undefined || notice?.isOver || card.state === 'sent') return undefined;
  if (operation.closedAt !== undefined) return undefined;
  if (outcome) return notice?.endedAt === undefined ? 'ended' : undefined;
  // A cancel window needs the card: everybody with the right must be able to cancel.
  const isHeldBack = execution.state === 'requested' && execution.sends === 0 && cancelWindowMs === undefined;
  return isHeldBack && notice?.begunAt === undefined && !isBotRefused(operation) ? 'begun' : undefined;
}

/** A line of a board may take so much longer than a card: past this, edits of the whole workspace wait, and its call would wait with them. */
const ON_BOARD = 5;

/** When that is due: once the card has failed or takes long; infinity for never. */
export function noticeAt(operation: Operation, timings: Timings): number {
  const { notice, card, boardId, requestedAt } = operation;
  const next = nextNotice(operation);
  if (next === undefined) return Number.POSITIVE_INFINITY;
  const { state, fault, postingAt = 0 } = card;
  // The board tells its end in any case.
  if (boardId !== undefined && state === 'waiting' && fault === undefined && next === 'begun')
    return Math.max(notice?.nextAt ?? 0, requestedAt + ON_BOARD * timings.noticeAfterMs);
  const isFailed = state === 'dead-lettered' || (state === 'waiting' && fault !== undefined);
  if (!isFailed && state !== 'posting') return Number.POSITIVE_INFINITY;
  return Math.max(notice?.nextAt ?? 0, isFailed ? 0 : postingAt + timings.noticeAfterMs);
}

/** Slack took the notice. */
export function noticed(operation: Operation, kind: NoticeKind, now: number): Operation {
  const notice = noticeOf(operation);
  const taken = kind === 'begun' ? { begunAt: now } : { endedAt: now };
  return { ...operation, notice: { ...notice, ...taken, tries: 0, nextAt: now } };
}

/** Slack did not take it, or its answer was lost: tried again later, or never where the address takes nothing more. */
export function notNoticed(
  operation: Operation,
  error: SlackError,
  now: number,
  timings: Timings,
): Operation {
  const notice = noticeOf(operation);
  const tries = notice.tries + 1;
  const waitMs = pauseAfterTries(tries, error, timings);
  const isOver = error.dead || now + waitMs - operation.requestedAt > LIFE_MS;
  return { ...operation, notice: { ...notice, tries, nextAt: now + waitMs, isOver } };
}

function noticeOf({ notice }: Operation): Notice {
  return notice ?? { tries: 0, nextAt: 0, isOver: false };
}
