import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { adapter } from '../../src/platform/hosting/adapters/ovhcloud.ts';
import { clientOf, faultOf } from '../hosting/answering.ts';
import { answerTo, deletes, play, readAll, runToEnd } from '../support/sandbox.ts';
import { KEY, openOvhCloud, type OvhCloud, PROJECT } from './outside/ovhcloud-double.ts';
import { DETAILED } from './shipped/ovhcloud.ts';

const ID = DETAILED.id;

const loginOf = (url: string): string => `${url}/auth/oauth2/token`;

async function playOnOvhCloud(): Promise<{ cloud: OvhCloud; sandbox: Sandbox }> {
  const cloud = await openOvhCloud();
  const sandbox = await play({
    env: {
      HOSTING_SERVICE: 'ovhcloud',
      HOSTING_API_URL: cloud.url,
      HOSTING_LOGIN_URL: loginOf(cloud.url),
      HOSTING_API_TOKEN: KEY,
    },
  });
  return { cloud, sandbox };
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
      const { url, calls } = await openOvhCloud();
      const env = {
        HOSTING_SERVICE: 'ovhcloud',
        HOSTING_API_URL: url,
        HOSTING_LOGIN_URL: loginOf(url),
        HOSTING_API_TOKEN: key,
      };
      await expect(play({ env })).rejects.toThrow('the key must be CLIENT_ID:CLIENT_SECRET:PROJECT_ID');
      expect(calls).toEqual([]);
    },
  );
});

describe("OVHcloud's adapter", () => {
  test('an instance is what is said of it alone, without its password', async () => {
    const { hosting } = clientOf(adapter, [{ body: DETAILED }]);
    expect(await hosting.findInstance(ID)).toEqual({
      id: ID,
      name: 'web-1',
      status: 'running',
      statusWord: 'ACTIVE',
      can: {},
      createdAt: '2026-01-05T10:00:00Z',
      tier: 'b3-8.consumption',
      ipAddress: '203.0.113.4',
      region: 'GRA11',
    });
  });

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

  test.each([
    [403, { errorCode: 'INVALID_CREDENTIAL' }, 'unauthorized', 'not-done'],
    [403, { class: 'Client::Forbidden' }, 'forbidden', 'not-done'],
    [409, { class: 'Client::Conflict' }, 'wrong-state', 'not-done'],
    [404, { class: 'Client::NotFound' }, 'not-found', 'not-done'],
    [404, {}, 'not-found', 'not-done'],
    // Of something in front of it.
    [404, { status: 404 }, 'unclear', 'unknown'],
  ])('%i %j is %s', async (status, body, fault, outcome) => {
    const { hosting } = clientOf(adapter, [{ status, body: { message: 'no', ...body } }]);
    expect(await faultOf(hosting.powerInstance(ID, 'stop'))).toMatchObject({ fault, outcome });
  });
});
