import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { instance, worldOf } from '../../sandbox/world.ts';
import { FILTER_FIELDS } from '../../src/core/instances/filter.ts';
import type { MachineSpec } from '../../sandbox/clouds/machine.ts';
import { CLOUDS, playOn, writesTo } from '../clouds/play-on.ts';
import { answeredWith, answerTo, play, powerCalls } from '../support/sandbox.ts';

const REGIONS = { digitalocean: ['fra1', 'ams3'], hetzner: ['fsn1', 'nbg1'], vultr: ['fra', 'ams'] };

describe.each(CLOUDS)('at %s', (kind) => {
  const [here = '', there = ''] = REGIONS[kind];
  const machines: MachineSpec[] = [
    { name: 'web-1', region: here, tags: ['env=prod'], labels: { env: 'prod' } },
    { name: 'web-2', region: there, tags: ['env=dev'], labels: { env: 'dev' } },
    { name: 'db-1', region: there, tags: [], labels: {} },
  ];

  it('a list is narrowed by region, by label and by address', async () => {
    const { sandbox } = await playOn(kind, { machines });
    const listed = await answerTo(sandbox, 'ana', `/instances list region:${there}`);
    expect(listed).toMatch(/^2 of 3 instances match region:\S+: 2 running\.\n• 🟢 db-1 .*\n• 🟢 web-2 /);
    expect(await answerTo(sandbox, 'ana', '/instances label:env=prod')).toMatch(/^1 of 3 .*\n• 🟢 web-1 /);
    const card = await answerTo(sandbox, 'ana', '/instances show web-2');
    expect(card).toContain(`Region: ${there}`);
    expect(card).toContain('Labels: env=dev');
    const ip = /IP: (\S+)/.exec(card)?.[1] ?? '';
    expect(await answerTo(sandbox, 'ana', `/instances list address:${ip}`)).toMatch(
      /^1 of 3 .*\n• 🟢 web-2 /,
    );
    expect(await answerTo(sandbox, 'ana', `/instances show ${ip}`)).toMatch(/^🟢 web-2 /);
    expect(await answerTo(sandbox, 'ana', `/instances list region:${here}x label:env=prod`)).toContain(
      `I don't know the region "${here}x". Did you mean ${here}?`,
    );
  });

  it('a change by an address is a button, and nothing is done before it is pressed', async () => {
    const { cloud, sandbox } = await playOn(kind, { machines });
    const ip = /IP: (\S+)/.exec(await answerTo(sandbox, 'ana', '/instances show web-2'))?.[1] ?? '';
    const asked = await answeredWith(sandbox, 'ana', `/instances stop ${ip}`);
    expect(sandbox.slack.read(asked)).toMatch(/\[ Stop web-2 \(\S+\) \]/);
    await sandbox.settled();
    expect(writesTo(cloud)).toEqual([]);
  });
});

it('a host name that stands only on its card is found, and offered for a change', async () => {
  const sandbox = await play({ hosting: { world: worldOf([instance(1, 'web-1'), instance(10, 'web-10')]) } });
  const host = /Address: (\S+)/.exec(await answerTo(sandbox, 'ana', '/instances show web-1'))?.[1] ?? '';
  expect(host).toContain('.');
  expect(await answerTo(sandbox, 'ana', `/instances show ${host}`)).toMatch(/^🟢 web-1 \(1\)/);
  const asked = await answeredWith(sandbox, 'ana', `/instances restart ${host}`);
  expect(sandbox.slack.read(asked)).toContain('[ Restart web-1 (1) ]');
  await sandbox.settled();
  expect(powerCalls(sandbox)).toBe(0);
});

describe('where the service tells no region and no labels', () => {
  it.each([
    ['list region:fra', "The hosting service doesn't list the regions of these instances"],
    ['list -label:env=prod', "The hosting service doesn't list the labels of these instances"],
    ['list host:*.example.com', "The hosting service doesn't list the host names of these instances"],
    ['stop label:env=dev', 'so I can\'t filter by "label:env=dev". Nothing was done.'],
    ['watch region:fra', "The hosting service doesn't list the regions of these instances"],
    ['schedule region:fra stop at 20:00 UTC', 'Nothing was done.'],
  ])('a filter by one says so: %s', async (words, no) => {
    const sandbox = await play({ hosting: { world: worldOf([instance(1, 'web-1')]) } });
    expect(await answerTo(sandbox, 'admin', `/instances ${words}`)).toContain(no);
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });
});

it('help and the pages name each filter that there is', async () => {
  const sandbox = await play();
  const help = await answerTo(sandbox, 'ana', '/lamplighter help filters');
  const pages = ['docs/using.md', 'docs/commands.md'].map((page) => readFileSync(page, 'utf8'));
  const no = await answerTo(sandbox, 'ana', '/instances list color:red');
  for (const field of FILTER_FIELDS)
    for (const text of [help, no, ...pages]) expect(text).toContain(`${field}:`);
});
