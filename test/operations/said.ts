import * as deliveries from '../../src/core/outbox/delivery.ts';
import * as edits from '../../src/core/outbox/edits.ts';
import type { Operation } from '../../src/core/operations/operation.ts';
import { moved, type Part } from '../../src/core/operations/speech.ts';
import type { SlackError } from '../../src/platform/slack/errors.ts';
import type { Posted } from '../../src/platform/slack/messenger.ts';
import { timings } from './operation.ts';

/** The moves of a delivery as they happen to one of an operation's two messages. */

export * from '../../src/core/operations/speech.ts';
export { contentHash as digest } from '../../src/core/outbox/content-hash.ts';

type Said = Operation | undefined;
type At = number | undefined;

const momentOf = ({ requestedAt }: Operation, now: number): deliveries.Moment => ({
  now,
  since: requestedAt,
  timings,
});

export const startPosting = (one: Operation, part: Part, face: string, now: number): Said =>
  moved(one, part, (delivery) => deliveries.startPosting(delivery, face, now), now);

export const posted = (one: Operation, part: Part, postingAt: At, at: Posted, now: number): Said =>
  moved(one, part, (delivery) => deliveries.posted(delivery, postingAt, at, now), now);

export const lookedUp = (
  one: Operation,
  part: Part,
  postingAt: At,
  found: readonly Posted[],
  now: number,
): Said =>
  moved(one, part, (delivery) => deliveries.lookedUp(delivery, postingAt, found, momentOf(one, now)), now);

export const tidied = (one: Operation, part: Part, strayAt: At): Said =>
  moved(one, part, (delivery) => deliveries.tidied(delivery, strayAt), 0);

export const notTidied = (one: Operation, part: Part, strayAt: At, error: SlackError, now: number): Said =>
  moved(one, part, (delivery) => deliveries.notTidied(delivery, strayAt, error, momentOf(one, now)), now);

export const notPosted = (
  one: Operation,
  part: Part,
  postingAt: At,
  error: SlackError | undefined,
  now: number,
): Said =>
  moved(one, part, (delivery) => deliveries.notPosted(delivery, postingAt, error, momentOf(one, now)), now);

export const redirected = (one: Operation, part: Part, postingAt: At, channelId: string, now: number): Said =>
  moved(one, part, (delivery) => deliveries.redirected(delivery, postingAt, channelId, now), now);

export const startEditing = (one: Operation, now: number, waits: typeof timings): Said =>
  moved(one, 'card', (delivery) => edits.startEditing(delivery, now, waits), now);

export const notEditing = (one: Operation, editingAt: At): Said =>
  moved(one, 'card', (delivery) => edits.notEditing(delivery, editingAt), 0);

export const edited = (one: Operation, editingAt: At, face: string, now: number): Said =>
  moved(one, 'card', (delivery) => edits.edited(delivery, editingAt, face, now), now);

export const notEdited = (
  one: Operation,
  editingAt: At,
  error: SlackError,
  now: number,
  waits: typeof timings,
): Said =>
  moved(
    one,
    'card',
    (delivery) => edits.notEdited(delivery, editingAt, error, { ...momentOf(one, now), timings: waits }),
    now,
  );

export const notFound = (one: Operation, part: Part, postingAt: At, error: SlackError, now: number): Said =>
  moved(
    one,
    part,
    (delivery) => deliveries.notFound(delivery, postingAt, error, part === 'card', momentOf(one, now)),
    now,
  );
