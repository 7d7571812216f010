import { readdirSync, readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { ENV_OF_STORED } from '../../sandbox/store/options.ts';
import { messagesIn, putSnapshot, type Snapshot, snapshotSchema } from '../../sandbox/store/snapshot.ts';
import { deploymentKeys } from '../../src/core/deployment/owner.ts';
import { verifyAudit } from '../../src/core/audit/audit-reader.ts';
import { answerTo, botMessages, play, powerCalls, privateMessage, readAll } from '../support/sandbox.ts';

const FOLDER = new URL('./stored/', import.meta.url);
/** Each release's Redis, with something of every kind that had ended, and something that was open. */
const FILES = readdirSync(FOLDER);

function read(file: string): Snapshot {
  return snapshotSchema.parse(JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')));
}

/** What no version reads any more: docs/redis-keys.md names it. */
const READ_BY_NONE = ['homes:open', 'open-home:*', 'exports', 'waiting', 'notify'];

/** What people set in a version that has it, and how that is shown. */
type Set = readonly (readonly [string, string | RegExp])[];
const SET: Set = [
  ['/instances history worker-1', /restart/i],
  ['/lamplighter approvals', 'restart breaks'],
  ['/instances schedules', 'worker-1'],
  ['/instances watches', 'name:web-*'],
  ['/instances favorites', 'nightly'],
  ['/lamplighter access', '@bob'],
  ['/lamplighter freeze', 'release week'],
  ['/billing alerts', '900 days'],
  ['/billing digest', 'Monday'],
];
const SET_SINCE_1_1: Set = [
  ['/instances schedules', 'subscribed'],
  ['/lamplighter oncall', 'after 10 min @fin'],
  ['/lamplighter agents', 'deploy-bot'],
  ['/billing budgets', '640'],
  ['/lamplighter story subscribed', 'for 4 hours'],
];

/** A bot of today on what a release left, among the same people and instances. */
async function playOn(stored: Snapshot): Promise<{ sandbox: Sandbox; redis: Redis }> {
  const sandbox = await play({ bot: false, env: ENV_OF_STORED, timings: { cancelWindowMs: 60_000 } });
  const redis = new Redis(sandbox.redisUrl);
  onTestFinished(() => redis.disconnect());
  await putSnapshot(redis, stored, Date.now());
  const left = await Promise.all(READ_BY_NONE.map((name) => redis.keys(`{lamplighter}:${name}`)));
  await redis.del(left.flat());
  // Each sandbox's hosting company is at an address of its own.
  const { address: _, ...mark } = JSON.parse((await redis.get(deploymentKeys.owner)) ?? '') as {
    address: string;
  };
  await redis.set(deploymentKeys.owner, JSON.stringify(mark));
  for (const { channelId, ts } of messagesIn(stored))
    if (channelId.startsWith('C')) sandbox.slack.stands(channelId, ts);
  await sandbox.startBot();
  return { sandbox, redis };
}

describe.each(FILES)("the Redis of %s under today's version", (file) => {
  it('is read whole: what is open comes to its end once, and all that people set stands', async () => {
    const stored = read(file);
    const { sandbox, redis } = await playOn(stored);
    const ended = (): string =>
      botMessages(sandbox)
        .map((one) => sandbox.slack.read(one))
        .join('\n');
    // Its call had left, and nobody knows what became of it: it isn't sent again.
    await sandbox.slack.until(() => /unknown.*db-1|db-1.*unknown/i.test(ended()));
    expect(powerCalls(sandbox)).toBe(0);
    const asked = stored.version === '1.0.0' ? SET : [...SET, ...SET_SINCE_1_1];
    for (const [line, words] of asked) expect(await answerTo(sandbox, 'admin', line)).toMatch(words);
    expect((await verifyAudit(redis)).fault).toBeUndefined();
    expect(sandbox.logs.join('')).not.toMatch(/"level":"error"|can read it/);
  });

  it('takes presses on what stood there: an approval is given, a deletion is canceled', async () => {
    const { sandbox } = await playOn(read(file));
    const { slack } = sandbox;
    await slack.person('bob').types('#ops', '/lamplighter approvals');
    await slack.person('bob').presses(await privateMessage(sandbox, 'bob', 'restart breaks'), 'Approve');
    await slack.until(() => readAll(sandbox).some((text) => text.includes('breaks')));
    expect(sandbox.logs.join('')).not.toMatch(/"level":"error"/);
  });
});
