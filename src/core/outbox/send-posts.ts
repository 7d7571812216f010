import type { JobHandler } from '../../platform/queue/run-job.ts';
import { channel, person, say } from '../../platform/slack/phrase.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { Threads } from '../threads/threads.ts';
import type { Addressee, DeliverDeps, MessageSource } from './message-source.ts';
import { channelOf } from './reach.ts';
import { type Couriers, createSendOutside } from './outside.ts';
import { createDeliver } from './deliver.ts';
import type { OutboxMessage } from './outbox-message.ts';
import { closed, contentKeyOf, dropped, nextOf, type Post, standingOf } from './post.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Base } from '../base.ts';
import type { PostStore } from './outbox.ts';

/** Whether a message may stand where it is to go, by the name of what is asked. */
export type PostGuards = Readonly<Record<string, (channelId: string) => Promise<boolean>>>;

/** What is done where a message reached nobody, by the name of who does it. Twice is once. */
export type DeadLetterHandlers = Readonly<
  Record<string, (id: string, post: Pick<Post, 'id' | 'to' | 'content' | 'message'>) => Promise<void>>
>;

/** How soon it is asked again whether the message stands that another goes under. */
const AFTER_ANOTHER_MS = 500;

/** The job of one message that stands by itself: posts it once, and looks it up where the answer was lost. */
export function createSendPosts(
  deps: DeliverDeps &
    Pick<Base, 'admins'> & {
      readonly posts: PostStore;
      readonly couriers: Couriers;
      readonly guards: PostGuards;
      readonly deadLetters: DeadLetterHandlers;
      readonly threads: Threads;
    },
): JobHandler {
  const { posts, couriers, guards, deadLetters, threads, admins, clock, timings, log } = deps;
  const deliver = createDeliver(deps);
  const sendOutside = createSendOutside(deps, posts, couriers);

  return async (id, signal) => {
    while (!signal.aborted) {
      const post = await posts.find(id);
      const next = post && nextOf(post, timings);
      if (!post || !next) return undefined;
      const waitMs = next.dueAt - clock.now();
      if (waitMs > 0) return Math.ceil(waitMs);
      // What joins a card that stands is what its thread is about before anybody sees it there.
      await addToThread(threads, post);
      if (next.step === 'close') {
        await tellDeadLetter(deadLetters, post);
        await posts.change(id, (now) => closed(now, clock.now(), timings));
        continue;
      }
      if ('outside' in post.to) {
        await sendOutside(post, post.to.outside);
        continue;
      }
      const place = await placeOf(posts, post.to);
      if (place === 'later') return AFTER_ANOTHER_MS;
      if (place === 'never' || !(await mayGoOut(guards, log, post, next.step))) {
        await posts.change(id, (now) => dropped(now, clock.now()));
        continue;
      }
      if (place !== post.to) {
        await posts.change(id, (now) => ({ ...now, to: place }));
        continue;
      }
      const { at: since, message } = post;
      const sent = { of: { post: id }, to: place, since, message, fallbacks: fallbacksOf(admins, post) };
      const channelId = await channelOf(deps, sent, (move) =>
        posts.change(id, (now) => ({ ...now, message: move(now.message) })),
      );
      if (channelId !== undefined) await deliver(sourceOf(posts, admins, id, channelId), post, next.step);
    }
    return undefined;
  };
}

/** What a thread is about is known from when its message stands. */
async function addToThread(threads: Threads, post: Post): Promise<void> {
  const standing = post.about && standingOf(post);
  if (post.about && standing?.state === 'stands') await threads.add(standing, post.about);
}

async function tellDeadLetter(deadLetters: DeadLetterHandlers, post: Post): Promise<void> {
  const { onDeadLetter, message } = post;
  if (onDeadLetter && message.state === 'dead-lettered')
    await deadLetters[onDeadLetter.handler]?.(onDeadLetter.id, post);
}

/** Where it goes, once another message stands that it goes under; `never` where that one doesn't and nobody gets it instead. */
async function placeOf(posts: PostStore, to: Addressee): Promise<Addressee | 'later' | 'never'> {
  if (!('underPost' in to) || to.underPost === undefined) return to;
  const other = await posts.find(to.underPost);
  const standing = other && standingOf(other);
  if (standing?.state === 'on its way') return 'later';
  if (standing?.state === 'stands') return { channelId: standing.channelId, threadTs: standing.ts };
  return to.orUserId === undefined ? 'never' : { userId: to.orUserId };
}

/** Asked right before a post: what was allowed when it was written down may not be any more. */
async function mayGoOut(guards: PostGuards, log: Log, post: Post, step: string): Promise<boolean> {
  const { id, guard, to, message } = post;
  if (step !== 'post' || guard === undefined || message.fallback !== undefined) return true;
  if (!('channelId' in to)) return true;
  const isAllowed = (await guards[guard]?.(to.channelId)) ?? false;
  if (!isAllowed)
    log.warn({ post: id, channel: to.channelId, guard }, 'not posted: it may not stand there any more');
  return isAllowed;
}

/** An admin sees everything anyway, and is who can mend it. */
function fallbacksOf(
  admins: Base['admins'],
  { to, isForPlaceAlone }: Pick<Post, 'to' | 'isForPlaceAlone'>,
): readonly Addressee[] {
  if (isForPlaceAlone) return [];
  return admins()
    .filter((one) => !('userId' in to) || one !== to.userId)
    .map((userId) => ({ userId }));
}

function sourceOf(
  posts: PostStore,
  admins: Base['admins'],
  id: string,
  channelId: string,
): MessageSource<Post> {
  return {
    of: { post: id },
    name: 'message',
    messageOf: (post) => post.message,
    contentOf: (post) => (post.message.fallback === undefined ? post.content : misdirected(post)),
    contentKeyOf,
    addressOf: ({ to, message: { fallback } }) =>
      fallback === undefined && 'channelId' in to ? to : { channelId: fallback ?? channelId },
    sinceOf: (post) => post.at,
    fallbacksOf: (post) => fallbacksOf(admins, post),
    isBetterTwice: false,
    change: (move, beside) => posts.change(id, (post) => withMessage(post, move(post.message, post)), beside),
  };
}

function withMessage(post: Post, message: OutboxMessage | undefined): Post | undefined {
  return message && { ...post, message };
}

/** The message as it reads where it goes to one person in place of its channel, or of another person. */
function misdirected({ content, to }: Post): Message {
  if ('outside' in to) return content;
  const why =
    'userId' in to
      ? say`I can't reach ${person(to.userId)}, so this comes to you.`
      : say`I can't post this to ${channel(to.channelId)}, so it comes to you alone. Invite me there.`;
  return { ...content, lines: [why, ...content.lines] };
}
