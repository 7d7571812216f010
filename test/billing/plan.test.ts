import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { instance, type WorldInstance, worldOf } from '../../sandbox/world.ts';
import type { View } from '../../sandbox/slack/workspace/views.ts';
import { confirms } from '../batches/fleet.ts';
import {
  botMessages,
  play,
  type PlayOptions,
  powerCalls,
  privateMessage,
  readAll,
} from '../support/sandbox.ts';

const OPS = 'C0OPS000001';
const PICK = 'Pick what to stop';
const GO_ON = 'Show what would stop';

const FOUR = [
  instance(601, 'mill', { dailyCredits: 40 }),
  instance(602, 'kiln', { dailyCredits: 30 }),
  instance(603, 'well', { dailyCredits: 20 }),
  instance(604, 'barn', { dailyCredits: 10 }),
];

/** 1,000 credits that last for ten days at 100 a day. */
function playPlan({
  instances = FOUR,
  ...options
}: PlayOptions & { readonly instances?: readonly WorldInstance[] } = {}): Promise<Sandbox> {
  return play({
    ...options,
    hosting: { world: worldOf(instances), powerMs: 60, ...options.hosting },
    env: { LAMPLIGHTER_EVERYONE: 'admin', BILLING_CHANNELS: OPS, ...options.env },
  });
}

/** The modal in which somebody picks. */
async function plans(sandbox: Sandbox, who = 'ana'): Promise<View> {
  const person = sandbox.slack.person(who);
  await person.types('#ops', '/billing buy-time');
  await person.presses(await privateMessage(sandbox, who, 'What stopping one saves at most'), PICK);
  return sandbox.slack.until(() => person.views.at(-1));
}

/** Resolves once a modal says this. */
function says(sandbox: Sandbox, view: View, words: string): Promise<unknown> {
  return sandbox.slack.until(() => sandbox.slack.readView(view).includes(words));
}

/** Picks, and resolves once the modal says what so many would bring. */
async function picks(sandbox: Sandbox, view: View, who: string, ids: readonly string[]): Promise<void> {
  const person = sandbox.slack.person(who);
  await person.searches(view, PICK, '');
  await person.chooses(view, PICK, ids.join(','));
  await says(sandbox, view, `Stopping ${ids.length === 1 ? '1 instance' : `${ids.length} instances`} saves`);
}

describe('a plan that buys time', () => {
  it('says what is picked by now brings, stops it in one batch, and says on its card what that brought', async () => {
    const sandbox = await playPlan();
    const ana = sandbox.slack.person('ana');
    const view = await plans(sandbox);
    expect(sandbox.slack.readView(view)).toContain('Nothing is picked yet.');
    const { options } = await ana.searches(view, PICK, '');
    expect(options.map((one) => one['value'])).toEqual(['601', '602', '603', '604']);
    expect(JSON.stringify(options[0])).toContain('mill (601) · 40 credits a day');
    await ana.chooses(view, PICK, '601');
    await says(sandbox, view, 'The balance then lasts up to 16.6 days instead of about 10 days');
    await ana.chooses(view, PICK, '601,602');
    await says(
      sandbox,
      view,
      'Stopping 2 instances saves at most 70 credits a day. The balance then lasts up to 33.3 days instead of about 10 days, which is 23.3 days more.',
    );
    await ana.chooses(view, PICK, '602');
    await says(sandbox, view, 'up to 14.2 days');
    await picks(sandbox, view, 'ana', ['601', '602']);
    await ana.submits(view);
    const preview = await privateMessage(sandbox, 'ana', 'Stop 2 instances? Nothing has been done yet.');
    expect(powerCalls(sandbox)).toBe(0);
    await confirms(sandbox, preview, 'Stop 2');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'stop')).toBe(2);
    const card = readAll(sandbox)[0] ?? '';
    expect(card).toContain('Both stopped.');
    expect(card).toContain(
      'The balance now lasts up to 33.3 days instead of about 10 days, which is 23.3 days more, by what a day cost when this was asked.',
    );
    expect(readAll(sandbox)[1]).toBe('@ana Both stopped.');
    await ana.presses(botMessages(sandbox)[0]!, 'Start them again');
    await privateMessage(sandbox, 'ana', 'Start 2 instances?');
  });

  it('counts only what was stopped, and no figure stands where not everybody may see it', async () => {
    const sandbox = await playPlan();
    const ana = sandbox.slack.person('ana');
    const view = await plans(sandbox);
    await picks(sandbox, view, 'ana', ['601', '602']);
    await ana.submits(view);
    const preview = await privateMessage(sandbox, 'ana', 'Stop 2 instances?');
    sandbox.hosting.failNext({ path: /\/601\/stop$/ }, 400);
    await confirms(sandbox, preview, 'Stop 2');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain(
      'lasts up to 14.2 days instead of about 10 days, which is 4.2 days more',
    );

    const closed = await playPlan({ env: { BILLING_CHANNELS: 'C0BILL00001' } });
    const modal = await plans(closed);
    await picks(closed, modal, 'ana', ['601']);
    await closed.slack.person('ana').submits(modal);
    await confirms(closed, await privateMessage(closed, 'ana', 'Stop 1 instance?'), 'Stop 1');
    await closed.settled();
    expect(readAll(closed)[0]).toContain('1 of 1 stopped.');
    expect(readAll(closed)[0]).not.toContain('days');
  });

  it('does not offer what is protected, and does nothing where nothing is picked', async () => {
    const sandbox = await playPlan({ env: { LAMPLIGHTER_PROTECTED: 'mill' } });
    const ana = sandbox.slack.person('ana');
    const view = await plans(sandbox);
    expect(sandbox.slack.readView(view)).toContain('1 protected instance is not offered; run it separately.');
    const { options } = await ana.searches(view, PICK, '');
    expect(options.map((one) => one['value'])).toEqual(['602', '603', '604']);
    await expect(ana.submits(view)).rejects.toThrow('empty and not optional');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('asks for the count from ten on, and runs exactly what was picked', async () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      instance(701 + index, `node-${index}`, { dailyCredits: 10 }),
    );
    const sandbox = await playPlan({ instances: many });
    const ana = sandbox.slack.person('ana');
    const view = await plans(sandbox);
    const ids = many.slice(0, 11).map(({ id }) => String(id));
    await picks(sandbox, view, 'ana', ids);
    await ana.submits(view);
    const preview = await privateMessage(sandbox, 'ana', 'Stop 11 instances?');
    await confirms(sandbox, preview, 'Stop 11');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'stop')).toBe(11);
    expect(sandbox.hosting.countCalls('POST', /\/712\/stop$/)).toBe(0);
  });
});

describe('who may see the plan and not run it', () => {
  it('sees what it would bring, and who can run it', async () => {
    const sandbox = await playPlan({
      env: { LAMPLIGHTER_EVERYONE: 'finance', LAMPLIGHTER_ADMINS: 'U0ADA000001' },
    });
    await sandbox.slack.person('admin').types('#ops', '/lamplighter access grant operator @bob');
    await sandbox.settled();
    const fin = sandbox.slack.person('fin');
    const view = await plans(sandbox, 'fin');
    const text = sandbox.slack.readView(view);
    expect(text).toContain('You need the operator role to start, stop or restart instances.');
    expect(text).toContain('@admin, @bob can run this plan.');
    expect(text).not.toContain(GO_ON);
    await fin.searches(view, PICK, '');
    await fin.chooses(view, PICK, '601,602');
    await says(sandbox, view, 'lasts up to 33.3 days');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('who has lost the right while it stood open reads so in the modal', async () => {
    const sandbox = await playPlan({
      env: { LAMPLIGHTER_EVERYONE: 'finance', LAMPLIGHTER_ADMINS: 'U0ADA000001' },
    });
    const admin = sandbox.slack.person('admin');
    await admin.types('#ops', '/lamplighter access grant operator @bob');
    await sandbox.settled();
    const bob = sandbox.slack.person('bob');
    const view = await plans(sandbox, 'bob');
    await picks(sandbox, view, 'bob', ['601']);
    await admin.types('#ops', '/lamplighter access revoke operator @bob');
    await sandbox.settled();
    const { errors } = await bob.submits(view);
    expect(JSON.stringify(errors)).toContain('can run this plan');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });
});

describe('two picks that Slack delivers in another order', () => {
  it('leave the modal with what came of the later one', async () => {
    // Slack takes one picture of two that were made of the same state.
    const sandbox = await playPlan({ isRefused: true });
    const ana = sandbox.slack.person('ana');
    const view = await plans(sandbox);
    await ana.searches(view, PICK, '');
    const [first, second] = [ana.chooses(view, PICK, '601'), ana.chooses(view, PICK, '601,602')];
    await Promise.all([first, second]);
    await says(sandbox, view, 'up to 33.3 days');
    // One that was picked before those arrives after them.
    const block = view.blocks.find((one) => one['type'] === 'input');
    const blockId = String(block?.['block_id']);
    const values = { [blockId]: { 'billing.plan': { selected_options: [{ value: '601' }] } } };
    const payload = {
      type: 'block_actions',
      user: { id: ana.id, team_id: ana.record.teamId },
      team: { id: ana.record.teamId },
      container: { type: 'view', view_id: view.id },
      view: { ...view.toJson(), state: { values } },
      actions: [
        {
          type: 'multi_external_select',
          action_id: 'billing.plan',
          block_id: blockId,
          action_ts: '1.000001',
        },
      ],
    };
    await sandbox.slack.send({ body: new URLSearchParams({ payload: JSON.stringify(payload) }).toString() });
    await picks(sandbox, view, 'ana', ['601', '602', '603']);
    const drawn = sandbox.slack.calls.filter(({ method }) => method === 'views.update');
    const shows = (words: string): number =>
      drawn.findLastIndex((call) => call.ok && JSON.stringify(call.args).includes(words));
    expect(shows('up to 16.6 days')).toBeLessThan(shows('up to 33.3 days'));
    expect(shows('up to 33.3 days')).toBeLessThan(shows('up to 100 days'));
  });
});
