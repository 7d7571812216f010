import type { SlackError } from '../../platform/slack/errors.ts';
import type { Form } from '../../platform/slack/forms.ts';
import type { Timings } from '../timings.ts';
import { type At, type Delivery, lateAt, type Moment, retried, withoutTurn } from './delivery.ts';

/** How the edits of a message that stands move its record, as pure functions. Times are Redis' clock, Unix ms. */

/** Written down before an edit leaves: one that nobody heard the end of may land after this one. */
export function startEditing(delivery: Delivery, now: number, timings: Timings): Delivery | undefined {
  if (delivery.state !== 'sent') return undefined;
  const repeatAt = lateAt(delivery, timings);
  return { ...withoutTurn(delivery), editingAt: now, ...(repeatAt === undefined ? {} : { repeatAt }) };
}

/** The delivery without the edit written down at `editingAt`; another that was written down since stays. */
function without(delivery: Delivery, editingAt: number | undefined): Delivery {
  if (delivery.editingAt !== editingAt) return delivery;
  const { editingAt: _, ...rest } = delivery;
  return rest;
}

/** The edit written down at `editingAt` did certainly not leave. */
export function notEditing(delivery: Delivery, editingAt: number | undefined): Delivery | undefined {
  const rest = without(delivery, editingAt);
  return rest === delivery ? undefined : rest;
}

/** It shows `face`. */
export function edited(
  delivery: Delivery,
  editingAt: number | undefined,
  face: string,
  now: number,
): Delivery | undefined {
  const { repeatAt, ...rest } = without(delivery, editingAt);
  if (rest.state !== 'sent') return undefined;
  const stillLate = repeatAt !== undefined && repeatAt > now ? { repeatAt } : {};
  return { ...rest, ...stillLate, shown: face, tries: 0 };
}

/** An edit did not go through, or may have: editing twice is harmless. */
export function notEdited(
  delivery: Delivery,
  editingAt: number | undefined,
  error: SlackError,
  moment: Moment,
): Delivery | undefined {
  const rest = without(delivery, editingAt);
  if (rest.state !== 'sent') return undefined;
  const late = error.outcome === 'unknown' ? { repeatAt: moment.now + moment.timings.findPostAfterMs } : {};
  return retried({ ...rest, ...late }, error, moment);
}

/** Slack refused the edit written down at `at` for what it holds: it is sent again in a plainer form. */
export function editRefused(delivery: Delivery, at: At, form: Form, now: number): Delivery | undefined {
  const rest = without(delivery, at);
  return rest.state === 'sent' ? { ...rest, form, nextAt: now } : undefined;
}
