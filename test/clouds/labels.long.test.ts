import { describe, expect, it } from 'vitest';
import type { CloudKind } from '../../sandbox/clouds/cloud.ts';
import type { MachineSpec } from '../../sandbox/clouds/machine.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { answeredWith, answerTo, privateTexts } from '../support/sandbox.ts';
import { CLOUDS, playOn, writesTo } from './play-on.ts';

const REGIONS: Readonly<Record<CloudKind, readonly [string, string]>> = {
  digitalocean: ['fra1', 'ams3'],
  hetzner: ['fsn1', 'nbg1'],
  vultr: ['fra', 'ams'],
};

function machinesOf(kind: CloudKind): readonly MachineSpec[] {
  const [here, there] = REGIONS[kind];
  return [
    { name: 'web-1', region: here, tags: ['team=web'], labels: { team: 'web' } },
    { name: 'web-2', region: there, tags: ['team=web', 'tier=a b'], labels: { team: 'web', tier: 'a b' } },
    { name: 'db-1', region: there, tags: ['team=data'], labels: { team: 'data' } },
  ];
}

const playLabeled = (kind: CloudKind): ReturnType<typeof playOn> =>
  playOn(kind, { machines: machinesOf(kind) });

const namesIn = (text: string): string[] => [...new Set(text.match(/\b(?:web|db)-\d\b/g) ?? [])].toSorted();

describe.each(CLOUDS)('a label and a region at %s', (kind) => {
  const [here, there] = REGIONS[kind];

  it.each([
    ['label:team=web', ['web-1', 'web-2']],
    ['LABEL:Team=WEB', ['web-1', 'web-2']],
    ['"label:tier=a b"', ['web-2']],
    ['label:"tier=a b"', ['web-2']],
    ['label:team', ['db-1', 'web-1', 'web-2']],
    ['-label:team=web', ['db-1']],
    ['label:team=we*,team=data', ['db-1', 'web-1', 'web-2']],
    [`region:${here.toUpperCase()}`, ['web-1']],
    [`region:${there} label:team=web`, ['web-2']],
    ['label:team = web', ['web-1', 'web-2']],
    ['label: team = web', ['web-1', 'web-2']],
    ['label: team=web', ['web-1', 'web-2']],
    ['label : team =web', ['web-1', 'web-2']],
    ['-label:team= web', ['db-1']],
    [`region : ${here}`, ['web-1']],
    [`label:team = web region: ${there}`, ['web-2']],
  ])('narrow a list: %s', async (filter, names) => {
    const { sandbox } = await playLabeled(kind);
    expect(namesIn(await answerTo(sandbox, 'ana', `/instances list ${filter}`))).toEqual(names);
  });

  it.each([
    ['label:team=wbe', 'I don\'t know the label "team=wbe". Did you mean team=web?', ['List label:team=web']],
    ['label:team:web', 'Did you mean team=web?', ['List label:team=web']],
    ['label:t', 'Did you mean', ['List label:team', 'List label:team=data']],
    [
      'label:zzz',
      'I don\'t know the label "zzz". There are team, team=data, team=web, tier, tier=a b.',
      ['List label:team', 'List label:team=data'],
    ],
    [
      'region:mars',
      `I don't know the region "mars". There are ${REGIONS[kind].toSorted().join(', ')}.`,
      [`List region:${there}`, `List region:${here}`],
    ],
    ['label:tem', 'Did you mean team?', ['List label:team']],
    ['label:web', 'Did you mean team=web?', ['List label:team=web']],
    [
      'label:team=marketing',
      'Did you mean team=data or team=web?',
      ['List label:team=data', 'List label:team=web'],
    ],
    [`region:${here.slice(0, 1)}`, `Did you mean ${here}?`, [`List region:${here}`]],
    ['tag:team=web', `I can't filter by "tag:team=web".`, ['List label:team=web']],
    ['team=web', `I can't filter by "team=web".`, ['List label:team=web']],
    ['addon:backup', "has no add-ons that I can list, so I can't filter by them.", []],
    [`location=${here}`, `I can't filter by "location=${here}".`, [`List region:${here}`]],
    ['"label:a b=c"', `I don't know the label "a b=c". There are team`, ['List label:team']],
  ])('that match nothing are answered with what is meant: %s', async (filter, words, offered) => {
    const { sandbox } = await playLabeled(kind);
    const answer = await answerTo(sandbox, 'ana', `/instances list ${filter}`);
    expect(answer).toContain(words);
    for (const label of offered) expect(answer).toContain(`[ ${label} ]`);
  });
});

describe.each(CLOUDS)('where something is done by a label or a region at %s, they', (kind) => {
  const [here] = REGIONS[kind];

  it('choose several for a change, and a slip chooses nothing', async () => {
    const { sandbox, cloud } = await playLabeled(kind);
    expect(await answerTo(sandbox, 'admin', '/instances stop label:team=wbe')).toContain(
      'Did you mean team=web? Nothing was done.',
    );
    const preview = await answeredWith(sandbox, 'admin', '/instances stop label:team=web');
    expect(namesIn(sandbox.slack.read(preview))).toEqual(['web-1', 'web-2']);
    await sandbox.slack.person('admin').presses(preview, 'Stop 2');
    await sandbox.settled();
    expect(writesTo(cloud)).toHaveLength(2);
    expect(
      cloud
        .effects()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['web-1', 'web-2']);
  });

  it('schedule what has it when a run comes', async () => {
    const { sandbox } = await playLabeled(kind);
    const asked = await answerTo(
      sandbox,
      'admin',
      `/instances schedule label:team=web region:${here} stop at 20:00 UTC`,
    );
    expect(asked).toContain('The filter is read again at each run. Now it matches 1: web-1 (');
    expect(
      await answerTo(sandbox, 'admin', '/instances schedule label:team=wbe stop at 20:00 UTC'),
    ).toContain('Did you mean team=web? Nothing was done.');
  });

  it('are understood with spaces in them, too, whatever is done', async () => {
    const { sandbox } = await playLabeled(kind);
    for (const line of ['/instances stop label:team = web', '@lamplighter stop label: team = web']) {
      const preview = sandbox.slack.read(await answeredWith(sandbox, 'admin', line));
      expect(namesIn(preview)).toEqual(['web-1', 'web-2']);
      expect(preview).toContain('[ Stop 2 ]');
    }
    expect(namesIn(await answerTo(sandbox, 'ana', '/instances label:team = data'))).toEqual(['db-1']);
    expect(namesIn(await answerTo(sandbox, 'ana', `/instances region : ${here}`))).toEqual(['web-1']);
    const asked = '/instances schedule label: team = web stop at 20:00 UTC';
    expect(await answerTo(sandbox, 'admin', asked)).toContain('Now it matches 2: web-1 (');
    expect(await answerTo(sandbox, 'admin', '/instances watch label:team = web')).toContain(
      `I'll post changes to label:team=web here`,
    );
    expect(await answerTo(sandbox, 'admin', '/instances unwatch label:team = web')).toContain(
      `label:team=web isn't watched any more`,
    );
    expect(await answerTo(sandbox, 'admin', '/instances save webs = label:team = web')).toContain(
      'label:team=web',
    );
  });

  it('watch what has it, and a slip watches nothing', async () => {
    const { sandbox } = await playLabeled(kind);
    expect(await answerTo(sandbox, 'admin', `/instances watch region:${here} label:team=web`)).toContain(
      `I'll post changes to region:${here} label:team=web here`,
    );
    expect(await answerTo(sandbox, 'admin', '/instances watch label:team=wbe')).toMatch(
      /I don't know the label "team=wbe"\. Did you mean team=web\?[\s\S]*\[ Watch label:team=web \]/,
    );
    expect(await answerTo(sandbox, 'admin', '/instances watch region:mars')).toContain(
      `I don't know the region "mars". There are ${REGIONS[kind].toSorted().join(', ')}.`,
    );
  });
});

/** The calls that read a list. */
const listReads = ({ cloud }: Sandbox): number =>
  (cloud?.calls ?? []).filter(({ path }) => /\/(servers|droplets|instances)$/.test(path)).length;

it.each(CLOUDS)(
  '5,000 machines at %s are narrowed by a label with no more reads than without',
  async (kind) => {
    const machines = Array.from({ length: 5_000 }, (_, index) => ({
      name: `m-${index}`,
      tags: [`team=${index % 7}`],
      labels: { team: `${index % 7}` },
    }));
    const limit = { requests: 2_000, seconds: 60 };
    const costs: number[] = [];
    for (const filter of ['', ' label:team=3', ' region:*', ' label:team=zzz']) {
      const { sandbox } = await playOn(
        kind,
        { machines },
        { adapter: { limit }, slack: { deadlineMs: 30_000 } },
      );
      const before = listReads(sandbox);
      const answer = await answerTo(sandbox, 'ana', `/instances list${filter}`);
      if (filter.includes('=3')) expect(answer).toMatch(/^714 of 5000 instances match label:team=3/);
      costs.push(listReads(sandbox) - before);
    }
    expect(costs).toEqual(costs.map(() => costs[0]));
    expect(costs[0]).toBe({ digitalocean: 26, hetzner: 100, vultr: 10 }[kind]);
  },
);

it('two accounts are each narrowed by their own labels', async () => {
  const { sandbox } = await playOn(
    'digitalocean',
    { machines: machinesOf('digitalocean') },
    { accounts: { words: { acme: { service: 'digitalocean' } } } },
  );
  for (const line of ['label:team=web', 'list acme label:team=web', 'stop acme:label:team=web']) {
    const answer = await answerTo(sandbox, 'ana', `/instances ${line}`);
    expect(answer).toMatch(/^`acme`\n/);
    expect(namesIn(answer)).toEqual(['web-1', 'web-2']);
  }
  await sandbox.slack.person('ana').types('#ops', '/instances list label:team=wbe');
  await sandbox.settled();
  const told = privateTexts(sandbox, 'ana').slice(-2).join('\n');
  expect(told).toMatch(/`acme`\n[^`]*I don't know the label "team=wbe"\. Did you mean team=web\?/);
  // The other one tells none.
  expect(told).toMatch(/`labs`\nThe hosting service doesn't list the labels of these instances/);
});
