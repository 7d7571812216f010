import { describe, expect, it } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import {
  botMessages,
  deleteCalls,
  opensModal,
  play,
  privateMessage,
  readAll,
  toldTo,
} from '../support/sandbox.ts';

/** A deletion of web-1 in its grace, long enough for a test to end before it, and its card. */
async function inGrace(options: SandboxOptions = {}): Promise<[Sandbox, PostedMessage]> {
  const sandbox = await play({ ...options, timings: { deleteGraceMs: 60_000, ...options.timings } });
  const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
  await sandbox.slack.person('admin').submits(modal, { typed: 'web-1' });
  const [card] = await sandbox.slack.until(() => botMessages(sandbox).length > 0 && botMessages(sandbox));
  return [sandbox, card!];
}

describe('the button Cancel in the grace of a deletion', () => {
  it('ends it for anybody who may run instances, and the card and one reply say by whom', async () => {
    const [sandbox, card] = await inGrace();
    expect(sandbox.slack.read(card)).toContain('in 1 min, asked by @admin');
    await sandbox.slack.person('bob').presses(card, 'Cancel');
    await sandbox.settled();
    const [shown, reply, ...more] = readAll(sandbox);
    expect(more).toEqual([]);
    expect(shown).toContain('⚪ Did not delete web-1 (101): @bob cancelled it. Nothing was done.');
    expect(shown).not.toContain('[ Cancel ]');
    expect(reply).toBe('@admin Did not delete web-1 (101): @bob cancelled it. Nothing was done.');
    expect(toldTo(sandbox, 'bob')).toEqual(['Cancelled. Nothing was done to web-1 (101).']);
    expect(deleteCalls(sandbox)).toBe(0);
    expect(sandbox.hosting.statusOf(101)).toBe('running');
    expect(sandbox.slack.refusals).toEqual([]);
  });

  it('ends it still while the last look before the call is under way', async () => {
    const sandbox = await play();
    const posting = sandbox.slack.hold('chat.postMessage');
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
    await sandbox.slack.person('admin').submits(modal, { typed: 'web-1' });
    await posting.arrived;
    const held = sandbox.hosting.hold({ method: 'GET', path: /\/instances\/101$/ });
    posting.release();
    await held.arrived;
    const card = botMessages(sandbox)[0]!;
    await sandbox.slack.person('bob').presses(card, 'Cancel');
    await privateMessage(sandbox, 'bob', 'Cancelled. Nothing was done to web-1 (101).');
    held.release();
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('@bob cancelled it');
    expect(readAll(sandbox)).toHaveLength(2);
    expect(deleteCalls(sandbox)).toBe(0);
    expect(sandbox.slack.refusals).toEqual([]);
  });

  it('comes too late once the call has left, which is told, and the deletion goes on', async () => {
    const sandbox = await play();
    const held = sandbox.hosting.hold({ method: 'DELETE' });
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
    await sandbox.slack.person('admin').submits(modal, { typed: 'web-1' });
    await held.arrived;
    const [card] = botMessages(sandbox);
    await sandbox.slack.person('bob').presses(card!, 'Cancel', { version: 0 });
    await privateMessage(sandbox, 'bob', 'Too late to cancel: the service has been asked for it already.');
    held.release();
    await sandbox.settled();
    await sandbox.slack.person('bob').presses(card!, 'Cancel', { version: 0 });
    await privateMessage(sandbox, 'bob', 'so there is nothing to cancel; its card shows how.');
    expect(readAll(sandbox)[0]).toContain('Deleted web-1 (101)');
    expect(readAll(sandbox)).toHaveLength(2);
    expect(deleteCalls(sandbox)).toBe(1);
    expect(sandbox.slack.refusals).toEqual([]);
  });

  it('ends it once however often and by however many it is pressed', async () => {
    const [sandbox, card] = await inGrace();
    const people = ['bob', 'ana', 'admin', 'bob', 'ana', 'admin', 'bob', 'ana'];
    await Promise.all(people.map((who) => sandbox.slack.person(who).presses(card, 'Cancel')));
    await sandbox.settled();
    const [shown, reply, ...more] = readAll(sandbox);
    expect(more).toEqual([]);
    const by = /(@\w+) cancelled it/.exec(shown!)?.[1];
    expect(reply).toContain(`${by} cancelled it`);
    for (const who of ['bob', 'ana', 'admin']) {
      const words = `@${who}` === by ? 'Cancelled. Nothing was done to web-1 (101).' : 'That ended';
      expect(toldTo(sandbox, who).length).toBeGreaterThan(0);
      for (const told of toldTo(sandbox, who)) expect(told).toContain(words);
    }
    expect(deleteCalls(sandbox)).toBe(0);
    expect(sandbox.slack.refusals).toEqual([]);
  });

  it.each([
    ['a viewer', 'bob', { LAMPLIGHTER_EVERYONE: 'viewer' }],
    ['somebody without a role', 'bob', { LAMPLIGHTER_EVERYONE: 'none' }],
    ['a guest', 'guest', {}],
    ['somebody of another company', 'stranger', {}],
  ])('is refused to %s, and the grace goes on', async (_name, who, env) => {
    const [sandbox, card] = await inGrace({ env: { ...env } });
    sandbox.slack.channel('#ops').add(who);
    await sandbox.slack.person(who).presses(card, 'Cancel');
    const told = await privateMessage(sandbox, who, 'You need');
    expect(sandbox.slack.read(told)).toContain('to start, stop or restart instances');
    expect(sandbox.slack.read(card)).toContain('[ Cancel ]');
    await sandbox.slack.person('admin').presses(card, 'Cancel');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('@admin cancelled it');
    expect(deleteCalls(sandbox)).toBe(0);
    expect(sandbox.slack.refusals).toEqual([]);
  });

  it('leaves the instance free: it can be restarted, and deleted when asked anew', async () => {
    const [sandbox, card] = await inGrace();
    const admin = sandbox.slack.person('admin');
    await admin.types('#ops', '/instances delete web-1');
    const busy = await privateMessage(
      sandbox,
      'admin',
      'web-1 (101) is already being deleted, asked by @admin',
    );
    expect(sandbox.slack.read(busy)).toContain('[ Tell me too ]');
    await admin.presses(card, 'Cancel');
    await sandbox.settled();
    await admin.types('#ops', '/instances restart web-1');
    await sandbox.settled();
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
    await admin.submits(modal, { typed: 'web-1' });
    const again = await sandbox.slack.until(() => botMessages(sandbox)[4]);
    await admin.presses(again, 'Cancel');
    await sandbox.settled();
    expect(readAll(sandbox)[2]).toContain('Restarted web-1 (101)');
    expect(deleteCalls(sandbox)).toBe(0);
    expect(sandbox.slack.refusals).toEqual([]);
  });

  it('mentions whoever wanted to be told, too', async () => {
    const [sandbox, card] = await inGrace();
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    const busy = await privateMessage(sandbox, 'ana', 'web-1 (101) is being deleted, asked by @admin');
    await sandbox.slack.person('ana').presses(busy, 'Tell me too');
    await privateMessage(sandbox, 'ana', "I'll mention you when web-1 (101) is through.");
    await sandbox.slack.person('admin').presses(card, 'Cancel');
    await sandbox.settled();
    expect(readAll(sandbox)[1]).toContain('@admin @ana Did not delete web-1 (101): @admin cancelled it');
    expect(sandbox.slack.refusals).toEqual([]);
  });

  it('is listed as running until then', async () => {
    const [sandbox, card] = await inGrace();
    await sandbox.slack.person('bob').types('#ops', '/lamplighter operations');
    await privateMessage(sandbox, 'bob', 'web-1 (101) is being deleted, asked by @admin');
    await sandbox.slack.person('bob').presses(card, 'Cancel');
    await sandbox.settled();
    expect(sandbox.slack.refusals).toEqual([]);
  });
});
