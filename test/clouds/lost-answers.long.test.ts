import { describe, expect, it, test, vi } from 'vitest';
import type { Cloud, CloudKind } from '../../sandbox/clouds/cloud.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { readAll, runToEnd } from '../support/sandbox.ts';
import { playOn, writesTo } from './play-on.ts';

const LOST = { kind: 'reset', acts: true } as const;
const NEVER_CAME = { kind: 'reset' } as const;
/** The list of the actions of one machine. */
const LIST = { method: 'GET', path: /\d\/actions$/ } as const;
const LINE = '/instances restart web-1';

function listReads(cloud: Cloud): number {
  return cloud.calls.filter(({ method, path }) => method === 'GET' && LIST.path.test(path)).length;
}

/** Somebody restarts a machine at the cloud itself. */
async function restartsThere(kind: CloudKind, sandbox: Sandbox, cloud: Cloud): Promise<void> {
  const { id } = cloud.machine('web-1');
  const at = `${sandbox.env['HOSTING_API_URL']}${cloud.base}`;
  const path = kind === 'hetzner' ? `${at}/servers/${id}/actions/reboot` : `${at}/droplets/${id}/actions`;
  const body = kind === 'hetzner' ? {} : { body: JSON.stringify({ type: 'reboot' }) };
  const headers = { authorization: `Bearer ${cloud.token}`, 'content-type': 'application/json' };
  const { status } = await fetch(path, { method: 'POST', headers, ...body });
  expect(status).toBe(201);
}

describe.each(['digitalocean', 'hetzner'] as const)('an answer that is lost at %s', (kind) => {
  it('is looked up in the list of actions: a restart that was taken is said to be asked for', async () => {
    const { cloud, sandbox } = await playOn(kind);
    cloud.failNext({ method: 'POST' }, LOST);
    await runToEnd(sandbox, 'ana', LINE);
    expect(readAll(sandbox).join('\n')).toMatch(
      /📨 Asked web-1 .* to restart\. It is running, and the service doesn't show whether it restarted\./,
    );
    expect(writesTo(cloud)).toHaveLength(1);
  });

  it('of a restart that never came is said not to be in that list, and is not asked again', async () => {
    const { cloud, sandbox } = await playOn(kind);
    cloud.failNext({ method: 'POST' }, NEVER_CAME);
    await runToEnd(sandbox, 'ana', LINE);
    expect(readAll(sandbox).join('\n')).toMatch(
      /❌ Could not restart web-1 .*: the service's answer was lost, and the service lists no restart of it since then\. It is running now\. Try again/,
    );
    expect(writesTo(cloud)).toHaveLength(1);
    expect(cloud.effects()).toEqual([]);
  });

  it('and whose action appears in the list only after a while is not said to be undone', async () => {
    const { cloud, sandbox } = await playOn(kind, {}, { timings: { settleMs: 5_000 } });
    cloud.failNext({ method: 'POST' }, { kind: 'status', status: 504 });
    await sandbox.slack.person('ana').types('#ops', LINE);
    // Longer than any look takes, and the list is read and has nothing.
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes("I'm still checking"));
    await vi.waitFor(() => expect(listReads(cloud)).toBeGreaterThan(2), 4_000);
    await restartsThere(kind, sandbox, cloud);
    await sandbox.settled();
    expect(readAll(sandbox).join('\n')).toMatch(/📨 Asked web-1 .* to restart/);
    expect(readAll(sandbox).join('\n')).not.toContain('Could not');
  });

  it('is looked up by the clock of the cloud, however far that is off', async () => {
    for (const offMs of [-3_600_000, 86_400_000]) {
      const { cloud, sandbox } = await playOn(kind, { now: () => Date.now() + offMs });
      cloud.failNext({ method: 'POST' }, LOST);
      await runToEnd(sandbox, 'ana', LINE);
      expect(readAll(sandbox).join('\n')).toContain('📨 Asked web-1');
      expect(writesTo(cloud)).toHaveLength(1);
    }
  });

  it('is unknown where somebody else restarted it at the cloud in the same seconds', async () => {
    const { cloud, sandbox } = await playOn(kind, {}, { timings: { settleMs: 2_000 } });
    cloud.failNext({ method: 'POST' }, LOST);
    // Nothing can be looked up until both are in the list.
    const readable = cloud.failNext(LIST, { kind: 'status', status: 500 }, 1_000);
    await sandbox.slack.person('ana').types('#ops', LINE);
    await vi.waitFor(() => expect(cloud.effects()).toMatchObject([{ outcome: 'done' }]), 5_000);
    await restartsThere(kind, sandbox, cloud);
    readable();
    await sandbox.settled();
    expect(readAll(sandbox).join('\n')).toContain('unknown whether it restarted');
    expect(cloud.effects()).toHaveLength(2);
    expect(writesTo(cloud)).toHaveLength(2);
  });

  it('is unknown where the list of actions can not be read', async () => {
    const { cloud, sandbox } = await playOn(kind);
    cloud.failNext(LIST, { kind: 'status', status: 403 }, 1_000);
    cloud.failNext({ method: 'POST' }, LOST);
    await runToEnd(sandbox, 'ana', LINE);
    expect(readAll(sandbox).join('\n')).toContain('unknown whether it restarted');
    expect(writesTo(cloud)).toHaveLength(1);
  });

  it('of a restart right after another is not taken for that one', async () => {
    const { cloud, sandbox } = await playOn(kind);
    await runToEnd(sandbox, 'ana', LINE);
    cloud.failNext({ method: 'POST' }, NEVER_CAME);
    const ana = sandbox.slack.person('ana');
    await ana.types('#ops', LINE);
    const question = await sandbox.slack.until(() => sandbox.slack.channel('#ops').ephemeralFor('ana')[0]);
    await ana.presses(question, 'Restart');
    await sandbox.settled();
    const said = readAll(sandbox).join('\n');
    expect(said.match(/📨 Asked/g)).toHaveLength(1);
    expect(said).toContain('lists no restart of it since then');
    expect(cloud.effects()).toHaveLength(1);
  });

  it('of a stop that takes long is not asked again while the cloud is at it', async () => {
    const { cloud, sandbox } = await playOn(kind, { powerMs: 1_500 });
    cloud.failNext({ method: 'POST' }, LOST);
    await runToEnd(sandbox, 'ana', '/instances stop web-1');
    expect(readAll(sandbox).join('\n')).toContain('✅ Stopped web-1');
    expect(writesTo(cloud)).toHaveLength(1);
  });

  it('is said to have failed where the cloud says so of its action', async () => {
    const { cloud, sandbox } = await playOn(kind, {
      weather: ({ method }) => (method === 'POST' ? { kind: 'action-fails', isLost: true } : undefined),
    });
    await runToEnd(sandbox, 'ana', LINE);
    expect(readAll(sandbox).join('\n')).toContain('the service began it and says that it failed');
    expect(writesTo(cloud)).toHaveLength(1);
  });
});

test('Vultr lists no actions: a restart whose answer is lost stays unknown, and is not asked again', async () => {
  const { cloud, sandbox } = await playOn('vultr');
  cloud.failNext({ method: 'POST' }, LOST);
  await runToEnd(sandbox, 'ana', LINE);
  expect(readAll(sandbox).join('\n')).toContain('unknown whether it restarted');
  expect(writesTo(cloud)).toHaveLength(1);
});
