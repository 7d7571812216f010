import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { hashOf } from '../../src/core/audit/chain.ts';
import { auditKeys } from '../../src/core/audit/keys.ts';
import { createRecentEntries } from '../../src/core/audit/recent-entries.ts';
import { takeDatabase } from '../support/shared-redis.ts';

/** So few that pages end and memory is full within a run. */
const SMALL = { page: 3, remembered: 7 };

/** What may happen to the audit between two looks at it. */
type Step =
  | { readonly do: 'write' | 'lose' | 'prune'; readonly count: number }
  | { readonly do: 'empty' }
  | { readonly do: 'look'; readonly limit: number };

const few = fc.integer({ min: 1, max: 6 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('write' as const), count: few }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('lose' as const, 'prune' as const), count: few }) },
  { weight: 1, arbitrary: fc.constant({ do: 'empty' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('look' as const), limit: fc.integer({ min: 1, max: 30 }) }),
  },
);

/** An audit whose entries are told apart by who asked, each word written once. */
function openAudit(redis: Redis) {
  let written: { readonly id: string; readonly seq: number; readonly by: string }[] = [];
  let words = 0;
  const add = async (seq: number): Promise<void> => {
    words += 1;
    const by = `U${words}`;
    const text = JSON.stringify({ what: 'asked', at: seq, requestId: 'r', route: 'instances.restart', by });
    const id = `${seq}-1`;
    await redis.xadd(auditKeys.entries, id, 'n', seq, 'b', '', 'e', text, 'h', hashOf(seq, '', text));
    written.push({ id, seq, by });
  };
  return {
    /** Who stands there, the newest first. */
    newest: (limit: number) =>
      written
        .toReversed()
        .slice(0, limit)
        .map(({ by }) => by),
    carryOut: async (one: Exclude<Step, { do: 'look' }>): Promise<void> => {
      if (one.do === 'write') {
        const from = (written.at(-1)?.seq ?? 0) + 1;
        for (let nth = 0; nth < one.count; nth += 1) await add(from + nth);
        return;
      }
      if (one.do === 'prune') {
        written = written.slice(one.count);
        const [first] = written;
        if (first) await redis.xtrim(auditKeys.entries, 'MINID', first.id);
        else await redis.del(auditKeys.entries);
        return;
      }
      // A replica that had not heard of the newest takes over, and others are written in their place.
      const kept = one.do === 'lose' ? written.slice(0, -one.count) : [];
      const rows = await redis.xrange(auditKeys.entries, '-', '+');
      await redis.del(auditKeys.entries);
      written = kept;
      for (const [id, fields] of rows)
        if (kept.some((entry) => entry.id === id)) await redis.xadd(auditKeys.entries, id, ...fields);
    },
  };
}

async function lookAt(recent: ReturnType<typeof createRecentEntries>, limit: number): Promise<string[]> {
  const seen: string[] = [];
  await recent.walk((_, { by = '' }) => seen.push(by) < limit);
  return seen;
}

test('whatever is written, pruned or lost meanwhile, what stands there is told, and nothing else', async () => {
  const { redis, release } = await takeDatabase();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
      await redis.del(auditKeys.entries);
      const [audit, recent] = [openAudit(redis), createRecentEntries(redis, SMALL)];
      for (const one of steps) {
        if (one.do === 'look') expect(await lookAt(recent, one.limit)).toEqual(audit.newest(one.limit));
        else await audit.carryOut(one);
      }
      expect(await lookAt(recent, 100)).toEqual(audit.newest(100));
    }),
    { numRuns: 60 },
  );
  release();
});

test('an entry that was read is not fetched again', async () => {
  const { redis, release } = await takeDatabase();
  const audit = openAudit(redis);
  await audit.carryOut({ do: 'write', count: 1_200 });
  let fetched = 0;
  const counting = new Proxy(redis, {
    get: (target, name) =>
      name === 'xrevrange'
        ? async (...args: Parameters<Redis['xrevrange']>) => {
            const rows = await target.xrevrange(...args);
            fetched += rows.length;
            return rows;
          }
        : Reflect.get(target, name, target),
  });
  const recent = createRecentEntries(counting);
  expect(await lookAt(recent, 2_000)).toHaveLength(1_200);
  expect(fetched).toBe(1_200);
  await audit.carryOut({ do: 'write', count: 3 });
  expect(await lookAt(recent, 2_000)).toEqual(audit.newest(2_000));
  // The three, and the one by which they join what is known.
  expect(fetched).toBe(1_204);
  release();
});
