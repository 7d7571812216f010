import type { Redis } from 'ioredis';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { verifyAudit } from '../../src/core/audit/audit-reader.ts';
import { auditKeys } from '../../src/core/audit/keys.ts';
import { createAudit } from '../../src/core/records/commit.ts';
import { pruneAudit, createStreamAudit } from '../../src/core/watchdogs/keep-audit.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { takeDatabase } from '../support/shared-redis.ts';

const COUNT = 8;
let redis: Redis;
/** When each entry was written, by Redis' clock, Unix ms. */
let writtenAt: number[];

beforeEach(async () => {
  const database = await takeDatabase();
  onTestFinished(database.release);
  redis = database.redis;
  const audit = createAudit(redis);
  for (let nth = 0; nth < COUNT; nth++) {
    await audit.append({ what: 'asked', at: 0, requestId: `r${nth}`, route: 'instances.stop' });
    // Each in a millisecond of its own.
    const [seconds, micros] = await redis.time();
    const now = Number(seconds) * 1_000 + Number(micros) / 1_000;
    while (Date.now() <= now + 1);
  }
  const rows = await redis.xrange(auditKeys.entries, '-', '+');
  writtenAt = rows.map(([id]) => Number(id.split('-')[0]));
});

/** Forgets what was written before the nth entry. */
const pruneTo = (of: Redis, nth: number): Promise<number> => pruneAudit(of, writtenAt[nth] ?? 0, 0);

/** The same Redis, in which something happens right before or after the audit is read for the first time. */
function meanwhile(when: 'before' | 'after', happens: () => Promise<unknown>): Redis {
  let isOver = false;
  const once = async (now: string): Promise<void> => {
    if (isOver || now !== when) return;
    isOver = true;
    await happens();
  };
  return new Proxy(redis, {
    get: (own, asked) => {
      const found: unknown = Reflect.get(own, asked, own);
      if (typeof found !== 'function') return found;
      if (asked !== 'xrange') return found.bind(own) as unknown;
      return async (...args: unknown[]) => {
        await once('before');
        const read: unknown = await Reflect.apply(found, own, args);
        await once('after');
        return read;
      };
    },
  });
}

it.each([
  ['further', 2, 5],
  ['less', 5, 2],
  ['as much', 4, 4],
])('an audit that two prune at once, the other %s, is whole', async (_what, mine, theirs) => {
  const went = await pruneTo(
    meanwhile('after', () => pruneTo(redis, theirs)),
    mine,
  );
  expect(went).toBe(0);
  expect(await verifyAudit(redis)).toMatchObject({ count: COUNT - theirs + 1, fault: undefined });
  expect(await pruneTo(redis, 6)).toBe(6 - theirs);
  expect(await verifyAudit(redis)).toMatchObject({ fault: undefined, anchor: { seq: 6 } });
});

it('an audit that is pruned while it is verified is whole', async () => {
  const found = await verifyAudit(meanwhile('before', () => pruneTo(redis, 3)));
  expect(found).toMatchObject({ fault: undefined, anchor: { seq: 3 } });
});

it('an entry that is gone is missing all the same', async () => {
  await pruneTo(redis, 3);
  await redis.xdel(auditKeys.entries, `${writtenAt[5]}-0`);
  const found = await verifyAudit(meanwhile('before', () => pruneTo(redis, 4)));
  expect(found.fault).toMatchObject({ seq: 6, what: 'missing' });
});

it('where two give the audit out at once, the slower one does not have it given out again from where it was', async () => {
  const log = createLog('silent', []);
  const taken: number[] = [];
  const theirs = createStreamAudit({ redis, log, sink: async (links) => void taken.push(links.length) });
  const mine = createStreamAudit({
    redis: meanwhile('after', async () => {
      await createAudit(redis).append({ what: 'asked', at: 0, requestId: 'new', route: 'instances.stop' });
      await theirs();
    }),
    log,
    sink: async (links) => void taken.push(links.length),
  });
  await mine();
  await theirs();
  expect(taken).toEqual([COUNT + 1, COUNT]);
});
