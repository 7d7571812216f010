import { expect, it } from 'vitest';
import type { WorkQueue } from '../../src/platform/queue/queue.ts';
import type { FaultPoints } from '../../src/core/base.ts';
import { play, powerCalls } from '../support/sandbox.ts';

it('a restart comes to its turn among those of the channel where it was typed, to its very end', async () => {
  const sandbox = await play({ bot: false });
  const turns: (string | undefined)[][] = [];
  const heard: FaultPoints = (part, target) =>
    part !== 'queue'
      ? target
      : new Proxy(target, {
          get: (own, method) => {
            if (method !== 'wake' && method !== 'wakeNew') return Reflect.get(own, method);
            return (...given: Parameters<WorkQueue['wake']>) => {
              if (given[0] === 'request' || given[0] === 'operation') turns.push([given[0], given[2]]);
              return (own as WorkQueue)[method](...given);
            };
          },
        });
  await sandbox.startBot({}, heard);
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
  await sandbox.settled();
  expect(powerCalls(sandbox)).toBe(1);
  const { id } = sandbox.slack.channel('#ops');
  expect(new Set(turns.map(([name]) => name))).toEqual(new Set(['request', 'operation']));
  expect(turns.filter(([, group]) => group !== id)).toEqual([]);
  // As it begins, and once a look has seen its end.
  expect(turns.filter(([name]) => name === 'operation').length).toBeGreaterThan(1);
});
