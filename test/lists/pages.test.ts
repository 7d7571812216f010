import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instance, worldOf } from '../../sandbox/world.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { parsePlace, placeValue, WHOLE_LIST } from '../../src/core/lists/asked-page.ts';
import { play, turning } from '../support/sandbox.ts';
import { runs } from '../support/runs.ts';

const fleet = (count: number, name: (index: number) => string): ReturnType<typeof worldOf> =>
  worldOf(Array.from({ length: count }, (_, index) => instance(1_000 + index, name(index))));
const numbered = (index: number): string => `web-${String(index).padStart(5, '0')}`;
const namesIn = (text: string): string[] => text.match(/web-\d+/g) ?? [];

describe('a list of instances that is longer than a message', () => {
  it('is turned page by page, in place, until each was seen once, and back', async () => {
    const sandbox = await play({ hosting: { world: fleet(95, numbered) } });
    const { slack } = sandbox;
    const ana = slack.person('ana');
    const interaction = await ana.types('#ops', '/instances list name:web-*');
    const seen: string[] = [];
    await slack.until(() => interaction.ephemeral.length > 0);
    const [message] = interaction.ephemeral as [PostedMessage];
    for (let page = 1; ; page++) {
      const text = slack.read(message);
      expect(text).toContain(
        `${seen.length + 1} to ${seen.length + namesIn(text).length} of 95, trouble first`,
      );
      seen.push(...namesIn(text));
      if (!text.includes('Next')) break;
      await ana.presses(message, turning(sandbox, message, 'Next'));
      await slack.until(() => message.edits.length === page);
    }
    expect(seen).toEqual(Array.from({ length: 95 }, (_, index) => numbered(index)));
    const pages = message.edits.length;
    await ana.presses(message, turning(sandbox, message, 'Previous'));
    await slack.until(() => message.edits.length === pages + 1);
    expect(slack.read(message)).toContain('41 to 80 of 95');
  });

  it('is turned in a thread, where it was asked by a mention, as well', async () => {
    const sandbox = await play({ hosting: { world: fleet(52, numbered) } });
    const { slack } = sandbox;
    const bob = slack.person('bob');
    const root = await bob.types('#ops', 'what runs?');
    await bob.mentions('#ops', 'list', { thread: root.message!.ts });
    const said = (): PostedMessage | undefined => slack.channel('#ops').ephemeralFor('bob')[0];
    await slack.until(() => said() && slack.read(said()!).includes('1 to 40 of 52'));
    await bob.presses(said()!, turning(sandbox, said()!, 'Next'));
    await slack.until(() => slack.read(said()!).includes('41 to 52 of 52'));
  });

  it('goes on where it was, whatever has recovered or gone on the pages before', async () => {
    const world = worldOf(
      Array.from({ length: 60 }, (_, index) =>
        instance(1_000 + index, numbered(index), index < 57 ? {} : { status: 'error' }),
      ),
    );
    const sandbox = await play({ hosting: { world } });
    const { slack } = sandbox;
    const ana = slack.person('ana');
    const interaction = await ana.types('#ops', '/instances');
    await slack.until(() => interaction.ephemeral.length > 0);
    const [message] = interaction.ephemeral as [PostedMessage];
    expect(namesIn(slack.read(message)).at(-1)).toBe(numbered(36));
    sandbox.hosting.changeStatus(1_059, 'running');
    sandbox.hosting.removeInstance(1_010);
    await ana.presses(message, turning(sandbox, message, 'Next'));
    await slack.until(() => slack.read(message).includes('39 to 59 of 59'));
    expect(slack.read(message)).toMatch(/^59 instances: 2 in error, 57 running\./);
    const others = Array.from({ length: 20 }, (_, index) => numbered(37 + index));
    expect(namesIn(slack.read(message))).toEqual([...others, numbered(59)]);
    await ana.presses(message, turning(sandbox, message, 'Previous'));
    await slack.until(() => slack.read(message).includes('1 to 40 of 59'));
  });

  it('shows its last page where it has become shorter meanwhile', async () => {
    const sandbox = await play({ hosting: { world: fleet(85, numbered) } });
    const { slack } = sandbox;
    const interaction = await slack.person('ana').types('#ops', '/instances');
    await slack.until(() => interaction.ephemeral.length > 0);
    for (let index = 0; index < 60; index++) sandbox.hosting.removeInstance(1_000 + index);
    await slack
      .person('ana')
      .presses(interaction.ephemeral[0]!, turning(sandbox, interaction.ephemeral[0]!, 'Next'));
    await slack.until(() => slack.read(interaction.ephemeral[0]!).includes('25 instances'));
    expect(namesIn(slack.read(interaction.ephemeral[0]!))).toHaveLength(25);
  });

  it('of names as long as they can be leaves none out either', async () => {
    const sandbox = await play({
      hosting: { world: fleet(45, (index) => `${numbered(index)}-${'"'.repeat(280)}`) },
    });
    const { slack } = sandbox;
    const ana = slack.person('ana');
    const interaction = await ana.types('#ops', '/instances');
    await slack.until(() => interaction.ephemeral.length > 0);
    const [message] = interaction.ephemeral as [PostedMessage];
    const seen = namesIn(slack.read(message));
    for (let page = 1; slack.read(message).includes('Next'); page++) {
      await ana.presses(message, turning(sandbox, message, 'Next'));
      await slack.until(() => message.edits.length === page);
      seen.push(...namesIn(slack.read(message)));
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, index) => numbered(index)));
  });
});

it('a place in a list comes back from its value as it was, and no other value is one', () => {
  const id = fc.string({ unit: fc.constantFrom(...'abcXYZ019_-'), minLength: 22, maxLength: 22 });
  fc.assert(
    fc.property(
      fc.oneof(id, fc.constant(WHOLE_LIST)),
      fc.nat({ max: 999_999 }),
      fc.constantFrom(undefined, 'all', 'stopped'),
      fc.constantFrom(undefined, '6-1040', '0-a.b:c~d'),
      (listId, from, quick, start) => {
        const place = { listId, from, quick, start };
        expect(parsePlace(placeValue(place))).toEqual(place);
      },
    ),
    { numRuns: runs(5_000) },
  );
  fc.assert(
    fc.property(fc.string(), (value) => {
      const place = parsePlace(value);
      if (place) expect(placeValue(place)).toBe(value);
    }),
    { numRuns: runs(5_000) },
  );
  expect(parsePlace('0')).toBeUndefined();
});
