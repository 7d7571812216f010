import { describe, expect, test } from 'vitest';
import { adapter } from '../../src/platform/hosting/adapters/ovhcloud.ts';
import { clientOf, faultOf } from '../hosting/answering.ts';
import { answerTo, deletes, readAll, runToEnd } from '../support/sandbox.ts';
import { KEY, openOvhCloud, type OvhCloud, PROJECT } from './outside/ovhcloud-double.ts';
import { playAt } from './play-on.ts';
import { DETAILED } from './shipped/ovhcloud.ts';

const ID = DETAILED.id;

async function playOnOvhCloud(key = KEY, cloud?: OvhCloud) {
  const at = cloud ?? (await openOvhCloud());
  return playAt('ovhcloud', at, key, { env: { HOSTING_LOGIN_URL: `${at.url}/auth/oauth2/token` } });
}

/** What was changed, without the exchange of the key. */
const changes = (cloud: OvhCloud): string[] => cloud.writes().filter((line) => !line.includes('/oauth2/'));

describe('OVHcloud, in Slack', () => {
  test('the instances of the project in the key are listed, with one exchange', async () => {
    const { cloud, sandbox } = await playOnOvhCloud();
    const list = await answerTo(sandbox, 'ana', '/instances');
    expect(list).toMatch(/^2 instances: 1 stopped, 1 running\.$/m);
    expect(list).toContain('Instances of other projects, VPS and dedicated servers are not in this list.');
    expect(cloud.tokens).toHaveLength(1);
  });

  test('a stop and a deletion are one call each, done once the machine reports that', async () => {
    const { cloud, sandbox } = await playOnOvhCloud();
    await runToEnd(sandbox, 'ana', '/instances stop web-1');
    await deletes(sandbox);
    await sandbox.settled();
    const told = readAll(sandbox).join('\n');
    for (const end of ['✅ Stopped', '✅ Deleted']) expect(told).toContain(`${end} web-1 (${ID})`);
    const at = `/v1/cloud/project/${PROJECT}/instance/${ID}`;
    expect(changes(cloud)).toEqual([`POST ${at}/stop ""`, `DELETE ${at} ""`]);
  });

  test('a restart is a soft one, and can be forced', async () => {
    const { cloud, sandbox } = await playOnOvhCloud();
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(readAll(sandbox).join('\n')).toContain('[ Force restart… ]');
    expect(changes(cloud)).toEqual([
      `POST /v1/cloud/project/${PROJECT}/instance/${ID}/reboot {"type":"soft"}`,
    ]);
  });

  test.each(['an-id:a-secret-without-a-project', 'an-id:a-secret-of-ours:../../me', 'an-id:a-secret:p:more'])(
    'a key that has no project is told as the key: %s',
    async (key) => {
      const cloud = await openOvhCloud();
      await expect(playOnOvhCloud(key, cloud)).rejects.toThrow(
        'the key must be CLIENT_ID:CLIENT_SECRET:PROJECT_ID',
      );
      expect(cloud.calls).toEqual([]);
    },
  );
});

describe("OVHcloud's adapter", () => {
  test('an answer that says something is none that this service gives', async () => {
    for (const body of [DETAILED, {}, 'OK', false]) {
      const { hosting } = clientOf(adapter, [{ body }]);
      expect(await faultOf(hosting.powerInstance(ID, 'stop'))).toMatchObject({ outcome: 'unknown' });
    }
  });

  test('a restart can be forced, and a stop can not', async () => {
    const { hosting, asked } = clientOf(adapter, [{ body: null }]);
    expect(hosting.about.offers.forcing).toEqual(['restart']);
    await hosting.forceInstance(ID, 'restart');
    expect(asked[0]?.body).toEqual({ type: 'hard' });
  });

  test('a 404 of something in front of it is no word on the machine', async () => {
    const { hosting } = clientOf(adapter, [{ status: 404, body: { message: 'no', status: 404 } }]);
    expect(await faultOf(hosting.powerInstance(ID, 'stop'))).toMatchObject({
      fault: 'unclear',
      outcome: 'unknown',
    });
  });
});
