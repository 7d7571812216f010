import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { instance } from '../../sandbox/world.ts';
import { batchCard, confirms, playFleet } from '../batches/fleet.ts';
import { answeredWith, type PlayOptions, powerCalls, privateTexts } from '../support/sandbox.ts';

const SELECT = 'Pick several';

/** A list of twelve in front of ana, of which these are picked. */
async function picks(
  picked: string,
  options: PlayOptions = {},
  who = 'ana',
): Promise<{ sandbox: Sandbox; list: PostedMessage }> {
  const sandbox = await playFleet(12, options);
  const list = await answeredWith(sandbox, who, '/instances');
  const person = sandbox.slack.person(who);
  await person.searches(list, SELECT, '');
  if (picked !== '') await person.chooses(list, SELECT, picked);
  return { sandbox, list };
}

/** Presses "Stop" with an id that was not offered. */
async function forgesPick(
  { slack }: Sandbox,
  list: PostedMessage,
  who: string,
  instanceId: string,
): Promise<void> {
  const { id, record } = slack.person(who);
  const block = list.blocks.find((one) => JSON.stringify(one).includes('multi_external_select'));
  const [, value] = /"action_id":"instances.stop".*?"value":"([^"]+)"/.exec(JSON.stringify(block)) ?? [];
  const blockId = String(block?.['block_id']);
  const payload = {
    type: 'block_actions',
    team: { id: record.teamId },
    user: { id, team_id: record.teamId },
    channel: { id: list.channel },
    container: { type: 'message', channel_id: list.channel, message_ts: list.ts, is_ephemeral: true },
    state: { values: { [blockId]: { 'instances.list': { selected_options: [{ value: instanceId }] } } } },
    actions: [{ type: 'button', action_id: 'instances.stop', block_id: blockId, value }],
  };
  await slack.send({ body: new URLSearchParams({ payload: JSON.stringify(payload) }).toString() });
}

const replaced = (sandbox: Sandbox, list: PostedMessage, words: string): Promise<unknown> =>
  sandbox.slack.until(() => sandbox.slack.read(list).includes(words));

describe('several that are picked in a list', () => {
  it('lead to the same preview as their names, frozen, and to one card', async () => {
    const { sandbox, list } = await picks('1003,1001,1002');
    await sandbox.slack.person('ana').presses(list, 'Stop');
    await replaced(sandbox, list, 'Stop 3 instances? Nothing has been done yet.');
    const text = sandbox.slack.read(list);
    for (const name of ['stg-1 (1001)', 'stg-2 (1002)', 'stg-3 (1003)']) expect(text).toContain(name);
    expect(text).not.toContain('stg-4');
    expect(powerCalls(sandbox)).toBe(0);
    await confirms(sandbox, list, 'Stop 3');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'stop')).toBe(3);
    expect(batchCard(sandbox)).toContain('All 3 stopped.');
  });

  it('do nothing while they are only picked, whatever is picked and taken out again', async () => {
    const { sandbox, list } = await picks('1001,1002');
    await sandbox.slack.person('ana').chooses(list, SELECT, '1002');
    await sandbox.slack.person('ana').chooses(list, SELECT, '');
    await sandbox.settled();
    expect(list.edits).toHaveLength(0);
    expect(privateTexts(sandbox, 'ana')).toHaveLength(1);
    await sandbox.slack.person('ana').presses(list, 'Restart');
    await replaced(sandbox, list, 'Nothing was picked, so there is nothing to restart.');
    await sandbox.slack.person('ana').presses(list, 'Back to the list');
    await replaced(sandbox, list, '12 instances: 12 running.');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('are asked about again where one has changed between the preview and the yes', async () => {
    const { sandbox, list } = await picks('1001,1002');
    await sandbox.slack.person('ana').presses(list, 'Stop');
    await replaced(sandbox, list, 'Stop 2 instances?');
    sandbox.hosting.removeInstance(1_001);
    await confirms(sandbox, list, 'Stop 2');
    await replaced(sandbox, list, 'stg-1 (1001) is gone');
    expect(sandbox.slack.read(list)).toContain('Stop 1 instance?');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('are there no more where they were deleted since, and the others are shown', async () => {
    const { sandbox, list } = await picks('1001,1002');
    sandbox.hosting.removeInstance(1_001);
    await sandbox.slack.person('ana').presses(list, 'Stop');
    await replaced(sandbox, list, '1 of those that were picked no longer exists.');
    expect(sandbox.slack.read(list)).toContain('Stop 1 instance?');
  });

  it('are offered only to who may change something, and looked at by the rights of who presses', async () => {
    const sandbox = await playFleet(3, {
      env: { LAMPLIGHTER_EVERYONE: 'none' },
      others: [instance(2_000, 'prod-1')],
    });
    const { slack } = sandbox;
    const [admin, ana, bob] = ['admin', 'ana', 'bob'].map((who) => slack.person(who));
    for (const line of ['viewer @ana', 'operator @bob on stg-*'])
      await admin!.types('#ops', `/lamplighter access grant ${line}`);
    await slack.until(() => ana!.dms.length > 0 && bob!.dms.length > 0);
    expect(slack.read(await answeredWith(sandbox, 'ana', '/instances'))).not.toContain(SELECT);
    const list = await answeredWith(sandbox, 'bob', '/instances');
    const offered = await bob!.searches(list, SELECT, '');
    expect(offered.options.map(({ value }) => value)).toEqual(['1000', '1001', '1002']);
    await bob!.chooses(list, SELECT, '1000,1001');
    await forgesPick(sandbox, list, 'bob', '2000');
    await slack.until(() =>
      privateTexts(sandbox, 'bob').at(-1)?.includes('1 of those that were picked no longer exists'),
    );
    expect(privateTexts(sandbox, 'bob').join()).not.toContain('prod-1');
    await bob!.presses(list, 'Stop');
    await replaced(sandbox, list, 'Stop 2 instances?');
    await admin!.types('#ops', '/lamplighter access revoke operator @bob on stg-*');
    await slack.until(() => bob!.dms.length > 1);
    await bob!.presses(list, 'Stop 2');
    await replaced(sandbox, list, 'role');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('are found under a filter by what is typed, and nothing else is', async () => {
    const sandbox = await playFleet(12);
    const list = await answeredWith(sandbox, 'ana', '/instances list name:stg-1*');
    const ana = sandbox.slack.person('ana');
    const all = await ana.searches(list, SELECT, '');
    expect(all.options.map(({ value }) => value)).toEqual(['1001', '1010', '1011']);
    expect((await ana.searches(list, SELECT, 'stg-10')).options.map(({ value }) => value)).toContain('1010');
    expect(JSON.stringify((await ana.searches(list, SELECT, 'stg-5')).options)).not.toContain('"1005"');
  });
});
