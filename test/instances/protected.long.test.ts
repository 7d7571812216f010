import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import {
  answeredWith,
  botMessages,
  deleteCalls,
  deletes,
  play,
  powerCalls,
  privateMessage,
  privateTexts,
  readAll,
  runToEnd,
} from '../support/sandbox.ts';

const PROTECTED = { LAMPLIGHTER_PROTECTED: 'WEB-*,105' };

/** Types a power action that is done, as `who`. */
async function does(sandbox: Sandbox, who: string, words: string): Promise<void> {
  const before = readAll(sandbox).length;
  await runToEnd(sandbox, who, `/instances ${words}`);
  expect(readAll(sandbox)).toHaveLength(before + 2);
  expect(readAll(sandbox)[before]).toContain('✅');
}

describe('a protected instance', () => {
  it('is not deleted here, however it is named', async () => {
    const sandbox = await play({ env: PROTECTED });
    const admin = sandbox.slack.person('admin');
    for (const name of ['web-1', '105', 'db-1', '102']) {
      const said = await answeredWith(sandbox, 'admin', `/instances delete ${name}`);
      expect(sandbox.slack.read(said)).toContain(
        'it is protected. The person who runs the bot decides which are; to delete it, use the site of the hosting service.',
      );
    }
    await sandbox.settled();
    expect(admin.views).toEqual([]);
    expect(deleteCalls(sandbox)).toBe(0);
    expect(readAll(sandbox)).toEqual([]);
  });

  it('offers no deletion: neither on its show card nor in the picker', async () => {
    const sandbox = await play({ env: PROTECTED });
    const admin = sandbox.slack.person('admin');
    await admin.types('#ops', '/instances db-1');
    const card = await privateMessage(sandbox, 'admin', 'db-1 (105) · running');
    expect(sandbox.slack.read(card)).toContain('[ Restart ] [ Stop ]');
    expect(sandbox.slack.read(card)).not.toContain('Delete');
    await admin.types('#ops', '/instances delete');
    const picker = await privateMessage(sandbox, 'admin', 'Which instance do you want to delete?');
    const offered = JSON.stringify((await admin.searches(picker, 'instances.delete', '')).options);
    expect(offered).toContain('worker-1 (103)');
    expect(offered).not.toContain('web-1');
    expect(offered).not.toContain('db-1');
  });

  it('is not deleted where it became one in the cancel window', async () => {
    const sandbox = await play({ bot: false, timings: { slackTimeoutMs: 700, findPostAfterMs: 750 } });
    await sandbox.startBot();
    const held = sandbox.slack.hold('chat.postMessage');
    await deletes(sandbox);
    await held.arrived;
    const stopped = sandbox.stopBots();
    held.drop();
    await stopped;
    await sandbox.startBot(PROTECTED);
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain(
      '⚪ Did not delete web-1 (101): it is protected. Nothing was done.',
    );
    expect(deleteCalls(sandbox)).toBe(0);
  });

  it.each([
    ['restart', 'Restart', 'Restarted web-1 (101)'],
    ['stop', 'Stop', 'Stopped web-1 (101)'],
  ])('asks before a %s, and does it once when that is confirmed', async (power, label, ending) => {
    const sandbox = await play({ env: PROTECTED });
    const ana = sandbox.slack.person('ana');
    await ana.types('#ops', `/instances ${power} web-1 --because "new config"`);
    const question = await privateMessage(sandbox, 'ana', `${label} web-1 (101)? It is protected.`);
    expect(sandbox.slack.read(question)).toContain('It is running now. Nothing has been done yet.');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
    expect(readAll(sandbox)).toEqual([]);
    await Promise.all(Array.from({ length: 10 }, () => ana.presses(question, label)));
    await sandbox.settled();
    expect(readAll(sandbox)).toHaveLength(2);
    expect(readAll(sandbox)[0]).toContain(ending);
    expect(readAll(sandbox)[0]).toContain('Because: new config');
    expect(powerCalls(sandbox, power)).toBe(1);
  });

  it('does not ask before a start', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_PROTECTED: 'staging' } });
    await does(sandbox, 'ana', 'start staging');
    expect(privateTexts(sandbox, 'ana')).toEqual([]);
    expect(powerCalls(sandbox, 'start')).toBe(1);
  });

  it('asks as well where a button of its show card is pressed, or it is picked', async () => {
    const sandbox = await play({ env: PROTECTED });
    const ana = sandbox.slack.person('ana');
    await ana.types('#ops', '/instances web-1');
    const card = await privateMessage(sandbox, 'ana', 'web-1 (101) · running');
    await ana.presses(card, 'Stop');
    const question = await privateMessage(sandbox, 'ana', 'Stop web-1 (101)? It is protected.');
    await ana.types('#ops', '/instances restart web');
    const picker = await privateMessage(sandbox, 'ana', 'No instance has exactly the name or id');
    await ana.chooses(picker, 'Pick an instance to restart', '102');
    await privateMessage(sandbox, 'ana', 'Restart web-2 (102)? It is protected.');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
    await ana.presses(question, 'Stop');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('Stopped web-1 (101)');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('would ask, says a dry run, and asks nothing', async () => {
    const sandbox = await play({ env: PROTECTED });
    await runToEnd(sandbox, 'ana', '/instances stop web-1 --dry-run');
    expect(privateTexts(sandbox, 'ana')).toEqual([
      'Would stop web-1 (101), which is running. I would ask you first, because it is protected. This was a dry run: nothing was done.',
    ]);
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is not stopped by a question that is too old, nor where it was re-created meanwhile', async () => {
    const sandbox = await play({ env: PROTECTED });
    const ana = sandbox.slack.person('ana');
    await ana.types('#ops', '/instances stop web-1');
    const question = await privateMessage(sandbox, 'ana', 'Stop web-1 (101)?');
    sandbox.hosting.recreateInstance(101, 999);
    await ana.presses(question, 'Stop');
    await privateMessage(sandbox, 'ana', 'web-1 (101) is gone already');
    const old = await play({ env: PROTECTED, timings: { confirmWithinMs: -1 } });
    await old.slack.person('ana').types('#ops', '/instances stop web-1');
    const asked = await privateMessage(old, 'ana', 'Stop web-1 (101)?');
    await old.slack.person('ana').presses(asked, 'Stop');
    await privateMessage(old, 'ana', 'That question about web-1 (101) has expired');
    await Promise.all([sandbox.settled(), old.settled()]);
    expect(powerCalls(sandbox) + powerCalls(old)).toBe(0);
  });
});

describe('a stop or a restart asks first', () => {
  it('where it was restarted in the last ten minutes, by the same person too', async () => {
    const sandbox = await play();
    await does(sandbox, 'ana', 'restart web-1');
    for (const who of ['ana', 'bob']) {
      await sandbox.slack.person(who).types('#ops', '/instances stop web-1');
      await privateMessage(sandbox, who, 'Stop web-1 (101)? @ana restarted it');
    }
    expect(powerCalls(sandbox, 'stop')).toBe(0);
  });

  it('where somebody else started it, and not where one did oneself', async () => {
    const sandbox = await play();
    await does(sandbox, 'ana', 'start staging');
    await sandbox.slack.person('bob').types('#ops', '/instances stop staging');
    await privateMessage(sandbox, 'bob', 'Stop staging (104)? @ana started it');
    expect(powerCalls(sandbox, 'stop')).toBe(0);
    await does(sandbox, 'ana', 'stop staging');
    expect(powerCalls(sandbox, 'stop')).toBe(1);
  });

  it('where it would be the fourth restart of a day, and calls that a restart loop', async () => {
    const sandbox = await play();
    const ana = sandbox.slack.person('ana');
    for (let times = 1; times <= 3; times++) {
      await runToEnd(sandbox, 'ana', '/instances restart web-1');
      if (times > 1) {
        const question = privateTexts(sandbox, 'ana').at(-1);
        expect(question).toContain('@ana restarted it');
        await ana.presses(sandbox.slack.channel('#ops').ephemeralFor('ana').at(-1)!, 'Restart');
        await sandbox.settled();
      }
    }
    expect(botMessages(sandbox)).toHaveLength(6);
    await ana.types('#ops', '/instances restart web-1 --dry-run');
    await privateMessage(sandbox, 'ana', 'I would ask you first, because it was asked to restart 3 times');
    await ana.types('#ops', '/instances restart web-1');
    const question = await privateMessage(
      sandbox,
      'ana',
      'It was asked to restart 3 times within a day, which looks like a restart loop.',
    );
    expect(powerCalls(sandbox, 'restart')).toBe(3);
    await ana.presses(question, 'Restart');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'restart')).toBe(4);
  });
});
