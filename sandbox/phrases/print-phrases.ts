import type { Timings } from '../../src/core/timings.ts';
import type { FaultPoints } from '../../src/core/base.ts';
import { openSandbox, type Sandbox } from '../sandbox.ts';
import type { SlackDouble } from '../slack/index.ts';
import { ACTS } from './acts/index.ts';
import { hostingClock } from './hosting-clock.ts';
import { playScenario, type Stage } from './play-scenario.ts';
import type { Act } from './scenario.ts';

/** A Redis that one act has for itself; without one it starts its own. */
export interface LentRedis {
  readonly url: string;
  release(): void;
}

/** Short where somebody would wait, long where a machine that is busy must not change what is said. */
const TIMINGS: Partial<Timings> = {
  apiTimeoutMs: 8_000,
  sharedForMs: 0,
  writeDownWithinMs: 2_500,
  sendWithinMs: 2_000,
  staleMs: 100,
  settleMs: 200,
  slowAfterMs: 60_000,
  patienceMs: 60_000,
  pollEveryMs: 50,
  postEveryMs: 5,
  editEveryMs: 5,
  sameEditEveryMs: 0,
  progressAfterMs: 0,
  ownCards: 1_000,
  noticeAfterMs: 60_000,
  sweepEveryMs: 150,
  drainMs: 3_000,
  billingCheckEveryMs: Number.POSITIVE_INFINITY,
  alertFreshMs: 0,
  billingRetryMs: 5,
  asksPerMinute: 1_000,
};
/** Slack waits longer than in life for the same reason. */
const SLACK_WAITS_MS = 15_000;
const AT_ONCE = 8;

/** What each page is about. */
export const HEADINGS: readonly string[] = [...new Set(ACTS.map(({ heading }) => heading))];

/**
 * Plays every scenario and gives the pages, each message of every state as people see it, by their headings. `lend` gives a
 * Redis for one act; `onPlayed` is shown the Slack of each act when it is over.
 */
export async function printPhrases(
  lend?: () => Promise<LentRedis>,
  onPlayed: (slack: SlackDouble) => void = () => undefined,
): Promise<ReadonlyMap<string, string>> {
  const broken: string[] = [];
  // What waits most begins first, so that nothing is left to wait for alone in the end.
  const oneByOne = ACTS.toSorted((one, other) => (other.quietMs ?? 0) - (one.quietMs ?? 0));
  const played = await inLanes(oneByOne, (act) =>
    playAct(act, lend, onPlayed).catch((error: unknown) => {
      broken.push(error instanceof Error ? error.message : String(error));
      return [];
    }),
  );
  if (broken.length > 0) throw new Error(broken.join('\n\n'));
  const pages = HEADINGS.map((heading): [string, string] => {
    const parts = ACTS.flatMap((act) =>
      act.heading === heading ? (played[oneByOne.indexOf(act)] ?? []) : [],
    );
    return [heading, `# ${heading}\n\n${parts.join('\n\n')}\n`];
  });
  return new Map(pages);
}

async function playAct(
  act: Act,
  lend: (() => Promise<LentRedis>) | undefined,
  onPlayed: (slack: SlackDouble) => void,
): Promise<string[]> {
  const lent = await lend?.();
  const calendar = createCalendar(act.today);
  const sandbox = await openSandbox({
    customer: act.customer,
    service: act.service,
    ...(act.cloud ? { cloud: act.cloud } : {}),
    faultPoints: calendar.faultPoints,
    redisUrl: lent?.url,
    env: { LAMPLIGHTER_ALLOW: '', ...act.env },
    timings: { ...TIMINGS, checkNamedAfterMs: Number.POSITIVE_INFINITY, ...act.timings },
    slack: { deadlineMs: SLACK_WAITS_MS, ...act.slack },
    hosting: {
      powerMs: 120,
      restartsAreShown: true,
      deleteMs: 100,
      rateLimit: 100_000,
      clock: hostingClock(Date.now()),
      ...act.hosting,
    },
    adapter: { limit: act.limit ?? { requests: 100_000, seconds: 60 } },
  });
  const stage = stageOf(sandbox, calendar, act);
  try {
    const { slack } = sandbox;
    const { awaits } = act;
    if (awaits !== undefined)
      await slack.until(() =>
        slack.person('admin').dms.some((message) => slack.read(message).includes(awaits)),
      );
    const played: string[] = [];
    for (const scenario of act.scenarios) played.push(await playScenario(stage, scenario));
    onPlayed(slack);
    return played;
  } finally {
    await sandbox.close();
    lent?.release();
  }
}

/** Which month it is for a bot, where an act says so. */
function createCalendar(first: string | undefined): {
  readonly faultPoints: FaultPoints;
  readonly setToday: Stage['setToday'];
} {
  let day = first;
  return {
    setToday: (next) => (day = next),
    faultPoints: (name, part) =>
      name === 'calendar' && day !== undefined ? { ...part, today: async () => Date.parse(day ?? '') } : part,
  };
}

/** What a scenario can reach. */
function stageOf(sandbox: Sandbox, { setToday }: Pick<Stage, 'setToday'>, { quietMs = 0 }: Act): Stage {
  const { slack, cloud, redisUrl } = sandbox;
  return {
    slack,
    cloud,
    redisUrl,
    get hosting() {
      return sandbox.hosting;
    },
    settled: () => sandbox.settled(),
    reported: () => sandbox.reported(),
    setToday,
    quietMs,
    look: async () => {
      await sandbox.look();
      await sandbox.reported();
    },
    replaceBot: async (env) => {
      await sandbox.stopBots();
      await sandbox.startBot(env);
    },
  };
}

/** Does the work for each, a few at once; the results in the order of what they are of. */
async function inLanes<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < all.length; index = next++) {
      const one = all[index];
      if (one !== undefined) results[index] = await work(one);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}
