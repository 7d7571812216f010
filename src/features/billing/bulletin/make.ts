import type { NewPost } from '../../../core/outbox/post.ts';
import { Refusal } from '../../../core/refusal.ts';
import { HostingError } from '../../../platform/hosting/hosting-error.ts';
import type { Message } from '../../../platform/slack/message.ts';
import { HOUR_MS } from '../../../platform/time/duration.ts';
import { afterFault, type Prepaid, FIGURES } from '../billing.ts';
import { TRANSACTIONS_NOT_OFFERED } from '../balance/offered.ts';
import { outside } from '../outside/reports.ts';
import { notMadeMessage } from './messages.ts';
import {
  attemptOf,
  type Bulletin,
  type BulletinRecord,
  endedAt,
  putOff,
  type SetBulletin,
} from './record.ts';

/** How often one bulletin fails in a row before that is said. */
const MAX_FAILURES = 5;
/** For so long it waits for the ledger, which is tried each hour at least, and is tried itself: past that it tells of what is known. */
const MAX_MS = 2 * HOUR_MS;

/**
 * Makes the bulletin that is due, and writes its message down with the next one's date. It waits for the days that the ledger is about
 * to have. A fault is tried again a few times with a growing pause; then the channel reads that there is none this time, and why.
 */
export function createMake<When>(
  deps: Prepaid,
  bulletin: Bulletin<When>,
): (record: BulletinRecord<When>, now: number) => Promise<void> {
  const { outbox, timings, log } = deps;
  const { store, called, read } = bulletin;
  const postOf = ({ channelId }: SetBulletin<When>, dueAt: number, content: Message): NewPost => ({
    id: `${called}-${dueAt}`,
    to: { channelId },
    content,
  });
  const end = (
    dueAt: number,
    now: number,
    posts: (next: SetBulletin<When>) => readonly NewPost[],
  ): Promise<unknown> =>
    store.change(
      (record) => endedAt(record, dueAt, (schedule) => bulletin.nextAt(schedule, now)),
      ({ set }) => outbox.saying(set ? posts(set) : [], 'moved'),
    );

  return async (record, now) => {
    const { set } = record;
    if (!set) return;
    const { dueAt } = set;
    const attempt = attemptOf(record, set, now);
    const isLast = now - attempt.startedAt >= MAX_MS;
    const { isComing, look } = await read(set, now);
    // The service is asked for nothing while the ledger reads it.
    if (isComing && !isLast) {
      const next = { ...attempt, dueAt: now + timings.billingRetryMs };
      await store.change((before) => putOff(before, next));
      return;
    }
    const looked = await look().catch((fault: unknown) => ({ fault }));
    if (!('fault' in looked)) {
      const { message, facts } = looked;
      await end(dueAt, now, (to) => [
        // It has figures, unlike one that could not be made.
        { ...postOf(to, dueAt, message), guard: FIGURES },
        ...outside(deps.outside, `${called} ${dueAt}`, message, { kind: called, ...facts }),
      ]);
      return;
    }
    const { fault } = looked;
    const next = { ...attempt, ...afterFault(attempt.failures, fault, now, timings) };
    const isFault = fault instanceof HostingError || fault instanceof Refusal;
    log[isFault ? 'warn' : 'error']({ error: fault, failures: next.failures }, `making the ${called}`);
    // What the service doesn't offer is not offered at the next try either.
    const isFinal = fault instanceof Refusal && fault.code === TRANSACTIONS_NOT_OFFERED;
    if (isFinal || isLast || next.failures >= MAX_FAILURES)
      await end(dueAt, now, (to) => [
        postOf(to, dueAt, notMadeMessage(bulletin, fault, Math.max(1, next.failures), to.dueAt)),
      ]);
    else await store.change((before) => putOff(before, next));
  };
}
