import { expect, test } from 'vitest';
import { CLOUD_FAULTED, writtenAt } from '../../faults/cloud-writes.ts';
import { KINDS, openTest } from '../clouds/calling.ts';

const named = KINDS.map(({ kind }) => kind);

test('runs at a cloud ask for nothing of add-ons', () => {
  expect([...new Set(CLOUD_FAULTED.map(({ kind }) => kind))]).toEqual([
    'instances.restart',
    'instances.stop',
    'instances.start',
    'instances.delete',
  ]);
});

test.each(named)('%s: what was asked for and what was done are counted by the double', async (kind) => {
  const { power, remove, cloud, advance } = await openTest({ kind });
  const { id } = cloud.machine('web-1');
  const counted = (): string[] =>
    writtenAt(cloud).map((one) => `${one.kind.kind} ${one.instanceId} ${one.hadEffect}`);

  cloud.failNext({ method: 'POST' }, { kind: 'reset' });
  await expect(power('web-1', 'restart')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
  expect(counted()).toEqual([`instances.restart ${id} false`]);

  cloud.failNext({ method: 'POST' }, { kind: 'too-many' });
  await power('web-1', 'restart');
  expect(counted()).toHaveLength(1);

  cloud.failNext({ method: 'POST' }, { kind: 'reset', acts: true });
  await expect(power('web-1', 'restart')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
  expect(counted()).toEqual([`instances.restart ${id} false`, `instances.restart ${id} false`]);
  advance(3_000);
  expect(counted()).toEqual([`instances.restart ${id} true`, `instances.restart ${id} false`]);

  await power('web-1', 'stop');
  advance(3_000);
  expect(counted()).toContain(`instances.stop ${id} true`);
  await remove('web-1');
  advance(3_000);
  expect(counted()).toContain(`instances.delete ${id} true`);
});
