import { describe, expect, test } from 'vitest';
import { checkAdapter } from '../../sandbox/adapter-check/check.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { loadAdapter } from '../../src/app/load-adapter.ts';
import { answerTo, readAll, runToEnd } from '../support/sandbox.ts';
import { AT_CLOUDS, toldBy } from './at-cloud.ts';
import { KEY as AWS_KEY } from './aws-signature.ts';
import { openEc2 } from './ec2-double.ts';
import { openLightsail } from './lightsail-double.ts';
import { KEY as OVHCLOUD_KEY, openOvhCloud } from './outside/ovhcloud-double.ts';
import { KEY as SCALEWAY_KEY, openScaleway } from './outside/scaleway-double.ts';
import { KEY as UPCLOUD_KEY, openUpCloud } from './outside/upcloud-double.ts';
import { DETAILED } from './shipped/ovhcloud.ts';
import { SERVER as SCALEWAY } from './shipped/scaleway.ts';
import { SERVER as UPCLOUD } from './shipped/upcloud.ts';

const HAS_IT_LOCKED = 'the hosting service has it locked';
const UNKNOWN =
  /^❔ web-1 \(ID\): unknown whether it restarted, because the service answered with an error \(500\): "Disk array 7 is down"\. Running now\. Not retried\./;
/** Its list of what was begun shows that it was not, unless what was begun just before stands in the way. */
const NOT_IN_LIST =
  /^(?:❌ Could not restart web-1 \(ID\): the service answered with an error \(500\): "Disk array 7 is down", and the service lists no restart of it since then\. It is running now\.|❔ web-1 \(ID\): unknown whether it restarted, because the service answered with an error \(500\): "Disk array 7 is down"\.)/;
const THOUGH =
  /^✅ Stopped web-1 \(ID\): it went from running to stopped, though the service answered with an error \(504\)/;
/** Its list of what was begun may show it before its status does: then its answer is no longer of interest. */
const FOUND =
  /^✅ Stopped web-1 \(ID\)(?: in \d+ s\.|: it went from running (?:through stopping )?to stopped, though the service answered with an error \(504\))/;

/** What each service says of a machine that takes no change now, of a late stop and of a 500, and whether a stop can be forced there. */
const TOLD: Readonly<
  Record<
    string,
    { readonly locked: string; readonly late: RegExp; readonly broken: RegExp; readonly forces: boolean }
  >
> = {
  digitalocean: { locked: HAS_IT_LOCKED, late: FOUND, broken: NOT_IN_LIST, forces: true },
  hetzner: { locked: HAS_IT_LOCKED, late: FOUND, broken: NOT_IN_LIST, forces: true },
  vultr: { locked: HAS_IT_LOCKED, late: THOUGH, broken: UNKNOWN, forces: false },
  scaleway: { locked: HAS_IT_LOCKED, late: THOUGH, broken: UNKNOWN, forces: false },
  upcloud: { locked: 'its status is "maintenance"', late: THOUGH, broken: UNKNOWN, forces: true },
  ovhcloud: { locked: 'it is migrating right now', late: THOUGH, broken: UNKNOWN, forces: false },
  lightsail: { locked: 'it is provisioning right now', late: FOUND, broken: NOT_IN_LIST, forces: true },
};

/** The card of what somebody asks for, once that has ended, with ID in place of the machine's own. */
async function cardOf(sandbox: Sandbox, line: string): Promise<string> {
  const before = readAll(sandbox).length;
  await runToEnd(sandbox, 'ana', line);
  return (readAll(sandbox)[before] ?? '').replace(/web-1 \([^)]+\)/, 'web-1 (ID)');
}

// A sandbox for each service: what goes wrong there comes one after the other.
describe('at each service that has an adapter, what goes wrong is told as it is, and each call is sent once:', () => {
  test('none is left out', () => {
    expect(Object.keys(AT_CLOUDS)).toEqual(Object.keys(TOLD));
  });

  test.each(Object.entries(AT_CLOUDS))(
    '%s, for a machine that is locked, a stop that is ignored, one that comes late, and a 500 with a reason',
    async (service, open) => {
      const { locked, late, broken, forces } = TOLD[service]!;
      const at = await open({ patienceMs: 1_200, settleMs: 1_500 });
      const { sandbox } = at;

      at.lock();
      expect(await answerTo(sandbox, 'ana', '/instances stop web-1')).toContain(locked);
      expect(at.countWrites()).toBe(0);
      at.unlock();

      at.ignore();
      const ignored = await cardOf(sandbox, '/instances stop web-1');
      expect(ignored).toMatch(/^❌ web-1 \(ID\) is still running after .*\. I stopped watching\./);
      expect(ignored.includes('Force stop…')).toBe(forces);
      expect(at.countWrites()).toBe(1);

      at.stopLate();
      expect(await cardOf(sandbox, '/instances stop web-1')).toMatch(late);
      expect(at.countWrites()).toBe(2);

      at.unlock();
      at.answer(500, 'Disk array 7 is down');
      expect(await cardOf(sandbox, '/instances restart web-1')).toMatch(broken);
      expect(at.countWrites()).toBe(3);

      const told = await toldBy(sandbox);
      const secrets = at.secrets();
      expect(secrets.length).toBeGreaterThan(0);
      for (const secret of secrets) expect(told).not.toContain(secret);
    },
  );
});

// With a lost answer of a restart among them, which is never sent again.
test.each([
  ['ec2', openEc2, AWS_KEY, 'i-0000000000000e501'],
  ['lightsail', openLightsail, AWS_KEY, 'web-1'],
  ['scaleway', openScaleway, SCALEWAY_KEY, `fr-par-1.${SCALEWAY.id}`],
  ['upcloud', openUpCloud, UPCLOUD_KEY, UPCLOUD.uuid],
  ['ovhcloud', openOvhCloud, OVHCLOUD_KEY, DETAILED.id],
])(
  'the adapter of %s passes each check of an adapter, its power too',
  async (service, open, token, powerId) => {
    const { url } = await open();
    const findings = await checkAdapter({
      adapter: await loadAdapter(service),
      url,
      loginUrl: `${url}/auth/oauth2/token`,
      token,
      powerId,
      patienceMs: 5_000,
    });
    expect(findings.filter(({ level }) => level === 'fault')).toEqual([]);
    expect(findings).toContainEqual(expect.objectContaining({ level: 'ok', check: 'a lost answer' }));
  },
);
