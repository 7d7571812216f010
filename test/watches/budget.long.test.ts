import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { instance, worldOf } from '../../sandbox/world.ts';
import { answerTo, readAll } from '../support/sandbox.ts';
import { incidents, reads, watch } from './watching.ts';

const DOCUMENTED = { requests: 100, seconds: 60 };
/** Time for a hundred looks, if the bot were allowed to: what it didn't do can't be waited for in any other way. */
const MANY_POLLS_MS = 2_000;
const LIST = '/api/v1/instances';

it('people are answered within the limit of 100 a minute however often is looked at what is watched', async () => {
  const sandbox = await watch('name:web-*', {
    env: { LAMPLIGHTER_EVERYONE: 'admin' },
    // A call that a busy machine answers late is no fault, and costs no second turn.
    timings: { watchEveryMs: 20, apiTimeoutMs: 12_000 },
    hosting: { rateLimit: DOCUMENTED.requests },
    adapter: { limit: DOCUMENTED },
  });
  await wait(MANY_POLLS_MS);
  expect(sandbox.hosting.calls.length).toBeLessThan(12);
  for (let round = 0; round < 10; round += 1)
    for (const who of ['ana', 'bob', 'fin', 'admin'])
      expect(await answerTo(sandbox, who, '/instances')).toMatch(/\d+ instances: /);
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
  await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
  expect(sandbox.hosting.calls.filter(({ status }) => status === 429)).toEqual([]);
  expect(incidents(sandbox)).toEqual([]);
});

it('of a list that is read once for all, what is different is read by its id before it is reported', async () => {
  const instances = Array.from({ length: 600 }, (_, index) => instance(1_001 + index, `web-${index + 1}`));
  const sandbox = await watch('name:web-*', {
    hosting: {
      world: worldOf(instances),
      variant: { paging: { style: 'pages', size: 100 } },
    },
    adapter: { limit: { requests: 100, seconds: 4 } },
  });
  const before = sandbox.hosting.countCalls('GET', LIST);
  sandbox.hosting.changeStatus(1_300, 'error');
  await reads(sandbox, 'web-300 (1300) reports an error');
  expect(sandbox.hosting.countCalls('GET', `${LIST}/1300`)).toBeGreaterThan(0);
  sandbox.hosting.removeInstance(1_400);
  await reads(sandbox, 'web-400 (1400) was deleted');
  expect(sandbox.hosting.countCalls('GET', `${LIST}/1400`)).toBeGreaterThan(0);
  expect(incidents(sandbox)).toHaveLength(2);
  // Two looks at a changed list, and perhaps one that had begun before; never one for each look.
  expect(sandbox.hosting.countCalls('GET', LIST) - before).toBeLessThan(60);
});

it('several watches, the balance and people share one reading of the list', async () => {
  const sandbox = await watch('name:web-*', { timings: { watchEveryMs: 2_000, sharedForMs: 2_000 } });
  for (const words of ['name:db-*', 'name:worker-*', 'tier:balanced'])
    await sandbox.slack.person('admin').types('#ops', `/instances watch ${words}`);
  await reads(sandbox, 'Watching tier:balanced');
  const before = sandbox.hosting.countCalls('GET', LIST);
  const many = Array.from({ length: 4 }, () => answerTo(sandbox, 'ana', '/instances'));
  await Promise.all(many);
  await wait(MANY_POLLS_MS);
  expect(sandbox.hosting.countCalls('GET', LIST) - before).toBeLessThan(5);
});
