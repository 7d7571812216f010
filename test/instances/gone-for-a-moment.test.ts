import { expect, test } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Hold } from '../../sandbox/hosting/interventions.ts';
import { until } from '../support/until.ts';
import { deletes, play, readAll, runToEnd } from '../support/sandbox.ts';

/** So many reads of web-1 alone are answered 404 from the moment on at which a change was taken. */
async function afterChange(
  method: string,
  times: number,
  then: (sandbox: Sandbox) => void = () => undefined,
): Promise<Sandbox> {
  const sandbox = await play({ hosting: { powerMs: 400, deleteMs: 400 } });
  const held = sandbox.hosting.hold({ method }, 'after');
  void held.arrived.then(() => {
    sandbox.hosting.failNext({ method: 'GET', path: /\/instances\/101$/ }, 404, times);
    then(sandbox);
    held.release();
  });
  return sandbox;
}

test.each([
  ['restart', '✅ Restarted web-1 (101)'],
  ['stop', '✅ Stopped web-1 (101)'],
])(
  'a %s whose instance is answered 404 once, and then for long, is told by what the list shows',
  async (verb, end) => {
    for (const times of [1, 1_000]) {
      const sandbox = await afterChange('POST', times);
      await runToEnd(sandbox, 'ana', `/instances ${verb} web-1`);
      expect(readAll(sandbox)[0]).toContain(end);
      expect(readAll(sandbox).join()).not.toContain('no such instance');
    }
  },
);

test('a deletion is told once the list has it no more, whatever its own address says', async () => {
  let held: Hold | undefined;
  const sandbox = await afterChange('DELETE', 1_000, ({ hosting }) => {
    held = hosting.hold({ method: 'GET', path: /\/instances$/ });
  });
  await deletes(sandbox);
  await until(() => held !== undefined);
  await held?.arrived;
  expect(readAll(sandbox)[0]).not.toContain('Deleted');
  held?.release();
  await sandbox.settled();
  expect(readAll(sandbox)[0]).toContain('✅ Deleted web-1 (101)');
});

test('a 404 right before the call of a deletion deletes nothing in words', async () => {
  const sandbox = await play({ timings: { cancelWindowMs: 400 } });
  await deletes(sandbox);
  await until(() => readAll(sandbox).length > 0);
  sandbox.hosting.failNext({ method: 'GET', path: /\/instances\/101$/ }, 404, 1_000);
  await sandbox.settled();
  expect(readAll(sandbox)[0]).toContain('✅ Deleted web-1 (101)');
  expect(sandbox.hosting.statusOf(101)).not.toBe('running');
});
