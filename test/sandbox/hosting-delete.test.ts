import { expect, test } from 'vitest';
import { createHostingSandbox } from '../../sandbox/hosting/sandbox.ts';
import { instance, ordinary, sentinel, worldOf } from '../../sandbox/world.ts';
import { dataOf, listOf, openSandbox } from './hosting-caller.ts';

test('subscribed refuses every deletion in a sentence without details, and nothing is done', async () => {
  const { get, post, remove, sandbox } = await openSandbox({ world: worldOf([sentinel('subscribed')]) });
  for (const _ of ['first', 'again']) {
    const refused = await remove('/instances/215');
    expect(refused.status).toBe(422);
    expect(refused.json).toEqual({
      error: {
        code: 'unprocessable_entity',
        message: 'Instance has an active subscription. Cancel it first.',
      },
    });
  }
  expect(sandbox.calls.map((call) => call.hadEffect)).toEqual([false, false]);
  expect(dataOf(await get('/instances/215'))['status']).toBe('running');
  expect((await post('/instances/215/restart')).status).toBe(200);
});

test('goes-slowly is seen deleting for twenty seconds, whatever the service takes for the others', async () => {
  const { get, remove, clock } = await openSandbox({
    world: worldOf([sentinel('goes-slowly'), instance(1, 'web-1')]),
    deleteMs: 1_000,
  });
  for (const id of [216, 1]) expect((await remove(`/instances/${id}`)).status).toBe(200);
  clock.advance(19_999);
  expect((await get('/instances/1')).status).toBe(404);
  expect(dataOf(await get('/instances/216'))['status']).toBe('deleting');
  clock.advance(1);
  expect((await get('/instances/216')).status).toBe(404);
});

test('comes-back is gone under its id and there again under another, created when the old one went', async () => {
  const { get, remove, clock } = await openSandbox();
  const old = dataOf(await get('/instances/217'));
  const asked = clock.now();
  await remove('/instances/217');
  expect(listOf(await get('/instances')).map((each) => each['id'])).not.toContain(2170);
  clock.advance(60_000);
  expect((await get('/instances/217')).status).toBe(404);
  const { id: _, created_at, provisioned_at, ip_address, ...same } = dataOf(await get('/instances/2170'));
  expect(old).toMatchObject({ ...same, subdomain_url: 'comes-back-217.example.test' });
  expect(ip_address).not.toBe(old['ip_address']);
  expect([created_at, provisioned_at]).toEqual(Array(2).fill(new Date(asked + 3_000).toISOString()));
  expect(listOf(await get('/instances')).filter((each) => each['name'] === 'comes-back')).toHaveLength(1);

  await remove('/instances/2170');
  clock.advance(3_000);
  expect(JSON.stringify(listOf(await get('/instances')))).not.toContain('comes-back');
});

test('somebody may re-create an instance under its name behind the caller’s back, without its add-ons', async () => {
  const { get, clock, sandbox } = await openSandbox();
  clock.advance(5_000);
  sandbox.recreateInstance(101, 1010);
  expect([sandbox.statusOf(101), sandbox.statusOf(1010)]).toEqual(['gone', 'running']);
  expect(dataOf(await get('/instances/1010'))).toMatchObject({
    name: 'web-1',
    tier: 'balanced',
    created_at: new Date(clock.now()).toISOString(),
  });
  expect(sandbox.addonsOf(1010)).toEqual([]);
  expect(() => sandbox.recreateInstance(101, 1011)).toThrow('no instance 101');
  expect(() => sandbox.recreateInstance(102, 103)).toThrow('id 103 is taken');
  expect(sandbox.statusOf(102)).toBe('running');
});

test('a deletion fails as other changes do where the instance is one that does', async () => {
  const { remove, sandbox } = await openSandbox();
  for (const id of [203, 204]) await expect(remove(`/instances/${id}`)).rejects.toThrow('fetch failed');
  const heard: number[] = [];
  for (const id of [205, 206, 209]) {
    for (const _ of ['first', 'again']) heard.push((await remove(`/instances/${id}`)).status);
  }
  expect(heard).toEqual([503, 200, 503, 503, 429, 200]);
  expect([203, 204, 205, 206, 209].map((id) => sandbox.statusOf(id))).toEqual([
    'deleting',
    'running',
    'deleting',
    'running',
    'deleting',
  ]);
});

test('a world in which an instance would come back under an id that is taken is refused', () => {
  const taken = [...ordinary, instance(1, 'again', { behaviour: { comesBackAs: 101 } })];
  expect(() => createHostingSandbox({ world: worldOf(taken) })).toThrow('the instance id 101 is used twice');
});
