import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { customer, instance } from '../../sandbox/world.ts';
import { answeredWith, answerTo, play } from '../support/sandbox.ts';

const COUNT = 120;

/** So many instances, each with a backup. */
function playMany(): Promise<Sandbox> {
  const instances = Array.from({ length: COUNT }, (_, index) =>
    instance(1_000 + index, `web-${index}`, { dailyCredits: 100 + index }),
  );
  const addons = instances.map(({ id }) => ({ id: 10_000 + id, type: 'backup', instanceId: id }));
  const harbour = customer('harbour', { instances, addons, balanceCredits: 1_000_000 });
  return play({
    env: { LAMPLIGHTER_EVERYONE: 'finance' },
    hosting: { world: { customers: [harbour] } },
  });
}

/** What is found on each page of a list, turned to its end and each time read. */
async function turned(
  { slack }: Sandbox,
  who: string,
  message: PostedMessage,
  pattern: RegExp,
): Promise<{ found: string[]; pages: number }> {
  const found: string[] = [];
  for (let pages = 1; ; pages++) {
    found.push(...[...slack.read(message).matchAll(pattern)].map(([, one]) => one ?? ''));
    if (!slack.read(message).includes('[ Next ]')) return { found, pages };
    await slack.person(who).presses(message, 'Next');
    await slack.until(() => message.edits.length === pages);
  }
}

describe('a list that is longer than a message', () => {
  it('of add-ons is turned to its end, and shows each once', async () => {
    const sandbox = await playMany();
    const message = await answeredWith(sandbox, 'ana', '/addons');
    expect(sandbox.slack.read(message)).toContain('120 active add-ons, ');
    expect(sandbox.slack.read(message)).toMatch(/\n1 to \d+ of 120:\n/);
    const { found, pages } = await turned(sandbox, 'ana', message, /· id (\d+)/g);
    expect(pages).toBeGreaterThan(2);
    expect(found.toSorted()).toEqual(
      Array.from({ length: COUNT }, (_, index) => `${11_000 + index}`).toSorted(),
    );
    expect(sandbox.slack.read(message)).not.toContain('more');
  });

  it('of costs is turned to its end, with what follows summed up and the whole on each page', async () => {
    const sandbox = await playMany();
    const { slack } = sandbox;
    const message = await answeredWith(sandbox, 'ana', '/billing usage');
    expect(slack.read(message)).toContain('1 to 49 of 120:');
    expect(slack.read(message)).toContain('71 that cost less are summed up as others.');
    const { found, pages } = await turned(sandbox, 'ana', message, /web-\d+ \((\d+)\)/g);
    expect(pages).toBe(3);
    // Most expensive first.
    expect(found).toEqual(Array.from({ length: COUNT }, (_, index) => `${1_119 - index}`));
    expect(slack.read(message)).toContain('Instances cost');
    expect(slack.read(message)).not.toContain('others');
    await slack.person('ana').presses(message, 'Previous');
    await slack.until(() => slack.read(message).includes('50 to 98 of 120:'));
    expect(slack.read(message)).toContain('22 that cost less');
  });

  it('is not turned for a person who may not see it any more', async () => {
    const sandbox = await playMany();
    const { slack } = sandbox;
    const message = await answeredWith(sandbox, 'ana', '/billing usage');
    await sandbox.stopBots();
    await sandbox.startBot({ LAMPLIGHTER_EVERYONE: 'viewer' });
    await slack.person('ana').presses(message, 'Next');
    await slack.until(() => slack.read(message).includes('You need the finance role'));
  });

  it('of what nobody has more of than fits has no pages', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'finance' } });
    for (const line of ['/addons', '/billing usage'])
      expect(await answerTo(sandbox, 'ana', line)).not.toMatch(/Next|Previous| to \d+ of /);
  });
});
