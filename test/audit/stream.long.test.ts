import { expect, it } from 'vitest';
import { answerTo, play } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { faultIn, has, openCollector, timings } from './collector.ts';

it('two workers give all of it, each entry once or twice', async () => {
  const collector = await openCollector();
  const sandbox = await play({ env: { AUDIT_STREAM: collector.url }, timings });
  await sandbox.startBot({ LAMPLIGHTER_ROLE: 'worker' });
  for (const name of ['a', 'b', 'c', 'd', 'last'])
    await answerTo(sandbox, 'ana', `/instances restart no-${name}`);
  await until(() => has(collector.taken, 'no-last'));
  expect(faultIn(collector.taken)).toBeUndefined();
});
