import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkExamples } from '../../sandbox/adapter-check/examples/check-examples.ts';
import { clientOf as checkClientOf } from '../../sandbox/adapter-check/client.ts';
import type { Adapter } from '../../src/platform/hosting/adapter.ts';
import { adapter as ec2 } from '../../src/platform/hosting/adapters/ec2.ts';
import { parseBody } from '../../src/platform/hosting/body.ts';
import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import type { HostingService, Instance } from '../../src/platform/hosting/service.ts';
import { readXml } from '../../src/platform/hosting/xml.ts';
import { clientOf, faultOf } from '../hosting/answering.ts';
import { mutated } from '../hosting/mutated.ts';
import { answeredWith, answerTo, deletes, type PlayOptions, readAll, runToEnd } from '../support/sandbox.ts';
import { toldBy } from './at-cloud.ts';
import { KEY } from './aws-signature.ts';
import { answerXml, errorXml, openEc2 } from './ec2-double.ts';
import { ec2Played } from './ec2-examples.ts';
import { playAt } from './play-on.ts';

const adapter: Adapter = { ...ec2, origin: 'https://ec2.eu-central-1.amazonaws.com' };
const WEB_1 = 'i-0000000000000e501';

async function playOnEc2(timings: PlayOptions['timings'] = {}) {
  const { cloud, sandbox } = await playAt('ec2', await openEc2(), KEY, { timings });
  const changes = (): string[] => cloud.calls.filter((call) => !call.startsWith('Describe'));
  return { cloud, sandbox, changes };
}

describe('EC2, which is asked by signed forms and answers in XML', () => {
  test('is listed over its pages, by name or else by id, and found by label and zone', async () => {
    const { sandbox } = await playOnEc2();
    const all = sandbox.slack.read(await answeredWith(sandbox, 'ana', '/instances list'));
    for (const name of ['web-1', 'web-2', 'db-1', 'i-0000000000000e505']) expect(all).toContain(name);
    const some = sandbox.slack.read(
      await answeredWith(sandbox, 'ana', '/instances list label:team=db- region:eu-central-1a'),
    );
    expect(some).toContain('db-1');
    expect(some).not.toContain('web-1');
    expect(all).not.toContain('old-1');
    expect(await answerTo(sandbox, 'ana', '/instances list label:cost=0123')).toContain('web-2');
  });

  test('what was terminated is in no list, and its name means its successor', async () => {
    const { cloud, sandbox, changes } = await playOnEc2();
    const [web, ...others] = cloud.machines;
    // A whole page of them, as the double has three on each.
    const gone = ['6', '7', '8'].map((n) => ({
      ...web!,
      id: `i-0000000000000e50${n}`,
      state: 'terminated' as const,
    }));
    cloud.machines.splice(0, Infinity, ...gone, web!, ...others);
    expect(await answerTo(sandbox, 'ana', '/instances')).toMatch(/^4 instances: 1 stopped, 3 running\.$/mu);
    await runToEnd(sandbox, 'ana', '/instances stop web-1');
    expect(changes()).toEqual([`StopInstances ${WEB_1}`]);
  });

  test('a stop that is not followed can be forced', async () => {
    const { cloud, sandbox, changes } = await playOnEc2({ patienceMs: 600 });
    cloud.machines[0]!.isStuck = true;
    await runToEnd(sandbox, 'ana', '/instances stop web-1');
    expect(readAll(sandbox).join('\n')).toContain('web-1 (i-0000000000000e501) is still stopping');
    await runToEnd(sandbox, 'ana', '/instances force-stop web-1');
    const question = sandbox.slack.channel('#ops').ephemeralFor('ana').at(-1)!;
    expect(changes()).toEqual([`StopInstances ${WEB_1}`]);
    await sandbox.slack.person('ana').presses(question, 'Force stop');
    await sandbox.settled();
    expect(changes()).toEqual([`StopInstances ${WEB_1}`, `StopInstances ${WEB_1} Force`]);
    expect(readAll(sandbox).join('\n')).toContain('✅ Stopped web-1');
  });

  test('each change is asked for once and followed as far as the service shows it', async () => {
    const { sandbox, changes } = await playOnEc2();
    await runToEnd(sandbox, 'ana', '/instances restart web-2');
    await runToEnd(sandbox, 'ana', '/instances stop web-1');
    await runToEnd(sandbox, 'ana', '/instances start web-1');
    await deletes(sandbox);
    await sandbox.settled();
    const [restart, ...others] = changes();
    expect(restart).toMatch(/^RebootInstances i-/u);
    expect(others).toEqual(['Stop', 'Start', 'Terminate'].map((change) => `${change}Instances ${WEB_1}`));
    expect(readAll(sandbox).join('\n')).toMatch(
      /Asked web-2[^]*✅ Stopped web-1[^]*✅ Started web-1[^]*Deleted web-1/u,
    );
    expect(await toldBy(sandbox)).not.toContain(KEY.split(':')[1]);
  });

  test('what is protected there is not deleted, in the words of the service', async () => {
    const { cloud, sandbox } = await playOnEc2();
    cloud.machines[0]!.isProtected = true;
    await deletes(sandbox);
    await sandbox.settled();
    expect(readAll(sandbox).join('\n')).toMatch(
      /Could not delete web-1[^]*protects it against that[^]*disableApiTermination/u,
    );
    expect(cloud.machines[0]).toMatchObject({ state: 'running' });
  });

  test('of a right that is missing is told which, and not what only an administrator can decode', async () => {
    const { cloud, sandbox } = await playOnEc2();
    const said = 'You are not authorized to perform: ec2:StopInstances.';
    const message = `${said} Encoded authorization failure message: 4GIOHlTkIaWHQD0Q`;
    cloud.next = { action: 'StopInstances', status: 403, code: 'UnauthorizedOperation', message };
    await runToEnd(sandbox, 'ana', '/instances stop web-1');
    const told = readAll(sandbox).join('\n');
    expect(told).toContain(`The service said: "${said}"`);
    expect(told).not.toMatch(/Encoded|4GIOHlTkIaWHQD0Q/u);
  });
});

describe("EC2's adapter", () => {
  test('is found faulty by its examples alone where it reads no XML, or no sentence', async () => {
    const faultsOf = async (changed: Partial<Adapter>): Promise<string> =>
      (await checkExamples({ ...adapter, ...changed }, ec2Played()))
        .filter(({ level }) => level === 'fault')
        .map(({ check, said }) => `${check}: ${said}`)
        .join('\n');
    expect(await faultsOf({ readBody: (text) => text })).toContain('list: ');
    expect(await faultsOf({ sentenceOf: () => undefined })).toMatch(
      /^forbidden: says "You are not authorized to perform this operation\.", and people read ""$/mu,
    );
  });

  test.each(['AKIDOFOURS0000000000', 'AKIDOFOURS0000000000:', ':secret'])(
    'with the key %s no call is built, and none leaves',
    async (key) => {
      const cloud = await openEc2();
      const hosting = checkClientOf({ adapter, patienceMs: 0, url: cloud.url, token: key }, cloud.url, key);
      const error = await faultOf(hosting.listInstances());
      await hosting.close();
      expect(error).toMatchObject({
        fault: 'not-built',
        said: 'the key must be ACCESS_KEY_ID:SECRET_ACCESS_KEY',
      });
      expect(cloud.calls).toEqual([]);
    },
  );

  const read = (inside: string) =>
    clientOf(adapter, [{ body: readXml(page(machine(inside))) }]).hosting.findInstance(WEB_1);
  const machine = (inside: string): string =>
    `<item><instanceId>${WEB_1}</instanceId><instanceState><code>16</code><name>running</name></instanceState>${inside}</item>`;
  const page = (...machines: readonly string[]): string =>
    answerXml(
      'DescribeInstances',
      `<reservationSet><item><instancesSet>${machines.join('')}</instancesSet></item></reservationSet>`,
    );

  test('one without a tag Name goes by its id, and one without a disk of its own is not stopped', async () => {
    expect(await read('<tagSet/>')).toMatchObject({ name: WEB_1, labels: [], can: {} });
    expect(await read('<tagSet><item><key>Name</key><value/></item></tagSet>')).toMatchObject({
      name: WEB_1,
    });
    expect(await read('<rootDeviceType>instance-store</rootDeviceType>')).toMatchObject({
      can: { stop: false },
    });
  });

  test('only the interface that came with it says how old it is', async () => {
    const at = (card: string, device: string): string =>
      `<networkInterfaceSet><item><attachment>${card}<deviceIndex>${device}</deviceIndex><attachTime>2026-01-05T10:00:00.000Z</attachTime></attachment></item></networkInterfaceSet>`;
    expect(await read(at('', '0'))).toHaveProperty('createdAt');
    expect(await read(at('<networkCardIndex>0</networkCardIndex>', '0'))).toHaveProperty('createdAt');
    expect(await read(at('<networkCardIndex>1</networkCardIndex>', '0'))).not.toHaveProperty('createdAt');
    expect(await read(at('', '1'))).not.toHaveProperty('createdAt');
  });

  const changed = (action: string, ...ids: readonly string[]): unknown =>
    readXml(
      answerXml(
        action,
        `<instancesSet>${ids.map((id) => `<item><instanceId>${id}</instanceId><currentState><code>64</code><name>stopping</name></currentState></item>`).join('')}</instancesSet>`,
      ),
    );

  test('an answer to a stop is one about this instance alone, and about a stop', async () => {
    const stop = (body: unknown) => clientOf(adapter, [{ body }]).hosting.powerInstance(WEB_1, 'stop');
    expect(await stop(changed('StopInstances', WEB_1))).toEqual({ status: 'stopping' });
    for (const body of [
      changed('StopInstances'),
      changed('StopInstances', 'i-0000000000000e502'),
      changed('StopInstances', WEB_1, 'i-0000000000000e502'),
      changed('StartInstances', WEB_1),
      readXml(answerXml('StopInstances', '<return>true</return>')),
      readXml(errorXml('Odd', 'An error with 200')),
      'OK',
      undefined,
    ])
      expect(await faultOf(stop(body))).toMatchObject({ outcome: 'unknown' });
  });

  test('a restart is taken where the answer says so, and else unknown', async () => {
    const restart = (body: unknown) => clientOf(adapter, [{ body }]).hosting.powerInstance(WEB_1, 'restart');
    expect(await restart(readXml(answerXml('RebootInstances', '<return>true</return>')))).toEqual({});
    for (const inside of ['<return>false</return>', '<return/>', ''])
      expect(await faultOf(restart(readXml(answerXml('RebootInstances', inside))))).toMatchObject({
        outcome: 'unknown',
      });
  });

  test('what is said of another instance is not taken for the one that was asked for', async () => {
    const other = machine('').replace(WEB_1, 'i-0000000000000e502');
    for (const body of [page(other), page(machine(''), other), page()]) {
      const { hosting } = clientOf(adapter, [{ body: readXml(body) }]);
      expect(await faultOf(hosting.findInstance(WEB_1))).toMatchObject({ fault: 'unreadable' });
    }
  });
});

/** What an instance must be read as, by the answer alone. */
function truthIn(body: unknown): ReadonlyMap<string, string> {
  const found: [string, string][] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { data } = z
      .object({ instanceId: z.string(), instanceState: z.object({ name: z.string() }) })
      .safeParse(value);
    if (data) found.push([data.instanceId, data.instanceState.name]);
    for (const inner of Object.values(value)) walk(inner);
  };
  walk(body);
  return new Map(found);
}

const STATUSES: Readonly<Record<string, string>> = {
  pending: 'starting',
  running: 'running',
  stopping: 'stopping',
  stopped: 'stopped',
  'shutting-down': 'deleting',
  terminated: 'deleted',
};

describe('an answer of EC2 in which anything is something else', () => {
  const LIST = answerXml(
    'DescribeInstances',
    `<reservationSet>${['running', 'stopped', 'terminated']
      .map(
        (state, nth) =>
          `<item><instancesSet><item><instanceId>i-0000000000000e50${nth + 1}</instanceId><instanceState><code>1</code><name>${state}</name></instanceState><instanceType>t3.micro</instanceType><placement><availabilityZone>eu-central-1a</availabilityZone></placement><tagSet><item><key>Name</key><value>web-${nth}</value></item></tagSet></item></instancesSet></item>`,
      )
      .join('')}</reservationSet>`,
  );
  const ANSWERS = [
    LIST,
    answerXml(
      'StopInstances',
      `<instancesSet><item><instanceId>${WEB_1}</instanceId><currentState><name>stopping</name></currentState></item></instancesSet>`,
    ),
    answerXml('RebootInstances', '<return>true</return>'),
    errorXml('IncorrectInstanceState', 'The instance is not in a state from which it can be stopped.'),
  ];
  const ASKED: readonly ((hosting: HostingService) => Promise<unknown>)[] = [
    async (hosting) => (await hosting.listInstances()).instances,
    async (hosting) => [await hosting.findInstance(WEB_1)],
    (hosting) => hosting.powerInstance(WEB_1, 'restart'),
    (hosting) => hosting.powerInstance(WEB_1, 'stop'),
    (hosting) => hosting.forceInstance(WEB_1, 'stop'),
    (hosting) => hosting.deleteInstance(WEB_1),
  ];
  /** Asks all that can be asked, and gives the instances that were read. */
  async function allRead(body: unknown, status: number): Promise<readonly Instance[]> {
    const read: Instance[] = [];
    for (const ask of ASKED) {
      const { hosting } = clientOf(
        adapter,
        Array.from({ length: 3 }, () => ({ body, status })),
      );
      const answer: unknown = await ask(hosting).catch((thrown: unknown) => thrown);
      if (answer instanceof Error) expect(answer).toBeInstanceOf(HostingError);
      else if (Array.isArray(answer)) read.push(...answer.filter((one) => one !== undefined));
    }
    return read;
  }
  /** How many instances were read, each as the answer says. */
  async function readsTruly(body: unknown, status: number): Promise<number> {
    const truth = truthIn(body);
    const all = await allRead(body, status);
    for (const { id, status: read } of all) {
      const word = truth.get(id) ?? 'no such instance';
      expect([id, read]).toEqual([id, Object.hasOwn(STATUSES, word) ? STATUSES[word] : 'unknown']);
    }
    return all.length;
  }
  const statuses = fc.constantFrom(200, 200, 200, 200, 400, 403, 500, 503);

  test('is read for what it says, or is a fault', async () => {
    let seen = 0;
    const bodies = fc.constantFrom(LIST, LIST, LIST, ...ANSWERS).chain((text) => mutated(readXml(text)));
    await fc.assert(
      fc.asyncProperty(bodies, statuses, async (body, status) => {
        seen += await readsTruly(body, status);
      }),
      { numRuns: 300 },
    );
    expect(seen).toBeGreaterThan(50);
  });

  test('is so as well where its text is broken anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ANSWERS),
        fc.nat(),
        fc.nat(40),
        fc.oneof(fc.string(), fc.constantFrom('', '<', '&x;', ']]>', '<!DOCTYPE a>', '<item/>')),
        statuses,
        async (text, at, length, other, status) => {
          const from = at % text.length;
          const odd = `${text.slice(0, from)}${other}${text.slice(from + length)}`;
          await readsTruly(parseBody(odd, readXml), status);
        },
      ),
      { numRuns: 300 },
    );
  });
});
