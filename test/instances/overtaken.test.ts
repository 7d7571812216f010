import { describe, expect, it } from 'vitest';
import type { FaultPoints } from '../../src/core/base.ts';
import type { OperationStore } from '../../src/core/operations/operation-store.ts';
import { play, powerCalls, readAll, runToEnd } from '../support/sandbox.ts';

const LOST = { answer: 'reset', done: false } as const;

/** A bot whose first request is slow between the look at its instance and the beginning of its operation. */
function slowToBegin(meanwhile: () => Promise<void>): FaultPoints {
  let isFirst = true;
  return (name, part) => {
    if (name !== 'operations') return part;
    const store = part as unknown as OperationStore;
    const begin: OperationStore['begin'] = async (...args) => {
      if (isFirst) {
        isFirst = false;
        await meanwhile();
      }
      return store.begin(...args);
    };
    return { ...part, begin };
  };
}

describe('what somebody else did from beginning to end while a request was on its way', () => {
  it.each([
    ['start', 'staging', '104'],
    ['stop', 'web-1', '101'],
  ] as const)('is not reported as done by that request as well: %s', async (power, name, id) => {
    const sandbox = await play({ bot: false });
    const { slack, hosting } = sandbox;
    const done = (): string[] => readAll(sandbox).filter((text) => text.startsWith('✅'));
    const bobDoesIt = async (): Promise<void> => {
      await slack.person('bob').types('#ops', `/instances ${power} ${name}`);
      await slack.until(() => done().length === 1);
      // The next call is lost on its way.
      hosting.failNext({ method: 'POST', path: new RegExp(`/${power}$`) }, LOST);
    };
    await sandbox.startBot({}, slowToBegin(bobDoesIt));
    await runToEnd(sandbox, 'ana', `/instances ${power} ${name}`);
    expect(done()).toEqual([
      expect.stringContaining('asked by @bob'),
      expect.stringContaining(`${name} (${id}) is as asked already. Nothing was changed.`),
    ]);
    expect(powerCalls(sandbox)).toBe(1);
  });
});
