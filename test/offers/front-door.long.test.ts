import { describe, expect, it } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import type { View } from '../../sandbox/slack/workspace/views.ts';
import { TEAM } from '../../sandbox/people.ts';
import {
  botMessages,
  deleteCalls,
  opensModal,
  play,
  powerCalls,
  privateMessage,
  privateTexts,
  readAll,
} from '../support/sandbox.ts';

/** A modal of admin's in which web-1 is about to be deleted; ana could do the same. */
async function asked(options: SandboxOptions = {}): Promise<[Sandbox, View]> {
  const sandbox = await play({ ...options, env: { LAMPLIGHTER_EVERYONE: 'admin', ...options.env } });
  return [sandbox, await opensModal(sandbox, 'admin', '/instances delete web-1')];
}

let sent = 0;

/** A signed submission that Slack would not send: anybody's, of a view with anything in it. Gives what the bot answers. */
async function submission(
  sandbox: Sandbox,
  who: string,
  view: object,
  typed: unknown = 'web-1',
): Promise<{ status: number; said: string }> {
  const values = { field: { typed: { type: 'plain_text_input', value: typed } } };
  const payload = {
    type: 'view_submission',
    user: { id: sandbox.slack.person(who).id, team_id: TEAM.id },
    team: { id: TEAM.id },
    trigger_id: `made.up.${++sent}`,
    view: { ...view, state: { values } },
  };
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const answer = await sandbox.slack.send({ body });
  return { status: answer.status, said: answer.body };
}

/** A signed press of a private button that Slack would not send: anybody's, with any value. Gives the status. */
async function press(sandbox: Sandbox, who: string, routeId: string, value: string): Promise<number> {
  const channel = sandbox.slack.channel('#ops').id;
  const payload = {
    type: 'block_actions',
    user: { id: sandbox.slack.person(who).id, team_id: TEAM.id },
    team: { id: TEAM.id },
    channel: { id: channel },
    container: { channel_id: channel, is_ephemeral: true },
    trigger_id: `made.up.${++sent}`,
    actions: [{ type: 'button', action_id: routeId, block_id: 'b', value }],
  };
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  return (await sandbox.slack.send({ body })).status;
}

async function expectNothing(sandbox: Sandbox): Promise<void> {
  await sandbox.settled();
  expect(readAll(sandbox)).toEqual([]);
  expect(deleteCalls(sandbox)).toBe(0);
}

describe('a confirmation', () => {
  it('counts only for the person who was asked, and still does after another tried', async () => {
    const [sandbox, view] = await asked();
    const { status, said } = await submission(sandbox, 'ana', view.toJson());
    expect(status).toBe(200);
    expect(said).toContain(
      `That was asked of <@${sandbox.slack.person('admin').id}>, who can still confirm it.`,
    );
    expect(said).toContain('Nothing was done for you');
    await expectNothing(sandbox);
    await sandbox.slack.person('admin').submits(view, { typed: 'web-1' });
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('Deleted web-1 (101)');
    expect(readAll(sandbox)[0]).toContain('asked by @admin');
    expect(deleteCalls(sandbox)).toBe(1);
  });

  it('behind a private button counts only for the person it was shown to, too', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_PROTECTED: 'web-1' } });
    const ana = sandbox.slack.person('ana');
    await ana.types('#ops', '/instances stop web-1');
    const question = await privateMessage(sandbox, 'ana', 'Stop web-1 (101)?');
    const value = /"value":"([\w-]{22})"/.exec(JSON.stringify(question.blocks))?.[1] ?? '';
    expect(await press(sandbox, 'bob', 'instances.stop', value)).toBe(200);
    await privateMessage(sandbox, 'bob', 'That was asked of @ana, who can still confirm it.');
    // What a stop was asked for is no restart.
    expect(await press(sandbox, 'ana', 'instances.restart', value)).toBe(200);
    await privateMessage(sandbox, 'ana', 'That was asked of @ana');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
    await ana.presses(question, 'Stop');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'stop')).toBe(1);
  });

  it('does not count for another question than it was asked in', async () => {
    const [sandbox, view] = await asked();
    for (const route of ['addons.remove', 'instances.restart', 'instances.list', 'nothing.at-all', '']) {
      const { status } = await submission(sandbox, 'admin', { ...view.toJson(), callback_id: route });
      expect(status).toBe(200);
    }
    await expectNothing(sandbox);
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is too old after a while, which the modal says', async () => {
    const [sandbox, view] = await asked({ timings: { confirmWithinMs: -1 } });
    const interaction = await sandbox.slack.person('admin').submits(view, { typed: 'web-1' });
    expect(JSON.stringify(interaction.errors)).toContain('That question about web-1 (101) has expired');
    expect(view.isOpen).toBe(true);
    await expectNothing(sandbox);
  });

  it('is too old after a while, which a person who presses its button reads', async () => {
    const sandbox = await play({ timings: { confirmWithinMs: -1 } });
    const admin = sandbox.slack.person('admin');
    await admin.mentions('#ops', 'delete web-1');
    const message = await privateMessage(sandbox, 'admin', 'Delete web-1 (101) permanently?');
    await admin.presses(message, 'Delete…');
    await privateMessage(sandbox, 'admin', 'That question about web-1 (101) has expired');
    expect(admin.views).toEqual([]);
    await expectNothing(sandbox);
  });

  it('counts once, however often it is submitted', async () => {
    const [sandbox, view] = await asked();
    const admin = sandbox.slack.person('admin');
    await Promise.all(Array.from({ length: 50 }, () => admin.submits(view, { typed: 'web-1' })));
    await sandbox.settled();
    expect(deleteCalls(sandbox)).toBe(1);
    expect(botMessages(sandbox)).toHaveLength(2);
    for (const text of privateTexts(sandbox, 'admin'))
      expect(text).toMatch(/asked by @admin|That was confirmed already|is gone already/);
  });

  it('counts once when Slack sends the very same submission again', async () => {
    const [sandbox, view] = await asked();
    const interaction = await sandbox.slack.person('admin').submits(view, { typed: 'web-1' });
    await Promise.all([1, 2, 3].map(() => sandbox.slack.replay(interaction.requestId!)));
    await sandbox.settled();
    expect(deleteCalls(sandbox)).toBe(1);
    expect(botMessages(sandbox)).toHaveLength(2);
  });

  it('is used up by what came of it: the same modal again reads so', async () => {
    const [sandbox, view] = await asked({ timings: { cancelWindowMs: 60_000 } });
    const admin = sandbox.slack.person('admin');
    await admin.submits(view, { typed: 'web-1' });
    const [card] = await sandbox.slack.until(() => botMessages(sandbox).length > 0 && botMessages(sandbox));
    await admin.presses(card!, 'Cancel');
    await sandbox.settled();
    const { status } = await submission(sandbox, 'admin', view.toJson());
    expect(status).toBe(200);
    await privateMessage(sandbox, 'admin', 'That was confirmed already');
    await sandbox.settled();
    expect(deleteCalls(sandbox)).toBe(0);
    expect(botMessages(sandbox)).toHaveLength(2);
  });

  it('does not count for what was re-created under its name meanwhile', async () => {
    const [sandbox, view] = await asked();
    sandbox.hosting.recreateInstance(101, 999);
    await sandbox.slack.person('admin').submits(view, { typed: 'web-1' });
    await privateMessage(sandbox, 'admin', 'web-1 (101) is gone already');
    await expectNothing(sandbox);
    expect(sandbox.hosting.statusOf(999)).toBe('running');
  });

  it('of two for one instance lets one through, and tells the other who is on it', async () => {
    const [sandbox, one] = await asked({ timings: { cancelWindowMs: 60_000 } });
    const other = await opensModal(sandbox, 'ana', '/instances delete web-1');
    await Promise.all([
      sandbox.slack.person('admin').submits(one, { typed: 'web-1' }),
      sandbox.slack.person('ana').submits(other, { typed: 'web-1' }),
    ]);
    const [card] = await sandbox.slack.until(() => botMessages(sandbox).length > 0 && botMessages(sandbox));
    const [winner, loser] = sandbox.slack.read(card!).includes('asked by @ana')
      ? ['ana', 'admin']
      : ['admin', 'ana'];
    const busy = await privateMessage(sandbox, loser, `asked by @${winner}`);
    expect(sandbox.slack.read(busy)).toContain('[ Tell me too ]');
    await sandbox.slack.person('bob').presses(card!, 'Cancel');
    await sandbox.settled();
    expect(botMessages(sandbox)).toHaveLength(2);
    expect(deleteCalls(sandbox)).toBe(0);
  });

  it('does not count where the right is lost before it', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'admin' } });
    const view = await opensModal(sandbox, 'ana', '/instances delete web-1');
    await sandbox.settled();
    // Who somebody is is remembered for a minute, so another process looks.
    await sandbox.stopBots();
    sandbox.slack.setPerson('ana', { isDeleted: true });
    await sandbox.startBot();
    await submission(sandbox, 'ana', view.toJson());
    await privateMessage(sandbox, 'ana', "Your account is deactivated, so you can't delete instances");
    await expectNothing(sandbox);
  });
});

describe('a submission that no modal of the bot makes', () => {
  it('is answered that nobody knows it, and does nothing, where it carries what no modal of the bot carries', async () => {
    const [sandbox, view] = await asked();
    const garbage = [
      'not json',
      '',
      'null',
      '[]',
      JSON.stringify({ value: 'A'.repeat(22) }),
      JSON.stringify({ value: 7, place: { channelId: 'C0OPS000001' } }),
      JSON.stringify({ value: 'A', place: { channelId: '<!channel>' } }),
      '{"__proto__":{"value":"x"},"place":{"channelId":"C0OPS000001"}}',
    ];
    for (const carried of garbage) {
      const answer = await submission(sandbox, 'admin', { ...view.toJson(), private_metadata: carried });
      const said = expect.stringContaining("I don't know this form, so nothing was done.") as string;
      expect([carried, answer]).toEqual([carried, { status: 200, said }]);
    }
    await expectNothing(sandbox);
    expect(privateTexts(sandbox, 'admin')).toEqual([]);
  });

  it('is answered that it is too old where nobody knows what it stands for', async () => {
    const [sandbox, view] = await asked();
    for (const value of ['A'.repeat(22), '{lamplighter}:operation:x', '*', '']) {
      const carried = JSON.stringify({ value, place: { channelId: sandbox.slack.channel('#ops').id } });
      const { status, said } = await submission(sandbox, 'admin', {
        ...view.toJson(),
        private_metadata: carried,
      });
      expect(status).toBe(200);
      expect(said).toContain('That question has expired');
    }
    await expectNothing(sandbox);
  });

  it('does nothing where something else than text was typed', async () => {
    const [sandbox, view] = await asked();
    for (const typed of [7, null, ['web-1'], { a: 1 }])
      expect((await submission(sandbox, 'admin', view.toJson(), typed)).status).toBe(200);
    await expectNothing(sandbox);
  });

  it('stands for no operation where its button is pressed with a value of one’s own', async () => {
    const sandbox = await play();
    for (const value of ['101', 'web-1', 'A'.repeat(22), '']) {
      for (const routeId of ['instances.delete', 'addons.add', 'addons.remove', 'lamplighter.cancel'])
        expect(await press(sandbox, 'admin', routeId, value)).toBe(200);
    }
    await expectNothing(sandbox);
    expect(sandbox.slack.person('admin').views).toEqual([]);
    const all = privateTexts(sandbox, 'admin');
    expect(all).toHaveLength(16);
    for (const words of all) expect(words).toMatch(/too old|no record of that/);
  });
});
