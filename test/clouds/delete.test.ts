import { expect, test } from 'vitest';
import { actionIdOf, fieldOf, KINDS, listOf, openTest } from './calling.ts';

const named = KINDS.map((each) => [each.kind, each] as const);

test.each(named)(
  '%s: a deleted machine is gone after its time, and all that was below it',
  async (_name, kind) => {
    const { remove, get, list, records, pathOf, advance, cloud } = await openTest({
      kind: kind.kind,
      deleteMs: 9_000,
    });
    const path = pathOf('web-1');
    expect((await remove('web-1')).status).toBe(kind.deleteStatus);
    advance(8_999);
    expect((await get(path)).status).toBe(200);
    advance(1);
    expect((await get(path)).status).toBe(404);
    expect(listOf((await get(list)).json, records)).toHaveLength(1);
    expect(cloud.effects()).toMatchObject([{ name: 'web-1', effect: 'delete', outcome: 'done' }]);
  },
);

test('Hetzner: a server that is deleted says so until it is gone, and its action can be read afterwards', async () => {
  const { remove, show, get, pathOf, advance } = await openTest({ kind: 'hetzner' });
  const path = pathOf('web-1');
  const id = actionIdOf((await remove('web-1')).json);
  expect(await show('web-1')).toMatchObject({ status: 'deleting' });
  advance(3_000);
  expect((await get(`${path}/actions`)).status).toBe(404);
  expect(fieldOf((await get(`/v1/actions/${id}`)).json, 'action')).toMatchObject({
    command: 'delete_server',
    status: 'success',
  });
});

test('Hetzner: a protected server refuses its deletion until its protection is lifted', async () => {
  const { call, remove, cloud, pathOf } = await openTest({
    kind: 'hetzner',
    machines: [{ name: 'web-1', isProtected: true }],
  });
  const refused = await remove('web-1');
  expect([refused.status, fieldOf(refused.json, 'error', 'code')]).toEqual([423, 'protected']);
  const lift = (body: object) => call('POST', `${pathOf('web-1')}/actions/change_protection`, body);
  expect((await lift({ delete: false, rebuild: true })).status).toBe(422);
  cloud.failNext({}, { kind: 'action-fails' });
  expect((await lift({ delete: false, rebuild: false })).status).toBe(201);
  expect(cloud.machine('web-1').isProtected).toBe(true);
  expect((await lift({ delete: false, rebuild: false })).status).toBe(201);
  expect((await remove('web-1')).status).toBe(200);
  expect(cloud.effects()).toMatchObject([
    { command: 'change_protection', outcome: 'failed' },
    { command: 'change_protection', outcome: 'done' },
    { effect: 'delete' },
  ]);
});
