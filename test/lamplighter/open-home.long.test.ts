import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { FAR_OFF_HOUR } from '../../sandbox/phrases/far-off-hour.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { ApiCall } from '../../sandbox/slack/api/calls.ts';
import type { FaultPoints } from '../../src/app/fault-points.ts';
import { homeKeys } from '../../src/core/homes/keys.ts';
import { createOpenHomes, type HomeOwner, HOMES_ID, HOMES_JOB } from '../../src/core/homes/open-homes.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { createQueue, QUEUE, QUEUE_PREFIX } from '../../src/platform/queue/queue.ts';
import { answeredWith, answerTo, opensModal, play, powerCalls } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

/** Resolves with what somebody's Home says once it says `words`, without anybody opening it. */
async function homeSays(sandbox: Sandbox, who: string, words: string | RegExp): Promise<string> {
  const person = sandbox.slack.person(who);
  return sandbox.slack.until(() => {
    const said = person.home && sandbox.slack.readView(person.home);
    return said?.match(words) ? said : undefined;
  });
}

/** Somebody opens their Home; resolves once it says `words`. */
async function opens(sandbox: Sandbox, who: string, words: string | RegExp): Promise<string> {
  await sandbox.slack.person(who).opensHome();
  return homeSays(sandbox, who, words);
}

/** The publications of somebody's Home that Slack took or refused. */
function publications(sandbox: Sandbox, who: string): readonly ApiCall[] {
  const { id } = sandbox.slack.person(who);
  return sandbox.slack.calls.filter(
    ({ method, args }) => method === 'views.publish' && args['user_id'] === id,
  );
}

function isFor(sandbox: Sandbox, who: string): (call: Pick<ApiCall, 'method' | 'args'>) => boolean {
  const { id } = sandbox.slack.person(who);
  return ({ method, args }) => method === 'views.publish' && args['user_id'] === id;
}

/** Counts the looks at open Homes, of every bot that is given its fault points. */
function countLooks(): { faultPoints: FaultPoints; looks(more: number): Promise<void>; opened(): number } {
  const looked: true[] = [];
  let openings = 0;
  return {
    faultPoints: (name, part) =>
      name !== 'open homes'
        ? part
        : new Proxy(part, {
            get: (one, method, receiver): unknown => {
              if (method === 'list') looked.push(true);
              if (method === 'open') openings += 1;
              return Reflect.get(one, method, receiver);
            },
          }),
    opened: () => openings,
    looks: async (more) => {
      const enough = looked.length + more;
      await until(() => looked.length >= enough);
    },
  };
}

/** Resolves once no Home is open and nothing looks at any. */
async function untilNobodyPolls(sandbox: Sandbox): Promise<void> {
  const redis = new Redis(sandbox.redisUrl);
  onTestFinished(() => redis.disconnect());
  const names = [homeKeys.open, `${QUEUE_PREFIX}:${QUEUE}:${HOMES_JOB}-all`];
  await until(async () => (await redis.exists(names)) === 0);
}

test('an open Home shows an operation that begins, and how things are once it has ended', async () => {
  const sandbox = await play({ hosting: { powerMs: 400 } });
  await opens(sandbox, 'bob', 'Nothing is in progress');
  await sandbox.slack.person('ana').types('#ops', '/instances stop web-1');
  expect(await homeSays(sandbox, 'bob', 'One operation is in progress')).toContain('web-1 (101) is stopping');
  const stopped = /(\d+) stopped/;
  const before = Number(stopped.exec(await homeSays(sandbox, 'bob', stopped))?.[1]);
  await homeSays(sandbox, 'bob', 'Nothing is in progress');
  await homeSays(sandbox, 'bob', `${before + 1} stopped`);
});

test('an open Home shows what somebody changes in the dashboard of the hosting company', async () => {
  const sandbox = await play();
  await opens(sandbox, 'ana', 'instances:');
  sandbox.hosting.changeStatus(102, 'error');
  expect(await homeSays(sandbox, 'ana', 'web-2')).toContain('web-2 (102) · error');
});

test('an open Home shows an approval to those who may give it until it is decided, and to nobody else', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'none', LAMPLIGHTER_APPROVE: 'web-1' } });
  for (const grant of ['operator @ana', 'operator @bob', 'viewer @guest'])
    await answerTo(sandbox, 'admin', `/lamplighter access grant ${grant}`);
  await opens(sandbox, 'bob', 'instances:');
  await opens(sandbox, 'guest', 'instances:');
  await sandbox.slack.person('ana').types('#ops', '/instances stop web-1');
  await homeSays(sandbox, 'bob', '@ana asks to stop web-1');
  // The Home may say so before the question stands in the channel.
  const question = await sandbox.slack.until(() => sandbox.slack.channel('#ops').messages.at(-1));
  await sandbox.slack.person('bob').presses(question, 'Approve');
  await sandbox.settled();
  await homeSays(sandbox, 'bob', /^(?![^]*waits for an approval)/);
  expect(publications(sandbox, 'guest').some(({ args }) => JSON.stringify(args).includes('approval'))).toBe(
    false,
  );
});

test('what somebody may not see any more is gone from their open Home', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
  for (const grant of ['operator @ana', 'finance @fin'])
    await answerTo(sandbox, 'admin', `/lamplighter access grant ${grant}`);
  await opens(sandbox, 'ana', 'instances:');
  expect(await opens(sandbox, 'fin', 'instances:')).toContain('💰');
  await answerTo(sandbox, 'admin', '/lamplighter access revoke operator @ana');
  expect(await homeSays(sandbox, 'ana', 'no role')).not.toMatch(/instances:|running|\[ Instances/);
  await answerTo(sandbox, 'admin', '/lamplighter access revoke finance @fin');
  expect(await homeSays(sandbox, 'fin', 'no role')).not.toMatch(/instances:|running|💰|Transactions/);
});

test('what somebody may see from now on appears in their open Home', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
  await opens(sandbox, 'ana', 'no role');
  await answerTo(sandbox, 'admin', '/lamplighter access grant viewer @ana');
  expect(await homeSays(sandbox, 'ana', 'instances:')).toContain('Nothing is in progress');
});

test('an open Home shows a schedule that is saved and paused by somebody else', async () => {
  const sandbox = await play();
  await opens(sandbox, 'bob', 'instances:');
  const preview = await answeredWith(sandbox, 'ana', `/instances schedule web-1 stop at ${FAR_OFF_HOUR} UTC`);
  await sandbox.slack.person('ana').presses(preview, 'Save');
  await homeSays(sandbox, 'bob', `stop at ${FAR_OFF_HOUR}`);
  const list = await answeredWith(sandbox, 'ana', '/instances schedules');
  const ana = sandbox.slack.person('ana');
  await ana.presses(list, 'Pause until…');
  await ana.submits(await sandbox.slack.until(() => ana.views.at(-1)), { typed: '3d' });
  expect(await homeSays(sandbox, 'bob', 'Paused by @ana')).toContain('[ Resume ]');
});

test('an open Home shows a balance that rises, and favorites, to those who may see them', async () => {
  const sandbox = await play();
  await opens(sandbox, 'admin', '💰');
  sandbox.hosting.setBalance('harbour', 987_654);
  await homeSays(sandbox, 'admin', '💰 987,654 credits');
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
    await answerTo(sandbox, 'ana', `/instances save fleet-${name} = name:${name}*`);
  expect(await homeSays(sandbox, 'admin', '6 favorites')).toMatch(/fleet-e: .*\n… and 1 more/);
});

test('a Home in which nothing changes is not published again', async () => {
  const sandbox = await play({ bot: false });
  const { faultPoints, looks } = countLooks();
  await sandbox.startBot({}, faultPoints);
  await answerTo(sandbox, 'admin', '/instances save nightly = name:web-*');
  await opens(sandbox, 'admin', '💰');
  await sandbox.slack.person('ana').types('#ops', '/instances stop web-1');
  await homeSays(sandbox, 'admin', 'One operation is in progress');
  await sandbox.settled();
  await homeSays(sandbox, 'admin', 'Nothing is in progress');
  await looks(3);
  const before = publications(sandbox, 'admin').length;
  await looks(10);
  expect(publications(sandbox, 'admin')).toHaveLength(before);
});

test('of two bots at the same Homes, even of two jobs, each change is published once', async () => {
  const sandbox = await play({ bot: false, hosting: { powerMs: 300 } });
  const { faultPoints, looks } = countLooks();
  await sandbox.startBot({ LAMPLIGHTER_ROLE: 'worker' }, faultPoints);
  await sandbox.startBot({}, faultPoints);
  await opens(sandbox, 'ana', 'Nothing is in progress');
  const redis = new Redis(sandbox.redisUrl);
  const queue = createQueue({ connection: redis, prefix: '' });
  onTestFinished(async () => {
    await queue.close();
    redis.disconnect();
  });
  await Promise.all(['b', 'c', 'd'].map((id) => queue.of('').wake(HOMES_JOB, id)));
  for (const line of ['stop web-1', 'stop web-2', 'stop worker-1']) {
    await sandbox.slack.person('bob').types('#ops', `/instances ${line}`);
    await homeSays(sandbox, 'ana', 'One operation is in progress');
    await sandbox.settled();
    await homeSays(sandbox, 'ana', 'Nothing is in progress');
  }
  await looks(12);
  const shown = publications(sandbox, 'ana').map(({ args }) => contentOf(args['view']));
  expect(shown.length).toBeGreaterThan(6);
  expect(shown.filter((one, index) => one === shown[index - 1])).toEqual([]);
});

/** A view without when it was drawn. */
function contentOf(view: unknown): string {
  return JSON.stringify(view).replaceAll(/"(timestamp|fallback)":("[^"]*"|\d+)|"block_id":"[^"]*"/g, '');
}

test('a Home that is opened in a web process is kept up to date by a worker', async () => {
  const sandbox = await play({ bot: false });
  await sandbox.startBot({ LAMPLIGHTER_ROLE: 'worker' });
  await sandbox.startBot({ LAMPLIGHTER_ROLE: 'web' });
  await opens(sandbox, 'bob', 'Nothing is in progress');
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
  await homeSays(sandbox, 'bob', 'One operation is in progress');
  await homeSays(sandbox, 'bob', 'Nothing is in progress');
});

test('an older Home never comes after a newer one, however long Slack takes', async () => {
  const sandbox = await play({
    bot: false,
    hosting: { powerMs: 60_000 },
    timings: { slackTimeoutMs: 5_000 },
  });
  const { faultPoints, looks, opened } = countLooks();
  await sandbox.startBot({}, faultPoints);
  const bob = sandbox.slack.person('bob');
  await opens(sandbox, 'bob', 'Nothing is in progress');
  const held = sandbox.slack.hold(isFor(sandbox, 'bob'));
  await sandbox.slack.person('ana').types('#ops', '/instances stop web-1');
  await held.arrived;
  await sandbox.slack.person('ana').types('#ops', '/instances stop web-2');
  await sandbox.slack.until(() => powerCalls(sandbox, 'stop') === 2);
  const isNew: boolean[] = [];
  let isOver = false;
  const watching = sandbox.slack.until(() => {
    isNew.push(sandbox.slack.readView(bob.home!).includes('2 operations are in progress'));
    return isOver;
  });
  const before = opened();
  await bob.opensHome();
  // It is published at once, or waits for the other publication.
  await until(() => opened() >= before + 2 || isNew.includes(true));
  held.release();
  await homeSays(sandbox, 'bob', '2 operations are in progress');
  await looks(5);
  isOver = true;
  await answerTo(sandbox, 'ana', '/instances');
  await watching;
  expect(isNew.lastIndexOf(false)).toBeLessThan(isNew.indexOf(true));
});

test('a Home that Slack does not take keeps no other from being published, and counts as closed', async () => {
  const sandbox = await play({ bot: false });
  const { faultPoints, looks } = countLooks();
  await sandbox.startBot({}, faultPoints);
  for (const who of ['bob', 'fin']) await opens(sandbox, who, 'Nothing is in progress');
  for (const _ of [1, 2, 3]) sandbox.slack.failNext(isFor(sandbox, 'bob'), { error: 'not_enabled' });
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
  await homeSays(sandbox, 'fin', 'One operation is in progress');
  await sandbox.slack.until(() => publications(sandbox, 'bob').length === 4);
  await sandbox.settled();
  await homeSays(sandbox, 'fin', 'Nothing is in progress');
  await looks(10);
  expect(publications(sandbox, 'bob')).toHaveLength(4);
  await opens(sandbox, 'bob', 'Nothing is in progress');
});

test('a Home is left alone for as long as Slack asks, and the others are not', async () => {
  const sandbox = await play();
  for (const who of ['bob', 'fin']) await opens(sandbox, who, 'Nothing is in progress');
  sandbox.slack.rateLimitNext(isFor(sandbox, 'bob'), { retryAfter: 60 });
  for (const count of [1, 2, 3]) {
    await answerTo(sandbox, 'ana', `/instances save fleet-${count} = name:web-*`);
    await homeSays(sandbox, 'fin', `${count} favorite`);
  }
  expect(publications(sandbox, 'bob')).toHaveLength(2);
});

test('a Home that nobody has opened or used for a while is not looked at, until something is pressed in it', async () => {
  const sandbox = await play({ timings: { homeOpenMs: 150 } });
  const ana = sandbox.slack.person('ana');
  await opens(sandbox, 'ana', 'Nothing is in progress');
  await untilNobodyPolls(sandbox);
  const before = publications(sandbox, 'ana').length;
  await answerTo(sandbox, 'bob', '/instances save nightly = name:web-*');
  expect(publications(sandbox, 'ana')).toHaveLength(before);
  // A busy machine may look later than a press has the Home count as open, which is as short as that for this test.
  await until(
    async () => {
      await ana.presses(ana.home!, 'Instances');
      return sandbox.slack.readView(ana.home!).includes('1 favorite');
    },
    () => sandbox.slack.readView(ana.home!),
  );
});

test('an open Home is kept up to date although the queue has lost its job', async () => {
  const sandbox = await play();
  await opens(sandbox, 'ana', 'Nothing is in progress');
  const redis = new Redis(sandbox.redisUrl);
  onTestFinished(() => redis.disconnect());
  const [queue, job] = [`${QUEUE_PREFIX}:${QUEUE}`, `${HOMES_JOB}-${HOMES_ID}`];
  await until(async () => (await redis.zrem(`${queue}:delayed`, job)) === 1);
  await redis.del(`${queue}:${job}`);
  await answerTo(sandbox, 'bob', '/instances save nightly = name:web-*');
  await homeSays(sandbox, 'ana', '1 favorite');
});

test('of more than a hundred open Homes those are closed that were used longest ago', async () => {
  const sandbox = await play({ bot: false });
  const redis = new Redis(sandbox.redisUrl);
  const queue = createQueue({ connection: redis, prefix: '' });
  onTestFinished(async () => {
    await queue.close();
    redis.disconnect();
  });
  let now = 1_000_000;
  const homes = createOpenHomes({
    redis,
    queue: { ...queue.of(''), wake: async () => undefined },
    clock: { now: () => now },
    timings: TIMINGS,
  });
  const owner = (index: number): HomeOwner => ({ actor: { userId: `U${index}` }, channelId: `D${index}` });
  for (let index = 0; index < 101; index++) {
    now += 1;
    await homes.open(owner(index), 1_000);
  }
  await homes.use(owner(1));
  now += 1;
  await homes.open(owner(101), 1_000);
  const open = (await homes.list()).map(({ actor }) => actor.userId);
  expect(open).toHaveLength(100);
  expect(['U0', 'U1', 'U2', 'U3', 'U101'].filter((id) => open.includes(id))).toEqual(['U1', 'U3', 'U101']);
});

test('an open Home has the hosting service asked no more often than the account has room for', async () => {
  const sandbox = await play({
    bot: false,
    adapter: { limit: { requests: 100, seconds: 3_600 } },
    timings: { homeBalanceEveryMs: 60_000, sharedForMs: 1_000 },
  });
  const { faultPoints, looks } = countLooks();
  await sandbox.startBot({}, faultPoints);
  for (const who of ['admin', 'ana', 'bob']) await opens(sandbox, who, 'Nothing is in progress');
  await looks(5);
  const before = sandbox.hosting.calls.length;
  await looks(20);
  expect(sandbox.hosting.calls).toHaveLength(before);
});

test('a service that fails for a moment takes nothing from an open Home', async () => {
  const sandbox = await play({ bot: false });
  const { faultPoints, looks } = countLooks();
  await sandbox.startBot({}, faultPoints);
  await opens(sandbox, 'admin', '💰');
  await looks(3);
  const before = publications(sandbox, 'admin').length;
  sandbox.hosting.breakBalance('harbour', { answer: 503, done: false });
  await looks(10);
  expect(publications(sandbox, 'admin')).toHaveLength(before);
});

test('a deletion that can still be canceled does not have the Home published every second', async () => {
  const sandbox = await play({ bot: false, timings: { cancelWindowMs: 600_000 } });
  const { faultPoints, looks } = countLooks();
  await sandbox.startBot({}, faultPoints);
  await opens(sandbox, 'admin', 'Nothing is in progress');
  const modal = await opensModal(sandbox, 'admin', '/instances delete web-2');
  await sandbox.slack.person('admin').submits(modal, { typed: 'web-2' });
  await homeSays(sandbox, 'admin', 'will be deleted in');
  await looks(60);
  const shown = publications(sandbox, 'admin').map(({ args }) => contentOf(args['view']));
  expect(shown.length).toBeLessThanOrEqual(4);
});
