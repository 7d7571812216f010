import { expect, it } from 'vitest';
import type { FaultPoints } from '../../src/core/base.ts';
import { play, powerCalls, privateTexts, readAll, runToEnd } from '../support/sandbox.ts';

/** A process whose list of instances is the one it read first, as another process may have it for a second. */
const keepsItsList: FaultPoints = (name, part) => {
  let first: unknown;
  if (name !== 'hosting') return part;
  return new Proxy(part, {
    get: (own, property, receiver): unknown => {
      const value: unknown = Reflect.get(own, property, receiver);
      if (property !== 'listInstances' || typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => (first ??= Reflect.apply(value, own, args));
    },
  });
};

it('what was stopped a moment ago is not stopped again by a list from before that', async () => {
  const sandbox = await play({ bot: false, timings: { listMayLagMs: 60_000 } });
  await sandbox.startBot({}, keepsItsList);
  await runToEnd(sandbox, 'ana', '/instances stop web-1');
  await runToEnd(sandbox, 'bob', '/instances stop web-1');
  expect(privateTexts(sandbox, 'bob')).toEqual([expect.stringContaining('web-1 (101) is stopped already')]);
  expect(powerCalls(sandbox)).toBe(1);
  expect(readAll(sandbox)).toHaveLength(2);
});
