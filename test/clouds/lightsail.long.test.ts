import { describe, expect, test } from 'vitest';
import { loadAdapter } from '../../src/app/load-adapter.ts';
import { clientOf } from '../hosting/answering.ts';
import { answeredWith, readAll, runToEnd } from '../support/sandbox.ts';
import { KEY } from './aws-signature.ts';
import { openLightsail } from './lightsail-double.ts';
import { playAt } from './play-on.ts';

async function playOnLightsail() {
  const { cloud, sandbox } = await playAt('lightsail', await openLightsail(), KEY);
  const changes = (): string[] => cloud.calls.filter((call) => !call.startsWith('Get'));
  return { cloud, sandbox, changes };
}

const failure = (type: string, message: string) => ({ __type: `com.amazonaws.lightsail#${type}`, message });

describe('Lightsail, which is asked by signed POSTs alone', () => {
  test('is listed over its pages, and found by label and region', async () => {
    const { sandbox } = await playOnLightsail();
    const all = sandbox.slack.read(await answeredWith(sandbox, 'ana', '/instances list'));
    for (const name of ['web-1', 'web-2', 'db-1']) expect(all).toContain(name);
    const some = sandbox.slack.read(
      await answeredWith(sandbox, 'ana', '/instances list label:team=db- region:eu-central-1'),
    );
    expect(some).toContain('db-1');
    expect(some).not.toContain('web-1');
  });

  test('is asked once for each change, which is followed to its end', async () => {
    const { sandbox, changes } = await playOnLightsail();
    await runToEnd(sandbox, 'ana', '/instances stop web-1');
    await runToEnd(sandbox, 'ana', '/instances start web-1');
    expect(changes()).toEqual(['StopInstance web-1', 'StartInstance web-1']);
    expect(readAll(sandbox).join('\n')).toMatch(/✅ Stopped web-1[^]*✅ Started web-1/u);
  });

  test('of a lost answer it is looked up what was done, and nothing is asked again', async () => {
    const { cloud, sandbox, changes } = await playOnLightsail();
    cloud.next = {
      operation: 'RebootInstance',
      status: 500,
      body: failure('ServiceException', 'Something broke here'),
      isDone: true,
    };
    await runToEnd(sandbox, 'ana', '/instances restart web-2');
    expect(changes()).toEqual(['RebootInstance web-2']);
    expect(readAll(sandbox).join('\n')).toContain('Asked web-2');
  });

  test.each([
    [400, 'OperationFailureException', 'This instance is being snapshotted', /snapshotted/u],
    [403, 'AccessDeniedException', 'You lack lightsail:StopInstance', /lightsail:StopInstance/u],
  ])('a refusal with %i %s is told in its own words', async (status, type, message, words) => {
    const { cloud, sandbox, changes } = await playOnLightsail();
    cloud.next = { operation: 'StopInstance', status, body: failure(type, message) };
    await runToEnd(sandbox, 'ana', '/instances stop web-1');
    expect(readAll(sandbox).join('\n')).toMatch(words);
    expect(changes()).toEqual(['StopInstance web-1']);
  });

  test('too many calls, which it says with 400, are waited for', async () => {
    const { cloud, sandbox, changes } = await playOnLightsail();
    cloud.next = {
      operation: 'StopInstance',
      status: 400,
      body: failure('ThrottlingException', 'Rate exceeded'),
    };
    await runToEnd(sandbox, 'ana', '/instances stop web-1');
    expect(changes()).toEqual(['StopInstance web-1', 'StopInstance web-1']);
    expect(readAll(sandbox).join('\n')).toContain('✅ Stopped web-1');
  });

  test.each([1e21, -1])('a machine with the time %d is listed without its birthday', async (createdAt) => {
    const odd = { name: 'web-1', state: { name: 'running' }, createdAt };
    const { hosting } = clientOf({ ...(await loadAdapter('lightsail')), origin: 'https://here.test' }, [
      { body: { instances: [odd, { ...odd, name: 'web-2', createdAt: 1_767_607_200 }] } },
    ]);
    const { instances } = await hosting.listInstances();
    expect(instances.map(({ name, createdAt: at }) => [name, at])).toEqual([
      ['web-1', undefined],
      ['web-2', '2026-01-05T10:00:00.000Z'],
    ]);
  });
});
