import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkExamples } from '../../sandbox/adapter-check/examples/check-examples.ts';
import { examplesIn } from '../../sandbox/adapter-check/examples/examples-shape.ts';
import { loadAdapter } from '../../src/app/load-adapter.ts';
import type { Adapter, ListRead } from '../../src/platform/hosting/adapter.ts';
import type { Examples } from '../../src/platform/hosting/examples.ts';
import { listsOf } from '../../src/platform/hosting/read-list.ts';
import type { Instance } from '../../src/platform/hosting/service.ts';
import { ec2Played } from './ec2-examples.ts';
import { lightsailPlayed, ovhcloudPlayed, scalewayPlayed, upcloudPlayed } from './shipped/played.ts';
import { digitaloceanPlayed, hetznerPlayed, instanceHostingPlayed, vultrPlayed } from './played-examples.ts';

const SAYS_NOTHING = 'doubt: takes an answer with nothing in it for a yes as well';

async function linesOf(adapter: Adapter, examples: Examples): Promise<readonly string[]> {
  const findings = await checkExamples(adapter, examples);
  return findings.map(({ check, level, said }) => `${level} ${check}: ${said}`);
}

const PAUSED =
  "doubt why it is paused: 5f2c1a7e-32db-4b09-9f5f-000000000005: the bot says that the service doesn't say why";
const NO_BIRTHDAYS =
  'doubt birthdays: an instance without createdAt can not be distinguished from another that gets its id';

/** What each service doesn't say no by. */
const SAYS_NO_OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  hetzner: ['wrong-state'],
  vultr: ['wrong-state', 'busy', 'protected'],
  scaleway: [],
  ec2: ['busy'],
};

describe.concurrent('without its service, each check is passed, and nothing that it offers is left out, by the adapter of', () => {
  test.each<[string, Examples, readonly string[]]>([
    ['hetzner', hetznerPlayed(), []],
    ['vultr', vultrPlayed(), []],
    ['digitalocean', digitaloceanPlayed(), []],
    ['scaleway', scalewayPlayed(), []],
    ['upcloud', upcloudPlayed(), [NO_BIRTHDAYS]],
    ['ovhcloud', ovhcloudPlayed(), [PAUSED]],
    ['lightsail', lightsailPlayed(), []],
    ['ec2', ec2Played(), []],
    // It is documented to answer a change with 202 or 204 and no more.
    [
      'instance-hosting',
      instanceHostingPlayed(),
      ['start', 'stop', 'restart', 'remove', 'adding an add-on', 'removing an add-on'].map((what) =>
        SAYS_NOTHING.replace(':', ` ${what}:`),
      ),
    ],
  ])('%s', async (service, examples, doubts) => {
    const lines = await linesOf(await loadAdapter(service), examples);
    expect(lines.filter((line) => /^(?:fault|doubt)/.test(line))).toEqual(doubts);
    expect(lines.filter((line) => line.includes('there is no example of'))).toEqual(
      (SAYS_NO_OTHERWISE[service] ?? ['busy', 'protected']).map(
        (means) => `not tried ${means}: there is no example of ${means}`,
      ),
    );
    // Those of one page have nothing that shifts.
    const isPaged = examples.list.length > 1;
    expect(lines.some((line) => line.startsWith('ok one comes again'))).toBe(isPaged);
  });
});

type Instances = Adapter['instances'];
type Mistake = (instances: Instances) => Partial<Instances>;

const withItem =
  (change: (one: Instance) => Instance): Mistake =>
  ({ list }) => {
    const [first] = listsOf(list);
    return { list: { ...first!, item: (record) => change(first!.item(record)) } };
  };

// Each mostly waits for its 429 to be over.
describe.concurrent('a mistake in an adapter is found without its service:', () => {
  test.each<[string, Mistake, RegExp]>([
    [
      'a status that is mapped wrongly',
      withItem((one) => (one.statusWord === 'off' ? { ...one, status: 'running' } : one)),
      /^fault list as meant: status is "running" and means "stopped"/,
    ],
    [
      'a word that it does not know taken for one that it knows',
      withItem((one) => (one.status === 'unknown' ? { ...one, status: 'running' } : one)),
      /^fault changed list: servers\.0\.status = "qzx-of-nobody": is read as "running"/,
    ],
    [
      'a page that is lost',
      ({ list }) => ({ list: { ...listsOf(list)[0]!, paging: () => ({ next: 'last', isFull: false }) } }),
      /^fault list as meant: 43, 50, 51 and 5 more: is on a page of the examples/,
    ],
    [
      'records in another order',
      ({ list }) => {
        const [first] = listsOf(list);
        return { list: { ...first!, items: (body) => first!.items(body)?.toReversed() } };
      },
      /^fault list as meant: id is "56" and means "50"/,
    ],
    [
      'one record that it can not read and throws for as a mistake of its own',
      withItem((one) => ({ ...one, labels: one.labels!.toSorted() })),
      /^fault changed list: servers\.0\.labels is missing: throws TypeError/,
    ],
    [
      'the machine that was asked for, whichever came',
      ({ one }) => ({
        one: (id) => ({ ...one(id), decode: (answer) => ({ ...one(id).decode(answer), id }) }),
      }),
      /^fault another one: what is said of 42 is read as 429/,
    ],
    [
      'an answer about another machine',
      ({ power }) => ({ power: (_, verb) => ({ ...power('42', verb), decode: power('42', verb).decode }) }),
      /^fault restart: takes an answer about another instance/,
    ],
    [
      'a yes in whatever comes with 200',
      ({ power }) => ({
        power: (id, verb) => ({ ...power(id, verb), decode: () => ({ actionId: '13' }) }),
      }),
      /^fault stop: takes \{\}, \[\], \{"ok":true\} and 1 more for a yes/,
    ],
    [
      'no action in the answer',
      ({ remove }) => ({ remove: (id) => ({ ...remove!(id), decode: () => ({}) }) }),
      /^fault remove: actionId is missing and means "13"/,
    ],
    [
      'an action that is over as soon as its word is not known',
      ({ action }) => ({
        action: (id) => ({
          path: action!(id).path,
          decode: ({ body }) => {
            const status = (body as { action?: { status?: string } } | undefined)?.action?.status;
            return { state: status === 'running' ? 'running' : 'done' };
          },
        }),
      }),
      /^fault changed action: .* = "qzx-of-nobody": is read as "done"/,
    ],
    [
      'an action that never ends',
      ({ action }) => ({ action: (id) => ({ ...action!(id), decode: () => ({ state: 'running' }) }) }),
      /^fault a late action: is read as missing, running, running, running/,
    ],
  ])('%s', async (_what, mistake, said) => {
    const { instances, ...rest } = await loadAdapter('hetzner');
    const wrong = { ...rest, instances: { ...instances, ...mistake(instances) } };
    expect(await linesOf(wrong, hetznerPlayed())).toContainEqual(expect.stringMatching(said));
  });

  test.each<[string, Partial<Adapter>, RegExp]>([
    [
      'a machine that is busy told as one in a wrong state',
      { faultOf: () => undefined },
      /^fault busy: is read as wrong-state/,
    ],
    [
      "a firewall's page taken for a refusal",
      { isError: () => true },
      /^fault a page with 403: is read as .*forbidden/,
    ],
    [
      'a page of another prefix taken for "there is none"',
      { isError: () => true },
      /^fault a wrong prefix: is taken for one: there is none/,
    ],
    [
      'an error of its own that it does not take for one',
      { isError: () => false },
      /^fault protected: is read as unclear/,
    ],
    [
      'an error that it throws for',
      {
        faultOf: ({ body }) =>
          (body as { error: { code: string } }).error.code.trim() === 'x' ? 'busy' : undefined,
      },
      /^fault changed refusals: .*isError or faultOf throws TypeError/,
    ],
  ])('%s', async (_what, mistake, said) => {
    const adapter = { ...(await loadAdapter('hetzner')), isError: undefined, ...mistake };
    const { isError, ...rest } = adapter;
    const wrong = isError ? { ...rest, isError } : rest;
    expect(await linesOf(wrong, hetznerPlayed())).toContainEqual(expect.stringMatching(said));
  });

  test('the sign of money, and an amount that is rounded', async () => {
    const adapter = await loadAdapter('vultr');
    const billing = adapter.billing?.kind === 'postpaid' ? adapter.billing : undefined;
    const { spending, charges } = billing!;
    const wrong: Adapter = {
      ...adapter,
      billing: {
        ...billing!,
        spending: {
          ...spending,
          decode: (answer) => {
            const month = spending.decode(answer);
            return { ...month, owedBefore: month.owedBefore!.replace('-', '') };
          },
        },
        charges: {
          ...charges!,
          item: (record) => ({ ...charges!.item(record), amount: '3' }),
        },
      },
    };
    const lines = await linesOf(wrong, vultrPlayed());
    expect(lines).toContain('fault this month: owedBefore is "40.50" and means "-40.50"');
    expect(lines).toContain('fault charges: amount is "3" and means "3.10"');
  });

  test('a sentence of the service that nobody would read', async () => {
    const { refusals, ...rest } = hetznerPlayed();
    const [first] = refusals;
    const body = { error: { code: 'unauthorized', reason: 'This key was revoked' } };
    const lines = await linesOf(await loadAdapter('hetzner'), {
      ...rest,
      refusals: [{ ...first!, answer: { status: 401, body }, says: 'This key was revoked' }],
    });
    expect(lines).toContain(
      'fault unauthorized: says "This key was revoked", and people read "unauthorized"',
    );
    expect(lines).toContain('fault not-found: there is no example of it');
  });
});

test('a key that is exchanged first is played as the service has it', async () => {
  const { auth: _, ...bare } = await loadAdapter('hetzner');
  const { auth } = await loadAdapter(resolve('test/clouds/outside/token-cloud.ts'));
  const adapter: Adapter = { ...bare, auth: auth! };
  const session = {
    body: { access_token: 'a-token-of-nobody', expires_in: 60 },
    means: { token: 'a-token-of-nobody', lastsMs: 60_000 },
  };
  const key = 'an-id:a-secret-of-nobody';
  const lines = await linesOf(adapter, { ...hetznerPlayed(), key, session });
  expect(lines.filter((line) => line.startsWith('fault'))).toEqual([]);
  expect(lines[0]).toMatch(/^ok session: /);
  const wrong = await linesOf(adapter, {
    ...hetznerPlayed(),
    key,
    session: { ...session, means: { lastsMs: 60 } },
  });
  expect(wrong[0]).toBe('fault session: lastsMs is 60000 and means 60');
  await expect(linesOf(adapter, hetznerPlayed())).rejects.toThrow(
    'examples.key is missing or none: the key must be ID:SECRET',
  );
});

test('what is read by POST is played so', async () => {
  const { instances, ...rest } = await loadAdapter('hetzner');
  const [first] = listsOf(instances.list);
  const adapter: Adapter = {
    ...rest,
    instances: {
      ...instances,
      list: { ...first!, path: '/list', post: { size: 1 } },
      one: (id) => ({ ...instances.one(id), path: '/one', post: { id } }),
    },
  };
  expect((await linesOf(adapter, hetznerPlayed())).filter((line) => line.startsWith('fault'))).toEqual([]);
});

test('what of the key stands in each path is played so, on each page', async () => {
  const { instances, ...rest } = await loadAdapter('hetzner');
  const [first] = listsOf(instances.list);
  const adapter: Adapter = {
    ...rest,
    auth: {
      headers: (key) => ({ 'X-Key': key }),
      inPath: (key) => ({ project: key.split(':')[1] ?? '' }),
    },
    instances: {
      ...instances,
      list: { ...first!, path: `/of/{project}${first!.path}` },
      one: (id) => ({ ...instances.one(id), path: `/of/{project}/servers/${id}` }),
    },
  };
  const lines = await linesOf(adapter, { ...hetznerPlayed(), key: 'a-secret:p-1' });
  expect(lines.filter((line) => line.startsWith('fault'))).toEqual([]);
  expect(lines).toContain('ok list as meant: 9, each as meant and in order');
});

test('calls that only a header tells apart are not taken for each other', async () => {
  const { instances, ...rest } = await loadAdapter('lightsail');
  const asking = (id: string) => ({
    ...instances.power(id, 'start'),
    decode: instances.power(id, 'stop').decode,
  });
  const adapter: Adapter = {
    ...rest,
    instances: {
      ...instances,
      power: (id, verb) => (verb === 'stop' ? asking(id) : instances.power(id, verb)),
    },
  };
  const { power, ...others } = lightsailPlayed();
  const stopped = { body: { operations: [] }, means: {} };
  const lines = await linesOf(adapter, { ...others, power: { ...power, start: stopped } });
  expect(lines).toContainEqual(expect.stringMatching(/^fault stop: /));
});

test('a list that an odd header ends is found', async () => {
  const { instances, ...rest } = await loadAdapter('scaleway');
  const [first, ...others] = listsOf(instances.list);
  const paging: ListRead<Instance>['paging'] = (page) => {
    const total = Number(page.answer.headers['x-total-count']);
    return total > 100 ? first!.paging(page) : { next: 'last', isFull: false };
  };
  const adapter: Adapter = { ...rest, instances: { ...instances, list: [{ ...first!, paging }, ...others] } };
  expect(await linesOf(adapter, scalewayPlayed())).toContain(
    'fault changed list: x-total-count: qzx-of-nobody: is read as the last page of all',
  );
});

test('examples that are not whole are said to be', () => {
  const { list, one: _, ...rest } = hetznerPlayed();
  expect(examplesIn({ examples: { ...rest, list: [], forced: 1, one: { body: {} } } })).toEqual({
    faults: [
      expect.stringMatching(/^examples\.list: /),
      expect.stringMatching(/^examples\.one\.means: /),
      expect.stringMatching(/^examples: .*forced/),
    ],
  });
  expect(list).toHaveLength(3);
  expect(examplesIn({ examples: hetznerPlayed() })).toEqual({ examples: hetznerPlayed() });
  expect(examplesIn({})).toEqual({});
});
