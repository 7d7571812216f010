import { describe, expect, it } from 'vitest';
import { plainMoney } from '../../sandbox/clouds/money.ts';
import { answerTo, opensModal, runToEnd } from '../support/sandbox.ts';
import { playMonth } from './month.ts';
import { CLOUDS, playOn } from './play-on.ts';

/** What a deletion takes along and what stays, as the documentation of each cloud has it. */
const DELETIONS = {
  digitalocean: [
    ['its Droplet, with its disk', 'its backups'],
    'Its volumes, its snapshots, those of its volumes and its reserved IPs stay and still cost',
  ],
  hetzner: [
    ['its server, with its disk and its backups', 'its primary IPs that are set to be deleted with it'],
    'Its volumes, floating IPs and other primary IPs are detached and still cost, and its snapshots stay',
  ],
  vultr: [
    ['its server, with its disk'],
    "Vultr doesn't say what becomes of its backups, block storage, reserved IPs and snapshots: they may stay and still cost",
  ],
} as const;

const LEFT_OUT = {
  hetzner: 'Servers of other projects and dedicated servers are not in this list.',
  vultr: 'Bare metal servers are not in this list.',
} as const;

describe.each(CLOUDS)('in the words of the adapter, %s', (kind) => {
  it('says what a deletion takes along and what stays', async () => {
    const { sandbox } = await playOn(kind);
    const shown = sandbox.slack.readView(await opensModal(sandbox, 'admin', '/instances delete web-1'));
    const [takes, leaves] = DELETIONS[kind];
    expect(shown).toContain(`This is permanent. ${leaves}`);
    expect(shown).not.toContain('add-ons');
    for (const part of takes) expect(shown).toContain(part);
  });
});

describe.each(['hetzner', 'vultr'] as const)('a list that never has all, %s', (kind) => {
  it('says which machines it lacks, as a whole, in a part of it, in the Home and where there are none', async () => {
    const { sandbox, cloud } = await playOn(kind);
    for (const line of ['/instances', '/instances list name:web-*'])
      expect(await answerTo(sandbox, 'ana', line)).toContain(LEFT_OUT[kind]);
    const ana = sandbox.slack.person('ana');
    await ana.opensHome();
    const home = await sandbox.slack.until(() => ana.home && sandbox.slack.readView(ana.home));
    expect(home).toContain(LEFT_OUT[kind]);
    for (const { id } of cloud.machines()) cloud.remove(id);
    expect(await answerTo(sandbox, 'ana', '/instances')).toContain(LEFT_OUT[kind]);
  });
});

describe.each(['digitalocean', 'vultr'] as const)('invoices and payments at %s', (kind) => {
  it('are sorted by their times, in whichever order the service lists them', async () => {
    const month = await playMonth(kind);
    month.cloud.setMoney({ history: plainMoney.history.toReversed() });
    const shown = await month.asks('/billing transactions');
    expect(shown).toContain('Invoices and payments, newest first, in USD.');
    expect(shown).toMatch(/2026-01-02 00:00[^]*2026-01-01 00:00/);
  });
});

describe('GPU Droplets, which DigitalOcean lists apart', () => {
  const gpu = { name: 'gpu-1', size: 'gpu-h100x1-80gb', region: 'nyc3', tags: ['team:ml'] };
  const machines = [{ name: 'web-1' }, { name: 'db-1', status: 'off' }, gpu];
  it('are in the list, found by what is said of them, and restarted like all others', async () => {
    const { sandbox, cloud } = await playOn('digitalocean', { machines });
    const list = await answerTo(sandbox, 'ana', '/instances');
    expect(list).toMatch(/^3 instances: 1 stopped, 2 running\.$/m);
    expect(list).toContain('gpu-1');
    expect(list).not.toContain('not in this list');
    for (const filter of ['label:team:ml', 'region:nyc3', 'name:gpu-*'])
      expect(await answerTo(sandbox, 'ana', `/instances list ${filter}`)).toMatch(/gpu-1/);
    await runToEnd(sandbox, 'admin', '/instances restart gpu-1');
    expect(cloud.effects()).toMatchObject([{ name: 'gpu-1', effect: 'reboot' }]);
  });
});
