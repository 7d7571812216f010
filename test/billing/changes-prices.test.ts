import { describe, expect, it } from 'vitest';
import { instance, type WorldAddon, type WorldInstance, worldOf } from '../../sandbox/world.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { answerTo, answeredWith, play } from '../support/sandbox.ts';

const fleet = (status: WorldInstance['status']): readonly WorldInstance[] => [
  instance(101, 'stg-1', { status }),
  instance(102, 'stg-2', { status }),
];
const PICK = 'Pick what to stop';
const BACKUP: WorldAddon = { id: 901, type: 'backup', instanceId: 101 };

function having(instances: readonly WorldInstance[], addons: readonly WorldAddon[] = []): Promise<Sandbox> {
  const world = worldOf(instances, { addons });
  return play({ hosting: { world }, env: { LAMPLIGHTER_EVERYONE: 'admin' } });
}

describe('who starts several', () => {
  it('reads what that costs a day, which is no part of what stopped ones cost', async () => {
    const sandbox = await having(fleet('stopped'));
    const preview = await answerTo(sandbox, 'ana', '/instances start name:stg-* --dry-run');
    expect(preview).toContain('Costs about 20 credits a day more.');
    expect(preview).toMatch(/The balance now: .* After that: .*50 days left/);
  });

  it('reads nothing of that where what they cost now can not be read', async () => {
    const sandbox = await having(fleet('stopped'));
    sandbox.hosting.failNext({ path: /usage$/ }, { answer: 503, done: false }, 20);
    const preview = await answerTo(sandbox, 'ana', '/instances start name:stg-* --dry-run');
    expect(preview).toContain('stg-2');
    expect(preview).not.toContain('Costs about');
  });
});

describe('who stops what has add-ons, which may cost nothing then, either,', () => {
  const counted = 'not counting add-ons';

  it.each([
    ['/instances stop name:stg-* --dry-run', `Saves at most 20 credits a day, ${counted}.`],
    ['/billing buy-time', `What stopping one saves at most, ${counted}; some services charge`],
  ])('reads so: %s', async (line, words) => {
    expect(await answerTo(await having(fleet('running'), [BACKUP]), 'ana', line)).toContain(words);
    const none = await having(fleet('running'), [{ ...BACKUP, status: 'canceled' }]);
    expect(await answerTo(none, 'ana', line)).not.toContain(counted);
  });

  it('reads so where they are picked', async () => {
    const sandbox = await having(fleet('running'), [BACKUP]);
    const ana = sandbox.slack.person('ana');
    const picks = async (ids: string, words: string): Promise<void> => {
      const list = await answeredWith(sandbox, 'ana', '/billing buy-time');
      await ana.chooses(list, PICK, ids);
      await ana.presses(list, 'Stop');
      await sandbox.slack.until(() => sandbox.slack.read(list).includes(words));
    };
    await picks('102', 'Saves at most 10 credits a day.');
    await picks('101,102', `Saves at most 20 credits a day, ${counted}.`);
  });
});

it('what was canceled says nothing of what another one costs', async () => {
  const sandbox = await having(fleet('running'), [
    { ...BACKUP, status: 'canceled' },
    { ...BACKUP, id: 902, instanceId: 102 },
  ]);
  expect(await answerTo(sandbox, 'ana', '/addons add backup stg-1')).toContain(
    'Another backup costs 12 credits a day',
  );
});
