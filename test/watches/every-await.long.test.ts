import { describe, expect, it } from 'vitest';
import { openSandbox, type Sandbox } from '../../sandbox/sandbox.ts';
import { createFailpoints, type Injection, INJECTIONS } from '../support/failpoints.ts';
import { QUICK } from '../support/inject.ts';
import { startRedisProxy } from '../support/redis-proxy.ts';
import { allOr } from '../support/runs.ts';
import { answerTo } from '../support/sandbox.ts';
import { askUntil } from '../support/until.ts';

/** The awaits of a look that sees something, up to where its card stands. */
const POINTS = [
  'hosting.listInstances 1',
  'watches.listAll 1',
  'watches.findStates 1',
  'access.check 1',
  'access.decisions 1',
  'watches.change 1',
  'outbox.saying 1',
  'queue.wake 1',
  'posts.find 1',
  'posts.change 1',
  'messenger.post 1',
  'posts.change 2',
  'threads.add 1',
  'watches.change 2',
];
const TIMINGS = { ...QUICK, watchEveryMs: 100, unhealthyAfterMs: 200 };
const LIMIT = { requests: 100_000, seconds: 60 };

/** What stands in #ops in the end, but for what people alone read. */
interface Reported {
  readonly cards: readonly string[];
  readonly replies: readonly string[];
  /** What who is on call reads alone. */
  readonly told: readonly string[];
}

/** Does it for as long as it takes: a bot that goes or comes, or a busy machine, may tell a person to try again. */
async function repeatUntil(
  sandbox: Sandbox,
  act: () => Promise<unknown>,
  isDone: () => boolean,
): Promise<void> {
  const until = performance.now() + 60_000;
  while (!isDone() && performance.now() < until) {
    // A button goes with the edit that says what it did.
    await act().catch(() => undefined);
    await sandbox.slack.until(isDone, { timeoutMs: 5_000 }).catch(() => undefined);
  }
  expect(isDone()).toBe(true);
}

/** Asks until the list says that the first look was made: without it, the next bot takes what it sees for the base line. */
async function untilLooked(sandbox: Sandbox): Promise<void> {
  await askUntil(
    () => answerTo(sandbox, 'admin', '/instances watches'),
    (list) => list.includes('· checked '),
  );
}

/** The road of one incident: one bot is interrupted at one of its awaits, and another goes on. */
async function inject(point: string, way: Injection): Promise<Reported> {
  const sandbox = await openSandbox({
    bot: false,
    timings: TIMINGS,
    hosting: { rateLimit: 100_000 },
    adapter: { limit: LIMIT },
  });
  const { slack, hosting } = sandbox;
  const proxy = await startRedisProxy(sandbox.redisUrl);
  const texts = (): string[] =>
    slack
      .channel('#ops')
      .messages.filter(({ metadata, deleted }) => metadata && !deleted)
      .map((message) => slack.read(message));
  const says = (words: string): boolean => texts().some((text) => text.includes(words));
  try {
    await sandbox.startBot();
    await repeatUntil(
      sandbox,
      () => slack.person('admin').types('#ops', '/instances watch name:web-*'),
      () => says('Watching name:web-*'),
    );
    await untilLooked(sandbox);
    await repeatUntil(
      sandbox,
      () => slack.person('admin').types('#ops', '/lamplighter oncall first @fin'),
      () => says('set who is on call'),
    );
    await sandbox.stopBots();
    hosting.changeStatus(101, 'error');

    const failpoints = createFailpoints({ point, inject: way });
    await sandbox.startBot({ REDIS_URL: proxy.url }, failpoints.faultPoints);
    await failpoints.injected;
    if (way === 'crash') proxy.cut();
    if (way === 'pause') proxy.freeze();
    if (way !== 'answer lost') await sandbox.startBot();
    await slack.until(() => says('web-1 (101) reports an error'), { timeoutMs: 60_000 });
    const card = slack
      .channel('#ops')
      .messages.find((message) => slack.read(message).includes('web-1 (101) reports an error'));
    if (card) {
      await repeatUntil(
        sandbox,
        () => slack.person('ana').presses(card, "I'm on it"),
        () => says('@ana is on it'),
      );
    }
    if (way === 'pause') {
      proxy.thaw();
      failpoints.resume();
    }
    hosting.changeStatus(101, 'running');
    const isReply = (text: string): boolean => text.includes('@ana ✅');
    await slack.until(() => texts().some(isReply), { timeoutMs: 60_000 });
    // What comes after it shows that nothing more was to be reported of the first.
    hosting.changeStatus(102, 'stopped');
    await slack.until(() => says('web-2 (102) was stopped'), { timeoutMs: 60_000 });
    // No reply waits for the edit of its card, and the reply has the same words.
    const cards = (): string[] =>
      texts().filter((text) => text.includes('Watch: ') && text.includes('web-1'));
    await slack.until(() => cards().every((text) => text.includes('is running again')), {
      timeoutMs: 60_000,
    });
    await sandbox.stopBots();
    return {
      cards: cards(),
      replies: texts().filter(isReply),
      told: slack
        .person('fin')
        .dms.filter(({ deleted }) => !deleted)
        .map((message) => slack.read(message))
        .filter((text) => text.includes('web-1')),
    };
  } finally {
    proxy.cut();
    await sandbox.close();
    await proxy.stop();
  }
}

describe.each(INJECTIONS)('a look of a bot interrupted by "%s"', (way) => {
  it.concurrent.each(allOr(POINTS, 'watches.change 1'))(
    'at %s is one card, and its end is reported once',
    async (point) => {
      const { cards, replies, told } = await inject(point, way);
      expect(cards).toEqual([expect.stringContaining('web-1 (101) is running again')]);
      expect(replies).toHaveLength(1);
      expect(told).toHaveLength(1);
    },
    180_000,
  );
});

it('of two bots that look at the same time, one tells', async () => {
  const sandbox = await openSandbox({
    bot: false,
    timings: { ...TIMINGS, watchEveryMs: 20 },
    hosting: { rateLimit: 100_000 },
    adapter: { limit: LIMIT },
  });
  const { slack, hosting } = sandbox;
  const cards = (): string[] =>
    slack
      .channel('#ops')
      .messages.map((message) => slack.read(message))
      .filter((text) => text.includes('Watch: '));
  try {
    await Promise.all([sandbox.startBot(), sandbox.startBot()]);
    await slack.person('admin').types('#ops', '/instances watch name:*');
    await slack.until(() =>
      slack.channel('#ops').messages.some((one) => slack.read(one).includes('Watching name:*')),
    );
    await untilLooked(sandbox);
    for (let times = 0; times < 10; times += 1) {
      hosting.changeStatus(101, 'error');
      await slack.until(() => cards().some((text) => text.includes('reports an error. Nobody')));
      hosting.changeStatus(101, 'running');
      await slack.until(() => cards().every((text) => text.includes('is running again')));
    }
    expect(cards()).toHaveLength(1);
  } finally {
    await sandbox.close();
  }
});
