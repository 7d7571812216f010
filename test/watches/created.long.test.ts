import { describe, expect, it } from 'vitest';
import { instance } from '../../sandbox/world.ts';
import { incidents, looks, reads, watch } from './watching.ts';

const HOUR_MS = 3_600_000;

describe.each([
  ['goes as the bot does', 0],
  ['is an hour behind', -HOUR_MS],
  ['is an hour ahead', HOUR_MS],
])('where the clock of the hosting service %s', (_how, aheadMs) => {
  const hosting = { clock: () => Date.now() + aheadMs };

  it('the channel reads of an instance that is created and of its end, and of no other', async () => {
    const sandbox = await watch('name:web-*', { hosting });
    sandbox.hosting.addInstance('harbour', instance(901, 'web-9', { createdDaysAgo: 0 }));
    await reads(sandbox, 'web-9 (901) was created');
    sandbox.hosting.addInstance('harbour', instance(902, 'web-10', { createdDaysAgo: 0 }));
    await reads(sandbox, 'web-10 (902) was created');
    sandbox.hosting.removeInstance(901);
    await reads(sandbox, 'web-9 (901) was deleted');
    sandbox.hosting.addInstance('harbour', instance(903, 'other-9', { createdDaysAgo: 0 }));
    await looks(sandbox);
    expect(incidents(sandbox)).toHaveLength(3);
  });

  it('the channel reads nothing of an older one that is renamed into view', async () => {
    const sandbox = await watch('name:web-*', { hosting });
    sandbox.hosting.renameInstance(103, 'web-103');
    await looks(sandbox);
    expect(incidents(sandbox)).toEqual([]);
  });
});
