import { generateKeyPairSync } from 'node:crypto';
import type { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { hashOf, START } from '../../src/core/audit/chain.ts';
import { auditKeys } from '../../src/core/audit/keys.ts';
import type { Outbox, Said } from '../../src/core/outbox/outbox.ts';
import { createTellAuditHead, pruneAudit } from '../../src/core/watchdogs/keep-audit.ts';
import { DAY_MS } from '../../src/platform/time/duration.ts';
import { connectDatabase, connectTo } from '../support/shared-redis.ts';
import { loadConfig } from '../../src/app/config/config.ts';
import { type Ran, runCommand } from '../support/command.ts';
import { ENOUGH_CONFIG } from '../support/enough-config.ts';
import { fileWith } from '../support/file-with.ts';
import { answerTo, play, readAll, runToEnd } from '../support/sandbox.ts';
import { signingKeys } from '../support/signing.ts';
import { type SettableRedis, startSettableRedis } from '../support/settable-redis.ts';

const DAY_S = 86_400;
const { signingKey, publicKey } = signingKeys();

/** A bot whose Redis has it noon, and what has it look at a clock that was set. */
async function playAtNoon(): Promise<{ sandbox: Sandbox; redis: Redis; clock: SettableRedis; noon: number }> {
  const noon = DAY_S / 2 - (Math.floor(Date.now() / 1000) % DAY_S);
  const clock = await startSettableRedis(noon);
  const sandbox = await play({
    ownRedis: true,
    redisUrl: clock.url,
    env: { AUDIT_HEAD_CHANNEL: 'C0OPS000001', AUDIT_SIGNING_KEY_FILE: fileWith(signingKey) },
    timings: { watchdogEveryMs: 50 },
  });
  return { sandbox, redis: connectTo(sandbox), clock, noon };
}

const heads = (sandbox: Sandbox): string[] => readAll(sandbox).filter((text) => text.includes('📜'));
const lineIn = (text: string | undefined): string =>
  /lamplighter-audit:\S+?(?=`|\s|$)/.exec(text ?? '')?.[0] ?? '';

/** It is so many days later for Redis, and all who use it have looked; resolves with what was posted then. */
async function daysLater(
  { sandbox, redis, clock, noon }: Awaited<ReturnType<typeof playAtNoon>>,
  days: number,
  posts: number,
): Promise<string> {
  clock.setAhead(noon + days * DAY_S);
  await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  return sandbox.slack.until(() => heads(sandbox)[posts - 1]);
}

/** Changes what an old entry says, as somebody may who can write to Redis: with every hash made anew. */
async function rewrite(redis: Redis, from: string, to: string): Promise<void> {
  const rows = await redis.xrange(auditKeys.entries, '-', '+');
  await redis.del(auditKeys.entries);
  let last = START;
  for (const [id, fields] of rows) {
    const entry = (fields[fields.indexOf('e') + 1] ?? '').replaceAll(from, to);
    const seq = last.seq + 1;
    const hash = hashOf(seq, last.hash, entry);
    await redis.xadd(auditKeys.entries, id, 'n', seq, 'b', last.hash, 'e', entry, 'h', hash);
    last = { seq, hash };
  }
  await redis.hset(auditKeys.head, last);
}

function verify(sandbox: Sandbox, lines: readonly string[], key = publicKey): Promise<Ran> {
  const args = lines.flatMap((line) => ['--head', line]);
  return runCommand('verify-audit', [...args, '--public-key', fileWith(key)], {
    REDIS_URL: sandbox.redisUrl,
  });
}

// Each has a Redis of its own, whose clock is set.
describe('the signed head of the audit', () => {
  it('is posted once a day by whichever process is first, and tells that an old entry was rewritten or cut off', async () => {
    const scene = await playAtNoon();
    const { sandbox, redis } = scene;
    await sandbox.startBot({ LAMPLIGHTER_ROLE: 'worker' });
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    const first = await daysLater(scene, 1, 1);
    expect(first).toMatch(/📜 The audit of [A-Z][a-z]{2} \d+ \(UTC\): 2 entries, up to no\. 2\./);
    await answerTo(sandbox, 'ana', '/instances restart zeppelin');
    const second = await daysLater(scene, 3, 2);
    expect(second).toMatch(
      /The audit of [A-Z][a-z]{2} \d+ to [A-Z][a-z]{2} \d+ \(UTC\): 1 entry, up to no\. 3\./,
    );
    const lines = [first, second].map(lineIn);
    expect(await verify(sandbox, lines)).toMatchObject({
      code: 0,
      said: expect.stringMatching(/intact: 3 entries[^]*number 2 is the one[^]*number 3 is the one/),
    });

    await rewrite(redis, 'zeppelin', 'hindenburg');
    expect((await runCommand('verify-audit', [], { REDIS_URL: sandbox.redisUrl })).code).toBe(0);
    const told = await verify(sandbox, lines);
    expect(told.code).toBe(1);
    expect(told.said).toMatch(
      /entry number 3 is not the one that was signed\..* Entry number 2 is still the one of/,
    );
    expect(await daysLater(scene, 4, 3)).toContain('⚠️ The last audit entry I signed is gone or was changed');

    await redis.xtrim(auditKeys.entries, 'MAXLEN', 0);
    await redis.del(auditKeys.head);
    expect(await verify(sandbox, lines)).toMatchObject({
      code: 1,
      said: expect.stringContaining(
        'entry number 3 was signed, and the audit ends at number 0. It was cut off.',
      ),
    });
    await sandbox.settled();
    expect(heads(sandbox)).toHaveLength(3);
  });

  it('says nothing of what is no longer kept, of a line that another key signed, and of what is no line', async () => {
    const scene = await playAtNoon();
    const { sandbox, redis } = scene;
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    const line = lineIn(await daysLater(scene, 1, 1));
    await answerTo(sandbox, 'ana', '/instances restart zeppelin');
    await answerTo(sandbox, 'ana', '/instances restart graf');
    // As somebody may who can write to Redis: cut from the front, and said to have been pruned.
    const [, signed, third] = await redis.xrange(auditKeys.entries, '-', '+');
    await redis.xtrim(auditKeys.entries, 'MINID', third?.[0] ?? '');
    await redis.hset(auditKeys.anchor, { seq: 2, hash: signed?.[1].at(-1) ?? '' });
    expect(await verify(sandbox, [line])).toMatchObject({
      code: 2,
      said: expect.stringMatching(
        /intact: 2 entries,.* It begins after number 2\.\n.*number 2 is no longer kept/,
      ),
    });
    expect(await daysLater(scene, 2, 2)).toContain(
      '⚠️ The last audit entry I signed is gone or was changed.',
    );
    const [, newest] = await redis.xrange(auditKeys.entries, '-', '+');
    const now = Number(newest?.[0].split('-')[0]);
    await pruneAudit(redis, now, now);
    expect(await verify(sandbox, [line])).toMatchObject({
      code: 2,
      said: expect.stringContaining('entry number 2 is no longer kept, so nothing can be said of it.'),
    });
    expect(await verify(sandbox, [line], signingKeys().publicKey)).toMatchObject({
      code: 1,
      said: expect.stringContaining("this line isn't signed by that key"),
    });
    expect((await verify(sandbox, [line.replace(':2:', ':3:')])).code).toBe(1);
    expect(await verify(sandbox, ['lamplighter-audit:1'])).toMatchObject({
      code: 2,
      said: expect.stringContaining('is no line that I post'),
    });
    expect(await verify(sandbox, [line], 'no key')).toMatchObject({
      code: 2,
      said: expect.stringContaining('has no public key in PEM'),
    });
    expect(sandbox.logs.join('')).not.toContain(signingKey.split('\n')[1]);
  });
});

const OF_ANOTHER_KIND = String(
  generateKeyPairSync('x25519').privateKey.export({ format: 'pem', type: 'pkcs8' }),
);

it.each([
  [{ AUDIT_HEAD_CHANNEL: '#ops' }, 'AUDIT_HEAD_CHANNEL must be a Slack channel id like C012ABCDEF'],
  [{ AUDIT_HEAD_CHANNEL: 'C0OPS000001' }, 'AUDIT_SIGNING_KEY is missing, and AUDIT_HEAD_CHANNEL needs it'],
  [
    { AUDIT_SIGNING_KEY: OF_ANOTHER_KIND },
    'AUDIT_SIGNING_KEY must be an Ed25519 private key in PEM, without a passphrase',
  ],
])('%o is refused at the start', (given, why) => {
  expect(() => loadConfig({ ...ENOUGH_CONFIG, ...given })).toThrow(why);
});

it('a key that signs nothing is doubted', () => {
  const { doubts } = loadConfig({ ...ENOUGH_CONFIG, AUDIT_SIGNING_KEY: signingKey });
  expect(doubts.ofAccount.map(({ what }) => what)).toContain(
    'AUDIT_SIGNING_KEY signs nothing, since AUDIT_HEAD_CHANNEL is not set.',
  );
});

it('a clock that goes on while it is read ends no day sooner', async () => {
  const redis = await connectDatabase();
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const fields = ['n', 1, 'b', '', 'e', '{}', 'h', hashOf(1, '', '{}')];
  await redis.xadd(auditKeys.entries, `${midnight - 1}-0`, ...fields);
  const told = { until: midnight - DAY_MS, last: { seq: 0, hash: '' } };
  await redis.hset(auditKeys.told, { version: 1, record: JSON.stringify(told) });
  const said: Said[] = [];
  const outbox: Pick<Outbox, 'saying'> = {
    saying: async (all) => {
      said.push(...all);
      return {};
    },
  };
  let at = midnight + 1;
  const now = (): number => at++;
  const given = { redis, outbox, now, channelId: 'C0OPS000001', keepMs: 30 * DAY_MS, signingKey, of: [] };
  await createTellAuditHead(given)();
  expect(said.map(({ id }) => id)).toEqual([`audit-head-${midnight}`]);
});
