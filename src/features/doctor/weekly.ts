import type { Ask } from '../../core/ask/ask.ts';
import { listOrLast } from '../../core/lookup/find-or-last.ts';
import { approvalOf } from '../../core/policy/pattern.ts';
import type { AccessRecord } from '../../core/policy/access-record.ts';
import { adminsOf } from '../../core/policy/messages.ts';
import { Refusal } from '../../core/refusal.ts';
import { asUnread } from '../../platform/hosting/hosting-error.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { newId } from '../../platform/id.ts';
import type { Actor } from '../../platform/slack/ids.ts';
import { DAY_MS, HOUR_MS } from '../../platform/time/duration.ts';
import { weeklyMessage } from './messages.ts';
import type { Rehearsal, RehearsedChange, Rehearsing } from './rehearsal.ts';

/** Somewhat less than a week, since it is looked once a day whether it is due. */
const EVERY_MS = 7 * DAY_MS - HOUR_MS;
/** So many are rehearsed, one after another: each takes some calls of the service and of Slack. */
const MOST_REHEARSED = 10;
const MAX_TOLD = 5;
/** No channel, whose limits would count: the rights themselves are looked at. */
const NOWHERE = 'D0';

/**
 * Rehearses the restart of all that is protected or needs an approval, or the start where it is stopped, and tells where alerts go
 * what would stop it; nothing where all works, and once a week however often it is called. `findAlertsChannel`: undefined where none is
 * named. Throws what Redis throws.
 */
export function createWeeklyRehearsal(
  deps: Rehearsing,
  rehearsal: Rehearsal,
  findAlertsChannel: () => Promise<string | undefined>,
): () => Promise<void> {
  const { access, accessStore, clock, outbox } = deps;
  const isDue = ({ rehearsedAt = 0 }: { readonly rehearsedAt?: number | undefined }): boolean =>
    clock.now() - rehearsedAt >= EVERY_MS;
  return async () => {
    if (!isDue(await accessStore.get())) return;
    const admins = adminsOf(await access.policy());
    const [first] = admins;
    const guarded = await findGuarded(deps);
    if (first === undefined || guarded?.length === 0) return;
    // By one process; what is cut off is due again in an hour.
    const claimedAt = clock.now() - EVERY_MS + HOUR_MS;
    if (
      !(await accessStore.change((record) =>
        isDue(record) ? withRehearsedAt(record, claimedAt) : undefined,
      ))
    )
      return;
    const changes: RehearsedChange[] = [];
    for (const instance of guarded ?? [])
      changes.push(...(await rehearseOne(deps, rehearsal, instance, { userId: first })));
    const content = weeklyMessage(changes, await rehearsal.way(undefined));
    const channelId = await findAlertsChannel();
    const to =
      channelId === undefined ? admins.slice(0, MAX_TOLD).map((userId) => ({ userId })) : [{ channelId }];
    const at = clock.now();
    await accessStore.change(
      (record) => (record.rehearsedAt === claimedAt ? withRehearsedAt(record, at) : undefined),
      () =>
        outbox.saying(
          content ? to.map((one, nth) => ({ id: `rehearsal-${at}-${nth}`, to: one, content })) : [],
          'moved',
        ),
    );
  };
}

function withRehearsedAt(record: AccessRecord, rehearsedAt: number): AccessRecord {
  return { ...record, rehearsedAt };
}

/** What is protected, or can't be restarted by one person alone; undefined where the service doesn't say. */
async function findGuarded({
  hosting,
  isProtected,
  approvalRules,
}: Rehearsing): Promise<readonly Instance[] | undefined> {
  const read = await listOrLast(hosting, { priority: 'background' }).catch(asUnread);
  return read?.list.instances
    .filter((one) => isProtected(one) || approvalOf(approvalRules(), 'restart', one) !== undefined)
    .slice(0, MOST_REHEARSED);
}

/** Nothing where it can't be said of it now: it has gone since, or the service doesn't answer. */
async function rehearseOne(
  { changes, clock }: Rehearsing,
  rehearsal: Rehearsal,
  { id, status }: Instance,
  actor: Actor,
): Promise<readonly RehearsedChange[]> {
  const change = changes.find(({ verb }) => verb === (status === 'stopped' ? 'start' : 'restart'));
  const ask: Ask = {
    id: newId(),
    route: 'rehearsal',
    words: [id],
    actor,
    place: { channelId: NOWHERE },
    replaces: false,
    askedAt: clock.now(),
  };
  try {
    const found = change && (await rehearsal.change(change, ask, false));
    return found?.rehearsed.isRead ? [found] : [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [];
  }
}
