import { describe, expect, it } from 'vitest';
import { instance, worldOf } from '../../sandbox/world.ts';
import { readDms } from '../support/asking.ts';
import {
  answeredWith,
  botMessages,
  deleteCalls,
  deletes,
  opensModal,
  play,
  type PlayOptions,
  privateMessage,
  privateTexts,
  readAll,
  runToEnd,
} from '../support/sandbox.ts';

describe('/instances delete web-1', () => {
  it('shows what will be lost, has the name typed, deletes it once and mentions the asker once', async () => {
    const sandbox = await play();
    const admin = sandbox.slack.person('admin');
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
    expect(sandbox.slack.readView(modal)).toBe(
      [
        '== Delete an instance ==',
        'Delete web-1 (101) permanently?',
        'It is running · balanced · 105 credits a day.',
        'This is permanent. Only its billing history stays. You lose:',
        '• its server, with its disk and its snapshots',
        '• its subdomain and its configuration',
        '• its add-ons: llm (standard)',
        'Type web-1 to delete it: [ ____ ]',
        '  After you confirm, anyone who can start and stop instances can cancel it for 1 s.',
        '[ Cancel ] [ Delete ]',
      ].join('\n'),
    );
    expect(privateTexts(sandbox, 'admin')).toEqual([]);
    const interaction = await admin.submits(modal, { typed: 'web-1' });
    expect([interaction.status, interaction.errors, modal.isOpen]).toEqual([200, undefined, false]);
    await sandbox.settled();

    const [card, reply, ...more] = botMessages(sandbox);
    expect(more).toEqual([]);
    expect(sandbox.slack.read(card!, 0)).toContain('🗑️ Deleting web-1 (101) in 1 s, asked by @admin');
    expect(sandbox.slack.read(card!, 0)).toContain('[ Cancel ]');
    expect(sandbox.slack.read(card!)).toContain('✅ Deleted web-1 (101): it is gone');
    expect(sandbox.slack.read(card!)).not.toContain('[ Cancel ]');
    expect(reply!.thread_ts).toBe(card!.ts);
    expect(sandbox.slack.read(reply!)).toContain('@admin Deleted web-1 (101)');
    expect(deleteCalls(sandbox)).toBe(1);
    expect(sandbox.hosting.statusOf(101)).toBe('gone');
    expect(privateTexts(sandbox, 'admin')).toEqual([]);
  });

  it('does nothing when the modal is closed', async () => {
    const sandbox = await play();
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
    await sandbox.slack.person('admin').closes(modal);
    await sandbox.settled();
    expect(readAll(sandbox)).toEqual([]);
    expect(deleteCalls(sandbox)).toBe(0);
  });

  it('says under the field that it is another name, and takes the right one in the same modal', async () => {
    const sandbox = await play();
    const admin = sandbox.slack.person('admin');
    const modal = await opensModal(sandbox, 'admin', '/instances delete 101');
    for (const typed of ['web-2', 'WEB-1', '101', ' ', 'web 1']) {
      const interaction = await admin.submits(modal, { typed });
      expect(interaction.errors).toEqual({
        field: 'That is not its name. Type web-1 exactly, capitals too, or cancel.',
      });
    }
    expect(modal.isOpen).toBe(true);
    await sandbox.settled();
    expect(readAll(sandbox)).toEqual([]);
    expect(deleteCalls(sandbox)).toBe(0);
    // As a phone corrects it.
    await admin.submits(modal, { typed: '  web-1\u00a0 ' });
    expect(modal.isOpen).toBe(false);
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('Deleted web-1 (101)');
    expect(deleteCalls(sandbox)).toBe(1);
  });

  it('shows a name that is hard to type as it is, and takes it as a person sees it', async () => {
    const names: readonly (readonly [name: string, typed: string])[] = [
      ['<!channel> *x* <http://evil|Pay>', '<!channel> *x* <http://evil|Pay>'],
      ['`code` *b* _i_ ~s~ & &amp; <b>', '`code` *b* _i_ ~s~ & &amp; <b>'],
      [':tada: 👨‍👩‍👧 prod', ':tada: 👨‍👩‍👧 prod'],
      ['caf\u00e9', 'cafe\u0301'],
      ['  a   b ', 'a b'],
      ['we\u200bb\u202e-1', 'web-1'],
      ['x'.repeat(290), 'x'.repeat(290)],
      ['42', '42'],
      ['--dry-run', '--dry-run'],
    ];
    const world = worldOf(names.map(([name], index) => instance(70 + index, name)));
    const sandbox = await play({ hosting: { world } });
    for (const [index, [name, typed]] of names.entries()) {
      const modal = await opensModal(sandbox, 'admin', `/instances delete ${70 + index}`);
      const shown = sandbox.slack.readView(modal);
      if (index === 0) expect(shown).toContain(`Delete ${name} (70) permanently?`);
      if (index === 0) expect(shown).toContain(`Type ${name} to delete it`);
      const interaction = await sandbox.slack.person('admin').submits(modal, { typed });
      expect([typed, interaction.errors]).toEqual([typed, undefined]);
    }
    await sandbox.settled();
    const cards = readAll(sandbox).filter((text) => text.startsWith('✅ Deleted'));
    expect(cards).toHaveLength(names.length);
    expect(cards.join('\n')).toContain('Deleted <!channel> *x* <http://evil|Pay> (70)');
    expect(deleteCalls(sandbox)).toBe(names.length);
  });

  it('puts the reason on the card from the first to the last', async () => {
    const sandbox = await play();
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1 --because “moved to web-3”');
    await sandbox.slack.person('admin').submits(modal, { typed: 'web-1' });
    await sandbox.settled();
    const [card] = botMessages(sandbox);
    expect(sandbox.slack.read(card!, 0)).toContain('Because: moved to web-3');
    expect(sandbox.slack.read(card!)).toContain('Because: moved to web-3');
  });

  it('asks for nothing and does nothing on a dry run', async () => {
    const sandbox = await play();
    await runToEnd(sandbox, 'admin', '/instances delete db-1 —dry-run');
    expect(privateTexts(sandbox, 'admin')).toEqual([
      [
        'Would ask you to type its name and then delete db-1 (105), which is running. This was a dry run: nothing was done. It would lose:',
        '• its server, with its disk and its snapshots',
        '• its subdomain and its configuration',
        '• its add-ons: backup',
      ].join('\n'),
    ]);
    expect(sandbox.slack.person('admin').views).toEqual([]);
    expect(deleteCalls(sandbox)).toBe(0);
    expect(readAll(sandbox)).toEqual([]);
  });

  it('says on its card at what time it deletes, once the time to cancel runs', async () => {
    const sandbox = await play({ timings: { cancelWindowMs: 60_000 } });
    await deletes(sandbox);
    const words = /Deleting web-1 \(101\) at (\d+:\d\d:\d\d [AP]M), asked by @admin/;
    await sandbox.slack.until(() => words.test(readAll(sandbox)[0] ?? ''));
    await sandbox.slack.person('bob').presses(botMessages(sandbox)[0]!, 'Cancel');
    await sandbox.settled();
    expect(deleteCalls(sandbox)).toBe(0);
  });

  it('says so where the add-ons can not be read, and asks all the same', async () => {
    const sandbox = await play();
    sandbox.hosting.failNext({ path: /addons/ }, 500, Infinity);
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
    expect(sandbox.slack.readView(modal)).toContain('• its add-ons, which I could not read right now');
  });
});

describe('the ways to it', () => {
  it('refuses the menu of an instance that was re-created under its name, and offers a choice', async () => {
    const sandbox = await play();
    const admin = sandbox.slack.person('admin');
    await admin.types('#ops', '/instances web-1');
    const card = await privateMessage(sandbox, 'admin', 'web-1 (101) · running');
    sandbox.hosting.recreateInstance(101, 999);
    await admin.presses(card, 'Delete…');
    await privateMessage(sandbox, 'admin', 'web-1 (101) no longer exists, so nothing was done');
    await sandbox.settled();
    expect(admin.views).toEqual([]);
    expect(deleteCalls(sandbox)).toBe(0);
  });

  it('leads there by mention over a private button, and the card stays in the thread', async () => {
    const sandbox = await play();
    const admin = sandbox.slack.person('admin');
    const root = await admin.types('#ops', 'web-1 is not needed any more');
    await admin.mentions('#ops', 'delete web-1 --because "moved"', { thread: root.message!.ts });
    const asked = await privateMessage(sandbox, 'admin', 'Delete web-1 (101) permanently?');
    expect(sandbox.slack.read(asked)).toContain('• its add-ons: llm (standard)');
    expect(sandbox.slack.read(asked)).toContain('can cancel it for 1 s');
    expect(sandbox.slack.read(asked)).toContain('[ Delete… ]');
    expect(admin.views).toEqual([]);
    await admin.presses(asked, 'Delete…');
    const modal = await sandbox.slack.until(() => admin.views[0]);
    expect(sandbox.slack.readView(modal)).toContain('• its add-ons: llm (standard)');
    await admin.submits(modal, { typed: 'web-1' });
    await sandbox.settled();
    const [card, reply, ...more] = botMessages(sandbox);
    expect(more).toEqual([]);
    expect([card!.thread_ts, reply!.thread_ts]).toEqual([root.message!.ts, root.message!.ts]);
    expect(sandbox.slack.read(card!)).toContain('Because: moved');
    expect(deleteCalls(sandbox)).toBe(1);
  });

  it.each([
    ['where the name is missing', '', '102', 'web-2'],
    ['where the name is not exact', ' web', '102', 'web-2'],
    ['where two have the name', ' twins', '213', 'twins'],
  ])('leads there over a picker %s, and keeps the reason', async (_where, words, id, name) => {
    const sandbox = await play();
    const admin = sandbox.slack.person('admin');
    const picker = await answeredWith(sandbox, 'admin', `/instances delete${words} --because "not needed"`);
    await admin.chooses(picker, 'instances.delete', id);
    const modal = await sandbox.slack.until(() => admin.views[0]);
    expect(sandbox.slack.readView(modal)).toContain(`Delete ${name} (${id}) permanently?`);
    await admin.submits(modal, { typed: name });
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain(`Deleted ${name} (${id})`);
    expect(readAll(sandbox)[0]).toContain('Because: not needed');
    expect(deleteCalls(sandbox)).toBe(1);
  });

  it('has it all in the direct messages where it is asked there', async () => {
    const sandbox = await play();
    const admin = sandbox.slack.person('admin');
    await admin.types('dm', '/instances delete web-1');
    await admin.submits(await sandbox.slack.until(() => admin.views[0]), { typed: 'web-1' });
    await sandbox.settled();
    expect(readDms(sandbox, 'admin')).toContain('Deleted web-1 (101)');
  });
});

describe('a modal that can not be opened', () => {
  /** Types it, is given a private button in place of the modal, presses that and deletes. */
  async function expectButton(
    options: PlayOptions,
    before: (sandbox: Awaited<ReturnType<typeof play>>) => (() => void) | undefined,
  ): Promise<Awaited<ReturnType<typeof play>>> {
    const sandbox = await play(options);
    const admin = sandbox.slack.person('admin');
    const then = before(sandbox);
    const interaction = await admin.types('#ops', '/instances delete web-1');
    expect(interaction.status).toBe(200);
    then?.();
    const asked = await privateMessage(sandbox, 'admin', 'Delete web-1 (101) permanently?');
    await admin.presses(asked, 'Delete…');
    const modal = await sandbox.slack.until(() => admin.views[0]);
    await admin.submits(modal, { typed: 'web-1' });
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('Deleted web-1 (101)');
    expect(deleteCalls(sandbox)).toBe(1);
    return sandbox;
  }

  it('is a private message with a button where Slack says that it is too late', async () => {
    await expectButton({}, ({ slack }) => {
      slack.failNext('views.open', { error: 'expired_trigger_id' });
      return undefined;
    });
  });

  it('is that one message still where its own press comes too late as well', async () => {
    const sandbox = await play();
    const admin = sandbox.slack.person('admin');
    for (let times = 0; times < 2; times++)
      sandbox.slack.failNext('views.open', { error: 'expired_trigger_id' });
    await admin.types('#ops', '/instances delete web-1');
    await admin.presses(await privateMessage(sandbox, 'admin', '[ Delete… ]'), 'Delete…');
    await sandbox.settled();
    expect(privateTexts(sandbox, 'admin')).toHaveLength(1);
    await admin.presses(await privateMessage(sandbox, 'admin', '[ Delete… ]'), 'Delete…');
    await sandbox.slack.until(() => admin.views[0]);
  });

  it('is the same where Slack takes no more calls just now', async () => {
    await expectButton({}, ({ slack }) => {
      slack.rateLimitNext('views.open', { retryAfter: 30 });
      return undefined;
    });
  });

  it('is the same where the hosting service took longer than the three seconds', async () => {
    let late = 0;
    const sandbox = await expectButton(
      { slack: { clock: () => Date.now() + late, deadlineMs: 3_000 }, isRefused: true },
      ({ hosting }) => {
        const held = hosting.hold({ method: 'GET', path: /\/101$/ });
        return () => {
          late = 4_000;
          held.release();
        };
      },
    );
    expect(sandbox.slack.refusals.map(({ method }) => method)).toEqual(['views.open']);
  });

  it('is both where the answer to its opening was lost, and it is deleted once', async () => {
    const sandbox = await play();
    const admin = sandbox.slack.person('admin');
    sandbox.slack.loseAnswerOfNext('views.open');
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
    const button = await privateMessage(sandbox, 'admin', 'Delete web-1 (101) permanently?');
    await admin.submits(modal, { typed: 'web-1' });
    await sandbox.settled();
    expect(deleteCalls(sandbox)).toBe(1);
    // What the button stands for has been used.
    await admin.presses(button, 'Delete…');
    await sandbox.settled();
    await admin.submits(await sandbox.slack.until(() => admin.views[0]), { typed: 'web-1' });
    await sandbox.settled();
    expect(deleteCalls(sandbox)).toBe(1);
    expect(privateTexts(sandbox, 'admin').at(-1)).toContain('web-1 (101) is gone already');
  });
});
