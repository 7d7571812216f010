import { describe, expect, it } from 'vitest';
import { openSandbox, type Sandbox } from '../../sandbox/sandbox.ts';
import { INJECTIONS } from '../support/failpoints.ts';
import { QUICK } from '../support/inject.ts';
import { type Road, walk } from '../support/road.ts';
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

const LONG = { timeoutMs: 60_000 };

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

/** What stands in #ops, but for what people alone read. */
function textsIn({ slack }: Sandbox): string[] {
  return slack
    .channel('#ops')
    .messages.filter(({ metadata, deleted }) => metadata && !deleted)
    .map((message) => slack.read(message));
}

const cardsIn = (sandbox: Sandbox): string[] =>
  textsIn(sandbox).filter((text) => text.includes('Watch: ') && text.includes('web-1'));
const isReply = (text: string): boolean => text.includes('@ana ✅');
const says = (sandbox: Sandbox, words: string): boolean =>
  textsIn(sandbox).some((text) => text.includes(words));

/** The road of one incident. */
const INCIDENT: Road = {
  opened: { timings: TIMINGS, hosting: { rateLimit: 100_000 } },
  before: async (sandbox) => {
    const admin = sandbox.slack.person('admin');
    await repeatUntil(
      sandbox,
      () => admin.types('#ops', '/instances watch name:web-*'),
      () => says(sandbox, 'Watching name:web-*'),
    );
    await untilLooked(sandbox);
    await repeatUntil(
      sandbox,
      () => admin.types('#ops', '/lamplighter oncall first @fin'),
      () => says(sandbox, 'set who is on call'),
    );
    await sandbox.stopBots();
    sandbox.hosting.changeStatus(101, 'error');
  },
  isReported: async (sandbox) => {
    const { slack } = sandbox;
    const card = await slack.until(
      () =>
        slack
          .channel('#ops')
          .messages.find((message) => slack.read(message).includes('web-1 (101) reports an error')),
      LONG,
    );
    await repeatUntil(
      sandbox,
      () => slack.person('ana').presses(card, "I'm on it"),
      () => says(sandbox, '@ana is on it'),
    );
  },
  end: async (sandbox) => {
    const { slack, hosting } = sandbox;
    hosting.changeStatus(101, 'running');
    await slack.until(() => textsIn(sandbox).some(isReply), LONG);
    // What comes after it shows that nothing more was to be reported of the first.
    hosting.changeStatus(102, 'stopped');
    await slack.until(() => says(sandbox, 'web-2 (102) was stopped'), LONG);
    // No reply waits for the edit of its card, and the reply has the same words.
    await slack.until(() => cardsIn(sandbox).every((text) => text.includes('is running again')), LONG);
  },
};

describe.each(INJECTIONS)('a look of a bot interrupted by "%s"', (way) => {
  it.concurrent.each(allOr(POINTS, 'watches.change 1'))(
    'at %s is one card, and its end is reported once',
    async (point) => {
      const sandbox = await walk(INCIDENT, point, way);
      expect(cardsIn(sandbox)).toEqual([expect.stringContaining('web-1 (101) is running again')]);
      expect(textsIn(sandbox).filter(isReply)).toHaveLength(1);
      // What who is on call reads alone.
      const told = sandbox.slack.person('fin').dms.filter(({ deleted }) => !deleted);
      expect(told.filter((one) => sandbox.slack.read(one).includes('web-1'))).toHaveLength(1);
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
