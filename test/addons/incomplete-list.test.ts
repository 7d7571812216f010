import { describe, expect, it } from 'vitest';
import { instance, type WorldAddon, worldOf } from '../../sandbox/world.ts';
import type { PagingStyle } from '../../sandbox/hosting/variant.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { addonCalls, answerTo, play, privateMessage, readAll } from '../support/sandbox.ts';

const SIZE = 25;
const LIST = { method: 'GET', path: /\/addons$/ } as const;
const OTHERS: readonly WorldAddon[] = Array.from({ length: SIZE }, (_, index) => ({
  id: 701 + index,
  type: 'monitoring',
  instanceId: 101,
}));

/** web-1 with as many add-ons as the service gives, and web-2 with these, which come after them. */
function playPart(style: PagingStyle, addons: readonly WorldAddon[]): Promise<Sandbox> {
  const world = worldOf([instance(101, 'web-1'), instance(102, 'web-2')], {
    addons: [...OTHERS, ...addons],
  });
  return play({ hosting: { world, variant: { paging: { style, size: SIZE } } } });
}

describe('adding an add-on that may be there already', () => {
  it.each(['total alone', 'has_more alone'] as const)(
    'is refused where the list of add-ons is incomplete, and says where to look: %s',
    async (style) => {
      const sandbox = await playPart(style, [{ id: 801, type: 'backup', instanceId: 102 }]);
      for (const line of ['/addons add backup web-2', '/addons add backup web-2 --dry-run']) {
        const no = await answerTo(sandbox, 'admin', line);
        expect(no).toContain("I can't tell which add-ons web-2 (102) has already, so nothing was done");
        expect(no).toContain('and I could read only 25.');
        expect(no).toContain("Look at the hosting service's own dashboard");
        expect(no).not.toContain('[ Add it ]');
      }
      expect(addonCalls(sandbox, 'POST')).toBe(0);
    },
  );

  it('is asked about with a warning where a full page only may not be all, and done', async () => {
    const sandbox = await playPart('silent', []);
    await sandbox.slack.person('admin').types('#ops', '/addons add backup web-2');
    const question = await privateMessage(sandbox, 'admin', '[ Add it ]');
    expect(sandbox.slack.read(question)).toContain(
      'I found no backup on it in the list of add-ons. This list may be incomplete: exactly 25 add-ons came',
    );
    const sent = sandbox.hosting.hold({ method: 'POST', path: /addons/ });
    await sandbox.slack.person('admin').presses(question, 'Add it');
    await sent.arrived;
    sent.release();
    expect(addonCalls(sandbox, 'POST')).toBe(1);
  });

  it('is not asked for where the list became incomplete just before the call', async () => {
    const sandbox = await playPart('total alone', []);
    await sandbox.slack.person('admin').types('#ops', '/addons add backup web-2');
    const question = await privateMessage(sandbox, 'admin', '[ Add it ]');
    expect(sandbox.slack.read(question)).not.toContain('incomplete');
    const held = sandbox.hosting.hold(LIST);
    await sandbox.slack.person('admin').presses(question, 'Add it');
    await held.arrived;
    const last = sandbox.hosting.hold(LIST);
    held.release();
    await last.arrived;
    sandbox.hosting.addAddon(102, 'backup');
    last.release();
    await sandbox.settled();
    expect(addonCalls(sandbox, 'POST')).toBe(0);
    expect(readAll(sandbox)[0]).toContain(
      '⚪ Did not add backup to web-2 (102): the list of add-ons is incomplete, so it may be there already',
    );
  });
});
