import { describe, expect, it } from 'vitest';
import { asksThem, dmWith } from '../support/asking.ts';
import { everyRoute } from '../support/phrasebook.ts';
import { play, privateMessage } from '../support/sandbox.ts';

const ENV = { LAMPLIGHTER_EVERYONE: 'viewer' };
const ONCE = "Once isn't enough: I look at their right again later.";

describe('what looks at the right of who asked again later', () => {
  it.each([
    ['a schedule', '/instances schedule web-1 stop at 20:00', 'on 101.', '[ Allow for 8 h ] [ No ]'],
    ['a stop for a while', '/instances stop web-1 for 4h', 'on 101.', '[ Allow for 8 h ] [ No ]'],
    ['a watch', '/instances watch name:web-*', '@ana.', '[ No ]'],
  ])('is never allowed once, and it is said what helps: %s', async (_, line, on, buttons) => {
    const sandbox = await play({ env: ENV });
    // Whose role is for others is refused this one.
    if (line.includes(' schedule ')) {
      await sandbox.slack.person('admin').types('#ops', '/lamplighter access grant operator @ana on staging');
      await privateMessage(sandbox, 'admin', 'staging');
    }
    await asksThem(sandbox, 'ana', line, '[ Ask them ]');
    const card = sandbox.slack.read(await dmWith(sandbox, 'admin', '@ana asks to'));
    expect(card).toContain(ONCE);
    expect(card).toMatch(/For good, type \/lamplighter access grant operator @ana/);
    expect(card).toContain(on);
    expect(card).toContain(buttons);
    expect(card).not.toContain('Allow once');
  });

  it('is done by who was given what the words say', async () => {
    const sandbox = await play({ env: ENV });
    const [admin, ana] = [sandbox.slack.person('admin'), sandbox.slack.person('ana')];
    await asksThem(sandbox, 'ana', '/instances stop web-1 for 4h', 'You need the operator role');
    const card = sandbox.slack.read(await dmWith(sandbox, 'admin', ONCE));
    const [command = ''] = /\/lamplighter access grant operator .+(?=\.$)/m.exec(card) ?? [];
    await admin.types('#ops', command);
    await privateMessage(sandbox, 'admin', '@ana');
    await ana.types('#ops', '/instances schedule web-1 stop at 20:00');
    await privateMessage(sandbox, 'ana', 'Save');
  });

  it('is said of each way to a schedule, of a watch and of what an agent proposes, and of nothing else', () => {
    const those = everyRoute().filter(({ outlastsOnce }) => outlastsOnce);
    expect(those.map(({ id }) => id).toSorted()).toEqual([
      'agents.begin',
      'agents.decline',
      'agents.stop',
      'billing.proposal-try',
      'instances.schedule-save',
      'instances.watch',
      'schedules.schedule',
      'schedules.schedule-form',
    ]);
  });
});
