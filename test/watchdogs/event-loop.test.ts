import { expect, it } from 'vitest';
import { play } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

it('a process that stood still says so in its log', async () => {
  const sandbox = await play({ timings: { watchdogEveryMs: 250 } });
  const end = performance.now() + 900;
  while (performance.now() < end);
  const said = (): string | undefined =>
    sandbox.logs.find((line) => line.includes('the process stood still'));
  await until(() => said() !== undefined);
  expect(said()).toMatch(/"blockedMs":\d{3,}/);
});
