import { describe, expect, test } from 'vitest';
import { letSchedulesBeDue } from '../../sandbox/phrases/due-schedule.ts';
import { FAR_OFF_HOUR } from '../../sandbox/phrases/far-off-hour.ts';
import { adapter } from '../../src/platform/hosting/adapters/scaleway.ts';
import { clientOf } from '../hosting/answering.ts';
import { answeredWith, answerTo, deletes, privateMessage, readAll, runToEnd } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { KEY, openScaleway } from './outside/scaleway-double.ts';
import { playAt } from './play-on.ts';
import { SERVER } from './shipped/scaleway.ts';

const ID = `fr-par-1.${SERVER.id}`;

const playOnScaleway = async () => playAt('scaleway', await openScaleway(), KEY);

describe('Scaleway, in Slack', () => {
  test('the Instances of all zones are one list, with their zones', async () => {
    const { sandbox } = await playOnScaleway();
    const list = await answerTo(sandbox, 'ana', '/instances');
    expect(list).toMatch(/^3 instances: 3 running\.$/m);
    expect(list).toContain('Elastic Metal, Apple silicon and Dedibox servers are not in this list.');
    const dutch = await answerTo(sandbox, 'ana', '/instances list region:nl-ams-2');
    expect(dutch).toContain('batch-1');
    expect(dutch).not.toContain('web-1');
  });

  test('a zone that is down hides its own machines alone, and the list says so', async () => {
    const { cloud, sandbox } = await playOnScaleway();
    cloud.down.add('nl-ams-2');
    const list = await answerTo(sandbox, 'ana', '/instances');
    expect(list).toContain('web-1');
    expect(list).toContain(
      'This list is incomplete: the service gave me 9 of its 10 lists of instances. I could read 1.',
    );
    const byName = await answeredWith(sandbox, 'ana', '/instances stop web-1');
    expect(sandbox.slack.read(byName)).toContain("one that I couldn't read may be, too, so nothing was done");
    expect(await answerTo(sandbox, 'ana', '/instances stop batch-1')).not.toContain('deleted');
    // What may be in the part that didn't come is not unknown.
    expect(await answerTo(sandbox, 'ana', '/instances list region:nl-ams-2')).not.toContain(
      "I don't know the region",
    );
    await runToEnd(sandbox, 'ana', `/instances stop ${ID}`);
    expect(readAll(sandbox).join('\n')).toContain(`✅ Stopped web-1 (${ID})`);
    expect(cloud.writes()).toHaveLength(1);
    cloud.down.clear();
    await until(async () => !(await answerTo(sandbox, 'ana', '/instances')).includes('incomplete'));
  });

  test('a scheduled run waits for a zone that is down, and is of all zones then', async () => {
    const { cloud, sandbox } = await playOnScaleway();
    await answerTo(sandbox, 'ana', `/instances schedule name:web-*,batch-* stop at ${FAR_OFF_HOUR} UTC`);
    const question = await privateMessage(sandbox, 'ana', 'Save this schedule');
    await sandbox.slack.person('ana').presses(question, 'Save');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('scheduled:')));
    cloud.down.add('nl-ams-2');
    const asked = (): number => cloud.calls.filter(({ url }) => url.pathname.includes('/nl-ams-2/')).length;
    const before = asked();
    await letSchedulesBeDue(sandbox, -1_000);
    // Each list tries the zone three times: the run has read at least two, and begun with neither.
    await until(async () => asked() > before + 6);
    expect(cloud.writes()).toEqual([]);
    cloud.down.clear();
    await until(async () => cloud.writes().length === 2);
    await sandbox.settled();
    expect(cloud.writes()).toHaveLength(2);
  });

  test('a stop powers off, a deletion ends what runs, and each is one call', async () => {
    const { cloud, sandbox } = await playOnScaleway();
    await runToEnd(sandbox, 'ana', '/instances stop web-1');
    await runToEnd(sandbox, 'ana', `/instances start ${ID}`);
    await deletes(sandbox);
    await sandbox.settled();
    const told = readAll(sandbox).join('\n');
    for (const end of ['✅ Stopped', '✅ Started', '✅ Deleted'])
      expect(told).toContain(`${end} web-1 (${ID})`);
    expect(cloud.writes()).toEqual(
      ['poweroff', 'poweron', 'terminate'].map(
        (action) => `POST /instance/v1/zones/fr-par-1/servers/${SERVER.id}/action {"action":"${action}"}`,
      ),
    );
  });

  test('what is protected there is neither stopped nor deleted', async () => {
    const { cloud, sandbox } = await playOnScaleway();
    await answerTo(sandbox, 'ana', '/instances stop db-1');
    await answerTo(sandbox, 'admin', '/instances delete db-1');
    await sandbox.settled();
    expect(cloud.writes()).toEqual([]);
  });
});

test.each([undefined, '', 'many', '-1'])(
  'a full page of Scaleway is not the last where it counts "%s"',
  async (total) => {
    const full = Array.from({ length: 100 }, (_, nth) => ({ ...SERVER, id: `id-${nth}` }));
    const { hosting, asked } = clientOf(adapter, [
      { body: { servers: full }, ...(total === undefined ? {} : { headers: { 'x-total-count': total } }) },
      { body: { servers: [{ ...SERVER, id: 'last' }] } },
      ...Array.from({ length: 9 }, () => ({ body: { servers: [] } })),
    ]);
    expect((await hosting.listInstances()).instances).toHaveLength(101);
    expect(asked[1]?.path).toBe('/instance/v1/zones/fr-par-1/servers?per_page=100&page=2');
  },
);
