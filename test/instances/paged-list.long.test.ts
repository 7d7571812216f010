import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PagingStyle } from '../../sandbox/hosting/variant.ts';
import { customer, instance } from '../../sandbox/world.ts';
import { answeredWith, opensModal, play, powerCalls, privateTexts, runToEnd } from '../support/sandbox.ts';

const FOLLOWED: readonly PagingStyle[] = ['pages', 'cursor', 'link header', 'Next-Range'];
const OF_SIXTY = 'This list is incomplete: the service has 60 instances, and I could read only 25.';
const MORE = 'This list is incomplete: the service has more instances, and I could read only 25.';
const PERHAPS = 'This list may be incomplete: exactly 25 instances came, a full page';

/** A customer with 60 instances, 60 add-ons and 250 transactions, and a service that gives so many at a time. */
function playPaged(style: PagingStyle, size: number): Promise<Sandbox> {
  const instances = Array.from({ length: 60 }, (_, index) => instance(1_001 + index, `web-${index + 1}`));
  const addons = instances.map(({ id }) => ({ type: 'backup', instanceId: id }));
  const harbour = customer('harbour', { balanceCredits: 90_000, pastTransactions: 250, instances, addons });
  return play({
    env: { LAMPLIGHTER_EVERYONE: 'admin' },
    hosting: { world: { customers: [harbour] }, variant: { paging: { style, size } } },
  });
}

/** What ana reads after typing this, once it has these words. */
async function asked(sandbox: Sandbox, line: string, words: RegExp = /./): Promise<string> {
  const before = privateTexts(sandbox, 'ana').length;
  await sandbox.slack.person('ana').types('#ops', line);
  return sandbox.slack.until(() =>
    privateTexts(sandbox, 'ana')
      .slice(before)
      .find((text) => words.test(text)),
  );
}

describe.each(FOLLOWED)('a service that pages by %s', (style) => {
  it('is read to its end: 60 instances, every transaction in the file, and its sums', async () => {
    const sandbox = await playPaged(style, 25);
    const list = await asked(sandbox, '/instances');
    expect(list).toMatch(/^60 instances: 60 running\.\n1 to 40 of 60,/);
    expect(list).not.toContain('incomplete');
    const sent = await asked(sandbox, '/billing transactions --csv', /direct messages|no file/);
    expect(sent).toContain('with 250 rows');
    expect(sent).toContain('The rows add up');
  });
});

describe.each([
  ['total alone', OF_SIXTY],
  ['has_more alone', MORE],
  ['silent', PERHAPS],
] as const)('a service that gives 25 of 60 and says %s', (style, words) => {
  it('is never shown as 25 instances: the list, its filter, a name that is not in it, and the add-ons say so', async () => {
    const sandbox = await playPaged(style, 25);
    const list = await asked(sandbox, '/instances');
    expect(list).toMatch(/^At least 25 instances: 25 running\./);
    expect(list).toContain(words);
    expect(await asked(sandbox, '/instances list name:web-1')).toMatch(/^1 of at least 25 instances/);
    expect(await asked(sandbox, '/instances list name:nothing')).toContain(
      'None of the 25 instances that I could read matches.',
    );
    for (const line of ['/instances show web-40', '/instances restart web-40']) {
      const none = await asked(sandbox, line);
      expect(none).toContain(words);
      expect(none).toContain('If it is one of the others, give me its id.');
    }
    expect(await asked(sandbox, '/instances show 1040')).toContain('web-40 (1040)');
    const addons = await asked(sandbox, '/addons');
    expect(addons).toMatch(/^At least 25 active add-ons, at least /);
    expect(addons).toContain(words.replaceAll('instances', 'add-ons'));
  });
});

it('a deletion names no add-ons from a list that is incomplete', async () => {
  const sandbox = await playPaged('has_more alone', 25);
  const view = await opensModal(sandbox, 'admin', '/instances delete 1001');
  expect(sandbox.slack.readView(view)).toContain('its add-ons, which I could not read right now');
});

it('what is not in the part of a list that could be read is acted on by its id, and stands in the picker by it', async () => {
  const sandbox = await playPaged('total alone', 25);
  const ana = sandbox.slack.person('ana');
  await runToEnd(sandbox, 'ana', '/instances restart 1040');
  expect(powerCalls(sandbox, 'restart')).toBe(1);
  const message = await answeredWith(sandbox, 'ana', '/instances stop');
  const found = await ana.searches(message, 'Pick an instance to stop', '1050');
  expect(found.options.map((option) => option['value'])).toEqual(['1050']);
  expect(JSON.stringify(found.optionGroups)).toContain('25 of 60 could be read; type an id for others');
});

it('a write by name is asked about while another one that could not be read may have the name, and done by its id', async () => {
  const sandbox = await playPaged('total alone', 25);
  for (const line of ['/instances restart web-1', '/addons remove backup web-1', '/instances delete web-1']) {
    const asks = await asked(sandbox, line);
    expect(asks).toContain("web-1 (1001) is called that, and one that I couldn't read may be, too");
    expect(asks).toContain(`${OF_SIXTY} If it is one of the others, give me its id.`);
    expect(asks).toContain('Pick an instance to');
  }
  await sandbox.settled();
  expect(powerCalls(sandbox)).toBe(0);
  for (const line of ['/instances restart 1001', '/instances restart web-2 (1002)']) {
    await runToEnd(sandbox, 'ana', line);
  }
  expect(powerCalls(sandbox, 'restart')).toBe(2);
});

it('a write by name is done where a full page only may not be all', async () => {
  const sandbox = await playPaged('silent', 25);
  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  expect(powerCalls(sandbox, 'restart')).toBe(1);
});

it.each([
  [
    'total alone',
    "The file isn't complete: the hosting service has 250 transactions, and I found no way to read",
  ],
  ['silent', "The file isn't complete: the hosting service seems to have more, but gave me the same ones"],
] as const)(
  'a file of 50 rows of 250 from a service that says %s claims neither to be all nor to add up',
  async (style, words) => {
    const sandbox = await playPaged(style, 50);
    const sent = await asked(sandbox, '/billing transactions --csv', /direct messages|no file/);
    expect(sent).toContain('with 50 rows');
    expect(sent).toContain(words);
    expect(sent).not.toContain('add up:');
    const shown = await asked(sandbox, '/billing transactions --type adjustment');
    expect(shown).toContain('This list is incomplete: the service');
  },
);

it('an account with few instances never reads that it may have more', async () => {
  const instances = [1, 2, 3].map((id) => instance(id, `web-${id}`));
  const sandbox = await play({ hosting: { world: { customers: [customer('harbour', { instances })] } } });
  expect(await asked(sandbox, '/instances')).not.toContain('incomplete');
  expect(await asked(sandbox, '/instances show nothing')).not.toContain('incomplete');
});
