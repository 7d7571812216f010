import { describe, expect, test } from 'vitest';
import { adapter } from '../../src/platform/hosting/adapters/upcloud.ts';
import { clientOf } from '../hosting/answering.ts';
import { asksThem, dmWith } from '../support/asking.ts';
import {
  answeredWith,
  answerTo,
  deletes,
  opensModal,
  privateMessage,
  readAll,
  runToEnd,
} from '../support/sandbox.ts';
import { KEY, openUpCloud } from './outside/upcloud-double.ts';
import { playAt } from './play-on.ts';
import { SERVER } from './shipped/upcloud.ts';

const ID = SERVER.uuid;

const playOnUpCloud = async (env: Readonly<Record<string, string>> = {}) =>
  playAt('upcloud', await openUpCloud(), KEY, { env });

describe('UpCloud, in Slack', () => {
  test('servers are listed, and found by their tags and labels', async () => {
    const { sandbox } = await playOnUpCloud();
    expect(await answerTo(sandbox, 'ana', '/instances')).toMatch(/^3 instances: 1 stopped, 2 running\.$/m);
    expect(await answerTo(sandbox, 'ana', '/instances list label:env=prod name:web-*')).toContain('web-1');
  });

  test('a stop only signals, without an end after which it is forced', async () => {
    const { cloud, sandbox } = await playOnUpCloud();
    await runToEnd(sandbox, 'ana', '/instances stop web-1');
    expect(readAll(sandbox).join('\n')).toContain(`✅ Stopped web-1 (${ID})`);
    expect(cloud.writes()).toEqual([`POST /1.3/server/${ID}/stop {"stop_server":{"stop_type":"soft"}}`]);
  });

  test('a restart is said to be asked for, and can be forced', async () => {
    const { cloud, sandbox } = await playOnUpCloud();
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    const told = readAll(sandbox).join('\n');
    expect(told).toContain(`Asked web-1 (${ID}) to restart.`);
    expect(told).toContain('[ Force restart… ]');
    expect(cloud.writes()).toHaveLength(1);
  });

  test('a deletion says that storages stay, and is done of a stopped one', async () => {
    const { cloud, sandbox } = await playOnUpCloud();
    const shown = sandbox.slack.readView(await opensModal(sandbox, 'admin', '/instances delete db-1'));
    expect(shown).toContain('Its storages, with all data and backups, stay and still cost');
    await deletes(sandbox, 'db-1');
    await sandbox.settled();
    expect(readAll(sandbox).join('\n')).toContain('Deleted db-1');
    expect(cloud.writes()).toEqual([`DELETE /1.3/server/${ID.replace(/1$/, '2')} ""`]);
  });

  test('one that runs is to be stopped before anybody is asked for its name, by one press for who may', async () => {
    const { cloud, sandbox } = await playOnUpCloud();
    const no = await answeredWith(sandbox, 'admin', '/instances delete web-1');
    expect(sandbox.slack.read(no)).toBe(
      `Could not delete web-1 (${ID}): UpCloud deletes only what is stopped, and it is running. Stop it, then delete it. Nothing was done.\n[ Stop ]`,
    );
    expect(await answerTo(sandbox, 'admin', '/instances delete web-1 --dry-run')).toContain(
      'UpCloud deletes only what is stopped',
    );
    expect(cloud.writes()).toEqual([]);
    await sandbox.slack.person('admin').presses(no, 'Stop');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('✅ Stopped web-1')));
    await deletes(sandbox);
    await sandbox.settled();
    expect(readAll(sandbox).join('\n')).toContain(`✅ Deleted web-1 (${ID})`);
  });

  test('one that was started since the question was asked is not deleted', async () => {
    const { cloud, sandbox } = await playOnUpCloud();
    const modal = await opensModal(sandbox, 'admin', '/instances delete db-1');
    await runToEnd(sandbox, 'ana', '/instances start db-1');
    await sandbox.slack.person('admin').submits(modal, { typed: 'db-1' });
    await privateMessage(sandbox, 'admin', 'UpCloud deletes only what is stopped');
    await sandbox.settled();
    expect(cloud.writes().filter((call) => call.startsWith('DELETE'))).toEqual([]);
  });

  test('who may delete it once and not stop it reads the same without a button', async () => {
    const { sandbox } = await playOnUpCloud({ LAMPLIGHTER_EVERYONE: 'viewer' });
    const { slack } = sandbox;
    await asksThem(sandbox, 'ana', '/instances delete web-1', 'You need');
    await slack
      .person('admin')
      .presses(await dmWith(sandbox, 'admin', '@ana asks to delete web-1'), 'Allow once');
    await dmWith(sandbox, 'ana', '@admin allowed you');
    const no = await answerTo(sandbox, 'ana', '/instances delete web-1');
    expect(no).toContain('UpCloud deletes only what is stopped');
    expect(no).not.toContain('[ Stop ]');
  });
});

test.each([
  ['stop', 'stop', { stop_server: { stop_type: 'hard' } }],
  ['restart', 'restart', { restart_server: { stop_type: 'hard' } }],
] as const)('a forced %s asks UpCloud for a hard one', async (power, path, body) => {
  const { hosting, asked } = clientOf(adapter, [{ body: { server: SERVER } }]);
  await hosting.forceInstance(ID, power);
  expect(asked).toEqual([{ method: 'POST', path: `/1.3/server/${ID}/${path}`, body }]);
});
