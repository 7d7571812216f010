import type { Redis } from 'ioredis';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { PostedMessage } from '../sandbox/slack/index.ts';
import type { Entry } from '../src/core/audit/entry.ts';
import { requestKeys } from '../src/core/ask/keys.ts';
import { operationKeys } from '../src/core/operations/keys.ts';
import { commit } from '../src/core/records/commit.ts';
import { connectBlocking } from '../src/platform/redis/connection.ts';
import { type AgentReads, startReads } from './harness/agent-reads.ts';
import type { Benchmark, Outcome, RunOptions } from './harness/benchmark.ts';
import type { BenchProcess } from './harness/process.ts';
import { startUnlimited } from './harness/product.ts';
import { channelOf, idsOf, nameOf, openWorld, personOf } from './harness/restart-world.ts';
import { interleave } from './harness/rounds.ts';
import { percentile } from './harness/stats.ts';
import { compare, type Metrics, ratioOf } from './harness/table.ts';
import { wait } from './harness/wait.ts';

const ALONE = 'people alone';
const BESIDE = 'an agent reads beside them';
/** So many people press, each for an instance of their own, so far apart. */
const SIZE = { restarts: 20, channels: 10 };
const PRESS_EVERY_MS = 250;
const PER_SECOND = 50;
/** So much has been done before, which histories are read from. */
const AUDITED = 4_000;
const POLL_EVERY_MS = 50;
const LIMIT_MS = 60_000;
const INSTANCE = { instance: nameOf(0) };
/** All that an agent can read without knowing a reference. */
const CALLS: readonly (readonly [name: string, args: object])[] = [
  ['list_instances', {}],
  ['get_instance', INSTANCE],
  ['get_history', INSTANCE],
  ['get_story', { about: nameOf(0) }],
  ['get_story', {}],
  ['list_operations', {}],
  ['list_schedules', {}],
  ['get_balance', {}],
  ['get_usage', {}],
  ['get_forecast', {}],
  ['get_month', {}],
  ['explain_month', {}],
  ['who_may_do_what', {}],
  ['examine_bot', {}],
];

interface Scene {
  readonly sandbox: Sandbox;
  readonly bot: BenchProcess;
  readonly redis: Redis;
}

async function open(): Promise<Scene> {
  const env = { LAMPLIGHTER_AGENTS: 'yes', LAMPLIGHTER_EVERYONE: 'admin' };
  const sandbox = await openWorld(SIZE, { env });
  const bot = await startUnlimited(sandbox.env);
  sandbox.slack.connect({ requestUrl: `http://127.0.0.1:${bot.port}/slack/events` });
  const redis = connectBlocking({ url: sandbox.redisUrl }, () => undefined);
  for (let nth = 0; nth < AUDITED; nth += 1) await commit(redis, { audit: entryOf(nth) });
  return { sandbox, bot, redis };
}

/** What somebody did some time ago, the newest last. */
function entryOf(nth: number): Entry {
  const index = nth % SIZE.restarts;
  return {
    what: nth % 2 === 0 ? 'asked' : 'ended',
    at: Date.now() - (AUDITED - nth) * 60_000,
    requestId: `before-${Math.floor(nth / 2)}`,
    by: 'U0ADA000001',
    route: 'instances.restart',
    words: nameOf(index),
    target: { id: String(idsOf(SIZE)[index]), name: nameOf(index) },
    ...(nth % 2 === 0 ? {} : { result: 'done', tookMs: 3_000 }),
  };
}

/** Everybody presses Restart once. Gives how long it took until they were acknowledged, and until the host was called. */
async function measure(scene: Scene, perSecond: number): Promise<Metrics> {
  const { sandbox, bot, redis } = scene;
  const { slack, hosting } = sandbox;
  // The bot asks before it restarts again what was restarted a moment ago.
  await redis.del(idsOf(SIZE).map((id) => operationKeys.past(String(id))));
  const shown = await Promise.all(idsOf(SIZE).map((_, nth) => show(sandbox, nth)));
  /** By the id of the instance. */
  const calledAt = new Map<string, number>();
  const note = ({ method, path, at }: { method: string; path: string; at: number }): void => {
    if (method === 'POST') calledAt.set(path.split('/').at(-2) ?? '', at);
  };
  hosting.events.on('call', note);
  const [cpuMs, startedAt, hostCalls] = [bot.cpuMs(), performance.now(), hosting.calls.length];
  const end = perSecond > 0 ? startReads(readsOf(scene, perSecond)) : undefined;
  const pressed = shown.map(async (message, nth) => {
    await wait(nth * PRESS_EVERY_MS);
    const at = Date.now();
    const { status } = await slack.person(personOf(nth)).presses(message, 'Restart');
    return { at, ackMs: status === 200 ? Date.now() - at : LIMIT_MS };
  });
  const all = await Promise.all(pressed);
  const until = performance.now() + LIMIT_MS;
  while (calledAt.size < SIZE.restarts && performance.now() < until) await wait(POLL_EVERY_MS);
  const { reads, noes } = (await end?.()) ?? { reads: 0, noes: 0 };
  const tookS = (performance.now() - startedAt) / 1_000;
  hosting.events.off('call', note);
  const callMs = all.map(({ at }, nth) => (calledAt.get(String(idsOf(SIZE)[nth])) ?? at + LIMIT_MS) - at);
  const acks = all.map(({ ackMs }) => ackMs);
  const metrics = {
    ackP50Ms: percentile(acks, 0.5),
    ackP95Ms: percentile(acks, 0.95),
    callP50Ms: percentile(callMs, 0.5),
    callP95Ms: percentile(callMs, 0.95),
    cpuPct: (bot.cpuMs() - cpuMs) / tookS / 10,
    hostCalls: hosting.calls.length - hostCalls,
    readsPerS: reads / tookS,
    noes,
  };
  // Cards are edited at Slack's pace, and none may be under way in the next round.
  while ((await redis.zcard(requestKeys.open)) + (await redis.zcard(operationKeys.open)) > 0)
    await wait(POLL_EVERY_MS);
  return metrics;
}

function readsOf({ sandbox, bot }: Scene, perSecond: number): AgentReads {
  return {
    url: `http://127.0.0.1:${bot.port}/mcp`,
    perSecond,
    userIds: idsOf(SIZE).map((_, nth) => sandbox.slack.person(personOf(nth)).id),
    calls: CALLS.map(([name, args]) => ({ name, arguments: args })),
  };
}

/** What one person alone is shown of their instance, with what can be pressed. */
async function show({ slack }: Sandbox, nth: number): Promise<PostedMessage> {
  const asked = await slack
    .person(personOf(nth))
    .types(`#${channelOf(nth % SIZE.channels)}`, `/instances show ${nameOf(nth)}`);
  return slack.until(() => asked.ephemeral.find((one) => slack.read(one).includes('[ Restart ]')));
}

async function run({ rounds, quiet, say }: RunOptions): Promise<Outcome> {
  const scene = await open();
  try {
    say('warming up');
    // The first of a process looks people up, and loads what answers agents.
    await measure(scene, PER_SECOND / 10);
    say('measuring');
    const variants = [
      { name: ALONE, measure: () => measure(scene, 0) },
      { name: BESIDE, measure: () => measure(scene, PER_SECOND) },
    ];
    const measured = await interleave(variants, rounds, quiet);
    const metrics = [
      { key: 'ackP50Ms', what: 'pressed to acknowledged, p50, ms' },
      { key: 'ackP95Ms', what: 'pressed to acknowledged, p95, ms' },
      { key: 'callP50Ms', what: 'pressed to the call at the host, p50, ms' },
      { key: 'callP95Ms', what: 'pressed to the call at the host, p95, ms' },
      { key: 'cpuPct', what: 'CPU of the bot, percent of a core' },
      { key: 'hostCalls', what: 'calls to the host' },
      { key: 'readsPerS', what: 'reads a second' },
      { key: 'noes', what: 'reads answered with a no' },
    ];
    return {
      tables: [compare('20 restarts, four a second', measured, metrics, BESIDE)],
      figures: {
        'ack beside agent': ratioOf(measured, 'ackP95Ms', BESIDE, ALONE).median,
        'call beside agent': ratioOf(measured, 'callP95Ms', BESIDE, ALONE).median,
      },
      notes: [
        `The agent reads ${PER_SECOND} times a second, all that it can in turn, beside ${AUDITED} entries of the audit.`,
      ],
    };
  } finally {
    await scene.bot.stop();
    scene.redis.disconnect();
    await scene.sandbox.close();
  }
}

export const agent: Benchmark = {
  name: 'agent',
  what: 'How long people wait for a restart while an agent reads 50 times a second.',
  rounds: 3,
  run,
};
