import * as outboxMessages from '../../src/core/outbox/outbox-message.ts';
import * as edits from '../../src/core/outbox/edits.ts';
import type { Operation } from '../../src/core/operations/operation.ts';
import { moved, type Part } from '../../src/core/operations/message-order.ts';
import type { SlackError } from '../../src/platform/slack/errors.ts';
import type { Posted } from '../../src/platform/slack/messenger.ts';
import { timings } from './operation.ts';

/** The moves of a message as they happen to one of an operation's two messages. */

export * from '../../src/core/operations/message-order.ts';
export { contentHash } from '../../src/core/outbox/message-source.ts';

type Said = Operation | undefined;
type At = number | undefined;

const momentOf = ({ requestedAt }: Operation, now: number): outboxMessages.Moment => ({
  now,
  since: requestedAt,
  timings,
});

export const startPosting = (one: Operation, part: Part, contentKey: string, now: number): Said =>
  moved(one, part, (message) => outboxMessages.startPosting(message, contentKey, now), now);

export const posted = (one: Operation, part: Part, postingAt: At, at: Posted, now: number): Said =>
  moved(one, part, (message) => outboxMessages.posted(message, postingAt, at, now), now);

export const lookedUp = (
  one: Operation,
  part: Part,
  postingAt: At,
  found: readonly Posted[],
  now: number,
): Said =>
  moved(one, part, (message) => outboxMessages.lookedUp(message, postingAt, found, momentOf(one, now)), now);

export const deduped = (one: Operation, part: Part, repostedAt: At): Said =>
  moved(one, part, (message) => outboxMessages.deduped(message, repostedAt), 0);

export const dedupeFailed = (
  one: Operation,
  part: Part,
  repostedAt: At,
  error: SlackError,
  now: number,
): Said =>
  moved(
    one,
    part,
    (message) => outboxMessages.dedupeFailed(message, repostedAt, error, momentOf(one, now)),
    now,
  );

export const notPosted = (
  one: Operation,
  part: Part,
  postingAt: At,
  error: SlackError | undefined,
  now: number,
): Said =>
  moved(one, part, (message) => outboxMessages.notPosted(message, postingAt, error, momentOf(one, now)), now);

export const redirected = (one: Operation, part: Part, postingAt: At, channelId: string, now: number): Said =>
  moved(
    one,
    part,
    (message) => outboxMessages.redirected(message, postingAt, { channelId, passedOver: 1 }, now),
    now,
  );

export const startEditing = (one: Operation, now: number, waits: typeof timings): Said =>
  moved(one, 'card', (message) => edits.startEditing(message, now, waits), now);

export const notEditing = (one: Operation, editingAt: At): Said =>
  moved(one, 'card', (message) => edits.notEditing(message, editingAt), 0);

export const edited = (one: Operation, editingAt: At, contentKey: string, now: number): Said =>
  moved(one, 'card', (message) => edits.edited(message, editingAt, contentKey, momentOf(one, now)), now);

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
    (message) => edits.notEdited(message, editingAt, error, { ...momentOf(one, now), timings: waits }),
    now,
  );

export const notFound = (one: Operation, part: Part, postingAt: At, error: SlackError, now: number): Said =>
  moved(
    one,
    part,
    (message) => outboxMessages.notFound(message, postingAt, error, part === 'card', momentOf(one, now)),
    now,
  );
