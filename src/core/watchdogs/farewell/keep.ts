import { newId } from '../../../platform/id.ts';
import { asError } from '../../../platform/log/log.ts';
import { slackErrorOf } from '../../../platform/slack/errors.ts';
import { inFormsTaken } from '../../../platform/slack/forms.ts';
import type { Messenger } from '../../../platform/slack/messenger.ts';
import type { ScheduledPost } from '../../../platform/slack/scheduled-posts.ts';
import { markOf, type RedisMark, type RedisMarks } from '../redis-loss.ts';
import type { OneRecord } from '../../records/one-record.ts';
import { comeBack, type Speaking } from './come-back.ts';
import {
  decide,
  freeSecond,
  FAREWELL_AFTER_MS,
  type FarewellTimings,
  isDue,
  maybePosted,
  type Plan,
  watchedIn,
  withoutOver,
} from './decide.ts';
import type { LastWords, Speaker, FarewellRecord } from './record.ts';
import { farewellMessage, isFarewell, markIn } from './messages.ts';
import type { Base } from '../../base.ts';

export interface FarewellDeps extends Pick<Base, 'log' | 'scheduledPosts'> {
  readonly messenger: Pick<Messenger, 'findOnPage' | 'remove'>;
  /** Those of a workspace. */
  readonly store: OneRecord<FarewellRecord>;
  /** Does it unless another process is at it. */
  readonly alone: (work: () => Promise<void>) => Promise<void>;
  /** Every account that the bot runs in the workspace. */
  readonly speakers: readonly Speaker[];
  /** How new Redis is; undefined where nobody can say. */
  readonly marks: () => Promise<RedisMarks | undefined>;
  /** Slack's clock, as Redis has it, Unix ms. */
  readonly now: () => number;
  readonly timings: FarewellTimings;
}

/** What keeps the farewells of a workspace ahead of the bot. */
export interface Farewells {
  /** Does what is due, if anything is; to be called again and again. Throws what Redis or Slack throws. */
  keep(): Promise<void>;
  /** How new Redis was by what stood in Slack before this process kept anything there. Throws what the list throws. */
  recall(): Promise<readonly RedisMark[]>;
  /** Begins nothing more; resolves once what has begun has ended, and how new Redis is by now stands in Slack. */
  stop(): Promise<void>;
}

/** Who asks whether anything is due reads the record; what others do in between is no more than that late. */
const LOOK_EVERY_MS = 60_000;
/** What Slack did not do, or may not have done, is looked at again after this. */
const AGAIN_AFTER_MS = 15_000;
/** The first look at the money after a start comes soon. */
const BEHIND_EVERY_MS = 2_000;

/**
 * Has Slack post by itself, in each channel in which alerts stand, that the bot is silent: scheduled ahead, and pushed forward by whichever
 * process finds that due, as long as one lives, Redis and Slack answer, and the money is looked at.
 */
export function createFarewells(deps: FarewellDeps): Farewells {
  const { store, now, timings } = deps;
  const againAfterMs = Math.min(AGAIN_AFTER_MS, timings.farewellEveryMs);
  let nextAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  let isKept = false;
  let underWay: Promise<void> | undefined;
  let recalled: readonly RedisMark[] | undefined;
  const recall = async (): Promise<readonly RedisMark[]> => (recalled ??= await readMarks(deps));
  const look = async (): Promise<void> => {
    const [record, speaking] = await Promise.all([store.get(), speakingOf(deps.speakers)]);
    const words = speaking.map((one) => one.words);
    if (!isDue(record, words, now(), timings)) {
      const dueAt = record.keptAt + timings.farewellEveryMs;
      // What isn't due for want of a look at the money is due as soon as that has been made.
      const isBehind = words.some((one) => one.channelId !== undefined && !one.isWatched);
      const isWanted = words.some((one) => one.channelId !== undefined);
      const lookAt = isWanted
        ? Math.min(Math.max(dueAt, now()), now() + LOOK_EVERY_MS)
        : now() + LOOK_EVERY_MS;
      nextAt = isBehind ? now() + Math.min(BEHIND_EVERY_MS, againAfterMs) : lookAt;
      return;
    }
    nextAt = now() + againAfterMs;
    if (isStopped) return;
    // What it replaces must have been read before.
    await recall();
    await deps.alone(async () => {
      if (await putRight(deps, speaking)) nextAt = now();
      isKept = true;
    });
  };
  /** Pushed forward whenever that was last done. */
  const pushLast = async (): Promise<void> => {
    const speaking = await speakingOf(deps.speakers);
    const always = { ...deps, timings: { ...timings, farewellEveryMs: 0 } };
    await deps.alone(async () => void (await putRight(always, speaking)));
  };
  return {
    recall,
    keep: async () => {
      if (isStopped || underWay || now() < nextAt) return;
      underWay = look().finally(() => {
        underWay = undefined;
      });
      await underWay;
    },
    stop: async () => {
      isStopped = true;
      await underWay?.catch(() => undefined);
      if (isKept) await pushLast().catch(() => undefined);
    },
  };
}

/** Throws what may pass; what Slack never tells is not known. */
async function readMarks({ scheduledPosts }: FarewellDeps): Promise<readonly RedisMark[]> {
  try {
    const pending = await scheduledPosts.list();
    return pending.flatMap(({ text }) => (isFarewell(text) ? (markIn(text) ?? []) : []));
  } catch (error) {
    if (slackErrorOf(error).dead) return [];
    throw error;
  }
}

async function speakingOf(speakers: readonly Speaker[]): Promise<readonly Speaking[]> {
  const all = await Promise.all(
    speakers.map(async ({ lastWords, outbox }) => {
      const words = await lastWords();
      return words ? [{ words, outbox }] : [];
    }),
  );
  return all.flat();
}

/** Looks at what Slack has, and puts it right. Gives whether all is as it should be then. Throws what Redis throws, or the list. */
async function putRight(deps: FarewellDeps, speaking: readonly Speaking[]): Promise<boolean> {
  const { scheduledPosts, store, now, timings } = deps;
  const words = speaking.map((one) => one.words);
  const pending = (await scheduledPosts.list()).filter(({ text }) => isFarewell(text));
  const canceled: ScheduledPost[] = [];
  let isRight = true;
  for (const plan of decide(pending, words, now(), timings)) {
    const isDone = await carryOut(deps, plan, words, canceled);
    isRight &&= isDone;
  }
  const at = now();
  const record = await store.get();
  const told = record.scheduled.filter(({ isTold }) => isTold);
  const over = await comeBack(deps, maybePosted(record, pending, at), told, speaking, at);
  const wanted = new Set(words.map(({ channelId }) => channelId));
  await store.change((before) => {
    const { scheduled } = withoutOver(before, { canceled, over }, at);
    if (!isRight) return { ...before, scheduled };
    const still = before.channelIds.filter((one) => wanted.has(one));
    return { keptAt: at, channelIds: [...new Set([...still, ...watchedIn(words)])], scheduled };
  });
  return isRight;
}

/** Does what is to be done in a channel; gives whether all of it is certainly done, and adds what was taken back to `canceled`. */
async function carryOut(
  deps: FarewellDeps,
  { channelId, schedules, cancels }: Plan,
  words: readonly LastWords[],
  canceled: ScheduledPost[],
): Promise<boolean> {
  const { scheduledPosts, log } = deps;
  try {
    if (schedules) await schedule(deps, channelId, words);
    for (const one of cancels) {
      await scheduledPosts.cancel(one);
      canceled.push(one);
    }
    return true;
  } catch (error) {
    const { code, dead } = slackErrorOf(error);
    log.limited(`keeping the farewell in a channel: ${code}`, asError(error));
    // What Slack refuses there it refuses the next time as well: others are kept at their pace.
    return dead;
  }
}

/** Throws what Redis or Slack throws; what may have been scheduled is in the record. */
async function schedule(
  { scheduledPosts, store, marks, now }: FarewellDeps,
  channelId: string,
  words: readonly LastWords[],
): Promise<void> {
  const key = `farewell-${newId()}`;
  const read = await marks();
  const since = now();
  const { scheduled } = await store.get();
  const postAt = freeSecond(scheduled, channelId, since + FAREWELL_AFTER_MS);
  await store.change((record) => ({
    ...record,
    scheduled: [...record.scheduled, { channelId, key, postAt, since }],
  }));
  const message = farewellMessage(
    since,
    words.filter((one) => one.channelId === channelId),
    read && markOf(read),
  );
  try {
    await inFormsTaken(message, (form) => scheduledPosts.schedule({ channelId, postAt }, message, key, form));
  } catch (error) {
    if (slackErrorOf(error).outcome === 'not-done')
      await store.change((record) => ({
        ...record,
        scheduled: record.scheduled.filter((one) => one.key !== key),
      }));
    throw error;
  }
}
