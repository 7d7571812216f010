import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { HostingService } from '../../platform/hosting/service.ts';
import { idOf } from '../../platform/id.ts';
import type { JobHandler } from '../../platform/queue/run-job.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { plain, say, toPlainText } from '../../platform/slack/phrase.ts';
import type { Button } from '../../platform/slack/message.ts';
import type { Offers } from '../offers/offers.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { NewPost } from '../outbox/post.ts';
import { sweptRecord } from '../sweep.ts';
import type { Timings } from '../timings.ts';
import type { Background } from './feature.ts';
import { waitingKey } from './keys.ts';
import { typedButton } from './typed-button.ts';
import { lookAt, WAIT_FOR_MS, type Waiter, type Waiting, type WaitingStore, without } from './waiting.ts';

export const WAITING_JOB = 'waiting';
export const WAITING_ID = 'all';

const MAX_LABEL = 70;

interface WaitingJobDeps {
  readonly waiting: WaitingStore;
  readonly hosting: Pick<HostingService, 'checkKey'>;
  readonly outbox: Pick<Outbox, 'saying'>;
  readonly offers: Offers;
  readonly clock: Pick<RedisClock, 'now'>;
  readonly timings: Pick<Timings, 'askIfBackEveryMs'>;
}

/**
 * Asks the service now and again whether it answers, once for all who wait for that. Tells each once: that it does, or, after a
 * day, that it still doesn't.
 */
function createWaitingJob(deps: WaitingJobDeps): JobHandler {
  const { waiting, outbox, clock, timings } = deps;
  return async () => {
    const seen = await waiting.get();
    const waitMs = lookAt(seen, timings.askIfBackEveryMs) - clock.now();
    if (waitMs > 0) return Number.isFinite(waitMs) ? Math.ceil(waitMs) : undefined;
    const now = clock.now();
    const isMine = (record: Waiting): boolean => record.lookedAt === seen.lookedAt;
    const isFirst = await waiting.change((one) => (isMine(one) ? { ...one, lookedAt: now } : undefined));
    if (!isFirst) return 0;
    const isBack = await answers(deps);
    const isOver = ({ at }: Waiter): boolean => isBack || at + WAIT_FOR_MS <= now;
    await waiting.change(
      (one) => without(one, isOver),
      async (_after, { those }) =>
        outbox.saying(await messagesTo(deps, those.filter(isOver), isBack), 'moved'),
    );
    return isBack ? 0 : timings.askIfBackEveryMs;
  };
}

/** What is done for those who wait, without being asked. */
export function waitingBackground(deps: WaitingJobDeps): Background {
  const { waiting, timings } = deps;
  const swept = sweptRecord(waiting, {
    job: WAITING_JOB,
    id: WAITING_ID,
    index: waitingKey,
    dueAt: (record) => lookAt(record, timings.askIfBackEveryMs),
    isSeldom: true,
  });
  return { handlers: { [WAITING_JOB]: createWaitingJob(deps) }, swept: [swept] };
}

async function answers({ hosting }: WaitingJobDeps): Promise<boolean> {
  try {
    await hosting.checkKey();
    return true;
  } catch (error) {
    if (!(error instanceof HostingError)) throw error;
    return false;
  }
}

/** A message for each of them, with a button for each thing that they asked for. */
async function messagesTo(
  deps: WaitingJobDeps,
  told: readonly Waiter[],
  isBack: boolean,
): Promise<readonly NewPost[]> {
  const line = isBack
    ? say`✅ The hosting service answers again. Do you still want this?`
    : say`The hosting service still doesn't answer, a day after you asked. I've stopped looking.`;
  const people = [...new Set(told.map(({ actor }) => actor.userId))];
  return Promise.all(
    people.map(async (userId) => {
      const theirs = told.filter(({ actor }) => actor.userId === userId);
      const buttons = await Promise.all(theirs.map((one) => againButton(deps, one)));
      const content = { lines: [line], buttons: buttons.filter((one) => one !== undefined) };
      const [first] = theirs;
      return { id: idOf(`waiting ${first?.id} ${first?.at}`), to: { userId }, content };
    }),
  );
}

/** Asks for the same, as if its presser had just done so. */
async function againButton({ offers }: WaitingJobDeps, waiter: Waiter): Promise<Button | undefined> {
  const { what, route, words = [], line, value } = waiter;
  const label = plain(toPlainText(what), MAX_LABEL);
  return value === undefined
    ? typedButton(offers, label, { route, words, line })
    : { label, routeId: route, value };
}
