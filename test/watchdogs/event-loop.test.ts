import { expect, it } from 'vitest';
import { play } from '../support/sandbox.ts';

it('a process that stood still says so in its log', async () => {
  const sandbox = await play();
  const until = performance.now() + 900;
  while (performance.now() < until);
  const said = (): string | undefined =>
    sandbox.logs.find((line) => line.includes('the process stood still'));
  while (said() === undefined) await new Promise(setImmediate);
  expect(said()).toMatch(/"blockedMs":\d{3,}/);
});
