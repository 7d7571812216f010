import { readStored } from '../../platform/redis/stored.ts';
import { z } from 'zod';
import { slackId } from '../../core/outbox/message-source.ts';
import type { Bot } from '../../core/bot/bot.ts';
import { together, field, type Write } from '../../core/records/commit.ts';
import { type Condition, among } from '../../core/records/conditions.ts';
import type { OneKind } from '../../core/records/one-record.ts';
import { createRecords, OPEN_KEPT_MS, type RecordKind, type Records } from '../../core/records/records.ts';
import type { Woken } from '../../core/records/job.ts';
import { key } from '../../platform/redis/key.ts';
import type { PowerRoutes } from './card-buttons.ts';
import { buttonsBetween, saidBetween } from './said.ts';
import type { Entry } from '../../core/audit/entry.ts';
import { packStates, type States, unpackStates } from './states.ts';
import { dueAt, type Watch, watchSchema, type Card, type Member } from './watch.ts';
import type { Ask, Reply } from '../../core/ask/ask.ts';
import type { AuditAttempt } from '../../core/intake/route.ts';

/** Watches. What one saw last stands beside its record. */
export const WATCHES = {
  job: 'watches.poll',
  keyOf: (id: string) => key('watch', id),
  index: key('watches', 'open'),
  schema: watchSchema,
  dueAt,
  // Nobody asks for one that is over, but for a button that was pressed late.
  keptMs: 24 * 3_600_000,
  // A watch is kept for as long as somebody looks for it.
  openKeptMs: () => OPEN_KEPT_MS,
} satisfies RecordKind<Watch> & Woken;

/** Watches. What one saw is written with its step, see `statesWrite`. */
export interface WatchStore extends Records<Watch> {
  /** What a watch saw at the look of its record's mark; undefined where there was none, or another since. */
  findStates(watch: Pick<Watch, 'id' | 'base'>): Promise<States | undefined>;
  /** Every watch that is not over, the oldest first. */
  listAll(): Promise<readonly Watch[]>;
}

const placesSchema = z.object({ allowed: z.array(slackId) });
type Places = z.infer<typeof placesSchema>;

/** The channels that an admin chose, so that the bot may tell them of instances without being asked. */
export const WATCH_PLACES: OneKind<Places> = {
  key: key('watch-places'),
  schema: placesSchema,
  none: { allowed: [] },
};

/** What a watch saw, to be written with its step. */
export function statesWrite({ id }: Pick<Watch, 'id'>, seen: States): Write {
  return field(WATCHES.keyOf(id), 'seen', packStates(seen));
}

/** No watch is open by now but these. */
export function onlyAmong<Code extends string>(
  watches: readonly Pick<Watch, 'id'>[],
  code: Code,
): Condition<Code> {
  return among(
    WATCHES.index,
    watches.map(({ id }) => id),
    code,
  );
}

/** What each step says is written with it. `routes`: those of the buttons on cards. */
export function createWatchStore(
  { redis, faultPoints, outbox }: Pick<Bot, 'redis' | 'faultPoints' | 'outbox'>,
  routes: PowerRoutes,
): WatchStore {
  const records = createRecords<Watch>(redis, {
    ...WATCHES,
    says: async (after, before, code) =>
      together(await outbox.saying(saidBetween(before, after, routes), code), {
        write: buttonsBetween(before, after),
        audit: sightsBetween(before, after),
      }),
  });
  return faultPoints('watches', {
    ...records,
    findStates: async ({ id, base }) => {
      if (!base) return undefined;
      const [record, text] = await redis.hmget(WATCHES.keyOf(id), 'record', 'seen');
      if (typeof record !== 'string' || typeof text !== 'string') return undefined;
      if (readStored(watchSchema, record).base?.mark !== base.mark) return undefined;
      return unpackStates(text);
    },
    listAll: async () => (await records.listOpen()).toSorted((one, other) => one.setAt - other.setAt),
  });
}

/** Nobody asks for it: what the audit keeps it under. */
const ROUTE = 'instances.incident';

/** What the audit keeps of a step of a watch: what it saw begin and what was over, under the reference of its card. Pure. */
function sightsBetween(before: Watch | undefined, after: Watch): readonly Entry[] {
  return after.cards.flatMap((card) => {
    const known = before?.cards.find(({ id }) => id === card.id);
    if (known?.revision === card.revision) return [];
    // Members are only ever added at the end.
    return card.members.flatMap((member, index) => sightsOf(after, card, member, known?.members[index]));
  });
}

function sightsOf(
  { channelId }: Watch,
  { id: requestId }: Card,
  { id, name, what, since, ended }: Member,
  known: Member | undefined,
): readonly Entry[] {
  const entry = { requestId, channelId, route: ROUTE, target: { id, name } };
  const isNew = known?.since !== since;
  const isOver = ended !== undefined && (isNew || known?.ended === undefined);
  return [
    ...(isNew ? [{ ...entry, what: 'seen', at: since, result: what } as const] : []),
    ...(isOver
      ? [{ ...entry, what: 'over', at: ended.at, result: ended.now, tookMs: ended.at - since } as const]
      : []),
  ];
}

/** Shows what a verb would do with these, and asks, as for several that are typed. Throws a Refusal. */
type ShowThose = (
  ask: Ask,
  those: { readonly those: readonly Member[]; readonly isForTrouble: true },
  audit: AuditAttempt,
) => Promise<Reply>;

/** The bot as watches have it. */
export interface Watching extends Bot {
  readonly watches: WatchStore;
  readonly startThese: ShowThose;
  readonly restartThese: ShowThose;
}
