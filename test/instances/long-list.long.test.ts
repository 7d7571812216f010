import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { customer, instance } from '../../sandbox/world.ts';
import { answerTo, type PlayOptions, play, powerCalls, readAll } from '../support/sandbox.ts';
import { askUntil } from '../support/until.ts';

const DOCUMENTED = { requests: 100, seconds: 60 };
const LIST = '/api/v1/instances';

/** A customer with so many instances in pages of 100, and a bot that keeps to the limit of the documentation. */
function playLong(count: number, more: PlayOptions = {}): Promise<Sandbox> {
  const instances = Array.from({ length: count }, (_, index) => instance(index + 1, `web-${index + 1}`));
  const harbour = customer('harbour', { balanceCredits: 90_000_000, instances });
  return play({
    env: { LAMPLIGHTER_EVERYONE: 'admin' },
    ...more,
    hosting: {
      world: { customers: [harbour] },
      variant: { paging: { style: 'pages', size: 100 } },
      rateLimit: DOCUMENTED.requests,
    },
    adapter: { limit: DOCUMENTED, ...more.adapter },
    timings: { pollEveryMs: 400, ...more.timings },
  });
}

describe('an account of 5,000 instances in pages of 100, at 100 calls a minute', () => {
  it('has fifteen commands answered in the first minute after the start', async () => {
    const sandbox = await playLong(5_000);
    for (const who of ['ana', 'bob', 'fin', 'admin', 'ana'])
      expect(await answerTo(sandbox, who, '/instances')).toMatch(
        /^5000 instances: 5000 running\.\n1 to 40 of 5000,/,
      );
    for (const id of [7, 700, 2_500, 4_999, 5_000])
      expect(await answerTo(sandbox, 'bob', `/instances show web-${id}`)).toContain(`web-${id} (${id})`);
    for (const id of [11, 1_111, 2_222, 3_333, 4_444])
      await sandbox.slack.person('ana').types('#ops', `/instances restart web-${id}`);
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(5);
    for (const id of [11, 1_111, 2_222, 3_333, 4_444])
      expect(readAll(sandbox).some((text) => text.includes(`Restarted web-${id} (${id})`))).toBe(true);
    expect(sandbox.hosting.calls.filter(({ status }) => status === 429)).toEqual([]);
    // Fifty pages, and the one that checked the key.
    expect(sandbox.hosting.countCalls('GET', LIST)).toBe(51);
  });

  it('has its list read once for two processes, which say of when it is', async () => {
    const sandbox = await playLong(5_000, { bot: false });
    await sandbox.startBot();
    await answerTo(sandbox, 'ana', '/instances');
    await sandbox.startBot();
    const said = await answerTo(sandbox, 'bob', '/instances');
    expect(said).toMatch(/^5000 instances: 5000 running\.\n1 to 40 of 5000,/);
    expect(said).toMatch(/As of .*ago/);
    expect(sandbox.hosting.countCalls('GET', LIST)).toBe(52);
  });
});

/** A list of this second is as good as one of now: past that, what it says of a name is looked up. */
const outlast = (): Promise<void> => wait(1_100);

describe('where the list was read a while ago', () => {
  it('an instance that was made again under its name is not taken for the old one', async () => {
    const sandbox = await playLong(1_000);
    await answerTo(sandbox, 'ana', '/instances');
    await outlast();
    sandbox.hosting.recreateInstance(7, 5_007);
    const said = await answerTo(sandbox, 'ana', '/instances restart web-7');
    expect(said).toContain('web-7 (7) has changed since I last read the list of instances');
    expect(said).toContain('so nothing was done. Give me its id, or try again in a minute.');
    expect(powerCalls(sandbox)).toBe(0);
    await sandbox.slack.person('ana').types('#ops', '/instances restart 5007');
    await sandbox.settled();
    expect(readAll(sandbox).some((text) => text.includes('Restarted web-7 (5007)'))).toBe(true);
  });

  it('a name that went over to another instance does not restart the one that had it', async () => {
    const sandbox = await playLong(1_000);
    await answerTo(sandbox, 'ana', '/instances');
    await outlast();
    sandbox.hosting.renameInstance(7, 'old-7');
    sandbox.hosting.addInstance('harbour', instance(5_007, 'web-7'));
    expect(await answerTo(sandbox, 'ana', '/instances restart web-7')).toContain(
      'web-7 (7) has changed since',
    );
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('what is newer than the list is found by its id, and its name is not said to be nobody’s', async () => {
    const sandbox = await playLong(1_000);
    await answerTo(sandbox, 'ana', '/instances');
    await outlast();
    sandbox.hosting.addInstance('harbour', instance(5_007, 'fresh'));
    const said = await answerTo(sandbox, 'ana', '/instances restart fresh');
    expect(said).toContain('No instance has exactly the name or id "fresh"');
    expect(said).toMatch(/I last read the list .*ago\. If it is newer than that, give me its id\./);
    expect(await answerTo(sandbox, 'ana', '/instances show 5007')).toContain('fresh (5007)');
  });

  it('the list is read again once the share of calls for that allows', async () => {
    // Six pages may be read every two seconds then, and twice as often where a name is not in them.
    const sandbox = await playLong(600, { adapter: { limit: { requests: 100, seconds: 8 } } });
    await answerTo(sandbox, 'ana', '/instances');
    sandbox.hosting.addInstance('harbour', instance(5_007, 'fresh'));
    await askUntil(
      async () => {
        // A person's pace: each question is a call as well, and hundreds a second would leave none for the list.
        await wait(200);
        return answerTo(sandbox, 'ana', '/instances show fresh');
      },
      (said) => said.includes('fresh (5007)'),
    );
    // The key, six pages, and the seven that they are now; more where a slow machine lets the next two seconds begin.
    expect(sandbox.hosting.countCalls('GET', LIST)).toBeGreaterThanOrEqual(14);
    expect(sandbox.hosting.calls.filter(({ status }) => status === 429)).toEqual([]);
  });
});
