import { untilAtOneRedis } from '../../platform/redis/survive.ts';
import { SlackError, slackErrorOf } from '../../platform/slack/errors.ts';
import { plainerForm } from '../../platform/slack/forms.ts';
import type { Posted } from '../../platform/slack/messenger.ts';
import { createDepartures, type Departures } from '../departures.ts';
import { firstReached, reportDeadLetter } from './reach.ts';
import * as edits from './edits.ts';
import { afterPage, placeToLook, withoutCursor } from './history-lookup.ts';
import {
  type DeliverDeps,
  deliveryFaultOf,
  holdUp,
  laneOf,
  type MessageSource,
  momentOf,
} from './message-source.ts';
import * as outboxMessages from './outbox-message.ts';
import type { OutboxStep } from './outbox-message.ts';

/** Does one step of one message: posts are written down before they leave, and looked up where their answer was lost. */
export type Deliver = <R>(source: MessageSource<R>, record: R, step: OutboxStep) => Promise<void>;

export function createDeliver(deps: DeliverDeps): Deliver {
  const departures = createDepartures(deps.timings, deps.log);
  return async (source, record, step) => {
    if (step === 'find') return find(deps, source, record);
    if (step === 'dedupe') return dedupe(deps, source, record);
    if (!(await hasTurn(deps, source, record, step))) return undefined;
    return step === 'post' ? post(deps, departures, source) : edit(deps, departures, source);
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
  await source.change((message) => outboxMessages.waitsForTurn(message, step, turn, now));
  return false;
}

async function post<R>(deps: DeliverDeps, departures: Departures, source: MessageSource<R>): Promise<void> {
  const { messenger, clock } = deps;
  let at = 0;
  const written = await departures.writeDown(
    (start) =>
      source.change(
        (now, record) => {
          // Counted from here: the record may have taken long to read, and is read again where others have moved it.
          at = clock.now() + start();
          return outboxMessages.startPosting(now, source.contentKeyOf(record), at);
        },
        { survives: true },
      ),
    () =>
      source.change((now, record) =>
        outboxMessages.notPosted(now, at, undefined, momentOf(deps, source, record)),
      ),
  );
  if (!written) return;
  const { postingAt, key, form = 'whole' } = source.messageOf(written);
  const content = source.contentOf(written);
  const notPosted = (fault: SlackError | undefined): Promise<R | undefined> =>
    source.change((now) => outboxMessages.notPosted(now, postingAt, fault, momentOf(deps, source, written)));
  try {
    const posted = await messenger.post(source.addressOf(written), content, key, form);
    const postedAt = clock.now();
    deps.metrics.messagePosted(postedAt - source.sinceOf(written));
    await untilAtOneRedis(() =>
      source.change((now) => outboxMessages.posted(now, postingAt, posted, postedAt)),
    );
  } catch (error) {
    const fault = deliveryFaultOf(deps, source, `posting the ${source.name}`, error);
    // An answer that was lost is looked up later; what certainly did not arrive goes out again.
    if (fault.outcome === 'unknown') return;
    await holdUp(deps, laneOf(source, written, 'post'), fault);
    const plainer = plainerForm(content, form, fault);
    if (plainer) {
      await source.change((now) => outboxMessages.postRefused(now, postingAt, plainer, clock.now()));
      return;
    }
    const next = fault.dead ? await redirect(deps, source, written, fault) : fault;
    const after = next && (await notPosted(next));
    if (after && source.messageOf(after).state === 'dead-lettered')
      reportDeadLetter(deps, source.of, next.code);
  }
}

/**
 * A place the bot can't post to: the message goes to the next who is to get it rather than to nobody. Gives what stands in
 * the way, if anything does.
 */
async function redirect<R>(
  deps: DeliverDeps,
  source: MessageSource<R>,
  record: R,
  fault: SlackError,
): Promise<SlackError | undefined> {
  const { passedOver = 0, postingAt } = source.messageOf(record);
  const next = await firstReached(deps, source.of, source.fallbacksOf(record), passedOver, fault);
  if (!('channelId' in next)) return next;
  await source.change((now) => outboxMessages.redirected(now, postingAt, next, deps.clock.now()));
  return undefined;
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
  const { messenger, clock } = deps;
  const { key, lookup: kept } = source.messageOf(record);
  const address = source.addressOf(record);
  for (let lookup = kept; ;) {
    const place = placeToLook(clock.atRedis(at ?? 0), lookup);
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
    const fault = deliveryFaultOf(deps, source, `looking for the ${source.name}`, error);
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
    const fault = deliveryFaultOf(deps, source, `looking for a second ${source.name}`, error);
    await source.change((now) =>
      outboxMessages.dedupeFailed(now, repostedAt, fault, momentOf(deps, source, record)),
    );
  }
}

/** Writes down that an edit leaves. Gives the record then; undefined where it must not leave. */
async function startEditing<R>(
  { clock, timings }: DeliverDeps,
  departures: Departures,
  source: MessageSource<R>,
): Promise<R | undefined> {
  let at = 0;
  const notEditing = (): Promise<unknown> => source.change((now) => edits.notEditing(now, at));
  const written = await departures.writeDown(
    (start) =>
      source.change(
        (now) => {
          at = clock.now() + start();
          return edits.startEditing(now, at, timings);
        },
        { survives: true },
      ),
    notEditing,
  );
  if (!written || !source.isToWait?.(written)) return written;
  await notEditing();
  return undefined;
}

/** Edits a message that stands, so that it shows its content. */
async function edit<R>(deps: DeliverDeps, departures: Departures, source: MessageSource<R>): Promise<void> {
  const { messenger, clock } = deps;
  const written = await startEditing(deps, departures, source);
  if (!written) return;
  const { editingAt, channelId, ts, key, form = 'whole' } = source.messageOf(written);
  if (channelId === undefined || ts === undefined) throw new Error(`${source.name} ${key}: no address`);
  const content = source.contentOf(written);
  try {
    await messenger.update({ channelId, ts }, content, key, form);
    const [contentKey, moment] = [source.contentKeyOf(written), momentOf(deps, source, written)];
    await source.change((now) => edits.edited(now, editingAt, contentKey, moment));
  } catch (error) {
    const fault = deliveryFaultOf(deps, source, `editing the ${source.name}`, error);
    await holdUp(deps, laneOf(source, written, 'edit'), fault);
    const plainer = plainerForm(content, form, fault);
    if (plainer) {
      await source.change((now) => edits.editRefused(now, editingAt, plainer, clock.now()));
      return;
    }
    await source.change((now) => edits.notEdited(now, editingAt, fault, momentOf(deps, source, written)));
  }
}
