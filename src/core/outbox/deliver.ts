import type { Log } from '../../platform/log/log.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { SlackError, slackErrorOf } from '../../platform/slack/errors.ts';
import { plainerForm } from '../../platform/slack/forms.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { Address, Messenger, Posted } from '../../platform/slack/messenger.ts';
import type { Timings } from '../timings.ts';
import * as deliveries from './delivery.ts';
import type { Delivery, DeliveryStep } from './delivery.ts';
import * as edits from './edits.ts';
import type { Lane, Lanes } from './lanes.ts';
import { afterPage, placeToLook, withoutCursor } from './lookup.ts';

export interface DeliverDeps {
  readonly messenger: Messenger;
  readonly lanes: Lanes;
  readonly clock: RedisClock;
  readonly timings: Timings;
  readonly log: Log;
}

/** One message of a record `R`: where the record keeps it, what it says, where it goes. */
export interface Letter<R> {
  /** For the log: whose message it is and what it is called. */
  readonly of: Readonly<Record<string, string>>;
  readonly name: string;
  deliveryOf(record: R): Delivery;
  messageOf(record: R): Message;
  /** What the message shows, as a key: another key, and it is edited. */
  contentKeyOf(record: R): string;
  addressOf(record: R): Address;
  /** Since when it has been wanted, Unix ms. */
  sinceOf(record: R): number;
  /** Whoever is told alone where the channel can't be posted to, the first who can be reached. */
  fallbacksOf(record: R): readonly string[];
  /** Whether it is better seen twice than never. */
  readonly isBetterTwice: boolean;
  /** Moves the delivery in the record, wherever that is by now. Gives the record then; undefined where `move` did not apply. */
  change(move: (delivery: Delivery, record: R) => Delivery | undefined): Promise<R | undefined>;
}

/** Does one step of one message: posts are written down before they leave, and looked up where their answer was lost. */
export type Deliver = <R>(letter: Letter<R>, record: R, step: DeliveryStep) => Promise<void>;

export function createDeliver(deps: DeliverDeps): Deliver {
  return async (letter, record, step) => {
    if (step === 'find') return find(deps, letter, record);
    if (step === 'tidy') return tidy(deps, letter, record);
    if (!(await hasTurn(deps, letter, record, step))) return undefined;
    return step === 'post' ? post(deps, letter) : edit(deps, letter);
  };
}

function faultOf(
  deps: DeliverDeps,
  letter: Pick<Letter<unknown>, 'of'>,
  doing: string,
  error: unknown,
): SlackError {
  const { log } = deps;
  const fault = slackErrorOf(error);
  log.warn({ ...letter.of, code: fault.code, outcome: fault.outcome }, doing);
  return fault;
}
function momentOf<R>(deps: DeliverDeps, letter: Letter<R>, record: R): deliveries.Moment {
  const { clock, timings } = deps;
  return {
    now: clock.now(),
    since: letter.sinceOf(record),
    timings,
  };
}

/** Whether it is this message's turn in its channel; else it is written down when that will be. */
async function hasTurn<R>(
  deps: DeliverDeps,
  letter: Letter<R>,
  record: R,
  step: 'post' | 'edit',
): Promise<boolean> {
  const { lanes } = deps;
  const { turnAt } = letter.deliveryOf(record);
  const at = await lanes.take(laneOf(letter, record, step), turnAt);
  if (at === 'now') return true;
  await letter.change((now) => deliveries.waitsForTurn(now, step, at));
  return false;
}

/** What was refused for its limit holds up all that is to go the same way. */
async function holdUp(deps: DeliverDeps, lane: Lane, { code, retryAfterMs }: SlackError): Promise<void> {
  const { lanes } = deps;
  if (code === 'ratelimited' && retryAfterMs !== undefined) await lanes.pause(lane, retryAfterMs);
}

async function post<R>(deps: DeliverDeps, letter: Letter<R>): Promise<void> {
  const { messenger, clock, timings } = deps;
  const before = performance.now();
  const written = await letter.change((now, record) =>
    deliveries.startPosting(now, letter.contentKeyOf(record), clock.now()),
  );
  if (!written) return;
  const { postingAt, key, form = 'whole' } = letter.deliveryOf(written);
  const message = letter.messageOf(written);
  const notPosted = (fault: SlackError | undefined): Promise<R | undefined> =>
    letter.change((now) => deliveries.notPosted(now, postingAt, fault, momentOf(deps, letter, written)));
  // Whoever slept meanwhile must not post what another has looked up and posted.
  if (performance.now() - before > timings.sendWithinMs) return void (await notPosted(undefined));
  try {
    const at = await messenger.post(letter.addressOf(written), message, key, form);
    await letter.change((now) => deliveries.posted(now, postingAt, at, clock.now()));
  } catch (error) {
    const fault = faultOf(deps, letter, `posting the ${letter.name}`, error);
    // An answer that was lost is looked up later; what certainly did not arrive goes out again.
    if (fault.outcome === 'unknown') return;
    await holdUp(deps, laneOf(letter, written, 'post'), fault);
    const plainer = plainerForm(message, form, fault);
    if (plainer) {
      await letter.change((now) => deliveries.postRefused(now, postingAt, plainer, clock.now()));
      return;
    }
    const next = fault.dead ? await redirect(deps, letter, written, fault) : fault;
    if (next) await notPosted(next);
  }
}

/**
 * A channel the bot can't post to: the message goes to one person alone rather than to nobody. Gives what stands in
 * the way, if anything does.
 */
async function redirect<R>(
  deps: DeliverDeps,
  letter: Letter<R>,
  record: R,
  fault: SlackError,
): Promise<SlackError | undefined> {
  const { messenger, clock, log } = deps;
  const { fallback, postingAt } = letter.deliveryOf(record);
  if (fallback !== undefined) return fault;
  let last = fault;
  for (const userId of letter.fallbacksOf(record)) {
    try {
      const channelId = await messenger.directChannel(userId);
      log.warn({ ...letter.of, code: fault.code }, 'posting to direct messages instead');
      await letter.change((now) => deliveries.redirected(now, postingAt, channelId, clock.now()));
      return undefined;
    } catch (error) {
      const direct = faultOf(deps, letter, 'opening direct messages', error);
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
  letter: Letter<R>,
  record: R,
  at: number | undefined,
  see: (found: readonly Posted[]) => Promise<boolean>,
): Promise<boolean> {
  const { messenger } = deps;
  const { key, lookup: kept } = letter.deliveryOf(record);
  const address = letter.addressOf(record);
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
    if (!(await letter.change((now) => deliveries.lookingOn(now, at, next)))) return false;
    lookup = next;
  }
}

async function find<R>(deps: DeliverDeps, letter: Letter<R>, record: R): Promise<void> {
  const { postingAt } = letter.deliveryOf(record);
  let standing: readonly Posted[] = [];
  try {
    const isOver = await look(deps, letter, record, postingAt, async (found) => {
      standing = found;
      return found.length > 0;
    });
    if (!isOver) return;
    await letter.change((now) =>
      deliveries.lookedUp(now, postingAt, standing, momentOf(deps, letter, record)),
    );
  } catch (error) {
    const fault = faultOf(deps, letter, `looking for the ${letter.name}`, error);
    await letter.change((now) =>
      deliveries.notFound(now, postingAt, fault, letter.isBetterTwice, momentOf(deps, letter, record)),
    );
  }
}

/** Takes away what stands beside the message that the record knows. */
async function tidy<R>(deps: DeliverDeps, letter: Letter<R>, record: R): Promise<void> {
  const { messenger } = deps;
  const { strayAt, ts } = letter.deliveryOf(record);
  try {
    const isOver = await look(deps, letter, record, strayAt, async (found) => {
      for (const one of found.filter((stray) => stray.ts !== ts)) await messenger.remove(one);
      return false;
    });
    if (isOver) await letter.change((now) => deliveries.tidied(now, strayAt));
  } catch (error) {
    const fault = faultOf(deps, letter, `looking for a second ${letter.name}`, error);
    await letter.change((now) => deliveries.notTidied(now, strayAt, fault, momentOf(deps, letter, record)));
  }
}

async function edit<R>(deps: DeliverDeps, letter: Letter<R>): Promise<void> {
  const { messenger, clock, timings } = deps;
  const before = performance.now();
  const written = await letter.change((now) => edits.startEditing(now, clock.now(), timings));
  if (!written) return;
  const { editingAt, channelId, ts, key, form = 'whole' } = letter.deliveryOf(written);
  // Whoever slept meanwhile must not put an old face over a newer one.
  if (performance.now() - before > timings.sendWithinMs) {
    await letter.change((now) => edits.notEditing(now, editingAt));
    return;
  }
  if (channelId === undefined || ts === undefined) throw new Error(`${letter.name} ${key}: no address`);
  const message = letter.messageOf(written);
  try {
    await messenger.update({ channelId, ts }, message, key, form);
    await letter.change((now) => edits.edited(now, editingAt, letter.contentKeyOf(written), clock.now()));
  } catch (error) {
    const fault = faultOf(deps, letter, `editing the ${letter.name}`, error);
    await holdUp(deps, { method: 'edit', channelId }, fault);
    const plainer = plainerForm(message, form, fault);
    if (plainer) {
      await letter.change((now) => edits.editRefused(now, editingAt, plainer, clock.now()));
      return;
    }
    await letter.change((now) => edits.notEdited(now, editingAt, fault, momentOf(deps, letter, written)));
  }
}

function laneOf<R>(letter: Letter<R>, record: R, method: Lane['method']): Lane {
  return { method, channelId: letter.addressOf(record).channelId };
}
