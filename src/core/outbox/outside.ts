import { untilAtOneRedis } from '../../platform/redis/survive.ts';
import { type Courier, DeliveryFault, UNKNOWN_OUTCOME } from '../../platform/courier.ts';
import { createDepartures } from '../departures.ts';
import type { Outside, DeliverDeps } from './message-source.ts';
import { notPosted, type OutboxMessage, startPosting, underWay } from './outbox-message.ts';
import type { PostStore } from './outbox.ts';
import { contentKeyOf, dropped, type Post } from './post.ts';
import { reportDeadLetter } from './reach.ts';
import type { Message } from '../../platform/slack/message.ts';
import { toPlainText } from '../../platform/slack/phrase.ts';

/** What takes posts to each place outside of Slack that is configured. */
export type Couriers = Readonly<Partial<Record<Outside['outside'], Courier>>>;

/** What stays broken for hours at somebody else's is not asked as often as Slack: each ten minutes in the end. */
const SLOWER = 40;

/**
 * One step of a post for a place outside of Slack: written down before it leaves, like every post. One whose answer was lost goes
 * again where the place can tell by its id; else it is given up, because nobody can know whether it arrived.
 */
export function createSendOutside(
  deps: DeliverDeps,
  posts: PostStore,
  couriers: Couriers,
): (post: Post, via: Outside['outside']) => Promise<void> {
  const { clock, timings, log } = deps;
  const departures = createDepartures(timings, log);
  const retryingSlowly = { ...timings, longestBackOffMs: timings.longestBackOffMs * SLOWER };

  const change = (id: string, move: (message: OutboxMessage, post: Post) => OutboxMessage | undefined) =>
    posts.change(id, (post) => {
      const message = move(post.message, post);
      return message && { ...post, message };
    });
  const notTaken = async (id: string, at: number | undefined, fault?: DeliveryFault): Promise<void> => {
    const after = await change(id, (message, post) =>
      notPosted(message, at, fault, { now: clock.now(), since: post.at, timings: retryingSlowly }),
    );
    if (after?.message.state === 'dead-lettered') reportDeadLetter(deps, { post: id }, fault?.code);
  };
  const lost = async ({ id, message: { postingAt } }: Post, { isRepeatable }: Courier): Promise<void> =>
    isRepeatable
      ? notTaken(id, postingAt)
      : notTaken(id, postingAt, new DeliveryFault(UNKNOWN_OUTCOME, { outcome: 'unknown', dead: true }));

  return async (post, via) => {
    const { id, message } = post;
    const courier = couriers[via];
    if (!courier) {
      // It was taken out of the configuration.
      log.warn({ post: id, via }, 'not sent: it goes nowhere any more');
      await posts.change(id, (now) => dropped(now, clock.now()) ?? { ...now, closedAt: clock.now() });
      return;
    }
    if (message.state === 'posting') return lost(post, courier);
    let at = 0;
    const written = await departures.writeDown(
      (start) =>
        posts.change(
          id,
          (now) => {
            at = clock.now() + start();
            const next = startPosting(now.message, contentKeyOf(now), at);
            return next && { ...now, message: next };
          },
          { survives: true },
        ),
      () => notTaken(id, at),
    );
    if (!written) return;
    try {
      const { content, facts = {} } = written;
      await courier.deliver({ id, at: written.at, text: plainMessage(content), facts });
    } catch (error) {
      if (!(error instanceof DeliveryFault)) throw error;
      log.warn({ post: id, via, code: error.code, outcome: error.outcome }, 'sending outside of Slack');
      if (error.outcome === 'unknown' && !courier.isRepeatable) await lost(written, courier);
      else await notTaken(id, at, error);
      return;
    }
    await untilAtOneRedis(() =>
      change(id, (now) => {
        const mine = underWay(now, at);
        if (!mine) return undefined;
        const { fault: _, ...rest } = mine;
        return { ...rest, state: 'sent', tries: 0, nextAt: clock.now() };
      }),
    );
  };
}

/** The words of a message for who is not in Slack: its lines, what is listed in it, its note, and the addresses that its buttons open. */
export function plainMessage({ lines, bullets = [], note, buttons = [] }: Message): string {
  return [
    ...lines.map(toPlainText),
    ...bullets.map((bullet) => `• ${toPlainText(bullet)}`),
    ...(note ? [toPlainText(note)] : []),
    ...buttons.flatMap(({ label, url }) => (url === undefined ? [] : [`${label}: ${url}`])),
  ].join('\n');
}
