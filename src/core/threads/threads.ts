import { z } from 'zod';
import { readStored, toStored } from '../../platform/redis/stored.ts';
import { type About, aboutSchema, type Message } from '../../platform/slack/message.ts';
import type { Posted } from '../../platform/slack/messenger.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { type Fingerprint, fingerprintOf, fingerprintSchema } from '../instances/facts.ts';
import { commit, field, first, keep, unfield, type Write } from '../records/commit.ts';
import { key } from '../../platform/redis/key.ts';

const threadKeys = {
  /** Hash of one thread, or of one person outside of threads: which instances the bot's cards and answers are about, by their ids. */
  about: (channelId: string, threadTs: string): string => key('about', channelId, threadTs),
} as const;

/** What the bot's cards and answers in a thread are about, so that "this" can stand for it. */
export interface Threads {
  /** Adds a card that stands to its thread, with the instances it is about as they were when it was made. Twice is once. */
  add(card: Posted, instances: readonly Fingerprint[]): Promise<void>;
  /**
   * Adds an answer to its thread, or, with a person's id in place of the thread, to what that person was shown in a channel;
   * from now on it is the newest thing there. `at`, Unix ms: when it was asked for.
   */
  addAnswer(answer: Posted, about: About, at: number): Promise<void>;
  /** What is known of a thread. `threadTs`: the time stamp of its first message, or the id of a person. */
  find(channelId: string, threadTs: string): Promise<KnownThread>;
}

export interface KnownThread {
  /** The instances that cards and answers in it are about, at most `MAX_ABOUT`, in no order; none where nothing is known of it. */
  readonly instances: readonly Fingerprint[];
  /** What its newest answer is about, where no card came after it. */
  readonly answer?: Answered;
}

const answeredSchema = aboutSchema.extend({ at: z.number().default(0) });
/** What an answer is about, and when it was asked for, in Unix ms. */
export type Answered = Readonly<z.infer<typeof answeredSchema>>;

/** One more than a refusal names: two are enough to know that it isn't clear which one is meant. */
const MAX_ABOUT = 6;
/** An answer that shows more is about none of them. */
const MAX_ANSWERED = 5;
/** As long as the record of what a card shows is kept. */
const ABOUT_KEPT_MS = 7 * 24 * 3_600_000;
/** No id of an instance has a space in it. */
const ANSWER = 'newest answer';

export function createThreads(redis: RedisConnection): Threads {
  return {
    add: async ({ channelId, ts }, instances) => {
      if (instances.length === 0) return;
      const write = instances.slice(0, MAX_ABOUT).flatMap((one) => aboutWrites(channelId, ts, one));
      await commit(redis, { write });
    },
    addAnswer: async ({ channelId, ts }, about, at) => {
      const write = [
        ...about.instances.flatMap((one) => aboutWrites(channelId, ts, one)),
        field(threadKeys.about(channelId, ts), ANSWER, toStored({ ...about, at })),
        keep(threadKeys.about(channelId, ts), ABOUT_KEPT_MS),
      ];
      await commit(redis, { write });
    },
    find: async (channelId, threadTs) => {
      const { [ANSWER]: answer, ...cards } = await redis.hgetall(threadKeys.about(channelId, threadTs));
      const instances = Object.values(cards).map((text) => readStored(fingerprintSchema, text));
      return { instances, ...(answer && { answer: readStored(answeredSchema, answer) }) };
    },
  };
}

/** A thread has a card that is about an instance, its newest thing. What was written first of an instance stays. */
export function aboutWrites(
  channelId: string,
  threadTs: string,
  { id, name, createdAt }: Fingerprint,
): readonly Write[] {
  const thread = threadKeys.about(channelId, threadTs);
  return [
    unfield(thread, ANSWER),
    first(thread, id, toStored({ id, name, createdAt }), MAX_ABOUT),
    keep(thread, ABOUT_KEPT_MS),
  ];
}

/** What an answer carries that shows these, or asks about them: none of them where they are too many, and nothing without any. */
export function answerAbout(routeId: string, instances: readonly Instance[]): Pick<Message, 'about'> {
  if (instances.length === 0) return {};
  const few = instances.length <= MAX_ANSWERED ? instances : [];
  return { about: { routeId, instances: few.map(fingerprintOf) } };
}
