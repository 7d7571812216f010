import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { instance, type WorldInstance, worldOf } from '../../sandbox/world.ts';
import { answeredWith, answerTo, play, playTogether, type PlayOptions, turning } from '../support/sandbox.ts';

/** A fleet of 201: most run, and what needs somebody stands in the middle of the names. */
function fleet(): WorldInstance[] {
  const over: Record<number, Partial<WorldInstance>> = {
    70: { status: 'paused' },
    120: { status: 'error' },
    150: { status: 'deploy_failed' },
  };
  return Array.from({ length: 201 }, (_, index) =>
    instance(1_000 + index, `web-${index}`, {
      ...(index >= 10 && index < 20 ? { status: 'stopped' } : {}),
      ...over[index],
    }),
  );
}

const playFleet = (options: PlayOptions = {}): Promise<Sandbox> =>
  play({ ...options, hosting: { world: worldOf(fleet()), ...options.hosting } });
const together = playTogether({ hosting: { world: worldOf(fleet()) } });
const namesIn = (text: string): string[] =>
  text.split('\n').flatMap((line) => /^(?:• \S+ )?(web-\d+) \(/.exec(line)?.[1] ?? []);

describe('the list of instances', () => {
  it('begins with a summary of all of them, then shows trouble, then the stopped ones, then what runs by name', async () => {
    const sandbox = await together();
    const text = await answerTo(sandbox, 'ana', '/instances');
    const [summary, page] = text.split('\n');
    expect(summary).toBe(
      '201 instances: 3 in trouble (1 in error, 1 with a failed deploy, 1 paused), 10 stopped, 188 running.',
    );
    expect(page).toBe('1 to 40 of 201, trouble first, running last:');
    const stopped = Array.from({ length: 10 }, (_, index) => `web-${10 + index}`);
    expect(namesIn(text).slice(0, 16)).toEqual([
      'web-120',
      'web-150',
      'web-70',
      ...stopped,
      'web-0',
      'web-1',
      'web-2',
    ]);
    expect(text).toContain('[ In error 2 ] [ Paused 1 ] [ Stopped 10 ] [ Running 188 ]');
    expect(text).not.toContain('more');
  });

  it('of more than a screen is a table that its reader sorts, whose numbers are numbers', async () => {
    const sandbox = await together();
    const message = await answeredWith(sandbox, 'ana', '/instances');
    const table = message.blocks.find(({ type }) => type === 'data_table');
    expect(table).toMatchObject({ caption: 'Instances 1 to 40 of 201', page_size: 10 });
    const [head, first] = table!['rows'] as { type: string; text: string; value?: number }[][];
    expect(head?.map(({ text }) => text)).toEqual(['Instance', 'Status', 'Tier']);
    expect(first?.map(({ text }) => text)).toEqual(['web-120 (1120)', '🔴 error · unhealthy', 'budget']);
    expect(message.text).toMatch(
      /^201 instances: 3 in trouble [^\n]+\n[^\n]+\n• web-120 \(1120\) · 🔴 error/,
    );
  });

  it.each([
    [1, /\nweb-120 \(1120\) +\| 🔴 error · unhealthy +\| budget/, 'table'],
    [2, /\n• web-120 \(1120\) · 🔴 error · unhealthy · budget\n/, undefined],
    [3, /\n• web-120 \(1120\) · 🔴 error · unhealthy · budget\n/, undefined],
  ])('is plainer where Slack refuses %i richer forms of it', async (times, words, type) => {
    const sandbox = await playFleet();
    for (let time = 0; time < times; time++)
      sandbox.slack.failNext('response_url', { error: 'invalid_blocks' });
    const message = await answeredWith(sandbox, 'ana', '/instances');
    expect(sandbox.slack.read(message)).toMatch(words);
    expect(message.blocks.map((block) => block['type']).find((one) => String(one).includes('table'))).toBe(
      type,
    );
    expect(sandbox.slack.read(message)).not.toContain('more rows');
  });

  it('is narrowed by a button, which says how many it shows, and widened again', async () => {
    const sandbox = await playFleet();
    const { slack } = sandbox;
    const ana = slack.person('ana');
    const message = await answeredWith(sandbox, 'ana', '/instances list name:web-1*');
    expect(slack.read(message)).toContain('[ In error 2 ] [ Stopped 10 ] [ Running 99 ]');
    await ana.presses(message, 'Stopped 10');
    await slack.until(() =>
      slack.read(message).startsWith('10 of 201 instances match name:web-1* status:stopped'),
    );
    expect(namesIn(slack.read(message))).toEqual(
      Array.from({ length: 10 }, (_, index) => `web-${10 + index}`),
    );
    await ana.presses(message, 'All 111');
    await slack.until(() => slack.read(message).startsWith('111 of 201 instances match name:web-1*:'));
  });

  it('says of each how it is and what it is', async () => {
    const sandbox = await play();
    const message = await answeredWith(sandbox, 'ana', '/instances');
    expect(sandbox.slack.read(message)).toContain('🟢 web-1 (101) · running · balanced\n');
  });

  it('leads to the card of one of its page, and from there back to the page', async () => {
    const sandbox = await playFleet();
    const { slack } = sandbox;
    const ana = slack.person('ana');
    const message = await answeredWith(sandbox, 'ana', '/instances list status:running');
    await ana.presses(message, turning(sandbox, message, 'Next'));
    await slack.until(() => slack.read(message).includes('41 to 80 of 188'));
    const offered = await ana.searches(message, 'instances.show', '');
    const labels = offered.options.map((option) => JSON.stringify(option));
    expect(labels[0]).toContain(namesIn(slack.read(message))[0]);
    expect(labels).toHaveLength(100);
    expect(JSON.stringify(offered.optionGroups?.[0]?.['label'])).toContain('The first 100; type');
    expect((await ana.searches(message, 'instances.show', 'web-12')).options).not.toEqual([]);
    // It is no choice of a list of those that run.
    const stopped = await ana.searches(message, 'instances.show', 'web-11');
    expect(JSON.stringify(stopped.options)).not.toContain('"1011"');
    await ana.searches(message, 'instances.show', 'web-199');
    await ana.chooses(message, 'instances.show', '1199');
    await slack.until(() => slack.read(message).startsWith('🟢 web-199 (1199)'));
    await ana.presses(message, 'Back to the list');
    await slack.until(() => slack.read(message).includes('41 to 80 of 188'));
  });

  it('asks for rights at each press, and shows somebody else’s list to nobody', async () => {
    const sandbox = await playFleet({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
    const { slack } = sandbox;
    const [admin, ana, bob] = ['admin', 'ana', 'bob'].map((who) => slack.person(who));
    await admin!.types('#ops', '/lamplighter access grant viewer @ana on web-1*');
    await admin!.types('#ops', '/lamplighter access grant viewer @bob');
    await slack.until(() => bob!.dms.length > 0 && ana!.dms.length > 0);
    const message = await answeredWith(sandbox, 'ana', '/instances list name:web-*');
    expect(slack.read(message)).toMatch(/^111 of 111 instances match/);
    const next = JSON.stringify(message.blocks).match(/"value":"([\w-]{22}\.40@[\w-]+)"/)?.[1] ?? '';
    expect(next).not.toBe('');
    const bobs = await answeredWith(sandbox, 'bob', '/instances list name:web-*');
    // A forged press: bob's button with the value of ana's.
    const forged = JSON.stringify(bobs.blocks).replace(/"value":"[\w-]{22}\.40@[\w-]+"/, `"value":"${next}"`);
    bobs.edit({ ...bobs.content, blocks: JSON.parse(forged) as typeof bobs.blocks });
    await bob!.presses(bobs, turning(sandbox, bobs, 'Next'));
    await slack.until(() => slack.read(bobs).includes('That list was made for @ana'));
    await admin!.types('#ops', '/lamplighter access revoke viewer @ana on web-1*');
    await slack.until(() => ana!.dms.length > 1);
    await ana!.presses(message, turning(sandbox, message, 'Next'));
    await slack.until(() => slack.read(message).includes('took your viewer role back'));
  });

  it('says that a button is too old once the record behind it has expired', async () => {
    const sandbox = await playFleet();
    const { slack } = sandbox;
    const message = await answeredWith(sandbox, 'ana', '/instances list name:web-*');
    await forgetLists(sandbox);
    await slack.person('ana').presses(message, turning(sandbox, message, 'Next'));
    await slack.until(() =>
      slack.read(message).includes('That button is too old. Ask again with /instances list.'),
    );
  });

  it('shows each person what they may see, whoever asked a moment before', async () => {
    const sandbox = await playFleet({
      env: { LAMPLIGHTER_EVERYONE: 'none' },
      timings: { sharedForMs: 60_000 },
    });
    const { slack } = sandbox;
    // Its answer may come after what it is about is reported.
    expect(await answerTo(sandbox, 'admin', '/lamplighter access grant viewer @ana on web-1*')).toContain(
      '@ana is a viewer on web-1* now.',
    );
    await slack.until(() => slack.person('ana').dms.length > 0);
    expect(await answerTo(sandbox, 'admin', '/instances')).toMatch(/^201 instances:/);
    const anas = await answeredWith(sandbox, 'ana', '/instances');
    expect(slack.read(anas)).toMatch(/^111 instances:/);
    expect(slack.read(anas)).not.toContain('[ Restart ]');
    const again = await answeredWith(sandbox, 'admin', '/instances');
    expect(slack.read(again)).toMatch(/^201 instances:/);
    expect(slack.read(again)).toContain('[ Restart ]');
  });

  it('needs no record for as long as nothing narrows it', async () => {
    const sandbox = await playFleet();
    const { slack } = sandbox;
    const ana = slack.person('ana');
    const message = await answeredWith(sandbox, 'ana', '/instances');
    expect(await forgetLists(sandbox)).toBe(0);
    await ana.presses(message, turning(sandbox, message, 'Next'));
    await slack.until(() => slack.read(message).includes('41 to 80 of 201'));
    await ana.presses(message, 'Stopped 10');
    await slack.until(() => slack.read(message).startsWith('10 of 201 instances match status:stopped'));
    expect(await forgetLists(sandbox)).toBe(1);
  });
});

/** Deletes the records of lists, as their end does. Gives how many there were. */
async function forgetLists(sandbox: Sandbox): Promise<number> {
  const redis = new Redis(sandbox.redisUrl);
  onTestFinished(() => redis.disconnect());
  const names = await redis.keys('{lamplighter}:offer:list:*');
  for (const name of names) await redis.del(name);
  return names.length;
}
