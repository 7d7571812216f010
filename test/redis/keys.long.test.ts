import { createServer } from 'node:http';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { FAR_OFF_HOUR } from '../../sandbox/phrases/far-off-hour.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { sweeperKeys } from '../../src/core/sweep.ts';
import { takeLock } from '../../src/platform/redis/lock.ts';
import { pruneAudit } from '../../src/core/watchdogs/keep-audit.ts';
import { createChosenAccounts } from '../../src/core/accounts/choose.ts';
import { createAccess } from '../../src/core/workspaces/access.ts';
import { createInstallationStore } from '../../src/core/workspaces/installation-store.ts';
import { createTokenRefresh } from '../../src/core/workspaces/token-refresh.ts';
import { createBudget, type Limit } from '../../src/platform/hosting/budget.ts';
import { createSessionStore } from '../../src/platform/hosting/sessions.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { parseKeyring } from '../../src/platform/secrets/keyring.ts';
import { dmWith, messageWith } from '../support/asking.ts';
import { QUEUE } from '../../src/platform/queue/queue.ts';
import { EXPLAINED, faultsOf, findKeys, ROWS, rowOf, USED_UNITS } from '../support/redis-keys.ts';
import { signingKeys } from '../support/signing.ts';
import { confirms } from '../batches/fleet.ts';
import { findCard, setWatch } from '../watches/watching.ts';
import { answeredWith, opensModal, play, privateMessage, readAll } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

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
  const question = await messageWith(sandbox, 'asks to restart');
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
  const preview = await answeredWith(sandbox, 'admin', '/instances stop worker-1 loses-requests');
  sandbox.hosting.failNext({ method: 'POST', path: /204\/stop/ }, { answer: 403, done: false });
  await confirms(sandbox, preview, 'Stop 2', 'admin');
  const card = await messageWith(sandbox, '[ Retry failed ]');
  await sandbox.slack.person('admin').presses(card, 'Retry failed');
  await sandbox.slack.until(() => sandbox.slack.read(card).includes('Retry failed: asked by'));
  await sandbox.settled();
}

/** Several at once, of which the second is not begun before somebody stops the rest, and goes on with it after all. */
async function goesOnWithRest(sandbox: Sandbox): Promise<void> {
  const { slack, hosting } = sandbox;
  const admin = slack.person('admin');
  const held = hosting.hold({ method: 'POST' }, 'after');
  const preview = await answeredWith(
    sandbox,
    'admin',
    '/instances restart goes-slowly comes-back --at-once 1',
  );
  await confirms(sandbox, preview, 'Restart 2', 'admin');
  await held.arrived;
  const card = await messageWith(sandbox, '[ Cancel the rest ]');
  await admin.presses(card, 'Cancel the rest');
  await privateMessage(sandbox, 'admin', 'Canceled the rest');
  held.release();
  await sandbox.settled();
  await admin.presses(card, 'Continue with the rest');
  await confirms(
    sandbox,
    await privateMessage(sandbox, 'admin', 'Restart 1 instance?'),
    'Restart 1',
    'admin',
  );
  await slack.until(() => slack.read(card).includes('Continue with the rest: asked by'));
  await sandbox.settled();
}

/** Something is scheduled. */
async function schedules(sandbox: Sandbox): Promise<void> {
  const preview = await answeredWith(
    sandbox,
    'admin',
    `/instances schedule worker-1 stop at ${FAR_OFF_HOUR} UTC`,
  );
  await sandbox.slack.person('admin').presses(preview, 'Save');
  await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('scheduled:')));
}

/** A process that has several accounts sweeps for them. */
async function sweepsForSeveral(redis: Redis): Promise<void> {
  await takeLock(redis, sweeperKeys.of(['acme:', 'labs:']), 'a-process', 1_000);
}

/** The service takes no call for a moment, and a write waits in line. */
async function isLimited(sandbox: Sandbox, redis: Redis): Promise<void> {
  const chosen = createChosenAccounts(redis);
  await chosen.choose('U0ANA000001', 'acme');
  await chosen.keepWent('a-message', ['acme']);
  const budget = createBudget(redis, sandbox.hosting.customers[0]?.apiKey ?? '', LIMIT, Date.now);
  await budget.pause(1_000);
  expect(await budget.takeOrWait({ id: 'a-write', since: Date.now() })).toMatchObject({ place: 1 });
  await budget.leave('a-write');
}

/** A look at the balance takes longer than the queue takes to look whether its worker is gone. */
async function looksSlowly(sandbox: Sandbox, written: ReadonlySet<string>): Promise<void> {
  const held = sandbox.hosting.hold({ path: /\/billing\/summary$/ });
  await held.arrived;
  await until(() => [...written].some((name) => name.endsWith(`:${QUEUE}:stalled`)));
  held.release();
}

/** A channel is watched, and hears of something. */
async function isWatching(sandbox: Sandbox): Promise<void> {
  await setWatch(sandbox, 'name:web-*');
  sandbox.hosting.changeStatus(102, 'error');
  await findCard(sandbox, 'web-2 (102) reports an error');
}

/** The bot is installed in another workspace, whose token can't be refreshed. */
async function isInstalledElsewhere(redis: Redis): Promise<void> {
  const keyring = parseKeyring(`2026a:${Buffer.alloc(32, 'k').toString('base64')}`);
  const store = createInstallationStore(redis, keyring, new Set(['T0QUARRY001', 'E0QUARRY001']));
  const installation = {
    teamId: 'T0QUARRY001',
    botId: 'B1',
    botUserId: 'U1',
    scopes: [],
    token: 'xoxb-sandbox',
    rotation: { refreshToken: 'xoxe-sandbox', expiresAt: 0 },
    installedBy: 'U2',
    installedAt: 0,
  };
  await store.store(installation);
  const oauth = { refresh: () => Promise.reject(new Error('Slack is down')) };
  const refresh = createTokenRefresh({ store, redis, oauth, now: Date.now, log: createLog('silent', []) });
  expect(await refresh('T0QUARRY001', () => true)).toBeUndefined();
  await store.useConsent('state');
  const organization = 'E0QUARRY001';
  await store.store({ ...installation, teamId: undefined, enterpriseId: organization });
  const workspaces = async (): Promise<readonly string[]> => ['T0QUARRY002'];
  const tokens = { of: async () => 'xoxb-sandbox' };
  const access = createAccess({ store, tokens, oauth: { workspaces }, redis });
  for (const one of await access.due()) await access.ask(one);
  await store.remove('T0QUARRY001');
}

/** A workflow comes to the bot's step, and names no instance that there is. */
async function comesToStep({ slack }: Sandbox): Promise<void> {
  const inputs = { instance: 'web-none', person: slack.person('admin').id, channel: OPS };
  const id = await slack.runsStep('restart_instance', inputs);
  await slack.until(() => slack.endOfStep(id));
}

/** Somebody looks at their Home. */
async function opensHome(sandbox: Sandbox): Promise<void> {
  const admin = sandbox.slack.person('admin');
  await admin.opensHome();
  await sandbox.slack.until(() => admin.home);
}

/** A service wants its key exchanged first. */
async function exchangesKey(redis: Redis): Promise<void> {
  const store = createSessionStore(redis, 'a service');
  const held = { token: 'token-of-a-login', openedAt: Date.now(), endsAt: Date.now() + 60_000 };
  await store.alone('an-api-key', () => store.put('an-api-key', held, Date.now()));
}

it('every key that a run writes has its row in docs/redis-keys.md, and every row has such a key', async () => {
  const monitor = createServer((_request, response) => void response.end());
  onTestFinished(() => void monitor.close());
  await new Promise<void>((done) => monitor.listen(0, '127.0.0.1', done));
  const monitorAt = monitor.address();
  const monitorPort = monitorAt !== null && typeof monitorAt === 'object' ? monitorAt.port : 0;
  const sandbox = await play({
    ownRedis: true,
    bot: false,
    env: {
      LAMPLIGHTER_EVERYONE: 'none',
      LAMPLIGHTER_APPROVE: 'web-1',
      BILLING_CHANNELS: OPS,
      AUDIT_STREAM: 'stdout',
      HEARTBEAT_URL: `http://127.0.0.1:${monitorPort}/ping`,
      AUDIT_HEAD_CHANNEL: OPS,
      AUDIT_SIGNING_KEY: signingKeys().signingKey,
    },
    timings: {
      ownCards: 1,
      billingCheckEveryMs: 500,
      watchdogEveryMs: 500,
      heartbeatEveryMs: 500,
      farewellEveryMs: 500,
    },
  });
  const { redis, written, heard } = await watchKeys(sandbox.redisUrl);
  await sandbox.startBot();
  await dmWith(sandbox, 'admin', "I'm ready");
  await asksAndIsApproved(sandbox);
  const halfway = Date.now();
  await changesMuch(sandbox);
  await changesSeveral(sandbox);
  await goesOnWithRest(sandbox);
  await isWatching(sandbox);
  await schedules(sandbox);
  await opensHome(sandbox);
  await isInstalledElsewhere(redis);
  await isLimited(sandbox, redis);
  await sweepsForSeveral(redis);
  await comesToStep(sandbox);
  await exchangesKey(redis);
  await looksSlowly(sandbox, written);
  await until(() => [...written].some((name) => name.endsWith(':farewell:lease')));
  expect(faultsOf(await findKeys(redis))).toEqual([]);
  await pruneAudit(redis, halfway, Date.now());
  await redis.flushall();
  await dmWith(sandbox, 'admin', 'Redis came back empty');
  await heard();
  const seen = [...written].map((name) => ({ name, row: rowOf(name) }));
  expect(seen.filter(({ row }) => !row).map(({ name }) => name)).toEqual([]);
  const found = new Set(seen.map(({ row }) => row));
  const missing = ROWS.filter((row) => !row.isOneRecord && !found.has(row));
  expect(missing.map(({ key }) => key)).toEqual([]);
});

it('docs/redis-keys.md explains each unit in which its rows count, and no other', () => {
  expect(EXPLAINED.toSorted()).toEqual([...USED_UNITS].toSorted());
});
