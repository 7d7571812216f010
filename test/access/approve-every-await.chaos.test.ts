import { beforeAll, describe, expect, it } from 'vitest';
import { openSandbox, type Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { createFailpoints, type Injection, INJECTIONS } from '../support/failpoints.ts';
import { QUICK } from '../support/inject.ts';
import { dumpOf } from '../support/redis-dump.ts';
import { startRedisProxy } from '../support/redis-proxy.ts';
import { botMessages, powerCalls } from '../support/sandbox.ts';
import { takeDatabase } from '../support/shared-redis.ts';

/** What sweeps and watchdogs ask on their own beat is on nobody's road. */
const BEATS = /\.(listDue|nextPollAt|listOpen|policy)$/;
const AT_ONCE = 6;
/** How long a person goes on pressing. */
const LIMIT_MS = 90_000;
/** What a busy machine is late with comes within this; what does not is stuck. */
const STUCK_AFTER_MS = 60_000;
/** Where the question, its approval and their jobs are. */
const ABOUT_IT = /:(post|approval|lane):|:(posts|approvals):open$|:queue:jobs:(?!events$)/;

/** So much of the log is printed. */
const LAST_LINES = 40;

interface Approved {
  readonly passed: readonly string[];
  readonly calls: number;
  /** The cards that say an end, by their icons. */
  readonly ends: string;
  readonly says: string;
  /** What Redis has of a question that never says who approved it, and what the bots logged last. */
  readonly stuckAs: string;
}

/** One approval's whole road: asked of one bot, approved with another that is interrupted, ended by a third. */
async function approve(at?: { readonly point: string; readonly inject: Injection }): Promise<Approved> {
  const database = await takeDatabase();
  const sandbox = await openSandbox({
    bot: false,
    // An edit that shows progress and sleeps between its last check and Slack lands after the end: nothing can take it back.
    timings: { ...QUICK, progressAfterMs: 60_000 },
    redisUrl: database.url,
    env: { LAMPLIGHTER_ALLOW: '', LAMPLIGHTER_EVERYONE: 'operator', LAMPLIGHTER_APPROVE: 'web-*' },
    hosting: { powerMs: 60, rateLimit: 100_000 },
    adapter: { limit: { requests: 100_000, seconds: 60 } },
  });
  const proxy = await startRedisProxy(sandbox.redisUrl);
  const failpoints = createFailpoints(at);
  try {
    const question = await ask(sandbox);
    await sandbox.startBot({ REDIS_URL: proxy.url }, failpoints.faultPoints);
    const atStart = failpoints.passed.length;
    const taken = failpoints.injected.then(async () => {
      if (at?.inject === 'crash') proxy.cut();
      if (at?.inject === 'pause') proxy.freeze();
      if (at?.inject !== 'answer lost') await sandbox.startBot();
    });
    taken.catch(() => undefined);
    await pressUntilApproved(sandbox, question);
    await sandbox.settled(STUCK_AFTER_MS);
    const stuckAs = await sandbox.slack
      .until(() => isApproved(sandbox, question), { timeoutMs: STUCK_AFTER_MS })
      .then(
        () => '',
        async () =>
          `${await dumpOf(sandbox.redisUrl, ABOUT_IT)}\n${sandbox.logs.slice(-LAST_LINES).join('')}`,
      );
    if (at?.inject === 'pause') {
      proxy.thaw();
      failpoints.resume();
    }
    await sandbox.stopBots();
    return {
      passed: failpoints.passed.slice(atStart),
      calls: powerCalls(sandbox),
      ends: botMessages(sandbox)
        .map((one) => /^[✅❌❔⚪]/u.exec(sandbox.slack.read(one))?.[0] ?? '')
        .join(''),
      says: sandbox.slack.read(question()),
      stuckAs,
    };
  } finally {
    proxy.cut();
    await sandbox.close();
    await proxy.stop();
    database.release();
  }
}

async function ask(sandbox: Sandbox): Promise<() => PostedMessage> {
  const { slack } = sandbox;
  await sandbox.startBot();
  const question = (): PostedMessage =>
    botMessages(sandbox).find((one) => slack.read(one).includes('asks to restart'))!;
  // On a busy machine the bot may give the hosting service or Slack up before they answer, and says so: then she asks again.
  for (let isAsked = false; !isAsked;) {
    const interaction = await slack.person('ana').types('#ops', '/instances restart web-1');
    const isGivenUp = (): boolean =>
      interaction.ephemeral.some((one) => slack.read(one).includes('nothing was done'));
    await slack.until(() => question() !== undefined || isGivenUp());
    isAsked = !isGivenUp();
  }
  await sandbox.stopBots();
  return question;
}

function isApproved(sandbox: Sandbox, question: () => PostedMessage): boolean {
  return sandbox.slack.read(question()).includes('Approved by @bob.');
}

/** A person whose press failed presses again, as long as there is something to press. */
async function pressUntilApproved(sandbox: Sandbox, question: () => PostedMessage): Promise<void> {
  const until = performance.now() + LIMIT_MS;
  while (!isApproved(sandbox, question)) {
    if (performance.now() > until) return;
    await sandbox.slack
      .person('bob')
      .presses(question(), 'Approve')
      .catch(() => undefined);
    await sandbox.slack
      .until(() => isApproved(sandbox, question), { timeoutMs: 2_000 })
      .catch(() => undefined);
  }
}

/** One end, and a true one: done was asked once, not done never, and of the rest nobody can tell. */
function isTrue(calls: number, ends: string): boolean {
  if (ends === '✅') return calls === 1;
  if (ends === '⚪') return calls === 0;
  return ends === '❔' && calls <= 1;
}

describe("an approval whose bot is interrupted at any of its road's awaits", () => {
  let points: string[] = [];
  beforeAll(async () => {
    const { passed } = await approve();
    points = [...new Set(passed)].filter((point) => !BEATS.test(point.replace(/ \d+$/, '')));
  });

  it.each(INJECTIONS)(
    'by "%s" is asked at most once and reported once, truthfully, and says who approved it',
    async (injection) => {
      const wrong: string[] = [];
      const left = [...points];
      const one = async (): Promise<void> => {
        for (let point = left.shift(); point !== undefined; point = left.shift()) {
          const { calls, ends, says, stuckAs } = await approve({ point, inject: injection });
          if (!isTrue(calls, ends) || !says.includes('Approved by @bob.'))
            wrong.push(
              `${point}: ${calls} calls, reported ${ends}, "${says}"${stuckAs && `, stuck: ${stuckAs}`}`,
            );
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, one));
      expect(points.length).toBeGreaterThan(20);
      expect(wrong).toEqual([]);
    },
    900_000,
  );
});
