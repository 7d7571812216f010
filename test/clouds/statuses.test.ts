import { describe, expect, it } from 'vitest';
import type { CloudKind } from '../../sandbox/clouds/cloud.ts';
import type { Words } from '../../sandbox/clouds/machine.ts';
import { answerTo } from '../support/sandbox.ts';
import { CLOUDS, playOn, writesTo } from './play-on.ts';

const LOCKED =
  'the hosting service has it locked. Something else may be under way on it; try again in a few minutes.';

const waiting = (status: string): string =>
  `it is ${status} right now. Wait until that has ended, then try again.`;
const unexplained = (word: string): string =>
  `its status is "${word}", and I don't know what can be done with it then. Look at it at the hosting service.`;

/** In a status of a cloud: how the list has the machine, and why neither a restart nor a forced stop is asked for. */
const TOLD: readonly (readonly [CloudKind, string | Words, string, string])[] = [
  ['digitalocean', 'new', 'provisioning', waiting('provisioning')],
  ['digitalocean', 'archive', '"archive"', unexplained('archive')],
  ['hetzner', 'initializing', 'provisioning', waiting('provisioning')],
  ['hetzner', 'migrating', 'migrating', waiting('migrating')],
  ['hetzner', 'rebuilding', 'rebuilding', waiting('rebuilding')],
  ['hetzner', 'deleting', 'deleting', 'it is being deleted.'],
  ['hetzner', 'unknown', '"unknown"', unexplained('unknown')],
  ['vultr', { status: 'pending', server_status: 'none' }, 'provisioning', waiting('provisioning')],
  ['vultr', { status: 'resizing' }, 'resizing', waiting('resizing')],
  [
    'vultr',
    { status: 'suspended' },
    'paused · suspended by the service',
    'it is suspended by the hosting service. Ask the hosting service why, then try again.',
  ],
  ['vultr', { power_status: '' }, '"active"', unexplained('active')],
];

describe.each(TOLD)('at %s, what is %j', (kind, status, listed, refused) => {
  it('is so in the list and on its card, which offers no power, and no restart is asked for', async () => {
    const { sandbox, cloud } = await playOn(kind, { machines: [{ name: 'web-1', status }] });
    const list = await answerTo(sandbox, 'admin', '/instances');
    expect(list).toMatch(/• . web-1 \(/u);
    expect(list).toContain(`) · ${listed} · `);
    const card = await answerTo(sandbox, 'admin', '/instances show web-1');
    expect(card).not.toMatch(/\[ (Start|Stop|Restart) \]|Labels/);
    const lines = ['restart', 'stop', ...(kind === 'vultr' ? [] : ['force-stop', 'force-restart'])];
    for (const verb of lines)
      expect(await answerTo(sandbox, 'admin', `/instances ${verb} web-1`)).toContain(refused);
    expect(writesTo(cloud)).toEqual([]);
  });
});

describe.each([
  ['hetzner', 'migrating'],
  ['hetzner', 'rebuilding'],
  ['vultr', { status: 'resizing' }],
] as const)('at %s, what is %j', (kind, status) => {
  it('is no trouble, is left out of several and is not deleted meanwhile', async () => {
    const machines = [{ name: 'web-1', status }, { name: 'web-2' }];
    const { sandbox, cloud } = await playOn(kind, { machines });
    const word = typeof status === 'string' ? status : status.status;
    expect(await answerTo(sandbox, 'admin', '/instances')).toContain(`2 instances: 1 ${word}, 1 running.`);
    expect(await answerTo(sandbox, 'admin', `/instances list status:${word}`)).toContain('web-1');
    const several = await answerTo(sandbox, 'admin', '/instances restart name:web-*');
    expect(several).toContain(`Skipped web-1: it is ${word} right now`);
    expect(await answerTo(sandbox, 'admin', '/instances delete web-1')).toContain(waiting(word));
    expect(await answerTo(sandbox, 'admin', '/instances show web-1')).not.toContain('Delete…');
    expect(writesTo(cloud)).toEqual([]);
  });
});

describe.each(CLOUDS)('what %s has locked', (kind) => {
  it('is neither restarted nor deleted, and the answer says why', async () => {
    const { sandbox, cloud } = await playOn(kind, { machines: [{ name: 'web-1' }, { name: 'web-2' }] });
    expect(await answerTo(sandbox, 'admin', '/instances show web-1')).toContain('[ Restart ]');
    cloud.lock('web-1');
    const list = await answerTo(sandbox, 'admin', '/instances');
    expect(list).toMatch(/web-1 [^\n]* running · locked · /);
    expect(list).not.toMatch(/web-2 [^\n]* locked/);
    for (const verb of ['restart', 'stop', 'delete'])
      expect(await answerTo(sandbox, 'admin', `/instances ${verb} web-1`)).toContain(LOCKED);
    expect(await answerTo(sandbox, 'admin', '/instances restart name:web-*')).toContain(
      'Skipped web-1: it is locked by the hosting service',
    );
    const card = await answerTo(sandbox, 'admin', '/instances show web-1');
    expect(card).toContain('The hosting service has it locked: it takes no changes right now.');
    expect(card).not.toMatch(/\[ (Start|Stop|Restart|Delete…) \]/);
    expect(writesTo(cloud)).toEqual([]);
  });
});

it('at Vultr, what runs and is "installingbooting" is said to be installing or booting still', async () => {
  const machines = [{ name: 'web-1', status: { server_status: 'installingbooting' } }, { name: 'web-2' }];
  const { sandbox } = await playOn('vultr', { machines });
  const list = await answerTo(sandbox, 'ana', '/instances');
  expect(list).toMatch(/web-1 [^\n]* running · still installing or booting · /);
  expect(list).not.toMatch(/web-2 [^\n]* still/);
  expect(await answerTo(sandbox, 'ana', '/instances show web-1')).toContain(
    'It is still installing or booting: what it serves may not answer yet.',
  );
});
