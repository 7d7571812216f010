import { describe, expect, test } from 'vitest';
import { checkExamples } from '../../sandbox/adapter-check/examples/check-examples.ts';
import { sentences } from '../../sandbox/adapter-check/says-checks.ts';
import { loadAdapter } from '../../src/app/load-adapter.ts';
import type { Adapter } from '../../src/platform/hosting/adapter.ts';
import type { Examples } from '../../src/platform/hosting/examples.ts';
import { instanceHostingPlayed } from './played-examples.ts';
import { lightsailPlayed, scalewayPlayed } from './shipped/played.ts';

async function linesOf(adapter: Adapter, examples: Examples): Promise<readonly string[]> {
  const findings = await checkExamples(adapter, examples);
  return findings.map(({ check, level, said }) => `${level} ${check}: ${said}`);
}

// Each mostly waits for its 429 to be over.
describe.concurrent('what an adapter offers is played, or told by its name:', () => {
  test('all that has no example, of a service with money and add-ons', async () => {
    const { list, one, power, refusals } = instanceHostingPlayed();
    const lines = await linesOf(await loadAdapter('instance-hosting'), {
      list: list.map((page) => ({
        ...page,
        means: page.means.map(({ id, name, status }) => ({ id, name, status })),
      })),
      one,
      power,
      refusals,
    });
    expect(lines.filter((line) => /^not tried (?!busy|protected).*there is no example/.test(line))).toEqual([
      ...[
        'balance',
        'usage',
        'transactions',
        'add-ons',
        'remove',
        'adding an add-on',
        'removing an add-on',
      ].map((what) => `not tried ${what}: there is no example of ${what}`),
      expect.stringMatching(
        /^not tried what is read of an instance: there is no example of can\.start, .*\btier\b.*\bcreatedAt\b/,
      ),
    ]);
  });

  test('why an instance is paused, where the balance tells it', async () => {
    const { list, ...rest } = instanceHostingPlayed();
    const [first] = list;
    const lines = await linesOf(await loadAdapter('instance-hosting'), { ...rest, list: [first!] });
    expect(lines).toContain(
      'not tried an instance that is paused: there is no example of an instance that is paused',
    );
  });

  test('one of several lists', async () => {
    const { otherLists = [], ...rest } = scalewayPlayed();
    const lines = await linesOf(await loadAdapter('scaleway'), {
      ...rest,
      otherLists: otherLists.slice(0, 8),
    });
    expect(lines).toContain('fault list 10: there is no example of list 10, which may be an empty page');
  });

  test('actions, what was begun, and what faultOf tells', async () => {
    const { action: _, begun: __, refusals, ...rest } = lightsailPlayed();
    const told = refusals.filter(({ answer }) => answer.status === 500);
    const lines = await linesOf(await loadAdapter('lightsail'), { ...rest, refusals: told });
    for (const what of ['a late action', 'a failed action', 'begun', 'what faultOf tells'])
      expect(lines).toContain(`not tried ${what}: there is no example of ${what}`);
  });

  test('mistakes in add-ons are found', async () => {
    const { addons, ...rest } = await loadAdapter('instance-hosting');
    const { list, add, remove } = addons!;
    const wrong: Adapter = {
      ...rest,
      addons: {
        list: { ...list, item: (record) => ({ ...list.item(record), dailyCredits: 'some' }) },
        add: (id, asked) => ({ ...add!(id, asked), decode: add!('42', asked).decode }),
        remove: (id) => ({ ...remove!(id), path: '/addons' }),
      },
    };
    const lines = await linesOf(wrong, instanceHostingPlayed());
    expect(lines).toContain('fault add-ons: dailyCredits is "some" and means "45"');
    expect(lines).toContainEqual(
      expect.stringMatching(/^fault changed add-ons: .*dailyCredits is "some", which is no amount/),
    );
    expect(lines).toContain('fault adding an add-on: takes an answer about another instance');
    expect(lines.some((line) => line.startsWith('ok removing an add-on'))).toBe(false);
  });

  test('mistakes in what was begun are found', async () => {
    const { instances, ...rest } = await loadAdapter('lightsail');
    const begun: Adapter['instances']['begun'] = (id) => ({
      ...instances.begun!(id),
      decode: (answer) => {
        const { actions } = instances.begun!(id).decode(answer);
        return { hasMore: false, actions: actions.map((one) => ({ ...one, does: one.does ?? 'stop' })) };
      },
    });
    const shown = lightsailPlayed();
    const lines = await linesOf(
      { ...rest, instances: { ...instances, begun } },
      { ...shown, begun: { ...shown.begun!, hasMore: true } },
    );
    expect(lines).toContainEqual(expect.stringMatching(/^fault begun: .*hasMore is false and means true/));
    expect(lines).toContainEqual(
      expect.stringMatching(/^fault changed begun: .*operationType = "qzx-of-nobody": is read as "stop"/),
    );
  });
});

test.each<[string, Partial<Adapter>, RegExp]>([
  [
    'a deletion that is told and not offered',
    { deletion: { takes: ['its disk'], leaves: 'Nothing stays', inShort: 'All goes.' } },
    /is told, and the adapter has no instances\.remove/,
  ],
  [
    'why there is none, without a full stop',
    { deletion: { notOffered: 'Delete it there' } },
    /"Delete it there" is not a sentence/,
  ],
  [
    'what a stopped one costs, without a full stop',
    { stoppedCosts: 'it costs' },
    /"it costs" is not a sentence/,
  ],
  [
    'what happens at zero, as a sentence',
    {
      billing: { kind: 'prepaid', atZero: { does: 'Pauses them.', resumes: true } },
    },
    /"Pauses them\." does not go on after "the host"/,
  ],
])('words that would not read well are found: %s', async (_what, wrong, said) => {
  const adapter = { ...(await loadAdapter('lightsail')), ...wrong };
  expect(sentences(adapter).filter(({ level }) => level === 'fault')).toEqual([
    expect.objectContaining({ said: expect.stringMatching(said) }),
  ]);
});

test('an end of what stays, and a deletion that is offered and said not to be, are found', async () => {
  const adapter = await loadAdapter('hetzner');
  const said = [
    { takes: ['its disk'], leaves: 'Its addresses stay.', inShort: 'It goes.' },
    { takes: ['its disk.'], leaves: 'Its addresses stay', inShort: 'It goes.' },
    { takes: ['its disk'], leaves: 'Its addresses stay', inShort: 'It goes' },
    { notOffered: 'Delete it there.' },
  ].map((deletion) => sentences({ ...adapter, deletion })[0]?.level);
  expect(said).toEqual(['fault', 'fault', 'fault', 'fault']);
  expect(sentences(adapter)[0]?.level).toBe('ok');
});
