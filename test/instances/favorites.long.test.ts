import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { batchCard, confirms } from '../batches/fleet.ts';
import {
  answeredWith,
  answerTo,
  play,
  type PlayOptions,
  powerCalls,
  privateTexts,
  readAll,
  runToEnd,
} from '../support/sandbox.ts';

/** Four staging instances, of which one runs, two others, and one that is called like nothing else. */
function world(): ReturnType<typeof worldOf> {
  return worldOf([
    instance(1, 'stg-1', { status: 'stopped' }),
    instance(2, 'stg-2', { status: 'stopped' }),
    instance(3, 'stg-3', { status: 'stopped' }),
    instance(4, 'stg-4'),
    instance(5, 'prod-1'),
    instance(6, 'prod-2'),
  ]);
}

const playHere = (options: PlayOptions = {}): Promise<Sandbox> =>
  play({ ...options, hosting: { world: world(), powerMs: 60, ...options.hosting } });

describe('filters that were saved by a name', () => {
  it('list what they match, by their name and with more filters, for everybody, and say who saved them', async () => {
    const sandbox = await playHere();
    expect(await answerTo(sandbox, 'ana', '/instances save nightly = name:stg-*')).toContain(
      'Saved nightly: name:stg-*',
    );
    const listed = await answerTo(sandbox, 'bob', '/instances nightly');
    expect(listed).toMatch(/^4 of 6 instances match nightly: 3 stopped, 1 running\./);
    expect(listed).toContain('nightly is name:stg-*, saved by @ana.');
    expect(await answerTo(sandbox, 'bob', '/instances list Nightly status:running')).toMatch(
      /^1 of 6 instances matches Nightly status:running: 1 running\.\n• 🟢 stg-4/,
    );
    expect(await answerTo(sandbox, 'bob', '/instances nightly -name:stg-4')).toMatch(/^3 of 6 instances/);
  });

  it('start several at once by the same preview as typed names', async () => {
    const sandbox = await playHere();
    await answerTo(sandbox, 'ana', '/instances save nightly=name:stg-*');
    const preview = await answeredWith(sandbox, 'bob', '/instances start nightly');
    const text = sandbox.slack.read(preview);
    expect(text).toContain('Start 3 of 4 instances? Nothing has been done yet.');
    expect(text).toContain('nightly is name:stg-*, saved by @ana.');
    await confirms(sandbox, preview, 'Start 3', 'bob');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'start')).toBe(3);
    expect(batchCard(sandbox)).toContain('All 3 started.');
  });

  it('match for each person only what that person may see', async () => {
    const sandbox = await playHere({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
    const { slack } = sandbox;
    for (const line of ['viewer @ana', 'operator @bob on prod-1'])
      await slack.person('admin').types('#ops', `/lamplighter access grant ${line}`);
    await slack.until(() => slack.person('ana').dms.length > 0 && slack.person('bob').dms.length > 0);
    await answerTo(sandbox, 'ana', '/instances save every-prod = name:prod-*');
    expect(await answerTo(sandbox, 'ana', '/instances every-prod')).toMatch(/^2 of 6 instances/);
    expect(await answerTo(sandbox, 'bob', '/instances every-prod')).toMatch(/^1 of 1 instance matches/);
    const preview = await answerTo(sandbox, 'bob', '/instances restart every-prod');
    expect(preview).toContain('Restart 1 instance?');
    expect(preview).not.toContain('prod-2');
  });

  it('give way to an instance of that name, in a read and in a change', async () => {
    const sandbox = await playHere();
    await answerTo(sandbox, 'ana', '/instances save nightly = name:stg-*');
    sandbox.hosting.addInstance('harbour', instance(7, 'nightly'));
    expect(await answerTo(sandbox, 'ana', '/instances nightly')).toContain('nightly (7) · running');
    await runToEnd(sandbox, 'ana', '/instances stop nightly');
    expect(readAll(sandbox).join()).toContain('Stopped nightly (7)');
    expect(powerCalls(sandbox)).toBe(1);
    // Beside a filter no name is meant.
    expect(await answerTo(sandbox, 'ana', '/instances start nightly status:stopped')).toContain(
      'Start 3 instances?',
    );
  });

  describe('who may not see an instance saves one by its name or id, and everybody else', () => {
    const squatted = async (...names: readonly string[]): Promise<Sandbox> => {
      const sandbox = await playHere({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
      for (const line of ['admin @ana', 'operator @bob on stg-*'])
        await answerTo(sandbox, 'admin', `/lamplighter access grant ${line}`);
      for (const name of names)
        expect(await answerTo(sandbox, 'bob', `/instances save ${name} = name:stg-*`)).toContain('Saved');
      return sandbox;
    };

    it.each([
      ['prod-1', '/instances restart prod-1'],
      ['5', '/instances restart 5'],
      ['prod-1', '@lamplighter restart prod-1'],
      ['prod-1', '/instances restart "prod-1 (5)"'],
    ])('restarts it at once, where %s is taken and "%s" is typed', async (name, line) => {
      const sandbox = await squatted(name);
      await runToEnd(sandbox, 'ana', line);
      expect(readAll(sandbox).join()).toContain('Restarted prod-1 (5)');
      expect(powerCalls(sandbox)).toBe(1);
    });

    it('names several at once', async () => {
      const sandbox = await squatted('prod-1', 'prod-2');
      const preview = await answeredWith(sandbox, 'ana', '/instances restart prod-1 prod-2');
      expect(sandbox.slack.read(preview)).toContain('Restart 2 instances?');
      await confirms(sandbox, preview, 'Restart 2', 'ana');
      await sandbox.settled();
      expect(sandbox.hosting.countCalls('POST', /\/instances\/[56]\/restart$/)).toBe(2);
      expect(powerCalls(sandbox)).toBe(2);
    });

    it('schedules and watches it alone', async () => {
      const sandbox = await squatted('prod-1');
      const draft = await answerTo(sandbox, 'ana', '/instances schedule prod-1 stop at 20:00 daily UTC');
      expect(draft).toContain('every day (UTC), for exactly prod-1 (5)');
      expect(draft).not.toContain('stg-');
      expect(await answerTo(sandbox, 'ana', '/instances watch prod-1')).toContain('changes to prod-1');
    });

    it('while they themselves still mean their filters by it', async () => {
      const sandbox = await squatted('prod-1');
      expect(await answerTo(sandbox, 'bob', '/instances start prod-1')).toContain('Start 3 of 4 instances?');
    });
  });

  it('are listed and removed by who saved them or an admin, and by nobody else', async () => {
    const sandbox = await playHere();
    const { slack } = sandbox;
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
      await answerTo(sandbox, 'ana', `/instances save ${name}-team = name:${name}*`);
    const list = await answeredWith(sandbox, 'ana', '/instances favorites');
    expect(slack.read(list)).toContain('1 to 5 of 7 favorites:');
    expect(slack.read(list)).toContain('a-team: name:a* · saved by @ana');
    const bobs = await answerTo(sandbox, 'bob', '/instances favorites');
    expect(bobs).not.toContain('Remove');
    expect(await answerTo(sandbox, 'bob', '/instances forget a-team')).toContain(
      'a-team was saved by @ana. Only they or an admin can change it',
    );
    expect(await answerTo(sandbox, 'bob', '/instances save a-team = name:b*')).toContain(
      'Only they or an admin',
    );
    await slack.person('ana').presses(list, 'Next');
    await slack.until(() => slack.read(list).includes('6 to 7 of 7 favorites:'));
    await slack.person('ana').presses(list, 'Remove g-team');
    await slack.until(() => slack.read(list).includes('Removed the favorite g-team (name:g*).'));
    await slack.person('ana').presses(list, 'Save g-team = name:g*');
    await slack.until(() => slack.read(list).includes('Saved g-team: name:g*'));
    await answerTo(sandbox, 'ana', '/instances forget g-team');
    expect(await answerTo(sandbox, 'admin', '/instances forget f-team')).toContain(
      'Removed the favorite f-team',
    );
    expect(await answerTo(sandbox, 'bob', '/instances favorites')).toContain('5 favorites:');
    expect(await answerTo(sandbox, 'bob', '/instances forget g-team')).toContain(
      'There is no favorite "g-team"',
    );
  });

  it('have no name that means something already, and no words but filters', async () => {
    const sandbox = await playHere();
    for (const [typed, why] of [
      ['stop = name:a', "can't be the name of a favorite, because it already means something"],
      ['list = name:a', 'because it already means something'],
      ['billing = name:a', 'because it already means something'],
      ['daily = name:a', 'because it already means something'],
      ['prod-1 = name:a', 'because it already means something'],
      ['status:x = name:a', 'A name is one word'],
      ['two words = name:a', 'A name is one word'],
      ['nightly = web-1', 'A favorite consists of filters, and "web-1" is none'],
      ['nightly = color:red', 'I can\'t filter by "color:red"'],
      ['nightly', 'Give me a name and filters'],
      ['= name:a', 'Give me a name and filters'],
      [`nightly = ${'name:abcdefghij '.repeat(21)}`, 'too long for a favorite'],
    ] as const)
      expect(await answerTo(sandbox, 'ana', `/instances save ${typed}`), typed).toContain(why);
    expect(await answerTo(sandbox, 'ana', '/instances favorites')).toMatch(
      /There are no favorites yet\.[^]*\[ Save … \]/,
    );
    await answerTo(sandbox, 'ana', '/instances save nightly = name:stg-*');
    await answerTo(sandbox, 'ana', '/instances save weekly-x = name:prod-*');
    expect(await answerTo(sandbox, 'ana', '/instances list nightly weekly-x')).toContain(
      'I take one favorite at a time',
    );
    expect(await answerTo(sandbox, 'ana', '/instances stop nightly prod-1')).toContain('names or filters');
    expect(privateTexts(sandbox, 'ana').length).toBeGreaterThan(0);
  });
});

describe('a favorite in a schedule or a watch', () => {
  it('is scheduled by the filters that it stands for now, which are shown', async () => {
    const sandbox = await play();
    await answerTo(sandbox, 'ana', '/instances save nightly = name:web-*');
    const preview = await answerTo(sandbox, 'ana', '/instances schedule nightly stop at 20:00 mon-fri UTC');
    expect(preview).toContain('stop at 20:00, Mon–Fri (UTC), for name:web-*');
    expect(preview).toContain('nightly is name:web-*, saved by @ana.');
  });

  it('is watched by the filters that it stands for now', async () => {
    const sandbox = await play();
    await answerTo(sandbox, 'admin', '/instances save nightly = name:web-*');
    expect(await answerTo(sandbox, 'admin', '/instances watch nightly')).toContain('name:web-*');
    expect(await answerTo(sandbox, 'admin', '/instances watches')).toContain('name:web-*');
  });
});
