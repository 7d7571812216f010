import { Redis } from 'ioredis';
import { TEAM, PEOPLE, type PersonRecord } from '../sandbox/people.ts';
import { openSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import { worldOf } from '../sandbox/world.ts';
import { operationKeys } from '../src/core/operations/keys.ts';
import type { Timings } from '../src/core/timings.ts';
import { guardOf } from '../src/core/operations/operation.ts';
import { alertEnv, judgeAlerts, walkBalance } from './alerts.ts';
import { askFor, lookAt, type Person, prepare } from './asking.ts';
import { type Ask, countWrites, type Look, readBooks } from './books.ts';
import { createFleet, type Fleet } from './fleet.ts';
import { createMailboxes, type Mailboxes } from './mailboxes.ts';
import { createRandom } from './random.ts';
import type { Blow, Round, Schedule } from './schedule.ts';
import { createTurns } from './turns.ts';
import { judge, type Verdict } from './verdict.ts';
import { createWeather } from './weather.ts';

/** What one run did and found. */
export interface RunResult extends Verdict {
  readonly seed: number;
  readonly kills: Readonly<Record<'worker' | 'web' | 'redis', number>>;
  readonly pauses: number;
  readonly tookMs: number;
  /** Processes that ended by themselves. */
  readonly crashes: readonly string[];
  /** Everything the bots logged. */
  readonly output: string;
}

/** The bot's waits in these runs: short, so that much happens in little time, and in the same order of size. */
export const TIMINGS_OF_RUNS: Partial<Timings> = {
  apiTimeoutMs: 1_500,
  slackTimeoutMs: 1_000,
  recoverAfterMs: 2_500,
  settleAnsweredMs: 300,
  settleLostMs: 1_800,
  confirmRestartMs: 300,
  slowAfterMs: 5_000,
  patienceMs: 12_000,
  longestBackOffMs: 2_000,
  firstLookMs: 100,
  lookEveryMs: 200,
  slowLookEveryMs: 400,
  findPostAfterMs: 4_000,
  noticeAfterMs: 1_000,
  sweepEveryMs: 200,
  jobLockMs: 800,
  stalledEveryMs: 400,
  deleteGraceMs: 400,
  asksPerMinute: 1_000,
  drainMs: 3_000,
};
const POWER_MS = 300;
/** Several, as a team has them: a message that is sought is sought among hundreds and not among thousands. */
const CHANNELS = Array.from({ length: 8 }, (_, index) => `#ops-${index}`);
/** How long everything may take to come to its end once the weather is fair. */
const SETTLE_LIMIT_MS = 90_000;
/** More than this wait for an answer at once on no machine that keeps up. */
const MOST_AT_ONCE = 40;
/** When it can't be asked for just now, a colleague tries it a moment later. */
const MOST_ASKS = 2;
const AGAIN_AFTER_MS = 1_200;
/** An instance leaves the list this long after it was asked about, if nothing is under way with it. */
const KEEP_INSTANCE_MS = 15_000;

/** Runs one schedule against the real thing: processes, Redis and both services. */
export async function run(schedule: Schedule): Promise<RunResult> {
  const started = performance.now();
  const weather = createWeather(createRandom(schedule.seed).fork('weather'), schedule.families);
  const people = peopleOf(schedule);
  const sandbox = await openSandbox({
    bot: false,
    slack: {
      people: [...PEOPLE, ...people.values()],
      channels: CHANNELS.map((name, index) => ({ name: name.slice(1), id: `C0RUN00000${index}` })),
      weather: weather.slack,
    },
    hosting: {
      world: worldOf([]),
      powerMs: POWER_MS,
      deleteMs: POWER_MS,
      rateLimit: 1_000_000,
      weather: weather.hosting,
    },
    env: { LOG_LEVEL: 'info', LAMPLIGHTER_EVERYONE: 'admin', ...alertEnv('C0RUN000000') },
  });
  const written = countWrites(sandbox);
  const mailboxes = createMailboxes(sandbox, CHANNELS);
  const fleet = createFleet({
    env: sandbox.env,
    timings: TIMINGS_OF_RUNS,
    clockOffsetMs: schedule.clockOffsetMs,
    onAddresses: (requestUrl) => sandbox.slack.connect({ requestUrl }),
  });
  const kills = { worker: 0, web: 0, redis: 0 };
  let pauses = 0;
  try {
    await fleet.start();
    const strike = async (blow: Blow): Promise<void> => {
      if (!(await hit(sandbox, fleet, blow))) return;
      if (blow.do === 'kill redis') kills.redis++;
      else if (blow.do === 'kill worker') kills.worker++;
      else if (blow.do === 'kill web') kills.web++;
      else pauses++;
    };
    const turns = createTurns(MOST_AT_ONCE);
    const start = performance.now();
    const until = (atMs: number): Promise<void> => wait(start + atMs - performance.now());
    const clearing = clearAway(sandbox, schedule);
    const walk = walkBalance(sandbox, createRandom(schedule.seed).fork('balance'));
    const [asked] = await Promise.all([
      Promise.all(
        schedule.rounds.map(
          async (round) => (await until(round.atMs), turns.run(() => ask(sandbox, mailboxes, round, people))),
        ),
      ),
      // One Redis at a time: it can't be killed while it is down already.
      strikeAll(
        schedule.blows.filter((blow) => blow.do === 'kill redis'),
        until,
        strike,
      ),
      Promise.all(
        schedule.blows
          .filter((blow) => blow.do !== 'kill redis')
          .map(async (blow) => (await until(blow.atMs), strike(blow))),
      ),
    ]);
    walk.stop();
    weather.clear();
    await sandbox.settled(SETTLE_LIMIT_MS).catch(() => undefined);
    clearing.stop();
    const alerts = await judgeAlerts(sandbox, CHANNELS[0] ?? '');
    const heard = {
      asked: asked.flatMap((one) => one.asked),
      looked: asked.flatMap((one) => one.looked),
    };
    const books = await readBooks(sandbox, heard, written, CHANNELS);
    await fleet.stop();
    const verdict = judge(books);
    return {
      ...verdict,
      lostFinals: [...verdict.lostFinals, ...alerts.lost],
      doubledFinals: [...verdict.doubledFinals, ...alerts.doubled],
      falseFinals: [...verdict.falseFinals, ...alerts.wrong],
      seed: schedule.seed,
      kills,
      pauses,
      tookMs: performance.now() - started,
      crashes: fleet.crashes,
      output: fleet.output(),
    };
  } finally {
    await fleet.stop();
    await sandbox.close();
  }
}

async function ask(
  sandbox: Sandbox,
  mailboxes: Mailboxes,
  round: Round,
  people: ReadonlyMap<string, PersonRecord>,
): Promise<{ asked: Ask[]; looked: Look[] }> {
  const { kind, instanceId, look } = round;
  const name = `m-${instanceId}`;
  const channel = CHANNELS[instanceId % CHANNELS.length] ?? '';
  prepare(sandbox, kind, instanceId, name);
  const personOf = (token: string): Person => {
    const person = people.get(token);
    if (!person) throw new Error(`nobody asks ${token}`);
    return sandbox.slack.person(person.id);
  };
  const looking = async (way: 'command' | 'mention'): Promise<Look> => {
    const token = lookTokenOf(round);
    const person = personOf(token);
    const acknowledged = await lookAt(sandbox, person, { name, channel, way });
    return { token, name, userId: person.id, acknowledged };
  };
  const looks = look === undefined ? [] : [looking(look)];
  const asking = Promise.all(
    round.asks.map(async ({ afterMs, ...how }, nth) => {
      await wait(afterMs);
      const all: Ask[] = [];
      for (const token of tokensOf(round, nth)) {
        const person = personOf(token);
        const heard = await askFor(sandbox, mailboxes, person, { kind, name, token, channel, ...how });
        all.push({ token, instanceId: String(instanceId), name, kind, userId: person.id, ...heard });
        if (round.cancels) await cancel(sandbox, channel, name);
        if (heard.acknowledged && !isRefusedForNow(mailboxes.toldTo(person.id))) break;
        await wait(AGAIN_AFTER_MS);
      }
      return all;
    }),
  );
  const [asked, looked] = await Promise.all([asking, Promise.all(looks)]);
  return { asked: asked.flat(), looked };
}

/** Whether a person was told that nothing was done because the bot can't write anything down just now. */
function isRefusedForNow(told: readonly { readonly text: string }[]): boolean {
  return told.at(-1)?.text.includes("can't reach my database") ?? false;
}

/** Somebody else cancels it, if that can still be done when they come to it. */
async function cancel(sandbox: Sandbox, channel: string, name: string): Promise<void> {
  const { slack } = sandbox;
  const card = slack
    .channel(channel)
    .messages.find(
      (one) => one.text.includes(name) && JSON.stringify(one.content.blocks).includes('lamplighter.cancel'),
    );
  if (card) await slack.person('bob').presses(card, 'Cancel');
}

/** Gives false where there was nothing to hit. */
async function hit(sandbox: Sandbox, fleet: Fleet, blow: Blow): Promise<boolean> {
  switch (blow.do) {
    case 'kill worker':
      return fleet.kill('worker', blow.which);
    case 'kill web':
      return fleet.kill('web', blow.which);
    case 'pause worker':
      return fleet.pause('worker', blow.which, blow.forMs);
    case 'pause web':
      return fleet.pause('web', blow.which, blow.forMs);
    case 'kill redis':
      await sandbox.redis?.kill();
      await wait(blow.forMs);
      await sandbox.redis?.restart();
      return true;
  }
}

async function strikeAll(
  blows: readonly Blow[],
  until: (atMs: number) => Promise<void>,
  strike: (blow: Blow) => Promise<void>,
): Promise<void> {
  for (const blow of blows) {
    await until(blow.atMs);
    await strike(blow);
  }
}

/** Takes instances that nobody asks about any more out of the list, so that a long run stays as quick as a short one. */
function clearAway(sandbox: Sandbox, schedule: Schedule): { stop: () => void } {
  const start = performance.now();
  const redis = new Redis(sandbox.redisUrl, { maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  const stopping = new AbortController();
  // Each for itself: one that takes long must not keep hundreds of others in the list.
  const clear = async ({ atMs, instanceId, kind }: Round): Promise<void> => {
    await wait(start + atMs + KEEP_INSTANCE_MS - performance.now());
    const id = String(instanceId);
    const guards = [guardOf(id), guardOf(id, kind.addon ?? 'backup')].map(operationKeys.guard);
    while (!stopping.signal.aborted && (await redis.exists(...guards)) > 0) await wait(1_000);
    if (!stopping.signal.aborted && sandbox.hosting.statusOf(instanceId) !== 'gone') {
      sandbox.hosting.removeInstance(instanceId);
    }
  };
  Promise.all(schedule.rounds.map(clear)).catch(() => undefined);
  return {
    stop: () => {
      stopping.abort();
      redis.disconnect();
    },
  };
}

/** One person for each request, so that what they alone are told is known to be about it. */
function peopleOf(schedule: Schedule): Map<string, PersonRecord> {
  const tokens = schedule.rounds.flatMap((round) => [
    lookTokenOf(round),
    ...round.asks.flatMap((_, nth) => tokensOf(round, nth)),
  ]);
  return new Map(
    tokens.map((token, index) => [
      token,
      { id: `U0ASK${String(index).padStart(6, '0')}`, handle: token, name: token, teamId: TEAM.id },
    ]),
  );
}

/** Of whoever asks, and of the colleagues who try in their place when that failed. */
function tokensOf(round: Round, nth: number): string[] {
  return Array.from({ length: MOST_ASKS }, (_, tries) => `ask-${round.instanceId}-${nth}-${tries}`);
}

function lookTokenOf({ instanceId }: Round): string {
  return `look-${instanceId}`;
}

function wait(ms: number): Promise<void> {
  return ms <= 0 ? Promise.resolve() : new Promise((done) => setTimeout(done, ms));
}
