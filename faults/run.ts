import { PEOPLE, type PersonRecord } from '../sandbox/people.ts';
import { startRedisCluster } from '../sandbox/redis-cluster.ts';
import { startRedisGroup } from '../sandbox/redis-group.ts';
import type { RedisGroup } from '../sandbox/redis-nodes.ts';
import { buildRelease } from './build-release.ts';
import { openSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import { SLACK_PACE } from '../sandbox/slack/api/pace-limit.ts';
import type { Timings } from '../src/core/timings.ts';
import type { CloudKind } from '../sandbox/clouds/cloud.ts';
import { type Aims, createAims } from './aims.ts';
import type { judgeAlerts } from './alerts.ts';
import { createBlows } from './blows.ts';
import { decideLeft, LATE_APPROVALS } from './approving.ts';
import { readBooks } from './books.ts';
import { CHANNELS } from './channels.ts';
import { clearAway } from './clear-away.ts';
import { createFleet } from './fleet.ts';
import { groundKind, type GroundKind } from './ground.ts';
import { createMailboxes } from './mailboxes.ts';
import { APPROVAL_ENV } from './kinds.ts';
import { peopleOf } from './people.ts';
import { createRandom } from './random.ts';
import { playRound } from './round.ts';
import type { Round, Schedule } from './schedule.ts';
import { judgeSchedules, plantSchedules, schedulesSettled } from './schedules.ts';
import { createSemaphore } from './semaphore.ts';
import { judge, type Verdict } from './verdict.ts';
import { wait } from './wait.ts';
import { createWeather, type Weather } from './weather.ts';

/** What one run did and found. */
export interface RunResult extends Verdict {
  readonly seed: number;
  readonly kills: Readonly<Record<'worker' | 'web' | 'redis', number>>;
  readonly pauses: number;
  readonly redisPauses: number;
  /** The longest time without an acknowledgement, ms. */
  readonly longestSilenceMs: number;
  readonly tookMs: number;
  /** Processes that ended by themselves. */
  readonly crashes: readonly string[];
  /** Everything the bots logged. */
  readonly output: string;
}

/** Redis with replicas, of which one takes over. */
const STARTS = {
  sentinel: startRedisGroup,
  cluster: () => startRedisCluster({ replicas: 1 }),
} as const;
export type RedisKind = keyof typeof STARTS;

/** Messages go out as they come, where Slack has no limits. */
const QUICK_PACE: Partial<Timings> = {
  postEveryMs: 50,
  editEveryMs: 50,
  sameEditEveryMs: 200,
  progressAfterMs: 0,
};

/** The bot's waits in these runs: short, so that much happens in little time, and in the same order of size. */
export const TIMINGS_OF_RUNS: Partial<Timings> = {
  apiTimeoutMs: 1_500,
  // Slack's double shares a busy machine's cores with all that asks it.
  slackTimeoutMs: 3_000,
  staleMs: 300,
  settleMs: 1_800,
  slowAfterMs: 5_000,
  patienceMs: 12_000,
  longestBackOffMs: 2_000,
  pollEveryMs: 100,
  findPostAfterMs: 4_000,
  // The verdict counts each end by its reply.
  mentionAfterMs: 0,
  noticeAfterMs: 1_000,
  sweepEveryMs: 200,
  jobLockMs: 800,
  cancelWindowMs: 400,
  asksPerMinute: 1_000,
  drainMs: 3_000,
  watchEveryMs: 400,
};
/**
 * How long everything may take to come to its end once the weather is fair: Slack may take 50 edits a minute and no more, and an
 * answer that a busy machine couldn't deliver is tried again after ever longer pauses.
 */
const SETTLE_LIMIT_MS = 300_000;
/** More than this wait for an answer at once on no machine that keeps up. */
const MAX_AT_ONCE = 40;
interface RunOptions {
  readonly service?: CloudKind | undefined;
  readonly redis?: RedisKind | undefined;
  /** The release that is upgraded while people work. */
  readonly from?: string | undefined;
}

/** Runs one schedule against the real thing: processes, Redis, Slack, and the hosting company or a cloud. */
export async function run(schedule: Schedule, { service, redis, from }: RunOptions = {}): Promise<RunResult> {
  const started = performance.now();
  const weather = createWeather(createRandom(schedule.seed).fork('weather'), schedule.families);
  const aims = createAims(createRandom(schedule.seed).fork('aims'));
  const people = peopleOf(schedule);
  const kind = groundKind(service, weather);
  let group: RedisGroup | undefined;
  const sandbox = await openFor(schedule, people, aimedAtPosts(weather.slack, aims), {
    ...kind,
    options: {
      ...kind.options,
      ...(redis ? { startRedis: async () => (group = await STARTS[redis]()) } : {}),
    },
    env: { ...kind.env, ...(redis ? { REDIS_REPLICAS: '1' } : {}) },
  });
  const ground = kind.of(sandbox);
  const mailboxes = createMailboxes(sandbox, CHANNELS);
  const fleet = createFleet({
    env: sandbox.env,
    timings: timingsOf(schedule),
    clockOffsetMs: schedule.clockOffsetMs,
    firstBot: from === undefined ? undefined : buildRelease(from),
    onAddresses: (requestUrl) => sandbox.slack.connect({ requestUrl }),
  });
  // Calls of a cloud aren't aimed at.
  if (service === undefined) aimAtCalls(sandbox, aims);
  const blows = createBlows({ sandbox, fleet, group, aims });
  try {
    const planted = await plantSchedules(sandbox, ground, createRandom(schedule.seed).fork('schedules'), {
      userId: PEOPLE[0]?.id ?? '',
      channelId: 'C0RUN000000',
      lengthMs: schedule.rounds.at(-1)?.atMs ?? 0,
    });
    await fleet.start();
    const semaphore = createSemaphore(MAX_AT_ONCE);
    const start = performance.now();
    const until = (atMs: number): Promise<void> => wait(start + atMs - performance.now());
    const clearing = clearAway(sandbox, ground);
    const walks = ground.walk(createRandom(schedule.seed));
    const playInTime = async (round: Round): ReturnType<typeof playRound> => {
      await until(round.atMs);
      const asked = await semaphore.run(() => playRound({ sandbox, ground, mailboxes, people, aims }, round));
      clearing.after(round);
      return asked;
    };
    const [played] = await Promise.all([
      Promise.all(schedule.rounds.map(playInTime)),
      blows.deal(schedule.blows, until),
    ]);
    walks.stop();
    weather.clear();
    await schedulesSettled(sandbox, planted);
    const decidedLast = await settle(sandbox);
    clearing.stop();
    const judged = await ground.judge();
    const heard = {
      asked: played.flatMap((one) => one.asked),
      looked: played.flatMap((one) => one.looked),
      decided: [...played.flatMap((one) => one.decided), ...decidedLast],
    };
    const books = await readBooks(sandbox, heard, ground.written(), CHANNELS);
    await fleet.stop();
    return {
      ...[...judged, await judgeSchedules(sandbox, planted, books.batches)].reduce(withJudged, judge(books)),
      seed: schedule.seed,
      kills: blows.kills,
      pauses: blows.pauses,
      redisPauses: blows.redisPauses,
      longestSilenceMs: aims.longestSilenceMs(),
      tookMs: performance.now() - started,
      crashes: fleet.crashes,
      output: fleet.output(),
    };
  } finally {
    await fleet.stop();
    await sandbox.close();
  }
}

function timingsOf({ families }: Schedule): Partial<Timings> {
  return {
    ...TIMINGS_OF_RUNS,
    ...(families.includes('limits') ? {} : QUICK_PACE),
    ...(families.includes('silence') ? LATE_APPROVALS : {}),
  };
}

/** Lets everything come to its end, what nobody has decided as well. Gives what was pressed for that. */
async function settle(sandbox: Sandbox): ReturnType<typeof decideLeft> {
  await sandbox.settled(SETTLE_LIMIT_MS).catch(() => undefined);
  const decided = await decideLeft(sandbox);
  await sandbox.settled(SETTLE_LIMIT_MS).catch(() => undefined);
  return decided;
}

/** Slack's weather, with aims that see what is posted. */
function aimedAtPosts(slack: Weather['slack'], aims: Aims): Weather['slack'] {
  return (call) => {
    if (call.method === 'chat.postMessage')
      aims.saw(call.args['thread_ts'] === undefined ? 'a post' : 'a reply');
    return slack(call);
  };
}

function aimAtCalls({ hosting }: Sandbox, aims: Aims): void {
  hosting.events.on('call', ({ method }) => {
    if (method !== 'GET') aims.saw('a call');
  });
}

function openFor(
  { families }: Schedule,
  people: ReadonlyMap<string, PersonRecord>,
  weather: Weather['slack'],
  { options, env }: GroundKind,
): Promise<Sandbox> {
  return openSandbox({
    ...options,
    bot: false,
    slack: {
      people: [...PEOPLE, ...people.values()],
      channels: CHANNELS.map((name, index) => ({ name: name.slice(1), id: `C0RUN00000${index}` })),
      weather,
      ...(families.includes('limits') ? { paceLimits: SLACK_PACE } : {}),
    },
    env: { LOG_LEVEL: 'info', LAMPLIGHTER_EVERYONE: 'admin', ...APPROVAL_ENV, ...env },
  });
}

/** A verdict that counts the finals of what the bot tells by itself among the rest. */
function withJudged(verdict: Verdict, judged: Awaited<ReturnType<typeof judgeAlerts>>): Verdict {
  return {
    ...verdict,
    lostFinals: [...verdict.lostFinals, ...judged.lost],
    doubledFinals: [...verdict.doubledFinals, ...judged.doubled],
    falseFinals: [...verdict.falseFinals, ...judged.wrong],
  };
}
