import { describe, expect, it } from 'vitest';
import { customer, instance, outfitter } from '../../sandbox/world.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import {
  addonCalls,
  answeredWith,
  answerTo,
  botMessages,
  opensModal,
  play,
  privateTexts,
  readAll,
  runToEnd,
} from '../support/sandbox.ts';

/** Two of one type on one instance, which only their ids tell apart, and one of a type that is markup. */
const DOUBLE = {
  hosting: {
    world: {
      customers: [
        customer('harbour', {
          instances: [instance(1, 'lone')],
          addons: [
            { id: 11, type: 'storage', tier: 'small', instanceId: 1 },
            { id: 12, type: 'storage', tier: 'large', instanceId: 1 },
          ],
        }),
      ],
    },
  },
};

/** Has the admin remove an add-on, up to the submitted modal. */
async function confirm(sandbox: Sandbox, words: string, type: string): Promise<void> {
  const modal = await opensModal(sandbox, 'admin', `/addons remove ${words}`);
  await sandbox.slack.person('admin').submits(modal, { typed: type });
}

/** A removal to its end, and what its card says then. */
async function removed(
  words: string,
  type: string,
  options: SandboxOptions = {},
): Promise<[Sandbox, string]> {
  const sandbox = await play(options);
  await confirm(sandbox, words, type);
  await sandbox.settled();
  const [card, reply, ...more] = readAll(sandbox);
  expect(more).toEqual([]);
  expect(reply).toContain('@admin');
  return [sandbox, card!];
}

/** Types it and reads the no. */
async function refused(line: string, options: SandboxOptions = {}): Promise<string> {
  const sandbox = await play(options);
  await runToEnd(sandbox, 'admin', line);
  await sandbox.slack.until(() => privateTexts(sandbox, 'admin').length > 0);
  expect(sandbox.slack.person('admin').views).toEqual([]);
  expect(readAll(sandbox)).toEqual([]);
  expect(addonCalls(sandbox, 'DELETE')).toBe(0);
  return privateTexts(sandbox, 'admin')[0]!;
}

const activeOf = (sandbox: Sandbox, id: number): unknown[] =>
  sandbox.hosting
    .addonsOf(id)
    .filter(({ status }) => status !== 'canceled')
    .map((addon) => addon.id);

describe('/addons remove llm web-1', () => {
  it('shows what will be lost, has the type typed, removes it once and mentions the asker once', async () => {
    const sandbox = await play();
    const admin = sandbox.slack.person('admin');
    const modal = await opensModal(sandbox, 'admin', '/addons remove llm web-1 --because "unused"');
    expect(sandbox.slack.readView(modal)).toBe(
      [
        '== Remove an add-on ==',
        'Remove llm (standard) from web-1 (101)?',
        'What it holds for the instance, such as backups or stored files, goes with it. This is permanent.',
        '• in use: 5,000 of 10,000 used',
        '• saved: 45 credits a day',
        '• its id is 701',
        'Type llm to remove it: [ ____ ]',
        '  After you confirm, anyone who can start and stop instances can cancel it for 1 s.',
        '[ Cancel ] [ Remove ]',
      ].join('\n'),
    );
    for (const typed of ['llm (standard)', 'web-1', 'LLM', '701']) {
      const interaction = await admin.submits(modal, { typed });
      expect(interaction.errors).toEqual({
        field: "That doesn't match. Type llm exactly, or cancel.",
      });
    }
    expect(addonCalls(sandbox, 'DELETE')).toBe(0);
    await Promise.all(Array.from({ length: 20 }, () => admin.submits(modal, { typed: ' llm ' })));
    await sandbox.settled();
    const [card, reply, ...more] = botMessages(sandbox);
    expect(more).toEqual([]);
    expect(sandbox.slack.read(card!, 0)).toContain('🗑️ Removing llm (standard) from web-1 (101) in 1 s');
    expect(sandbox.slack.read(card!, 0)).toContain('[ Cancel ]');
    expect(sandbox.slack.read(card!)).toContain('✅ Removed llm (standard) from web-1 (101) in');
    expect(sandbox.slack.read(card!)).toContain('Because: unused');
    expect(reply!.thread_ts).toBe(card!.ts);
    expect(sandbox.slack.read(reply!)).toContain('@admin Removed llm (standard) from web-1 (101)');
    expect(addonCalls(sandbox, 'DELETE')).toBe(1);
    expect(activeOf(sandbox, 101)).toEqual([]);
  });

  it('takes the id of the add-on and of the instance as well', async () => {
    const [sandbox, card] = await removed('702 105', 'backup');
    expect(card).toContain('✅ Removed backup from db-1 (105)');
    expect(activeOf(sandbox, 105)).toEqual([]);
  });

  it('asks for the id where several are of one type, and removes that one', async () => {
    expect(await refused('/addons remove storage lone', DOUBLE)).toBe(
      [
        'lone (1) has 2 add-ons called "storage". Name one by its id, as in /addons remove 11 lone:',
        '• 🟢 storage (small) · active · 0 of 50 used · 10 credits a day · id 11',
        '• 🟢 storage (large) · active · 0 of 500 used · 30 credits a day · id 12',
      ].join('\n'),
    );
    const [sandbox, card] = await removed('12 lone', 'storage', DOUBLE);
    expect(card).toContain('✅ Removed storage (large) from lone (1)');
    expect(activeOf(sandbox, 1)).toEqual([11]);
  });

  it('is answered in one line where it can not be', async () => {
    const sandbox = await play();
    for (const [words, answer] of [
      ['backup web-1', 'web-1 (101) has no add-on "backup", so nothing was done. It has llm (standard).'],
      ['backup web-2', 'web-2 (102) has no add-on "backup", so nothing was done. It has none.'],
      // Another instance's id is none of this one\'s.
      ['702 web-1', 'web-1 (101) has no add-on "702"'],
      ['', "From which instance? Pick it, and I'll list its add-ons."],
    ] as const) {
      const said = await answeredWith(sandbox, 'admin', `/addons remove ${words}`);
      expect(sandbox.slack.read(said)).toContain(answer);
    }
    await sandbox.settled();
    expect(sandbox.slack.person('admin').views).toEqual([]);
    expect(addonCalls(sandbox, 'DELETE')).toBe(0);
  });

  it('does not count what is canceled already', async () => {
    const world = { hosting: { world: { customers: [outfitter] } } };
    expect(await refused('/addons remove storage lantern', world)).toContain(
      'lantern (403) has no add-on "storage", so nothing was done. It has monitoring, backup.',
    );
  });

  it('asks for nothing on a dry run', async () => {
    expect(await refused('/addons remove llm web-1 --dry-run')).toBe(
      [
        'Would ask you to type llm and then remove llm (standard) from web-1 (101). This was a dry run: nothing was done.',
        '• in use: 5,000 of 10,000 used',
        '• saved: 45 credits a day',
        '• its id is 701',
      ].join('\n'),
    );
  });

  it('is refused in words where the service can not change add-ons', async () => {
    const without = { hosting: { variant: { addons: 'absent' } } } as const;
    expect(await refused('/addons remove llm web-1', without)).toContain(
      'This hosting service does not offer changing add-ons through its API, so nothing was done.',
    );
  });

  it('is refused to operators, who read what it takes', async () => {
    const sandbox = await play();
    expect(await answerTo(sandbox, 'ana', '/addons remove llm web-1')).toContain(
      'You need the admin role to add or remove add-ons. @admin can help.',
    );
    expect(sandbox.slack.person('ana').views).toEqual([]);
  });
});

describe('a removal that was confirmed', () => {
  it('can be canceled in its cancel window by anybody who may run instances', async () => {
    const sandbox = await play({ timings: { cancelWindowMs: 60_000 } });
    await confirm(sandbox, 'llm web-1', 'llm');
    const [card] = await sandbox.slack.until(() => botMessages(sandbox).length > 0 && botMessages(sandbox));
    await sandbox.slack.person('bob').presses(card!, 'Cancel');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain(
      '⚪ Did not remove llm (standard) from web-1 (101): @bob canceled it. Nothing was done.',
    );
    expect(readAll(sandbox)).toHaveLength(2);
    expect(addonCalls(sandbox, 'DELETE')).toBe(0);
  });

  it('leaves alone what is added again under its type in the cancel window', async () => {
    const sandbox = await play();
    const held = sandbox.slack.hold('chat.postMessage');
    await confirm(sandbox, 'llm web-1', 'llm');
    await held.arrived;
    sandbox.hosting.cancelAddon(701);
    const other = sandbox.hosting.addAddon(101, 'llm', 'premium');
    held.release();
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain(
      '✅ web-1 (101) has no llm (standard) any more. Nothing was changed.',
    );
    expect(addonCalls(sandbox, 'DELETE')).toBe(0);
    expect(activeOf(sandbox, 101)).toEqual([other]);
  });

  it('is settled by looking where the answer was lost and it was done', async () => {
    const sandbox = await play();
    sandbox.hosting.addAddon(203, 'backup');
    await confirm(sandbox, 'backup loses-answers', 'backup');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain(
      "✅ Removed backup from loses-answers (203): it was in the list before my call and is not any more, though the service's answer was lost.",
    );
    expect(addonCalls(sandbox, 'DELETE')).toBe(1);
  });

  it.each([
    [204, 'loses-requests', 3, '❔ backup on loses-requests (204): unknown whether it will be removed'],
    [205, 'says-503', 2, '✅ Removed backup from says-503 (205)'],
  ])('is asked again at most twice where it was not done: %i %s', async (id, name, calls, words) => {
    const sandbox = await play({ timings: { settleMs: 250 } });
    // What behaves badly does so in the dashboard as well.
    sandbox.hosting.addAddon(id, 'backup');
    await confirm(sandbox, `backup ${name}`, 'backup');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain(words);
    expect(readAll(sandbox)).toHaveLength(2);
    expect(addonCalls(sandbox, 'DELETE')).toBe(calls);
  });
});
