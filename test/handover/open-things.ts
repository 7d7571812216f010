import { noFaultPoints } from '../../src/core/base.ts';
import { createOneRecord } from '../../src/core/records/one-record.ts';
import type { Redis } from 'ioredis';
import { ended as batchEnded, newBatch } from '../../src/core/batches/batch.ts';
import { createBatchStore } from '../../src/core/batches/batch-store.ts';
import { createBatches, ownedBatches } from '../../src/core/batches/batches.ts';
import { requestKeys } from '../../src/core/ask/ask.ts';
import type { OperationKind } from '../../src/core/operations/kind.ts';
import { createLatest } from '../../src/core/operations/latest.ts';
import { newOperation } from '../../src/core/operations/operation.ts';
import { createOperationStore } from '../../src/core/operations/operation-store.ts';
import { ownedOperations } from '../../src/core/operations/owned.ts';
import type { Outbox } from '../../src/core/outbox/outbox.ts';
import { ACCESS, frozen, thawed } from '../../src/core/policy/access-record.ts';
import type { OwnedSource } from '../../src/core/policy/owned.ts';
import { newSchedule, paused, resumed } from '../../src/core/schedules/schedule.ts';
import { createScheduleStore, createSchedules } from '../../src/core/schedules/schedule-store.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { ownedAccess } from '../../src/features/access/index.ts';
import { openEpisode, withEpisode } from '../../src/features/billing/alerts/alarm.ts';
import { ALARM } from '../../src/features/billing/alerts/alarm-store.ts';
import {
  acked,
  handedBack,
  snoozed as alarmSnoozed,
  unsnoozed,
} from '../../src/features/billing/alerts/react.ts';
import { ownedAlert } from '../../src/features/billing/index.ts';
import { ownedSchedules } from '../../src/features/instances/index.ts';
import { createWatchStore, ownedIncidents } from '../../src/features/watches/index.ts';
import { mapCards, withCard } from '../../src/features/watches/judge.ts';
import { awake, snoozed, takenOn } from '../../src/features/watches/react.ts';
import type { Watch } from '../../src/features/watches/watch.ts';
import { createLog } from '../../src/platform/log/log.ts';
import type { RedisClock } from '../../src/platform/redis/clock.ts';
import type { WorkQueue } from '../../src/platform/queue/queue.ts';

export const CHANNEL = 'C0OPS000001';
export const HOUR_MS = 3_600_000;
/** Nothing else is asked of it. */
export const QUEUE = { wake: () => Promise.resolve() } as unknown as WorkQueue;
const OWNER = 'U0ANA000001';

/** Open things of each kind in Redis, and what people do with them. `nextId`: an id that was not given before; `pick`: a number below. */
export function createOpenThings({
  redis,
  clock,
  outbox,
  nextId,
  pick,
}: {
  readonly redis: Redis;
  readonly clock: RedisClock;
  readonly outbox: Outbox;
  readonly nextId: (what: string) => string;
  readonly pick: (below: number) => number;
}) {
  const open = { operations: [] as string[], batches: [] as string[], freezes: [] as string[] };
  const WATCH = nextId('watch');
  const SCHEDULE = nextId('schedule');
  const alarm = createOneRecord(redis, ALARM);
  const accessStore = createOneRecord(redis, ACCESS);
  const base = { redis, outbox, faultPoints: noFaultPoints };
  const watches = createWatchStore(base, {
    startRoute: 'a.start',
    restartRoute: 'a.restart',
    storyRoute: 'a.story',
  });
  const batchStore = createBatchStore(redis);
  const batches = createBatches({
    batchStore,
    operations: { takeBack: async () => undefined },
    queue: QUEUE,
    clock,
  });
  const schedules = createSchedules({
    scheduleStore: createScheduleStore({ redis, outbox, clock }),
    queue: QUEUE,
    holidays: () => ({}),
  });
  const log = createLog('silent', []);
  const store = createOperationStore({ redis, outbox, clock, timings: TIMINGS, log, latest: createLatest() });
  const operations = {
    listOpen: store.listOpen,
    knows: () => true,
    kindOf: () => ({ doing: 'restarting' }) as OperationKind,
    moving: (id: string, step: Parameters<typeof store.moving>[1]) => store.moving(id, step, () => 1),
  };
  const sources: readonly OwnedSource[] = [
    ownedAlert({ ...base, queue: QUEUE }, 'prepaid'),
    ownedIncidents({ watches, clock }),
    ownedOperations({ operations, clock }),
    ownedBatches({ batches, wordsOf: () => undefined }),
    ownedSchedules({ schedules, clock }),
    ownedAccess({
      accessStore,
      approvals: { listOpen: async () => [] },
      accessRequests: { listOpen: async () => [] } as never,
      clock,
    }),
  ];
  const begin = async (): Promise<void> => {
    await alarm.change((record) =>
      withEpisode(record, openEpisode(nextId('episode'), 'low', 'warn', clock.now())),
    );
    const watch: Watch = {
      id: WATCH,
      filters: ['name:*'],
      instances: [],
      channelId: CHANNEL,
      setBy: { userId: OWNER },
      setAt: clock.now(),
      nextPollAt: clock.now(),
      cards: [],
      count: 0,
    };
    await watches.create(WATCH, watch);
    await schedules.create(
      newSchedule(
        {
          id: SCHEDULE,
          owner: { userId: OWNER },
          channelId: CHANNEL,
          target: { filters: ['name:*'] },
          when: {
            kind: 'weekly',
            zone: 'UTC',
            rules: [{ verb: 'stop', days: [1, 2, 3], hour: 20, minute: 0 }],
          },
        },
        clock.now(),
      ),
    );
  };

  const onCard = (step: (watch: Watch, cardId: string) => Watch): Promise<unknown> =>
    watches.change(WATCH, (watch) => {
      const card = watch.cards.at(-1 - pick(Math.max(1, Math.min(3, watch.cards.length))));
      return card ? step(watch, card.id) : undefined;
    });
  const doings: readonly ((who: string) => Promise<unknown>)[] = [
    (who) => alarm.change((record) => acked(record, undefined, who, clock.now())),
    (who) => alarm.change((record) => alarmSnoozed(record, undefined, who, HOUR_MS, clock.now())),
    (who) => alarm.change((record) => handedBack(record, undefined, who, clock.now())),
    () => alarm.change((record) => unsnoozed(record, undefined, clock.now())),
    () =>
      alarm.change((record) => {
        const last = record.episodes.at(-1)!;
        const over = withEpisode(record, { ...last, closed: { at: clock.now(), how: 'recovered' } });
        const kept = { ...over, episodes: over.episodes.slice(-1) };
        return withEpisode(kept, openEpisode(nextId('episode'), 'low', 'warn', clock.now()));
      }),
    () =>
      watches.change(WATCH, (watch) =>
        withCard(
          { ...watch, cards: watch.cards.slice(-4) },
          { members: [{ id: '101', name: 'web-1', what: 'stopped', since: clock.now(), times: 1 }] },
          clock.now(),
        ),
      ),
    (who) => onCard((watch, cardId) => takenOn(watch, cardId, who, clock.now())),
    (who) => onCard((watch, cardId) => snoozed(watch, cardId, who, clock.now() + HOUR_MS, clock.now())),
    () => onCard((watch, cardId) => awake(watch, cardId, clock.now())),
    () =>
      onCard((watch, cardId) =>
        mapCards(watch, (card) =>
          card.id === cardId
            ? {
                ...card,
                members: card.members.map((member) => ({
                  ...member,
                  ended: { at: clock.now(), now: 'running' },
                })),
              }
            : card,
        ),
      ),
    async (who) => {
      const id = nextId('freeze');
      await accessStore.change((record) =>
        frozen(record, { id, on: ['db-*'], why: 'migration', by: who, at: clock.now() }),
      );
      open.freezes.push(id);
    },
    (who) =>
      accessStore.change((record) =>
        thawed(record, open.freezes.splice(0, 1 + pick(2)), { by: who, at: clock.now(), requestId: 'r' }),
      ),
    (who) =>
      schedules.change(SCHEDULE, (schedule) =>
        paused(schedule, { at: clock.now(), until: clock.now() + HOUR_MS, by: who }),
      ),
    () => schedules.change(SCHEDULE, (schedule) => resumed(schedule, clock.now())),
    async (who) => {
      const id = nextId('operation');
      await redis.set(requestKeys.request(id), '{}');
      const subject = { id: `i-${id}`, name: 'web-1', status: 'running' };
      const operation = newOperation(
        {
          id,
          kind: 'instances.restart',
          subject,
          actor: { userId: who },
          place: { channelId: CHANNEL },
          because: undefined,
          override: undefined,
          requestedAt: clock.now(),
          usuallyMs: undefined,
          longMs: undefined,
        },
        clock.now(),
      );
      await store.begin(
        operation,
        {},
        { what: 'asked', at: clock.now(), requestId: id, route: 'instances.restart' },
      );
      open.operations.push(id);
    },
    async () => {
      const id = open.operations.shift();
      if (id === undefined) return;
      await store.change(
        id,
        (operation) => ({
          ...operation,
          outcome: { result: 'done', code: 'done', at: clock.now() } as never,
          execution: { ...operation.execution, state: 'ended' },
          closedAt: clock.now(),
        }),
        { dueAt: () => 1, historyOf: () => ({ past: '', times: '' }) },
      );
    },
    async (who) => {
      const id = nextId('batch');
      await redis.set(requestKeys.request(id), '{}');
      const item = {
        operationId: nextId('item'),
        subject: { id: '1', name: 'web-1', status: 'running' },
        rule: 'r',
      };
      const begun = newBatch(
        {
          id,
          kind: 'instances.stop',
          actor: { userId: who },
          place: { channelId: CHANNEL },
          atOnce: 1,
          items: [item],
        },
        clock.now(),
      );
      await batchStore.begin(
        begun,
        {},
        { what: 'asked', at: clock.now(), requestId: id, route: 'instances.stop' },
      );
      open.batches.push(id);
    },
    async () => {
      const id = open.batches.shift();
      if (id !== undefined)
        await batchStore.change(id, (batch) => {
          const items = batch.items.map((item) => ({
            ...item,
            state: 'ended' as const,
            result: 'done' as const,
          }));
          const over = batchEnded({ ...batch, items }, clock.now());
          return over && { ...over, closedAt: clock.now() };
        });
    },
  ];

  /** How many open things there are by the records alone. */
  const openNow = async (): Promise<number> => {
    const episode = (await alarm.get()).episodes.find(({ closed }) => !closed);
    const cards = (await watches.find(WATCH))?.cards ?? [];
    const ofCards = cards
      .filter(({ members }) => members.some(({ ended }) => !ended))
      .map(
        ({ onIt, snoozed: quiet }) =>
          Number(onIt !== undefined) + Number(quiet !== undefined && clock.now() < quiet.until),
      );
    const pause = (await schedules.find(SCHEDULE))?.paused;
    return (
      Number(episode?.ack !== undefined) +
      Number(episode?.snooze !== undefined) +
      ofCards.reduce((sum, each) => sum + each, 0) +
      (await accessStore.get()).freezes.filter(({ thawed: end }) => !end).length +
      open.operations.length +
      open.batches.length +
      Number(pause !== undefined && clock.now() < (pause.until ?? clock.now()))
    );
  };

  return { begin, doings, openNow, sources };
}
