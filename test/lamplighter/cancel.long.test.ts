import { describe, expect, it } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { links, type PostedMessage } from '../../sandbox/slack/index.ts';
import {
  botMessages,
  deleteCalls,
  deletes,
  opensModal,
  play,
  privateMessage,
  privateTexts,
  readAll,
  runToEnd,
} from '../support/sandbox.ts';

/** A deletion of web-1 in its cancel window, long enough for a test to end before it, and its card. */
async function inCancelWindow(options: SandboxOptions = {}): Promise<[Sandbox, PostedMessage]> {
  const sandbox = await play({ ...options, timings: { cancelWindowMs: 60_000, ...options.timings } });
  await deletes(sandbox);
  const [card] = await sandbox.slack.until(() => botMessages(sandbox).length > 0 && botMessages(sandbox));
  return [sandbox, card!];
}

describe('the button Cancel in the cancel window of a deletion', () => {
  it('ends it for anybody who may run instances, and the card and one reply say by whom', async () => {
    const [sandbox, card] = await inCancelWindow();
    expect(sandbox.slack.read(card)).toContain('in 1 min, asked by @admin');
    await sandbox.slack.person('bob').presses(card, 'Cancel');
    await sandbox.settled();
    const [shown, reply, ...more] = readAll(sandbox);
    expect(more).toEqual([]);
    expect(shown).toContain('⚪ Did not delete web-1 (101): @bob canceled it. Nothing was done.');
    expect(shown).not.toContain('[ Cancel ]');
    expect(reply).toBe('@admin Did not delete web-1 (101): @bob canceled it. Nothing was done.');
    expect(privateTexts(sandbox, 'bob')).toEqual(['Canceled. Nothing was done to web-1 (101).']);
    expect(deleteCalls(sandbox)).toBe(0);
    expect(sandbox.hosting.statusOf(101)).toBe('running');
  });

  it('is what somebody is led to who wants something else of the instance', async () => {
    const [sandbox] = await inCancelWindow();
    await sandbox.slack.person('bob').types('#ops', '/instances restart web-1');
    const busy = await privateMessage(sandbox, 'bob', 'will be deleted');
    expect(sandbox.slack.read(busy)).toMatch(
      /To do something else with it, cancel that first\.[^]*\[ Cancel \]/,
    );
  });

  it('ends it still while the last look before the call is under way', async () => {
    const sandbox = await play();
    const posting = sandbox.slack.hold('chat.postMessage');
    await deletes(sandbox);
    await posting.arrived;
    const held = sandbox.hosting.hold({ method: 'GET', path: /\/instances\/101$/ });
    posting.release();
    await held.arrived;
    const card = botMessages(sandbox)[0]!;
    await sandbox.slack.person('bob').presses(card, 'Cancel');
    await privateMessage(sandbox, 'bob', 'Canceled. Nothing was done to web-1 (101).');
    held.release();
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('@bob canceled it');
    expect(readAll(sandbox)).toHaveLength(2);
    expect(deleteCalls(sandbox)).toBe(0);
  });

  it('comes too late once the call has left, which is said, and the deletion goes on', async () => {
    const sandbox = await play();
    const held = sandbox.hosting.hold({ method: 'DELETE' });
    await deletes(sandbox);
    await held.arrived;
    const [card] = botMessages(sandbox);
    await sandbox.slack.person('bob').presses(card!, 'Cancel', { version: 0 });
    await privateMessage(
      sandbox,
      'bob',
      "Too late to cancel: I've already asked the hosting service to do it.",
    );
    held.release();
    await sandbox.settled();
    await sandbox.slack.person('bob').presses(card!, 'Cancel', { version: 0 });
    await privateMessage(sandbox, 'bob', 'so there is nothing to cancel. Its card shows how.');
    expect(readAll(sandbox)[0]).toContain('Deleted web-1 (101)');
    expect(readAll(sandbox)).toHaveLength(2);
    expect(deleteCalls(sandbox)).toBe(1);
  });

  it('ends it once however often and by however many it is pressed', async () => {
    const [sandbox, card] = await inCancelWindow();
    const people = ['bob', 'ana', 'admin', 'bob', 'ana', 'admin', 'bob', 'ana'];
    await Promise.all(people.map((who) => sandbox.slack.person(who).presses(card, 'Cancel')));
    await sandbox.settled();
    const [shown, reply, ...more] = readAll(sandbox);
    expect(more).toEqual([]);
    const by = /(@\w+) canceled it/.exec(shown!)?.[1];
    expect(reply).toContain(`${by} canceled it`);
    for (const who of ['bob', 'ana', 'admin']) {
      const words = `@${who}` === by ? 'Canceled. Nothing was done to web-1 (101).' : 'That ended';
      expect(privateTexts(sandbox, who).length).toBeGreaterThan(0);
      for (const said of privateTexts(sandbox, who)) expect(said).toContain(words);
    }
    expect(deleteCalls(sandbox)).toBe(0);
  });

  it.each([
    ['a viewer', 'bob', { LAMPLIGHTER_EVERYONE: 'viewer' }],
    ['somebody without a role', 'bob', { LAMPLIGHTER_EVERYONE: 'none' }],
    ['a guest', 'guest', {}],
    ['somebody of another company', 'stranger', {}],
  ])('is refused to %s, and the cancel window goes on', async (_name, who, env) => {
    const [sandbox, card] = await inCancelWindow({ env: { ...env } });
    sandbox.slack.channel('#ops').add(who);
    await sandbox.slack.person(who).presses(card, 'Cancel');
    const said = await privateMessage(sandbox, who, 'You need');
    expect(sandbox.slack.read(said)).toContain('to cancel what waits to be done');
    expect(sandbox.slack.read(card)).toContain('[ Cancel ]');
    await sandbox.slack.person('admin').presses(card, 'Cancel');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('@admin canceled it');
    expect(deleteCalls(sandbox)).toBe(0);
  });

  it('leaves the instance free: it can be restarted, and deleted when asked again', async () => {
    const [sandbox, card] = await inCancelWindow();
    const admin = sandbox.slack.person('admin');
    await admin.types('#ops', '/instances delete web-1');
    const busy = await privateMessage(sandbox, 'admin', 'web-1 (101) will be deleted in');
    expect(sandbox.slack.read(busy)).toContain('[ Cancel ]');
    await admin.presses(card, 'Cancel');
    await sandbox.settled();
    await runToEnd(sandbox, 'admin', '/instances restart web-1');
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
    await admin.submits(modal, { typed: 'web-1' });
    const again = await sandbox.slack.until(() => botMessages(sandbox)[4]);
    await admin.presses(again, 'Cancel');
    await sandbox.settled();
    expect(readAll(sandbox)[2]).toContain('Restarted web-1 (101)');
    expect(deleteCalls(sandbox)).toBe(0);
  });

  it('mentions everybody who wanted to hear of it, too', async () => {
    const [sandbox, card] = await inCancelWindow();
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    const busy = await privateMessage(sandbox, 'ana', 'web-1 (101) will be deleted in');
    await sandbox.slack.person('ana').presses(busy, 'Tell me too');
    await privateMessage(sandbox, 'ana', "I'll mention you when web-1 (101) is finished.");
    await sandbox.slack.person('admin').presses(card, 'Cancel');
    await sandbox.settled();
    expect(readAll(sandbox)[1]).toContain('@admin @ana Did not delete web-1 (101): @admin canceled it');
  });
});

const LEFT =
  /web-1 \(101\) will be deleted in (\d+ s|1 min), asked by @admin .*\. See its card \(https:\/\/lantern\.slack\.com\/archives\/C\w+\/p\d+\)/;

describe('what is about to be deleted', () => {
  it('is listed by operations with the time left, a link to its card and a way to cancel it', async () => {
    const [sandbox, card] = await inCancelWindow();
    const bob = sandbox.slack.person('bob');
    await bob.types('#ops', '/lamplighter operations');
    const list = await privateMessage(sandbox, 'bob', 'One operation is in progress:');
    expect(sandbox.slack.read(list)).toMatch(LEFT);
    expect(sandbox.slack.read(list)).not.toContain('being deleted');
    expect(links(list).map(({ url }) => url)).toContain(
      `https://lantern.slack.com/archives/${sandbox.slack.channel('#ops').id}/p${card.ts.replace('.', '')}`,
    );
    await bob.presses(list, 'Cancel');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('@bob canceled it');
    expect(deleteCalls(sandbox)).toBe(0);
  });

  it('is distinguished from others that can be canceled by the names on the buttons', async () => {
    const [sandbox] = await inCancelWindow();
    const admin = sandbox.slack.person('admin');
    await admin.submits(await opensModal(sandbox, 'admin', '/instances delete web-2'), { typed: 'web-2' });
    await admin.submits(await opensModal(sandbox, 'admin', '/addons remove backup db-1'), {
      typed: 'backup',
    });
    await sandbox.slack.until(() => botMessages(sandbox).length === 3);
    await admin.types('#ops', '/lamplighter operations');
    const list = await privateMessage(sandbox, 'admin', '3 operations are in progress:');
    const text = sandbox.slack.read(list);
    expect(text).toMatch(/backup on db-1 \(105\) will be removed in (\d+ s|1 min), asked by @admin/);
    for (const label of ['web-1 (101)', 'web-2 (102)', 'backup, db-1 (105)'])
      expect(text).toContain(`Cancel ${label}`);
    for (const label of ['web-1 (101)', 'web-2 (102)', 'backup, db-1 (105)'])
      await admin.presses(list, `Cancel ${label}`);
    await sandbox.settled();
    expect(deleteCalls(sandbox)).toBe(0);
  });

  it('is shown by show with the time left and a way to cancel it, and nothing else to press', async () => {
    const [sandbox] = await inCancelWindow();
    const bob = sandbox.slack.person('bob');
    await bob.types('#ops', '/instances show web-1');
    const shown = await privateMessage(sandbox, 'bob', 'web-1 (101) · running');
    expect(sandbox.slack.read(shown)).toMatch(LEFT);
    expect(sandbox.slack.read(shown)).toContain('[ Cancel ] [ Tell me too ]');
    expect(sandbox.slack.read(shown)).not.toContain('[ Restart ]');
    await bob.presses(shown, 'Cancel');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('@bob canceled it');
  });

  it('is said to be on its way to a person who asks for something else, with a way to cancel it', async () => {
    const [sandbox] = await inCancelWindow();
    const bob = sandbox.slack.person('bob');
    await bob.types('#ops', '/instances restart web-1');
    const busy = await privateMessage(sandbox, 'bob', 'web-1 (101) will be deleted in');
    expect(sandbox.slack.read(busy)).toMatch(LEFT);
    await bob.presses(busy, 'Cancel');
    await sandbox.settled();
    expect(deleteCalls(sandbox)).toBe(0);
  });

  it('is called being deleted once the call has left', async () => {
    const sandbox = await play();
    const held = sandbox.hosting.hold({ method: 'DELETE' });
    await deletes(sandbox);
    await held.arrived;
    await sandbox.slack.person('bob').types('#ops', '/instances show web-1');
    const shown = await privateMessage(sandbox, 'bob', 'web-1 (101) is being deleted, asked by @admin');
    expect(sandbox.slack.read(shown)).not.toContain('[ Cancel ]');
    held.release();
    await sandbox.settled();
  });

  it('in a thread has a link that leads into the thread', async () => {
    const sandbox = await play({ timings: { cancelWindowMs: 60_000 } });
    const admin = sandbox.slack.person('admin');
    const { message: root } = await admin.types('#ops', 'web-1 is not needed any more');
    await admin.mentions('#ops', 'delete web-1', { thread: root!.ts });
    const asked = await privateMessage(sandbox, 'admin', 'Delete web-1 (101) permanently?');
    await admin.presses(asked, 'Delete…');
    const modal = await sandbox.slack.until(() => admin.views.at(-1));
    await admin.submits(modal, { typed: 'web-1' });
    await sandbox.slack.until(() => botMessages(sandbox).length > 0);
    await admin.types('#ops', '/lamplighter operations');
    const list = await privateMessage(sandbox, 'admin', 'One operation is in progress:');
    expect(
      links(list)
        .map(({ url }) => url)
        .join(' '),
    ).toContain(`?thread_ts=${root!.ts}&cid=`);
    await admin.presses(list, 'Cancel');
    await sandbox.settled();
  });
});
