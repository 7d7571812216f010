import { describe, expect, it } from 'vitest';
import { instance, worldOf } from '../../sandbox/world.ts';
import { answerTo, play, powerCalls, privateMessage, readAll, runToEnd } from '../support/sandbox.ts';

describe('a name with its id, as the bot writes it', () => {
  it('means that instance, read or changed', async () => {
    const sandbox = await play();
    expect(await answerTo(sandbox, 'ana', '/instances web-1 (101)')).toContain('web-1 (101) · running');
    expect(await answerTo(sandbox, 'ana', '/instances show "web-2 (102)"')).toContain(
      'web-2 (102) · running',
    );
    expect(await answerTo(sandbox, 'ana', '/addons web-1 (101)')).toContain('llm (standard)');
    await runToEnd(sandbox, 'ana', '/instances restart web-1 (101)');
    expect(readAll(sandbox)[0]).toContain('Restarted web-1 (101)');
  });

  it('tells twins apart', async () => {
    const sandbox = await play();
    await runToEnd(sandbox, 'ana', '/instances start twins (213)');
    expect(readAll(sandbox)[0]).toContain('Started twins (213)');
  });

  it('is refused in words where the id is another instance’s', async () => {
    const sandbox = await play();
    for (const line of ['/instances restart web-1 (102)', '/instances web-1 (102)']) {
      expect(await answerTo(sandbox, 'ana', line)).toContain('102 is the id of web-2, not of "web-1".');
      expect(sandbox.slack.transcript('#ops', 'ana')).toContain('• web-2 (102)\n  • web-1 (101)');
    }
    expect(powerCalls(sandbox)).toBe(0);
  });
});

describe('a name that is mistyped', () => {
  it('is shown what is near, to read and to pick from', async () => {
    const sandbox = await play();
    const answer = await answerTo(sandbox, 'ana', '/instances show wbe-1');
    expect(answer).toContain('There is no instance "wbe-1". Did you mean one of these?\n• web-1 (101)');
    expect(answer).toContain('Pick an instance to show');
    const picker = await privateMessage(sandbox, 'ana', 'There is no instance "wbe-1"');
    await sandbox.slack.person('ana').chooses(picker, 'instances.show', '101');
    expect(await privateMessage(sandbox, 'ana', 'web-1 (101) · running')).toBeTruthy();
  });

  it('finds what was meant in a picker', async () => {
    const fleet = [instance(1, 'svc-web'), instance(2, 'worker'), instance(3, 'svc-worker')];
    const sandbox = await play({ hosting: { world: worldOf(fleet) } });
    const ana = sandbox.slack.person('ana');
    await answerTo(sandbox, 'ana', '/instances restart');
    const picker = await privateMessage(sandbox, 'ana', 'Which instance do you want to restart?');
    for (const typed of ['scv-web', 'scv-w', 'svcweb', 'SVC-WBE']) {
      const { options } = await ana.searches(picker, 'instances.restart', typed);
      expect(JSON.stringify(options), typed).toContain('svc-web (1)');
      expect(JSON.stringify(options), typed).not.toContain('"worker (2)');
    }
  });

  it('is answered on a dry run with those that are near, in words and with nothing to press', async () => {
    const sandbox = await play();
    const mistyped = await answerTo(sandbox, 'ana', '/instances restart wbe-1 --dry-run');
    expect(mistyped).toContain('No instance has exactly the name or id "wbe-1"');
    expect(mistyped).toContain('• web-1 (101)');
    expect(mistyped).not.toContain('Pick an instance');
    const twins = await answerTo(sandbox, 'ana', '/instances delete twins --dry-run');
    expect(twins).not.toContain('Pick an instance');
    const restart = await answerTo(sandbox, 'ana', '/instances restart twins --dry-run');
    expect(restart).toContain('• twins (212)\n• twins (213)');
    expect(powerCalls(sandbox)).toBe(0);
  });
});

describe('a name that a phone would have marked', () => {
  const fleet = [
    instance(1, '_backup_'),
    instance(2, 'backup'),
    instance(3, 'web.'),
    instance(4, '*web*'),
    instance(5, 'prod:web-1'),
    instance(6, 'it’s'),
    instance(7, '~old~.'),
    instance(8, 'old.'),
    instance(9, 'old'),
  ];
  const playFleet = (): ReturnType<typeof play> => play({ hosting: { world: worldOf(fleet) } });

  it.each([
    ['_backup_', '_backup_ (1)'],
    ['backup', 'backup (2)'],
    ['*backup*', 'backup (2)'],
    ['`backup`.', 'backup (2)'],
    ['web.', 'web. (3)'],
    ['*web*', '*web* (4)'],
    ['prod:web-1', 'prod:web-1 (5)'],
    ['prod:web-1.', 'prod:web-1 (5)'],
    ['it’s', 'it’s (6)'],
    ['~old~.', '~old~. (7)'],
  ])('means the instance of exactly that name: %s', async (typed, meant) => {
    const sandbox = await playFleet();
    await runToEnd(sandbox, 'ana', `/instances restart ${typed}`);
    expect(readAll(sandbox)[0]).toContain(`Restarted ${meant}`);
    expect(powerCalls(sandbox)).toBe(1);
    expect(await answerTo(sandbox, 'ana', `/instances show ${typed}`)).toContain(`${meant} · `);
  });

  it('is asked about where it may be two, and nothing is done', async () => {
    const sandbox = await playFleet();
    const said = await answerTo(sandbox, 'ana', '/instances restart *old.*');
    expect(said).toContain('No instance is called "*old.*", and it may be one of these.');
    expect(said).toContain('• old. (8)\n• old (9)');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it.each([
    ['ba\u200Bckup', '• backup (2)'],
    ['ba\u00ADckup', '• backup (2)'],
    ['"\u2060backup"', '• backup (2)'],
  ])('is asked about where it is no name without what nobody sees: %j', async (typed, one) => {
    const sandbox = await playFleet();
    expect(await answerTo(sandbox, 'ana', `/instances restart ${typed}`)).toContain(one);
    expect(powerCalls(sandbox)).toBe(0);
  });

  it.each([
    ['we\u200Bb-1', '• web-1 (1)\n• we\u200Bb-1 (2)'],
    ['web-1', '• web-1 (1)\n• we\u200Bb-1 (2)'],
    ['"db"', '• "db" (3)\n• db (4)'],
    ['\u201Cdb\u201D', '• "db" (3)\n• db (4)'],
    ['my\u00A0app', '• my app (5)\n• my  app (6)'],
    ['my app', '• my app (5)\n• my  app (6)'],
  ])('is asked about where another one looks the same: %j', async (typed, both) => {
    const names = ['web-1', 'we\u200Bb-1', '"db"', 'db', 'my app', 'my  app'];
    const world = worldOf(names.map((name, at) => instance(at + 1, name)));
    const sandbox = await play({ hosting: { world } });
    const seen = both.replaceAll('\u200B', '').replaceAll('  ', ' ');
    expect(await answerTo(sandbox, 'ana', `/instances restart ${typed}`)).toContain(seen);
    expect(powerCalls(sandbox)).toBe(0);
  });

  it.each([
    ['"backup"', 'backup (2)'],
    ['\u200Bbackup\u2060', 'backup (2)'],
    ['~_backup_~ backup', 'backup (2)'],
    ['~_backup_ and~ backup', 'backup (2)'],
  ])('is meant without what stands around it, and without what is struck out: %j', async (typed, meant) => {
    const sandbox = await playFleet();
    await runToEnd(sandbox, 'ana', `/instances restart ${typed}`);
    expect(readAll(sandbox)[0]).toContain(`Restarted ${meant}`);
    expect(powerCalls(sandbox)).toBe(1);
  });

  it.each(['~backup~', '~backup~ ~_backup_~'])('is not said where it is struck out: %s', async (typed) => {
    const sandbox = await playFleet();
    const said = await answerTo(sandbox, 'ana', `/instances restart ${typed}`);
    expect(said).toContain('Which instance do you want to restart?');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is still no filter where nobody is called that', async () => {
    const sandbox = await playFleet();
    expect(await answerTo(sandbox, 'ana', '/instances list color:red')).toContain(
      'I can\'t filter by "color:red"',
    );
    expect(await answerTo(sandbox, 'ana', '/instances restart color:red')).toContain('"color:red"');
    expect(powerCalls(sandbox)).toBe(0);
  });
});
