import { describe, expect, it } from 'vitest';
import type { Variant } from '../../sandbox/hosting/variant.ts';
import { addonCalls, deleteCalls, opensModal, play, readAll } from '../support/sandbox.ts';

describe('another service with the same API', () => {
  const OTHER_WORDS = { statusCase: 'upper', statusField: 'state' } as const;
  const variants: readonly [string, Variant, string][] = [
    ['with ids that are words', { idPrefix: 'srv-' }, 'srv-101'],
    ['with an envelope of its own', { list: 'servers', one: 'instance', changes: 'empty object' }, '101'],
    [
      'with other words, and none for an answer',
      { ...OTHER_WORDS, allowances: 'absent', changes: 'empty' },
      '101',
    ],
    [
      'with money as text, and actions as answers',
      { money: 'decimal string', changes: 'action object' },
      '101',
    ],
    ['with pages', { paging: { style: 'cursor', size: 5 }, one: 'bare' }, '101'],
  ];

  it.each(variants)('%s deletes as well, with its add-on taken away before', async (_what, variant, id) => {
    const sandbox = await play({ hosting: { variant } });
    const admin = sandbox.slack.person('admin');
    const removal = await opensModal(sandbox, 'admin', '/addons remove llm web-1');
    await admin.submits(removal, { typed: 'llm' });
    await sandbox.settled();
    const modal = await opensModal(sandbox, 'admin', `/instances delete ${id}`);
    expect(sandbox.slack.readView(modal)).toContain(`Delete web-1 (${id}) permanently?`);
    expect(sandbox.slack.readView(modal)).toMatch(/ 105(\.00)? credits a day/);
    expect(sandbox.slack.readView(modal)).not.toContain('add-ons');
    await admin.submits(modal, { typed: 'web-1' });
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain(`✅ Removed llm (standard) from web-1 (${id})`);
    expect(readAll(sandbox)[2]).toContain(`✅ Deleted web-1 (${id})`);
    expect([addonCalls(sandbox, 'DELETE'), deleteCalls(sandbox)]).toEqual([1, 1]);
  });

  it('that has no add-ons at its address tells of them by its usage', async () => {
    const sandbox = await play({ hosting: { variant: { addons: 'absent' } } });
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
    expect(sandbox.slack.readView(modal)).toContain('• its add-ons: llm');
  });
});

describe('over Socket Mode', () => {
  it('a name typed wrongly is refused in the modal, and typed rightly it is deleted', async () => {
    const sandbox = await play({ env: { SLACK_APP_TOKEN: 'xapp-sandbox-app-token' } });
    const admin = sandbox.slack.person('admin');
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
    const interaction = await admin.submits(modal, { typed: 'web-2' });
    expect(interaction.errors).toEqual({
      field: 'That is not its name. Type web-1 exactly, capitals too, or cancel.',
    });
    await admin.submits(modal, { typed: 'web-1' });
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('✅ Deleted web-1 (101)');
    expect(deleteCalls(sandbox)).toBe(1);
  });
});
