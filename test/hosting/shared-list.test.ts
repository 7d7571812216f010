import { describe, expect, test } from 'vitest';
import { instance, worldOf } from '../../sandbox/world.ts';
import { createInstanceList } from '../../src/platform/hosting/instance-list.ts';
import { createSharedRead } from '../../src/platform/hosting/shared-read.ts';
import { openCompany } from './calling.ts';

const world = worldOf([instance(1, 'web-1'), instance(2, 'web-2', { status: 'stopped' })]);

describe('many who ask for the list at once', () => {
  test('share one call', async () => {
    const { hosting, sandbox } = await openCompany({ world });
    const lists = await Promise.all(Array.from({ length: 20 }, () => hosting.listInstances()));
    expect(lists.every((list) => list.instances.length === 2)).toBe(true);
    expect(sandbox.calls).toHaveLength(1);
  });

  test('are not given an answer from before a write, once the write has been answered', async () => {
    const { hosting, sandbox } = await openCompany({ world });
    await hosting.listInstances();
    await hosting.powerInstance('1', 'stop');
    const { instances } = await hosting.listInstances({ freshMs: 60_000 });
    expect(instances[0]?.status).toBe('stopping');
    expect(sandbox.countCalls('GET', '/api/v1/instances')).toBe(2);
  });

  test('are given none that was under way during a write', async () => {
    const { hosting, sandbox } = await openCompany({ world });
    const held = sandbox.hold({ method: 'GET', path: '/api/v1/instances' }, 'after');
    const early = hosting.listInstances();
    await held.arrived;
    await hosting.powerInstance('1', 'stop');
    held.release();
    await early;
    const { instances } = await hosting.listInstances({ freshMs: 60_000 });
    expect(instances[0]?.status).toBe('stopping');
  });

  test('are given the last answer while it is fresh enough', async () => {
    const { hosting, sandbox } = await openCompany({ world });
    await hosting.listInstances();
    await hosting.listInstances({ freshMs: 60_000 });
    expect(sandbox.calls).toHaveLength(1);
  });

  test('all hear of its fault, and the next one asks again', async () => {
    let calls = 0;
    const shared = createSharedRead(async () => {
      calls += 1;
      if (calls === 1) throw new Error('down');
      return calls;
    });
    const ended = await Promise.allSettled([shared.get(0, 'read'), shared.get(0, 'read')]);
    expect(ended.map((one) => one.status)).toEqual(['rejected', 'rejected']);
    expect(await shared.get(0, 'read')).toBe(2);
  });

  test.each([
    ['change', 'read'],
    ['poll', 'read'],
    ['change', 'poll'],
    ['read', 'refresh'],
    ['alert', 'change'],
  ] as const)('a %s does not wait for the turn of a %s, which is served later', async (first, later) => {
    const turns: string[] = [];
    const shared = createSharedRead(async (turn) => {
      turns.push(turn);
      if (turn === later) throw new Error('no turn');
      return turn;
    });
    const [waiting, served] = [shared.get(0, later), shared.get(0, first)];
    await expect(waiting).rejects.toThrow('no turn');
    expect(await served).toBe(first);
    expect(turns).toEqual([later, first]);
  });

  test('share the call of one who is served first', async () => {
    const turns: string[] = [];
    const shared = createSharedRead(async (turn) => turns.push(turn));
    await Promise.all([shared.get(0, 'change'), shared.get(0, 'read'), shared.get(0, 'poll')]);
    expect(turns).toEqual(['change']);
  });

  test('wait in line where another process reads it for too long: the service has refused nothing', async () => {
    let now = 0;
    const list = createInstanceList(() => Promise.reject(new Error('not read here')), {
      store: { find: async () => undefined, put: async () => undefined, lease: async () => undefined },
      now: () => (now += 6_000),
      limit: { requests: 100, seconds: 60 },
    });
    await expect(list.get(0, 'change')).rejects.toMatchObject({ fault: 'rate-limited', isOwnLimit: true });
  });
});
