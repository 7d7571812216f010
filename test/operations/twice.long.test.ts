import { describe, expect, it } from 'vitest';
import { answeredWith, play, powerCalls, privateTexts, readAll } from '../support/sandbox.ts';

describe('twice is once', () => {
  it('makes forty requests of two people, with replays and retries, one power call and one card', async () => {
    const sandbox = await play({ hosting: { powerMs: 1_500 } });
    const ana = sandbox.slack.person('ana');
    const bob = sandbox.slack.person('bob');
    const commands = Array.from({ length: 24 }, (_, index) =>
      (index % 2 ? ana : bob).types('#ops', '/instances restart web-1'),
    );
    const mentions = Array.from({ length: 6 }, () => bob.mentions('#ops', 'restart web-1'));
    const turns = await Promise.all([...commands, ...mentions]);
    const replays = await Promise.all(
      turns.slice(0, 6).map((interaction) => sandbox.slack.replay(interaction.requestId!)),
    );
    await Promise.all(
      turns.slice(24, 28).map((interaction) => sandbox.slack.retry(interaction.requestId!, 1)),
    );
    expect(replays.map((replay) => replay.status)).toEqual(Array.from({ length: 6 }, () => 409));
    await sandbox.settled();

    expect(powerCalls(sandbox)).toBe(1);
    expect(readAll(sandbox)).toHaveLength(2);
    const said = [...privateTexts(sandbox, 'ana'), ...privateTexts(sandbox, 'bob')];
    expect(said).toHaveLength(29);
    for (const text of said) expect(text).toMatch(/web-1 \(101\) is already restarting, asked by @(ana|bob)/);
  });

  it('tells a second person who is on it, and mentions them at the end too if they want', async () => {
    const sandbox = await play({ hosting: { powerMs: 800 } });
    const bob = sandbox.slack.person('bob');
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.slack.until(() => readAll(sandbox).length > 0);
    const said = await answeredWith(sandbox, 'bob', '/instances stop web-1');
    expect(sandbox.slack.read(said)).toContain('web-1 (101) is restarting, asked by @ana');
    expect(sandbox.slack.read(said)).toContain("Try again when it's finished");
    await bob.presses(said, 'Tell me too');
    await sandbox.settled();
    expect(readAll(sandbox)[1]).toMatch(/^@ana @bob Restarted web-1/);
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('lets different instances go side by side', async () => {
    const sandbox = await play();
    const ana = sandbox.slack.person('ana');
    await Promise.all(
      ['web-1', 'web-2', 'db-1'].map((name) => ana.types('#ops', `/instances restart ${name}`)),
    );
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(3);
    expect(readAll(sandbox)).toHaveLength(6);
  });

  it('looks once for all while many are under way', async () => {
    const sandbox = await play({ hosting: { powerMs: 1_000 } });
    const ana = sandbox.slack.person('ana');
    const names = ['web-1', 'web-2', 'db-1', 'worker-1', 'slow'];
    sandbox.hosting.setBehavior(207, {});
    await Promise.all(names.map((name) => ana.types('#ops', `/instances restart ${name}`)));
    await sandbox.settled();
    const alone = sandbox.hosting.countCalls('GET', /\/instances\/\d+$/);
    const together = sandbox.hosting.countCalls('GET', /\/instances$/);
    expect(together).toBeGreaterThan(alone);
  });
});
