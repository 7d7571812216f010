import { createOneRecord } from '../core/records/one-record.ts';
import { auditKeys } from '../core/audit/keys.ts';
import { operationKeys } from '../core/operations/keys.ts';
import { listOldestDue } from '../core/watchdogs/vital-signs.ts';
import { ALARM } from '../features/billing/alerts/alarm-store.ts';
import { figuresOf } from '../features/billing/alerts/last-words.ts';
import { createSpent } from '../platform/hosting/budget.ts';
import type { Reading } from '../platform/metrics/metrics.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import { calendarOf } from '../platform/redis/clock.ts';
import { readInfo } from '../platform/redis/info.ts';
import { namesIn } from '../platform/redis/key.ts';
import type { AccountBot } from './account-bot.ts';
import { botsOf, type Fleet } from './fleet.ts';
import type { SharedRedis } from './redis.ts';
import type { Settings } from './settings.ts';

type Value = readonly [Reading['gauge'], number | undefined, Reading['labels']?];

/** What is read where somebody asks for the metrics: each part by itself, so that a fault of one leaves out no other. */
export function readingsOf({
  fleet,
  shared,
  settings,
}: {
  readonly fleet: Pick<Fleet, 'workspaces'>;
  readonly shared: SharedRedis;
  readonly settings: Pick<Settings, 'state'>;
}): readonly Promise<readonly Reading[]>[] {
  const ofRedis = [roundTrip, aboutRedis].map((read) => read(shared.failFast));
  return [
    Promise.resolve([{ gauge: 'settings_faults', value: settings.state().faults.length }]),
    ...ofRedis.map((values) => gaugesOf(values, '')),
    ...botsOf(fleet).flatMap((bot) => {
      const scope = namesIn(`${shared.prefix}${bot.scope}`).join('/');
      return [money(bot), work(bot), calls(bot, shared)].map((values) => gaugesOf(values, scope));
    }),
  ];
}

async function gaugesOf(values: Promise<readonly Value[]>, scope: string): Promise<readonly Reading[]> {
  return (await values).flatMap(([gauge, value, labels]) => {
    const scoped = { ...labels, ...(scope === '' ? {} : { scope }) };
    return value === undefined ? [] : [{ gauge, value, labels: scoped }];
  });
}

async function roundTrip(redis: RedisConnection): Promise<readonly Value[]> {
  const startedAt = performance.now();
  await redis.time();
  return [['redis_round_trip_seconds', (performance.now() - startedAt) / 1_000]];
}

async function aboutRedis(redis: RedisConnection): Promise<readonly Value[]> {
  const info = await readInfo(redis);
  const numberOf = (name: string): number | undefined =>
    info.has(name) ? Number(info.get(name)) : undefined;
  return [
    ['redis_replicas', numberOf('connected_slaves')],
    ['redis_memory_bytes', numberOf('used_memory')],
    // 0 is none.
    ['redis_memory_max_bytes', numberOf('maxmemory') || undefined],
  ];
}

async function money({ stores, hosting }: AccountBot): Promise<readonly Value[]> {
  const alarm = await createOneRecord(stores.failFast, ALARM).get();
  const clock = hosting.about.offers.billing === 'postpaid' ? calendarOf(stores.clock) : stores.clock;
  const { ageMs, balance, runwayMs, budgetUsed } = figuresOf(alarm, clock.now());
  return [
    ['balance', balance],
    ['balance_age_seconds', ageMs && ageMs / 1_000],
    ['balance_runway_seconds', runwayMs && runwayMs / 1_000],
    ['budget_used_ratio', budgetUsed],
  ];
}

async function work({ stores: { failFast: redis, clock } }: AccountBot): Promise<readonly Value[]> {
  const [open, entries, oldest] = await Promise.all([
    redis.zcard(operationKeys.open),
    redis.xlen(auditKeys.entries),
    listOldestDue(redis),
  ]);
  const now = clock.now();
  return [
    ['operations_open', open],
    ['audit_entries', entries],
    ...KINDS_DUE.map((kind): Value => {
      const { dueAt = now } = oldest.find((one) => one.kind === kind) ?? {};
      return ['oldest_due_seconds', Math.max(0, now - dueAt) / 1_000, { kind }];
    }),
  ];
}

const KINDS_DUE = ['request', 'operation', 'poll', 'message'] as const;

async function calls(
  { setup: { config, adapter } }: AccountBot,
  { failFast, clock }: SharedRedis,
): Promise<readonly Value[]> {
  const { used, limit } = await createSpent(failFast, config.hosting.token, adapter.limit, clock.now)();
  return [['hosting_calls_left', Math.max(0, limit.requests - used)]];
}
