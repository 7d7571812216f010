import type { Benchmark, Outcome, RunOptions } from './harness/benchmark.ts';
import { countLooks } from './harness/bot-metrics.ts';
import { claimByBullmq, PEER, watchByBullmq } from './harness/bullmq-peer.ts';
import { countDue, countPending, isWaitingForLooks, makeDue, multiplyPending } from './harness/pending.ts';
import { commandsSince, monitorCommands, watchRedis } from './harness/redis.ts';
import { NO_LIMIT } from './harness/product.ts';
import { OTHERS } from './harness/restart-world.ts';
import { openRestarts, type Restarts } from './harness/restarts.ts';
import { interleave, type Variant } from './harness/rounds.ts';
import { compare, medianOf, type Metric, type Metrics, ratioOf } from './harness/table.ts';
import { wait } from './harness/wait.ts';

const BOT = 'the bot';
const STEADY = 1_000;
/** As many as the bot reads of a list. */
const INSTANCES = 10_000;
const MANY = INSTANCES - OTHERS;
const LOOK_EVERY_MS = 2_000;
const FIRST_LOOKS = 4;
const STEADY_S = 16;
const MANY_S = 20;
const CLAIM_LIMIT_MS = 60_000;
const DUE_IN_MS = 1_500;
/** The bot looks at what is due this soon together with what is due. */
const AHEAD_MS = 300;
const BEGIN_LIMIT_MS = 30_000;
const HOUR_MS = 3_600_000;
const MIB = 1_048_576;
const COUNTED_S = 6;
const PAGE = 100;

const STEADY_METRICS: readonly Metric[] = [
  { key: 'cpuUs', what: 'CPU of process and Redis, µs a look' },
  { key: 'botUs', what: 'CPU of the process, µs a look' },
  { key: 'redisUs', what: 'CPU of Redis, µs a look' },
  { key: 'commands', what: 'Redis commands a look, those in scripts included' },
  { key: 'looksPerSecond', what: 'looks a second' },
  { key: 'callsPerSecond', what: 'calls to the host a second' },
];
const CLAIM_METRICS: readonly Metric[] = [
  { key: 'claimMs', what: 'until all are looked at, ms' },
  { key: 'kibEach', what: 'memory of Redis for each, KiB' },
  { key: 'rssMib', what: 'memory of the process, MiB' },
];
const PAGED_METRICS: readonly Metric[] = [
  { key: 'callsPerSecond', what: 'calls to the host a second' },
  { key: 'looksPerSecond', what: 'looks a second' },
  { key: 'botUs', what: 'CPU of the process, µs a look' },
  { key: 'rssMib', what: 'memory of the process, MiB' },
];

/** A bot that has so many operations pending, and the host at work on all of them for an hour. */
async function openPending(
  count: number,
  pageSize?: number,
): Promise<Restarts & { readonly kibEach: number; idleMib: number }> {
  const size = {
    restarts: count,
    channels: 1,
    powerMs: HOUR_MS,
    isAtWork: true,
    // As often as BullMQ runs its jobs; as it is shipped, what takes long is looked at each 15 s, and its card says so once.
    altered: { limit: NO_LIMIT, timings: { slowLookEveryMs: LOOK_EVERY_MS, slowAfterMs: HOUR_MS } },
    ...(pageSize === undefined ? {} : { pageSize }),
  };
  const restarts = await openRestarts({ ...size, pace: 'at once', limitMs: 0, bot: BOT });
  const { sandbox, bot } = restarts;
  if (!sandbox.redis) throw new Error('the sandbox has no Redis of its own');
  const redis = watchRedis(sandbox.redis);
  try {
    const idleMib = bot.rssMib();
    await sandbox.slack.person('p0').types('#c0', '/instances restart 1000 --because x');
    // Its card shows how far it is, so that it only waits for looks.
    const until = performance.now() + BEGIN_LIMIT_MS;
    while (!(await isWaitingForLooks(redis.client)) && performance.now() < until) await wait(100);
    const before = await redis.usedBytes();
    await multiplyPending(redis.client, size);
    const usedBytes = await redis.usedBytes();
    // The first looks are counted one by one in the record; from then on only what is seen moves it.
    await wait(FIRST_LOOKS * LOOK_EVERY_MS);
    return { ...restarts, kibEach: (usedBytes - before) / (count - 1) / 1_024, idleMib };
  } finally {
    redis.close();
  }
}

/** What looking costs while nothing ends. */
async function watchBot({ sandbox, bot }: Restarts, count: number, seconds: number): Promise<Metrics> {
  if (!sandbox.redis) throw new Error('the sandbox has no Redis of its own');
  const redis = watchRedis(sandbox.redis);
  let calls = 0;
  const add = (): void => void (calls += 1);
  const looksBefore = await countLooks(bot);
  sandbox.hosting.events.on('call', add);
  const commands = await redis.commands();
  const [botMs, redisMs] = [bot.cpuMs(), redis.cpuMs()];
  await wait(seconds * 1_000);
  const used = {
    botMs: bot.cpuMs() - botMs,
    redisMs: redis.cpuMs() - redisMs,
    commands: commandsSince(commands, await redis.commands()).all,
  };
  sandbox.hosting.events.off('call', add);
  const looks = (await countLooks(bot)) - looksBefore;
  const pending = await countPending(redis.client);
  redis.close();
  if (pending < count) throw new Error(`only ${pending} of ${count} are still pending`);
  const botUs = (1_000 * used.botMs) / looks;
  const redisUs = (1_000 * used.redisMs) / looks;
  return {
    cpuUs: botUs + redisUs,
    botUs,
    redisUs,
    commands: used.commands / looks,
    looksPerSecond: looks / seconds,
    callsPerSecond: calls / seconds,
    rssMib: bot.rssMib(),
  };
}

/**
 * How long it takes until all that are due at once have been looked at: from that moment, or from the first call to the host
 * where that came sooner. Tries again where a look under way has put them off meanwhile.
 */
async function claimByBot(restarts: Restarts): Promise<Metrics> {
  for (;;) {
    const claimMs = await tryToClaim(restarts);
    if (claimMs !== undefined) return { claimMs };
  }
}

async function tryToClaim({ sandbox }: Restarts): Promise<number | undefined> {
  if (!sandbox.redis) throw new Error('the sandbox has no Redis of its own');
  const redis = watchRedis(sandbox.redis);
  // As for BullMQ it is known before when they are due.
  const at = Date.now() + DUE_IN_MS;
  await makeDue(redis.client, at);
  let begunAt = at;
  const note = (): void => void (begunAt = Math.min(begunAt, Date.now()));
  await wait(at - AHEAD_MS - Date.now());
  const due = await countDue(redis.client, at);
  sandbox.hosting.events.on('call', note);
  while ((await countDue(redis.client, at)) > 0 && Date.now() < at + CLAIM_LIMIT_MS) await wait(20);
  sandbox.hosting.events.off('call', note);
  redis.close();
  return due < MANY ? undefined : Date.now() - begunAt;
}

/** Commands that the bot sends for each look; a script is one. */
async function countSent({ sandbox, bot }: Restarts): Promise<number> {
  if (!sandbox.redis) throw new Error('the sandbox has no Redis of its own');
  const redis = watchRedis(sandbox.redis);
  const before = await countLooks(bot);
  const stop = await monitorCommands(redis.client);
  await wait(COUNTED_S * 1_000);
  const { client } = stop();
  const looks = (await countLooks(bot)) - before;
  redis.close();
  return client / looks;
}

async function runSteady({ rounds, quiet, say }: RunOptions): Promise<Outcome> {
  say(`${STEADY} pending`);
  const restarts = await openPending(STEADY);
  try {
    const sent = await countSent(restarts);
    const variants: readonly Variant<Metrics>[] = [
      { name: BOT, measure: () => watchBot(restarts, STEADY, STEADY_S) },
      { name: PEER, measure: () => watchByBullmq(STEADY, LOOK_EVERY_MS, STEADY_S) },
    ];
    const measured = await interleave(variants, rounds, quiet);
    return {
      tables: [compare(`${STEADY} pending, each looked at every 2 s`, measured, STEADY_METRICS, BOT)],
      goals: [
        { goal: 'G9', value: ratioOf(measured, 'cpuUs', BOT, PEER).median },
        { goal: 'G10', value: sent },
      ],
      notes: [
        'BullMQ: each job writes its data and delays itself again, 50 at once, and calls nobody. The looks of the bot are those that its own metric counts.',
      ],
    };
  } finally {
    await restarts.close();
  }
}

async function runMany({ rounds, quiet, say }: RunOptions): Promise<Outcome> {
  say(`${MANY} pending`);
  const restarts = await openPending(MANY);
  try {
    const { kibEach, bot } = restarts;
    const variants: readonly Variant<Metrics>[] = [
      {
        name: BOT,
        measure: async () => ({ ...(await claimByBot(restarts)), kibEach, rssMib: bot.rssMib() }),
      },
      { name: PEER, measure: () => claimByBullmq(MANY, CLAIM_LIMIT_MS) },
    ];
    const measured = await interleave(variants, rounds, quiet);
    return {
      tables: [compare(`${MANY} due at once`, measured, CLAIM_METRICS, BOT)],
      goals: [
        { goal: 'G11', value: ratioOf(measured, 'claimMs', BOT, PEER).median },
        { goal: 'G12', value: ratioOf(measured, 'kibEach', BOT, PEER).median },
        { goal: 'G21 Redis', value: (kibEach * 1_024 * INSTANCES) / MIB },
      ],
      notes: [
        'Pending operations are made of one real one, written to Redis under other ids: what so many restarts leave there while the host is at work. The host has no limit here.',
      ],
    };
  } finally {
    await restarts.close();
  }
}

async function runPaged({ quiet, say }: RunOptions): Promise<Outcome> {
  say(`${MANY} pending, pages of ${PAGE}`);
  const paged = await openPending(MANY, PAGE);
  try {
    const measured = await interleave(
      [{ name: BOT, measure: () => watchBot(paged, MANY, MANY_S) }],
      1,
      quiet,
    );
    const callsPerSecond = medianOf(measured, BOT, 'callsPerSecond');
    return {
      tables: [
        compare(`${MANY} pending of ${INSTANCES} instances, in pages of ${PAGE}`, measured, PAGED_METRICS),
      ],
      goals: [
        { goal: 'G16', value: callsPerSecond },
        { goal: 'G17', value: Math.max(0, (callsPerSecond * LOOK_EVERY_MS) / 1_000 - INSTANCES / PAGE) },
        { goal: 'G21 pending', value: medianOf(measured, BOT, 'rssMib') / paged.idleMib },
      ],
      notes: [
        `Calls a second count only where the bot keeps up: ${MANY / (LOOK_EVERY_MS / 1_000)} looks a second would be one every 2 s.`,
      ],
    };
  } finally {
    await paged.close();
  }
}

async function run(options: RunOptions): Promise<Outcome> {
  const outcomes = [await runSteady(options), await runMany(options), await runPaged(options)];
  return {
    tables: outcomes.flatMap(({ tables }) => tables),
    goals: outcomes.flatMap(({ goals }) => goals),
    notes: outcomes.flatMap(({ notes }) => notes),
  };
}

export const sweep: Benchmark = {
  name: 'sweep',
  what: 'What it costs to look at 1,000 and at 10,000 pending changes.',
  goals: ['G9', 'G10', 'G11', 'G12', 'G16', 'G17', 'G21 pending', 'G21 Redis'],
  peers: [PEER],
  rounds: 2,
  isQuick: false,
  run,
};
