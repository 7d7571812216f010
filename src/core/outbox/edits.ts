import type { SlackError } from '../../platform/slack/errors.ts';
import type { Form } from '../../platform/slack/forms.ts';
import type { Timings } from '../timings.ts';
import { type At, type OutboxMessage, lateAt, type Moment, retried, withoutTurn } from './outbox-message.ts';

/** How the edits of a message that stands move its record, as pure functions. Times are Redis' clock, Unix ms. */

/** Written down before an edit leaves: one that nobody heard the end of may land after this one. */
export function startEditing(
  message: OutboxMessage,
  now: number,
  timings: Timings,
): OutboxMessage | undefined {
  if (message.state !== 'sent') return undefined;
  const repeatAt = lateAt(message, timings);
  return { ...withoutTurn(message), editingAt: now, ...(repeatAt === undefined ? {} : { repeatAt }) };
}

/** The message without the edit written down at `editingAt`; another that was written down since stays. */
function without(message: OutboxMessage, editingAt: number | undefined): OutboxMessage {
  if (message.editingAt !== editingAt) return message;
  const { editingAt: _, ...rest } = message;
  return rest;
}

/** The edit written down at `editingAt` did certainly not leave. */
export function notEditing(message: OutboxMessage, editingAt: number | undefined): OutboxMessage | undefined {
  const rest = without(message, editingAt);
  return rest === message ? undefined : rest;
}

/** It shows `contentKey`; its next edit waits for as long as edits of one message are apart. */
export function edited(
  message: OutboxMessage,
  editingAt: number | undefined,
  contentKey: string,
  { now, timings }: Moment,
): OutboxMessage | undefined {
  const { repeatAt, ...rest } = withoutTurn(without(message, editingAt));
  if (rest.state !== 'sent') return undefined;
  const stillLate = repeatAt !== undefined && repeatAt > now ? { repeatAt } : {};
  return { ...rest, ...stillLate, shown: contentKey, tries: 0, nextAt: now + timings.sameEditEveryMs };
}

/** An edit did not go through, or may have: editing twice is harmless. */
export function notEdited(
  message: OutboxMessage,
  editingAt: number | undefined,
  error: SlackError,
  moment: Moment,
): OutboxMessage | undefined {
  const rest = withoutTurn(without(message, editingAt));
  if (rest.state !== 'sent') return undefined;
  const late = error.outcome === 'unknown' ? { repeatAt: moment.now + moment.timings.findPostAfterMs } : {};
  return retried({ ...rest, ...late }, error, moment);
}

/** Slack refused the edit written down at `at` for what it holds: it is sent again in a plainer form. */
export function editRefused(
  message: OutboxMessage,
  at: At,
  form: Form,
  now: number,
): OutboxMessage | undefined {
  const rest = withoutTurn(without(message, at));
  return rest.state === 'sent' ? { ...rest, form, nextAt: now } : undefined;
}

/** The message as other content is to be shown in it: what stands is edited again, although an edit of it was given up. */
export function editable(message: OutboxMessage, now: number): OutboxMessage {
  if (message.state !== 'dead-lettered' || message.ts === undefined) return message;
  const { fault: _, ...rest } = message;
  return { ...rest, state: 'sent', tries: 0, nextAt: now };
}
