import { describe, expect, it } from 'vitest';
import { instance } from '../../sandbox/world.ts';
import {
  answeredWith,
  answerTo,
  botMessages,
  deleteCalls,
  play,
  powerCalls,
  privateTexts,
  readAll,
  runToEnd,
  privateMessage,
} from '../support/sandbox.ts';

describe('finding the instance', () => {
  it('never guesses for a write: a prefix opens a picker, and picking restarts exactly that one', async () => {
    const sandbox = await play();
    const ana = sandbox.slack.person('ana');
    const picker = await answeredWith(sandbox, 'ana', '/instances restart web');
    expect(sandbox.slack.read(picker)).toContain('No instance has exactly the name or id "web"');
    expect(powerCalls(sandbox)).toBe(0);

    const offered = await ana.searches(picker, 'Pick an instance to restart', 'we');
    expect(JSON.stringify(offered.options)).toContain('web-2 (102)');
    await ana.chooses(picker, 'Pick an instance to restart', '102');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('Restarted web-2 (102)');
    expect(powerCalls(sandbox)).toBe(1);
    expect(privateTexts(sandbox, 'ana')).toEqual([expect.stringContaining('Asked to restart web-2 (102)')]);
  });

  it('offers nothing to pick on a dry run, since a pick would be the real thing', async () => {
    const sandbox = await play();
    await answerTo(sandbox, 'ana', '/instances restart web --dry-run');
    expect(privateTexts(sandbox, 'ana')[0]).toContain('No instance has exactly the name or id "web"');
    expect(privateTexts(sandbox, 'ana')[0]).not.toContain('Pick an instance');
  });

  it.each(['/instances restart fresh-1', '/instances show fresh-1'])(
    '%s finds an instance that was created a moment ago, after the list was read',
    async (line) => {
      const sandbox = await play();
      const ana = sandbox.slack.person('ana');
      await ana.types('#ops', '/instances show web-1');
      await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length > 0);
      sandbox.hosting.addInstance('harbour', instance(9_001, 'fresh-1'));
      await runToEnd(sandbox, 'ana', line);
      await sandbox.slack.until(() => [...privateTexts(sandbox, 'ana'), ...readAll(sandbox)].length > 1);
      expect([...privateTexts(sandbox, 'ana'), ...readAll(sandbox)].join('\n')).toContain('fresh-1 (9001)');
    },
  );

  it('opens a picker where the name is missing, with only what fits the verb', async () => {
    const sandbox = await play();
    const ana = sandbox.slack.person('ana');
    const picker = await answeredWith(sandbox, 'ana', '/instances start');
    const offered = JSON.stringify((await ana.searches(picker, 'instances.start', '')).options);
    expect(offered).toContain('staging (104)');
    expect(offered).not.toContain('web-1');
  });

  it('asks which of two instances of one name is meant', async () => {
    const sandbox = await play();
    const picker = await answeredWith(sandbox, 'ana', '/instances restart twins');
    expect(sandbox.slack.read(picker)).toContain('2 instances are called "twins"');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('reads a name in any case and a unique prefix', async () => {
    const sandbox = await play();
    for (const typed of ['WEB-1', 'show Web-1', 'work', '101']) {
      const shown = await answeredWith(sandbox, 'ana', `/instances ${typed}`);
      expect(sandbox.slack.read(shown)).toMatch(/(web-1 \(101\)|worker-1 \(103\)) · running/);
    }
  });

  it('deletes one instance at a time', async () => {
    const sandbox = await play();
    expect(await answerTo(sandbox, 'admin', '/instances delete web-1 web-2')).toContain(
      'I can delete one instance at a time',
    );
    expect(deleteCalls(sandbox)).toBe(0);
  });

  it.each([
    [
      '/instances restart "web-1',
      'There is an unclosed quotation mark in restart web-1, so nothing was done.',
    ],
    ['/instances restart web-1 --force', "I don't know --force here. The options are"],
    ['/instances list color:red', 'I can\'t filter by "color:red"'],
    ['/instances show nothing-like-it', 'There is no instance "nothing-like-it"'],
  ])('%s is answered in one line to that person only', async (line, answer) => {
    const sandbox = await play();
    expect(await answerTo(sandbox, 'ana', line)).toContain(answer);
    expect(readAll(sandbox)).toEqual([]);
    expect(powerCalls(sandbox)).toBe(0);
  });
});

describe('the show card', () => {
  it('offers what can be done, and a press restarts it once however often it is pressed', async () => {
    const sandbox = await play();
    const ana = sandbox.slack.person('ana');
    const card = await answeredWith(sandbox, 'ana', '/instances web-1');
    expect(sandbox.slack.read(card)).toContain('[ Restart ]');
    expect(sandbox.slack.read(card)).not.toContain('[ Start ]');
    await Promise.all(Array.from({ length: 10 }, () => ana.presses(card, 'Restart')));
    await sandbox.settled();
    await sandbox.slack.until(() => readAll(sandbox).length === 2);
    expect(powerCalls(sandbox)).toBe(1);
    expect(readAll(sandbox)[0]).toContain('Restarted web-1 (101)');
  });

  it('refuses a press for an instance that was re-created under the same name', async () => {
    const sandbox = await play();
    const ana = sandbox.slack.person('ana');
    const card = await answeredWith(sandbox, 'ana', '/instances web-1');
    sandbox.hosting.removeInstance(101);
    sandbox.hosting.addInstance('harbour', instance(999, 'web-1'));
    await ana.presses(card, 'Stop');
    await privateMessage(sandbox, 'ana', 'no longer exists');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('says what changed where the status is another one meanwhile', async () => {
    const sandbox = await play();
    const ana = sandbox.slack.person('ana');
    const card = await answeredWith(sandbox, 'ana', '/instances web-1');
    sandbox.hosting.changeStatus(101, 'stopped');
    await ana.presses(card, 'Stop');
    await privateMessage(sandbox, 'ana', 'web-1 (101) is stopped already');
    expect(powerCalls(sandbox)).toBe(0);
  });
});

describe('by mention', () => {
  it('works in a thread, where the card and its reply stay', async () => {
    const sandbox = await play();
    const ana = sandbox.slack.person('ana');
    const root = await ana.types('#ops', 'web-1 feels slow');
    await ana.mentions('#ops', 'restart web-1', { thread: root.message!.ts });
    await sandbox.settled();
    const [card, reply, ...more] = botMessages(sandbox);
    expect(more).toEqual([]);
    expect(card!.thread_ts).toBe(root.message!.ts);
    expect(reply!.thread_ts).toBe(root.message!.ts);
    expect(sandbox.slack.read(card!)).toContain('Restarted web-1 (101)');
  });

  it('reads what follows the mention, whatever was said before it', async () => {
    const sandbox = await play();
    await runToEnd(sandbox, 'ana', 'hey @bob look, @lamplighter restart web-1.');
    expect(readAll(sandbox)[0]).toContain('Restarted web-1 (101)');
  });

  it('does nothing again when Slack delivers the event again', async () => {
    const sandbox = await play();
    const interaction = await sandbox.slack.person('ana').mentions('#ops', 'restart web-1');
    await Promise.all([1, 2, 3].map((num) => sandbox.slack.retry(interaction.requestId!, num)));
    await sandbox.settled();
    expect((await sandbox.slack.retry(interaction.requestId!, 3)).status).toBe(200);
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    expect(readAll(sandbox)).toHaveLength(2);
    expect(privateTexts(sandbox, 'ana')).toEqual([]);
  });
});
