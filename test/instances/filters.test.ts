import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { instance, worldOf } from '../../sandbox/world.ts';
import { parseFilters } from '../../src/core/instances/filter.ts';
import type { Instance } from '../../src/platform/hosting/service.ts';
import { runs } from '../support/runs.ts';
import { answeredWith, answerTo, play, powerCalls } from '../support/sandbox.ts';

const LIST = /\/addons(\?|$)/;

describe('a filter for add-ons', () => {
  const world = (): ReturnType<typeof worldOf> =>
    worldOf([instance(1, 'web-1'), instance(2, 'web-2'), instance(3, 'web-3')], {
      addons: [
        { id: 10, type: 'llm', instanceId: 1 },
        { id: 11, type: 'backup', instanceId: 2 },
        { id: 12, type: 'llm', instanceId: 3, status: 'canceled' },
      ],
    });

  it('lists the instances that have one, or none, by one more read', async () => {
    const sandbox = await play({ hosting: { world: world() } });
    expect(await answerTo(sandbox, 'ana', '/instances list addon:llm')).toMatch(
      /^1 of 3 instances matches addon:llm: 1 running\.\n• 🟢 web-1/,
    );
    expect(sandbox.hosting.countCalls('GET', LIST)).toBe(1);
    expect(await answerTo(sandbox, 'ana', '/instances -addon:llm,backup')).toContain('web-3 (3)');
    await answerTo(sandbox, 'ana', '/instances list name:web-*');
    expect(sandbox.hosting.countCalls('GET', LIST)).toBe(2);
  });

  it('chooses several at once', async () => {
    const sandbox = await play({ hosting: { world: world() } });
    const preview = await answeredWith(sandbox, 'ana', '/instances stop addon:*');
    expect(sandbox.slack.read(preview)).toContain('Stop 2 instances?');
    expect(sandbox.slack.read(preview)).not.toContain('web-3');
  });

  it('is refused in words where the add-ons can not be read', async () => {
    const sandbox = await play({ hosting: { world: world() } });
    sandbox.hosting.failNext({ method: 'GET', path: LIST }, 500, 50);
    const no = "I can't filter by add-on, because the hosting service gave me no list of add-ons just now.";
    expect(await answerTo(sandbox, 'ana', '/instances list addon:llm')).toContain(no);
    expect(await answerTo(sandbox, 'ana', '/instances stop addon:llm')).toContain(no);
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is not enough to choose by where the list of add-ons is incomplete', async () => {
    const instances = Array.from({ length: 10 }, (_, index) => instance(index + 1, `web-${index + 1}`));
    const addons = instances.map(({ id }) => ({ id: 100 + id, type: 'llm', instanceId: id }));
    const sandbox = await play({
      hosting: {
        world: worldOf(instances.slice(0, 4), { addons }),
        variant: { paging: { style: 'total alone', size: 5 } },
      },
    });
    expect(await answerTo(sandbox, 'ana', '/instances list -addon:llm')).toContain(
      'This list is incomplete: the service has 10 add-ons',
    );
    expect(await answerTo(sandbox, 'ana', '/instances stop -addon:llm')).toContain(
      "So I can't tell which instances match, and nothing was done.",
    );
  });
});

/** What a word of a filter says, apart from how it is written. */
interface Said {
  readonly field: 'status' | 'tier' | 'name' | 'health' | 'addon';
  readonly isNot: boolean;
  readonly values: readonly string[];
}

const VALUES = ['a', 'b', 'ab', 'running'];
const value = fc.constantFrom(...VALUES);
const said: fc.Arbitrary<Said> = fc.record({
  field: fc.constantFrom('status', 'tier', 'name', 'health', 'addon'),
  isNot: fc.boolean(),
  values: fc.array(
    fc.oneof(
      value,
      value.map((one) => `${one}*`),
    ),
    { minLength: 1, maxLength: 3 },
  ),
});
const some = fc.option(value, { nil: undefined });
const anInstance = fc.record({ name: value, tier: some, health: some, word: value, addons: fc.array(value) });

/** The same as plainly as it can be said: OR within a word, AND between words. */
function isMeant(words: readonly Said[], of: Readonly<Record<Said['field'], readonly string[]>>): boolean {
  return words.every(
    ({ field, isNot, values }) =>
      of[field].some((has) =>
        values.some((one) => (one.endsWith('*') ? has.startsWith(one.slice(0, -1)) : has === one)),
      ) !== isNot,
  );
}

test('whatever is typed as filters passes exactly what it says, in any case and with empty values left out', () => {
  fc.assert(
    fc.property(fc.array(said, { maxLength: 4 }), anInstance, fc.boolean(), (words, one, isShouted) => {
      const { name, tier, health, word, addons } = one;
      const its: Instance = {
        id: '1',
        name,
        status: 'unknown',
        statusWord: word,
        can: {},
        ...(tier === undefined ? {} : { tier }),
        ...(health === undefined ? {} : { health }),
      };
      const typed = words.map(({ field, isNot, values }) => {
        const text = `${isNot ? '-' : ''}${field}:${values.join(',,')},`;
        return isShouted ? text.toUpperCase() : text;
      });
      const list = (given: string | undefined): string[] => (given === undefined ? [] : [given]);
      const of = {
        name: [name],
        tier: list(tier),
        health: list(health),
        status: ['unknown', word],
        addon: addons,
      };
      expect(parseFilters(typed, 0, () => addons)(its)).toBe(isMeant(words, of));
      // Nobody who may not know the add-ons learns of them by either filter.
      const hasAddon = words.some(({ field }) => field === 'addon');
      if (hasAddon) expect(parseFilters(typed, 0, () => undefined)(its)).toBe(false);
    }),
    { numRuns: runs(20_000) },
  );
});
