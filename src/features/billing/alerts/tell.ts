import type { MessageSource } from '../../../core/outbox/message-source.ts';
import type { Addressee } from '../../../core/outbox/addressee.ts';
import { channelOf } from '../../../core/outbox/reach.ts';
import { createDeliver } from '../../../core/outbox/deliver.ts';
import { contentHash } from '../../../core/outbox/content-hash.ts';
import type { OutboxMessage } from '../../../core/outbox/outbox-message.ts';
import type { JobHandler } from '../../../platform/queue/run-job.ts';
import { type Alarm, type Episode, isMain, type Notice } from './alarm.ts';
import { forgotten, type Telling, tellings, type Words } from './telling.ts';
import type { Billing } from '../billing.ts';

export const TELL_JOB = 'billing.tell';

/** Sends what the alarm's record says is to be sent, message by message, until nothing is due. */
export function createTell(deps: Billing, words: Words): JobHandler {
  const { alarms, admins, clock, timings } = deps;
  const deliver = createDeliver(deps);

  const sourceOf = ({ notice: { message, kind } }: Telling, channelId: string): MessageSource<Alarm> => {
    const { key } = message;
    const getFrom = (alarm: Alarm): FoundAlert => {
      const found = find(alarm, key);
      if (!found) throw new Error(`no notice ${key}`);
      return found;
    };
    return {
      of: { alert: key },
      name: kind,
      messageOf: (alarm) => getFrom(alarm).notice.message,
      contentOf: (alarm) => words(getFrom(alarm).episode, getFrom(alarm).notice),
      contentKeyOf: (alarm) => contentHash(words(getFrom(alarm).episode, getFrom(alarm).notice)),
      // By the record: the alert may have moved since `channelId` was looked up.
      addressOf: (alarm) => {
        const { to, message: now } = getFrom(alarm).notice;
        return { channelId: now.fallback ?? ('channelId' in to ? to.channelId : channelId) };
      },
      sinceOf: (alarm) => getFrom(alarm).notice.at,
      fallbacksOf: (alarm) => fallbacksOf(admins(), getFrom(alarm)),
      // Better warned twice than not at all.
      isBetterTwice: true,
      change: (move, beside) =>
        alarms.change((alarm) => withMessage(alarm, key, (now) => move(now, alarm)), beside),
    };
  };

  const tell = async (telling: Telling): Promise<void> => {
    const { notice, step } = telling;
    const alarm = await alarms.get();
    const { key } = notice.message;
    const found = find(alarm, key);
    if (!found) return;
    const { to, at: since, message } = found.notice;
    const sent = { of: { alert: key }, to, since, message, fallbacks: fallbacksOf(admins(), found) };
    const channelId = await channelOf(deps, sent, (move) =>
      alarms.change((now) => withMessage(now, key, move)),
    );
    if (channelId !== undefined) await deliver(sourceOf(telling, channelId), alarm, step);
  };

  return async (_id, signal) => {
    while (!signal.aborted) {
      const alarm = await alarms.get();
      const [next] = tellings(alarm, words, timings);
      if (!next) {
        if (JSON.stringify(forgotten(alarm, words, timings)) !== JSON.stringify(alarm))
          await alarms.change((now) => forgotten(now, words, timings));
        return undefined;
      }
      const waitMs = next.dueAt - clock.now();
      if (waitMs > 0) return Math.ceil(waitMs);
      await tell(next);
    }
    return undefined;
  };
}

interface FoundAlert {
  readonly episode: Episode;
  readonly notice: Notice;
}

/** Who is told in place of who can't be: the admins, then everybody where the alert stands. Pure. */
function fallbacksOf(
  admins: readonly string[],
  { episode, notice: { to } }: FoundAlert,
): readonly Addressee[] {
  const main = episode.notices.findLast(({ kind, movedTo }) => isMain(kind) && movedTo === undefined);
  const others: readonly Addressee[] = [...admins.map((userId) => ({ userId })), ...(main ? [main.to] : [])];
  return others.filter((one) => JSON.stringify(one) !== JSON.stringify(to));
}

function find(alarm: Alarm, key: string): FoundAlert | undefined {
  for (const episode of alarm.episodes) {
    const notice = episode.notices.find(({ message }) => message.key === key);
    if (notice) return { episode, notice };
  }
  return undefined;
}

/** The alarm with one message moved; undefined where it is no longer there or the move does not apply. */
function withMessage(
  alarm: Alarm,
  key: string,
  move: (message: OutboxMessage) => OutboxMessage | undefined,
): Alarm | undefined {
  const mine = find(alarm, key);
  const message = mine && move(mine.notice.message);
  if (!message) return undefined;
  const episodes = alarm.episodes.map((episode) =>
    episode !== mine.episode
      ? episode
      : {
          ...episode,
          notices: episode.notices.map((one) => (one === mine.notice ? { ...one, message } : one)),
        },
  );
  return { ...alarm, episodes };
}
