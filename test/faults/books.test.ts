import { expect, it } from 'vitest';
import { countWrites, readBooks, unmissed } from '../../faults/books.ts';
import { KINDS } from '../../faults/kinds.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { hashOf, type Link } from '../../src/core/audit/chain.ts';
import { play } from '../support/sandbox.ts';

it('counts a call that was answered late, whose work could be seen before', async () => {
  const kind = KINDS.find((one) => one.kind === 'instances.start')!;
  const sandbox = await play({ bot: false, hosting: { world: worldOf([]), powerMs: 0 } });
  const { hosting } = sandbox;
  hosting.addInstance('harbour', instance(1, 'm-1', { status: 'stopped' }));
  const written = countWrites(sandbox);
  hosting.failNext({ method: 'POST', path: kind.path }, { answer: 'as usual', done: true, delayMs: 500 });
  const headers = { authorization: `Bearer ${hosting.customers[0]?.apiKey ?? ''}` };
  const answer = fetch(`${sandbox.env.HOSTING_API_URL}/api/v1/instances/1/start`, {
    method: 'POST',
    headers,
  });
  await expect
    .poll(() => hosting.calls.map(({ status, hadEffect }) => ({ status, hadEffect })))
    .toEqual([{ status: 'pending', hadEffect: true }]);
  expect((await readBooks(sandbox, { asked: [], looked: [] }, written, ['#ops'])).written).toEqual([
    { instanceId: '1', kind, hadEffect: true, at: expect.any(Number) },
  ]);
  await answer;
});

it('finds the entries of an audit that could be taken out without a fault', () => {
  const link = (seq: number, before: string): Link => ({
    id: `${seq}-0`,
    seq,
    before,
    entry: '{}',
    hash: hashOf(seq, before, '{}'),
  });
  const [first, second] = [link(1, ''), link(2, link(1, '').hash)];
  expect(unmissed([first, second])).toEqual([]);
  // What stands there twice is there still when one is gone.
  expect(unmissed([first, second, second])).toEqual([2, 2]);
});
