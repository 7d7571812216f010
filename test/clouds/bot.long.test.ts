import { describe, expect, it, test } from 'vitest';
import type { CloudKind } from '../../sandbox/clouds/cloud.ts';
import { fileWith } from '../support/file-with.ts';
import { deletes, privateTexts, readAll, runToEnd } from '../support/sandbox.ts';
import { CLOUDS, playOn, writesTo } from './play-on.ts';

const OFF = { digitalocean: 'off', hetzner: 'off', vultr: { power_status: 'stopped' } } as const;
const NAMES = { digitalocean: 'DigitalOcean', hetzner: 'Hetzner Cloud', vultr: 'Vultr' } as const;
const machinesOf = (kind: CloudKind) => [{ name: 'web-1' }, { name: 'db-1', status: OFF[kind] }];
const play = (kind: CloudKind) => playOn(kind, { machines: machinesOf(kind) });

describe.each(CLOUDS)('the bot at %s', (kind) => {
  it('lists all that is there, also where one is deleted between two pages', async () => {
    const machines = ['m-1', 'm-2', 'm-3', 'm-4', 'm-5'].map((name) => ({ name }));
    let pagesLeft = Number.POSITIVE_INFINITY;
    const weather = ({ method }: { readonly method: string }): undefined => {
      if (method === 'GET' && --pagesLeft === 0) cloud.remove('m-1');
      return undefined;
    };
    const { cloud, sandbox } = await playOn(kind, { machines, maxPageSize: 2, weather });
    await sandbox.settled();
    pagesLeft = 2;
    await runToEnd(sandbox, 'ana', '/instances');
    expect(pagesLeft).toBeLessThanOrEqual(0);
    for (const name of ['m-2', 'm-3', 'm-4', 'm-5']) expect(privateTexts(sandbox, 'ana')[0]).toContain(name);
  });

  it('restarts with one call, and says what the service shows of it', async () => {
    const { cloud, sandbox } = await play(kind);
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(readAll(sandbox)[0]).toMatch(
      /^📨 Asked web-1 .* to restart\. It is running, and the service doesn't show whether it restarted\./,
    );
    expect(readAll(sandbox)[0]?.includes('Force restart…')).toBe(kind !== 'vultr');
    expect(writesTo(cloud)).toHaveLength(1);
    expect(cloud.effects().map(({ effect, outcome }) => [effect, outcome])).toEqual([
      [kind === 'vultr' ? 'reset' : 'reboot', 'done'],
    ]);
  });

  it('starts and stops', async () => {
    const { cloud, sandbox } = await play(kind);
    await runToEnd(sandbox, 'ana', '/instances start db-1');
    await runToEnd(sandbox, 'ana', '/instances stop web-1');
    expect(readAll(sandbox).join('\n')).toMatch(/✅ Started db-1[^]*✅ Stopped web-1/);
    expect(writesTo(cloud)).toHaveLength(2);
    const stop = kind === 'vultr' ? 'power-off' : 'shutdown';
    expect(cloud.effects().map(({ effect }) => effect)).toEqual(['start', stop]);
  });

  it('restarts once for two people in the same second', async () => {
    const { cloud, sandbox } = await play(kind);
    const line = '/instances restart web-1';
    await Promise.all(['ana', 'bob'].map((who) => sandbox.slack.person(who).types('#ops', line)));
    await sandbox.settled();
    expect(writesTo(cloud)).toHaveLength(1);
  });

  it('deletes once', async () => {
    const { cloud, sandbox } = await play(kind);
    await deletes(sandbox);
    await sandbox.settled();
    expect(readAll(sandbox).join('\n')).toMatch(/✅ Deleted web-1 .*it is gone/);
    expect(writesTo(cloud)).toHaveLength(1);
    expect(cloud.machines().map(({ name }) => name)).toEqual(['db-1']);
  });

  it('says that there are no add-ons, and help knows nothing of them', async () => {
    const { cloud, sandbox } = await play(kind);
    await runToEnd(sandbox, 'admin', '/addons');
    await runToEnd(sandbox, 'admin', '/lamplighter help');
    await runToEnd(sandbox, 'admin', '/instances show web-1');
    const [addons = '', help = '', card = ''] = privateTexts(sandbox, 'admin');
    expect(addons).toContain(`${NAMES[kind]} has no add-ons that I can read.`);
    expect(help).not.toContain('/addons');
    expect(card).toContain('[ Restart ]');
    expect(card).not.toContain('Add-ons');
    expect(sandbox.logs.join('')).not.toMatch(/leads nowhere|"level":"error"/);
    expect(cloud.calls.filter(({ path }) => path.includes('addon'))).toEqual([]);
  });

  it('never calls money that is paid afterwards a balance', async () => {
    const { sandbox } = await play(kind);
    await runToEnd(sandbox, 'admin', '/billing');
    const [money = ''] = privateTexts(sandbox, 'admin');
    if (kind === 'hetzner') expect(money).toContain('Hetzner Cloud has no balance');
    else expect(money).toMatch(/USD this month so far[^]*Billed monthly in arrears\./);
    expect(money).not.toMatch(/days left|empty|Buy time|credits/);
    expect(sandbox.logs.join('')).not.toMatch(/leads nowhere|"level":"error"/);
  });
});

test.each(CLOUDS)('the Home at %s has what the service has', async (kind) => {
  const { sandbox } = await play(kind);
  const admin = sandbox.slack.person('admin');
  await admin.opensHome();
  const home = await sandbox.slack.until(() => admin.home && sandbox.slack.readView(admin.home));
  expect(home.includes('USD this month so far')).toBe(kind !== 'hetzner');
  expect(home).not.toMatch(/Transactions|days left/);
});

test.each(CLOUDS)(
  'doctor at %s looks for no balance where there is none, and finds no fault',
  async (kind) => {
    const { sandbox } = await play(kind);
    await runToEnd(sandbox, 'admin', '/lamplighter doctor');
    const [found = ''] = privateTexts(sandbox, 'admin');
    expect(found).toContain(
      kind === 'hetzner'
        ? 'The hosting service has no balance to check.'
        : 'There is no budget, so nobody checks what the month costs.',
    );
    expect(found).toContain('The hosting service takes the key.');
    expect(found).not.toContain('❌');
  },
);

describe.each(['digitalocean', 'hetzner'] as const)('what is not followed at %s', (kind) => {
  it('is not forced by itself: a person is offered that, and confirms it', async () => {
    const machines = [{ name: 'web-1', ignoresSignals: true }];
    const { cloud, sandbox } = await playOn(kind, { machines }, { timings: { patienceMs: 600 } });
    await runToEnd(sandbox, 'ana', '/instances stop web-1');
    expect(writesTo(cloud)).toHaveLength(1);
    const card = sandbox.slack.channel('#ops').messages[0]!;
    expect(sandbox.slack.read(card)).toMatch(/is still running after[^]*\[ Force stop… \]/);
    await sandbox.slack.person('ana').presses(card, 'Force stop…');
    await sandbox.settled();
    expect(writesTo(cloud)).toHaveLength(1);
    const [question] = sandbox.slack.channel('#ops').ephemeralFor('ana');
    expect(sandbox.slack.read(question!)).toContain('Its power is cut');
    await sandbox.slack.person('ana').presses(question!, 'Force stop');
    await sandbox.settled();
    expect(cloud.effects().map(({ effect }) => effect)).toEqual(['shutdown', 'power-off']);
    expect(readAll(sandbox).join('\n')).toContain('✅ Stopped web-1');
  });

  it('needs a second person to be forced where a policy asks for one to be stopped', async () => {
    const env = { LAMPLIGHTER_POLICY: fileWith('approvals:\n  - { on: [web-*], for: [stop] }\n') };
    const { cloud, sandbox } = await playOn(kind, { machines: machinesOf(kind) }, { env });
    await runToEnd(sandbox, 'ana', '/instances force-stop web-1');
    const [question] = sandbox.slack.channel('#ops').ephemeralFor('ana');
    await sandbox.slack.person('ana').presses(question!, 'Force stop');
    await sandbox.slack.until(() => readAll(sandbox).join('\n').includes('asks to force-stop web-1'));
    await sandbox.settled();
    expect(privateTexts(sandbox, 'ana').join('\n')).toContain('Someone else must approve that');
    expect(writesTo(cloud)).toEqual([]);
  });

  it.each(['restart web-1', 'stop web-1', 'start db-1'])(
    'is said where the service itself says that it failed: %s',
    async (line) => {
      const { cloud, sandbox } = await play(kind);
      cloud.failNext({ method: 'POST' }, { kind: 'action-fails' });
      await runToEnd(sandbox, 'ana', `/instances ${line}`);
      const said = readAll(sandbox).join('\n');
      expect(said).toContain('the service began it and says that it failed');
      expect(said).not.toContain('taking longer');
      expect(writesTo(cloud)).toHaveLength(1);
    },
  );
});

test('at Vultr a suspended machine is said to be suspended, and not for want of credit', async () => {
  const machines = [{ name: 'web-1', status: { status: 'suspended', power_status: 'stopped' } }];
  const { cloud, sandbox } = await playOn('vultr', { machines });
  await runToEnd(sandbox, 'ana', '/instances start web-1');
  await runToEnd(sandbox, 'ana', '/instances');
  await runToEnd(sandbox, 'ana', '/instances show web-1');
  const [refused = '', list = '', card = ''] = privateTexts(sandbox, 'ana');
  expect(refused).toContain(
    'it is suspended by the hosting service. Ask the hosting service why, then try again.',
  );
  expect(list).toMatch(/web-1 [^\n]*paused · suspended by the service/);
  expect(card).toContain('It is suspended by the hosting service. Ask the hosting service why.');
  expect(privateTexts(sandbox, 'ana').join()).not.toMatch(/credit|Top up/);
  expect(writesTo(cloud)).toEqual([]);
});

describe('at Hetzner Cloud', () => {
  it('shows in the list and on the card that the service protects a server from deletion, and asks for none', async () => {
    const { cloud, sandbox } = await playOn('hetzner', {
      machines: [{ name: 'web-1', isProtected: true }, { name: 'web-2' }],
    });
    await runToEnd(sandbox, 'admin', '/instances');
    await runToEnd(sandbox, 'admin', '/instances show web-1');
    await runToEnd(sandbox, 'admin', '/instances delete web-1');
    const [list = '', card = '', refused = ''] = privateTexts(sandbox, 'admin');
    expect(list).toMatch(/web-1 [^\n]* running · protected from deletion/);
    expect(list).not.toMatch(/web-2 [^\n]* protected/);
    expect(card).toContain('The hosting service protects it from deletion.');
    expect(card).not.toContain('Delete…');
    expect(refused).toContain(
      'the hosting service protects it against deletion. Lift that protection there first.',
    );
    expect(writesTo(cloud)).toEqual([]);
  });

  it('waits while a server is locked, and then does it', async () => {
    const { cloud, sandbox } = await play('hetzner');
    cloud.failNext({ method: 'POST' }, { kind: 'status', status: 423, code: 'locked' });
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(readAll(sandbox).join('\n')).toContain("the service doesn't show whether it restarted");
    expect(writesTo(cloud)).toHaveLength(2);
    expect(cloud.effects()).toHaveLength(1);
  });
});
