import type { Log } from '../../platform/log/log.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { SlackError, slackErrorOf } from '../../platform/slack/errors.ts';
import { plainerForm } from '../../platform/slack/forms.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { Address, Messenger, Posted } from '../../platform/slack/messenger.ts';
import type { Timings } from '../timings.ts';
import * as outboxMessages from './outbox-message.ts';
import type { OutboxMessage, OutboxStep } from './outbox-message.ts';
import * as edits from './edits.ts';
import type { Lane, Lanes } from './lanes.ts';
import { afterPage, placeToLook, withoutCursor } from './history-lookup.ts';

export interface DeliverDeps {
  readonly messenger: Messenger;
  readonly lanes: Lanes;
  readonly clock: RedisClock;
  readonly timings: Timings;
  readonly log: Log;
}

/** One message of a record `R`: where the record keeps it, what it says, where it goes. */
export interface MessageSource<R> {
  /** For the log: whose message it is and what it is called. */
  readonly of: Readonly<Record<string, string>>;
  readonly name: string;
  messageOf(record: R): OutboxMessage;
  contentOf(record: R): Message;
  /** What the message shows, as a key: another key, and it is edited. */
  contentKeyOf(record: R): string;
  addressOf(record: R): Address;
  /** Since when it has been wanted, Unix ms. */
  sinceOf(record: R): number;
  /** Who is told alone where the channel can't be posted to, the first who can be reached. */
  fallbacksOf(record: R): readonly string[];
  /** Whether it is better seen twice than never. */
  readonly isBetterTwice: boolean;
  /** Whether nothing that it shows will change any more. */
  isFinal?(record: R): boolean;
  /** Whether an edit would show an end, or something else that people wait for; true where nothing is said. */
  isAwaited?(record: R): boolean;
  /** Moves the message in the record, wherever that is by now. Gives the record then; undefined where `move` did not apply. */
  change(move: MoveIn<R>): Promise<R | undefined>;
  /** The same, written down with the next change; for what is found out again where the process ends before that. */
  note?(move: MoveIn<R>): void;
}

/** Moves a message of a record `R`; undefined where it does not apply. */
type MoveIn<R> = (message: OutboxMessage, record: R) => OutboxMessage | undefined;

/** Does one step of one message: posts are written down before they leave, and looked up where their answer was lost. */
export type Deliver = <R>(source: MessageSource<R>, record: R, step: OutboxStep) => Promise<void>;

export function createDeliver(deps: DeliverDeps): Deliver {
  return async (source, record, step) => {
    const readAt = performance.now();
    if (step === 'find') return find(deps, source, record);
    if (step === 'dedupe') return dedupe(deps, source, record);
    if (!(await hasTurn(deps, source, record, step))) return undefined;
    return step === 'post' ? post(deps, source) : edit(deps, source, record, readAt);
  };
}

function faultOf(
  deps: DeliverDeps,
  source: Pick<MessageSource<unknown>, 'of'>,
  doing: string,
  error: unknown,
): SlackError {
  const { log } = deps;
  const fault = slackErrorOf(error);
  log.warn({ ...source.of, code: fault.code, outcome: fault.outcome }, doing);
  return fault;
}
function momentOf<R>(deps: DeliverDeps, source: MessageSource<R>, record: R): outboxMessages.Moment {
  const { clock, timings } = deps;
  return {
    now: clock.now(),
    since: source.sinceOf(record),
    timings,
  };
}

/** Whether it is this message's turn in its channel; else it is written down when that will be. */
async function hasTurn<R>(
  deps: DeliverDeps,
  source: MessageSource<R>,
  record: R,
  step: 'post' | 'edit',
): Promise<boolean> {
  const { lanes, clock } = deps;
  const { lanePlace } = source.messageOf(record);
  const turn = await lanes.take(laneOf(source, record, step), lanePlace);
  if (turn === 'now') return true;
  const now = clock.now();
  await moveAlong(source, (message) => outboxMessages.waitsForTurn(message, step, turn, now));
  return false;
}

/** Moves a message along with the next change of its record, or at once where there is no waiting for that. */
async function moveAlong<R>(source: MessageSource<R>, move: MoveIn<R>): Promise<void> {
  if (source.note) source.note(move);
  else await source.change(move);
}

/** What was refused for its limit holds up all that is to go the same way. */
async function holdUp(deps: DeliverDeps, lane: Lane, { code, retryAfterMs }: SlackError): Promise<void> {
  const { lanes } = deps;
  if (code === 'ratelimited' && retryAfterMs !== undefined) await lanes.pause(lane, retryAfterMs);
}

async function post<R>(deps: DeliverDeps, source: MessageSource<R>): Promise<void> {
  const { messenger, clock, timings } = deps;
  let from = 0;
  const written = await source.change((now, record) => {
    // Counted from here: the record may have taken long to read, and is read again where others have moved it.
    from = performance.now();
    return outboxMessages.startPosting(now, source.contentKeyOf(record), clock.now());
  });
  if (!written) return;
  const { postingAt, key, form = 'whole' } = source.messageOf(written);
  const content = source.contentOf(written);
  const notPosted = (fault: SlackError | undefined): Promise<R | undefined> =>
    source.change((now) => outboxMessages.notPosted(now, postingAt, fault, momentOf(deps, source, written)));
  // A process that slept meanwhile must not post what another has looked up and posted.
  if (performance.now() - from > timings.sendWithinMs) return void (await notPosted(undefined));
  try {
    const at = await messenger.post(source.addressOf(written), content, key, form);
    const postedAt = clock.now();
    await moveAlong(source, (now) => outboxMessages.posted(now, postingAt, at, postedAt));
  } catch (error) {
    const fault = faultOf(deps, source, `posting the ${source.name}`, error);
    // An answer that was lost is looked up later; what certainly did not arrive goes out again.
    if (fault.outcome === 'unknown') return;
    await holdUp(deps, laneOf(source, written, 'post'), fault);
    const plainer = plainerForm(content, form, fault);
    if (plainer) {
      await source.change((now) => outboxMessages.postRefused(now, postingAt, plainer, clock.now()));
      return;
    }
    const next = fault.dead ? await redirect(deps, source, written, fault) : fault;
    if (next) await notPosted(next);
  }
}

/**
 * A channel the bot can't post to: the message goes to one person alone rather than to nobody. Gives what stands in
 * the way, if anything does.
 */
async function redirect<R>(
  deps: DeliverDeps,
  source: MessageSource<R>,
  record: R,
  fault: SlackError,
): Promise<SlackError | undefined> {
  const { messenger, clock, log } = deps;
  const { fallback, postingAt } = source.messageOf(record);
  if (fallback !== undefined) return fault;
  let last = fault;
  for (const userId of source.fallbacksOf(record)) {
    try {
      const channelId = await messenger.directChannel(userId);
      log.warn({ ...source.of, code: fault.code }, 'posting to direct messages instead');
      await source.change((now) => outboxMessages.redirected(now, postingAt, channelId, clock.now()));
      return undefined;
    } catch (error) {
      const direct = faultOf(deps, source, 'opening direct messages', error);
      // What stands in the way of this message is the channel, unless direct messages may open later.
      last = direct.dead ? fault : direct;
    }
  }
  return last;
}

/**
 * Reads the history around the time of a post, page by page from where it was left off. `see`: whether what is on a
 * page ends it. Gives whether it came to its end; false where the record has moved on. Throws SlackError.
 */
async function look<R>(
  deps: DeliverDeps,
  source: MessageSource<R>,
  record: R,
  at: number | undefined,
  see: (found: readonly Posted[]) => Promise<boolean>,
): Promise<boolean> {
  const { messenger } = deps;
  const { key, lookup: kept } = source.messageOf(record);
  const address = source.addressOf(record);
  for (let lookup = kept; ;) {
    const place = placeToLook(at ?? 0, lookup);
    if (place === 'all seen') return true;
    if (place === 'too much') throw new SlackError('too_many_messages', { outcome: 'not-done', dead: true });
    const page = await messenger.findOnPage(address, key, place).catch((error: unknown) => {
      if (slackErrorOf(error).code !== 'invalid_cursor') throw error;
      return 'from the start' as const;
    });
    if (page !== 'from the start' && (await see(page.found))) return true;
    const next = page === 'from the start' ? withoutCursor(lookup) : afterPage(page.next, lookup);
    if (!(await source.change((now) => outboxMessages.lookingOn(now, at, next)))) return false;
    lookup = next;
  }
}

async function find<R>(deps: DeliverDeps, source: MessageSource<R>, record: R): Promise<void> {
  const { postingAt } = source.messageOf(record);
  let standing: readonly Posted[] = [];
  try {
    const isOver = await look(deps, source, record, postingAt, async (found) => {
      standing = found;
      return found.length > 0;
    });
    if (!isOver) return;
    await source.change((now) =>
      outboxMessages.lookedUp(now, postingAt, standing, momentOf(deps, source, record)),
    );
  } catch (error) {
    const fault = faultOf(deps, source, `looking for the ${source.name}`, error);
    await source.change((now) =>
      outboxMessages.notFound(now, postingAt, fault, source.isBetterTwice, momentOf(deps, source, record)),
    );
  }
}

/** Takes away what stands beside the message that the record knows. */
async function dedupe<R>(deps: DeliverDeps, source: MessageSource<R>, record: R): Promise<void> {
  const { messenger } = deps;
  const { repostedAt, ts } = source.messageOf(record);
  try {
    const isOver = await look(deps, source, record, repostedAt, async (found) => {
      for (const one of found.filter((duplicate) => duplicate.ts !== ts)) await messenger.remove(one);
      return false;
    });
    if (isOver) await source.change((now) => outboxMessages.deduped(now, repostedAt));
  } catch (error) {
    const fault = faultOf(deps, source, `looking for a second ${source.name}`, error);
    await source.change((now) =>
      outboxMessages.dedupeFailed(now, repostedAt, fault, momentOf(deps, source, record)),
    );
  }
}

/** Writes down that an edit leaves. Gives the record then; undefined where it must not leave. */
async function startEditing<R>(deps: DeliverDeps, source: MessageSource<R>): Promise<R | undefined> {
  const { clock, timings } = deps;
  let from = 0;
  const written = await source.change((now) => {
    from = performance.now();
    return edits.startEditing(now, clock.now(), timings);
  });
  if (!written || performance.now() - from <= timings.sendWithinMs) return written;
  // A process that slept meanwhile must not put an old content over a newer one.
  const { editingAt } = source.messageOf(written);
  await source.change((now) => edits.notEditing(now, editingAt));
  return undefined;
}

/** `readAt`: since when the record is as it is given, by this process' own clock, ms. */
async function edit<R>(
  deps: DeliverDeps,
  source: MessageSource<R>,
  record: R,
  readAt: number,
): Promise<void> {
  const { messenger, clock, timings } = deps;
  // An edit that lands late shows the same as all that follow it, so that nobody needs to know of it.
  const isLast = source.isFinal?.(record) && source.messageOf(record).editingAt === undefined;
  const isFresh = performance.now() - readAt <= timings.sendWithinMs;
  const written = isLast && isFresh ? record : await startEditing(deps, source);
  if (!written) return;
  const { editingAt, channelId, ts, key, form = 'whole' } = source.messageOf(written);
  if (channelId === undefined || ts === undefined) throw new Error(`${source.name} ${key}: no address`);
  const content = source.contentOf(written);
  try {
    await messenger.update({ channelId, ts }, content, key, form);
    const [contentKey, moment] = [source.contentKeyOf(written), momentOf(deps, source, written)];
    await moveAlong(source, (now) => edits.edited(now, editingAt, contentKey, moment));
  } catch (error) {
    const fault = faultOf(deps, source, `editing the ${source.name}`, error);
    await holdUp(deps, laneOf(source, written, 'edit'), fault);
    const plainer = plainerForm(content, form, fault);
    if (plainer) {
      await source.change((now) => edits.editRefused(now, editingAt, plainer, clock.now()));
      return;
    }
    await source.change((now) => edits.notEdited(now, editingAt, fault, momentOf(deps, source, written)));
  }
}

function laneOf<R>(source: MessageSource<R>, record: R, method: Lane['method']): Lane {
  if (method === 'post') return { method, channelId: source.addressOf(record).channelId };
  const { yieldsSince } = source.messageOf(record);
  return {
    method,
    isProgress: source.isAwaited?.(record) === false,
    ...(yieldsSince === undefined ? {} : { yieldsSince }),
  };
}
