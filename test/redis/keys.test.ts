import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { createAudit } from '../../src/core/audit/audit.ts';
import { pruneAudit } from '../../src/core/audit/audit-reader.ts';
import { createBudget, type Limit } from '../../src/platform/hosting/budget.ts';
import { dmWith } from '../support/asking.ts';
import { letItBeDue } from '../support/due-digest.ts';
import { EXPLAINED, faultsOf, findKeys, ROWS, rowOf, USED_UNITS } from '../support/redis-keys.ts';
import { confirms } from '../batches/fleet.ts';
import { findCard, setWatch } from '../watches/watching.ts';
import {
  answeredWith,
  answerTo,
  botMessages,
  opensModal,
  play,
  privateMessage,
  readAll,
} from '../support/sandbox.ts';

const LIMIT: Limit = { requests: 100_000, seconds: 60 };
const OPS = 'C0OPS000001';

/** Every key that is written from now on, and the rows that they belong to. */
async function watchKeys(
  url: string,
): Promise<{ redis: Redis; written: Set<string>; heard(): Promise<void> }> {
  const [redis, subscriber] = [new Redis(url), new Redis(url)];
  onTestFinished(() => {
    redis.disconnect();
    subscriber.disconnect();
  });
  const written = new Set<string>();
  await redis.config('SET', 'notify-keyspace-events', 'AE');
  await subscriber.psubscribe('__keyevent@*__:*');
  subscriber.on('pmessage', (_pattern: string, _channel: string, name: string) => void written.add(name));
  return { redis, written, heard: async () => void (await subscriber.ping()) };
}

/** Somebody asks for a right, is given it, and restarts what a second person has to approve. */
async function asksAndIsApproved(sandbox: Sandbox): Promise<void> {
  const { slack } = sandbox;
  const [admin, ana, bob] = ['admin', 'ana', 'bob'].map((who) => slack.person(who));
  await ana!.types('#ops', '/instances restart web-1');
  await ana!.presses(await privateMessage(sandbox, 'ana', 'You need the operator role'), 'Ask them');
  await admin!.presses(await dmWith(sandbox, 'admin', '@ana asks to restart'), 'Allow for 8 h');
  await dmWith(sandbox, 'ana', 'allowed you');
  await admin!.types('#ops', '/lamplighter access grant operator @bob');
  await dmWith(sandbox, 'bob', 'operator');
  await ana!.types('#ops', '/instances restart web-1');
  const question = await slack.until(() =>
    botMessages(sandbox).find((one) => slack.read(one).includes('asks to restart')),
  );
  await bob!.presses(question, 'Approve');
  await slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
}

/** Buttons, a picker, a question in a modal, and more at once than a place shows in cards of their own. */
async function changesMuch(sandbox: Sandbox): Promise<void> {
  const admin = sandbox.slack.person('admin');
  await answeredWith(sandbox, 'admin', '/instances list name:worker-1');
  await answeredWith(sandbox, 'admin', '/instances save nightly = name:staging-*');
  await admin.types('#ops', '/instances show web-2');
  await admin.presses(await privateMessage(sandbox, 'admin', 'web-2'), 'Restart');
  await admin.types('#ops', '/instances stop w');
  const modal = await opensModal(sandbox, 'admin', '/instances delete staging');
  await admin.submits(modal, { typed: 'staging' });
  await Promise.all(
    ['worker-1', 'db-1', 'breaks'].map((name) => admin.types('#ops', `/instances restart ${name}`)),
  );
  await sandbox.settled();
}

/** Several at once, of which one fails and is asked for again. */
async function changesSeveral(sandbox: Sandbox): Promise<void> {
  const preview = await answeredWith(sandbox, 'admin', '/instances stop worker-1 always-503');
  await confirms(sandbox, preview, 'Stop 2', 'admin');
  const card = await sandbox.slack.until(() =>
    botMessages(sandbox).find((one) => sandbox.slack.read(one).includes('[ Retry failed ]')),
  );
  await sandbox.slack.person('admin').presses(card, 'Retry failed');
  await sandbox.slack.until(() => sandbox.slack.read(card).includes('Retry failed: asked by'));
  await sandbox.settled();
}

/** Something is scheduled. */
async function schedules(sandbox: Sandbox): Promise<void> {
  const preview = await answeredWith(sandbox, 'admin', '/instances schedule worker-1 stop at 20:00 UTC');
  await sandbox.slack.person('admin').presses(preview, 'Save');
  await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('scheduled:')));
}

/** The service takes no call for a moment, and a write waits in line. */
async function isLimited(sandbox: Sandbox, redis: Redis): Promise<void> {
  const budget = createBudget(redis, sandbox.hosting.customers[0]?.apiKey ?? '', LIMIT);
  await budget.pause(100);
  expect(await budget.takeOrWait({ id: 'a-write', since: Date.now() })).toMatchObject({ place: 1 });
  await budget.leave('a-write');
}

/** A look at the balance takes longer than the queue takes to look whether its worker is gone. */
async function looksSlowly(sandbox: Sandbox, written: ReadonlySet<string>): Promise<void> {
  const held = sandbox.hosting.hold({ path: /\/billing\/summary$/ });
  await held.arrived;
  while (![...written].some((name) => name.endsWith(':billing:stalled'))) await new Promise(setImmediate);
  held.release();
}

/** A channel is watched, and hears of something. */
async function isWatching(sandbox: Sandbox): Promise<void> {
  await setWatch(sandbox, 'name:web-*');
  sandbox.hosting.changeStatus(102, 'error');
  await findCard(sandbox, 'web-2 (102) reports an error');
}

/** The balance, the digest and a file. */
async function readsMoney(sandbox: Sandbox): Promise<void> {
  const admin = sandbox.slack.person('admin');
  expect(await answerTo(sandbox, 'admin', '/billing digest weekly mon 09:00')).toContain('every Monday');
  await letItBeDue(sandbox);
  await admin.types('#ops', '/billing transactions --csv');
  await sandbox.slack.until(() => admin.dms.some((message) => message.files.length > 0));
}

it('every key that a run writes has its row in docs/redis-keys.md, and every row has such a key', async () => {
  const sandbox = await play({
    ownRedis: true,
    bot: false,
    env: { LAMPLIGHTER_EVERYONE: 'none', LAMPLIGHTER_APPROVE: 'web-1', BILLING_CHANNELS: OPS },
    timings: { ownCards: 1, billingCheckEveryMs: 500 },
  });
  const { redis, written, heard } = await watchKeys(sandbox.redisUrl);
  await sandbox.startBot();
  await dmWith(sandbox, 'admin', "I'm ready");
  await asksAndIsApproved(sandbox);
  const halfway = Date.now();
  await changesMuch(sandbox);
  await changesSeveral(sandbox);
  await isWatching(sandbox);
  await schedules(sandbox);
  await isLimited(sandbox, redis);
  await readsMoney(sandbox);
  await looksSlowly(sandbox, written);
  expect(faultsOf(await findKeys(redis))).toEqual([]);
  await pruneAudit(redis, createAudit(redis), halfway, Date.now());
  await redis.flushall();
  await dmWith(sandbox, 'admin', 'Redis came back empty');
  await heard();
  const seen = [...written].map((name) => ({ name, row: rowOf(name) }));
  expect(seen.filter(({ row }) => !row).map(({ name }) => name)).toEqual([]);
  const found = new Set(seen.map(({ row }) => row));
  expect(ROWS.filter((row) => !found.has(row)).map(({ key }) => key)).toEqual([]);
});

it('docs/redis-keys.md explains each unit in which its rows count, and no other', () => {
  expect(EXPLAINED.toSorted()).toEqual([...USED_UNITS].toSorted());
});
