import { describe, expect, it } from 'vitest';
import { instance } from '../../sandbox/world.ts';
import { messageWith } from '../support/asking.ts';
import { botMessages, play, powerCalls, privateMessage, readAll } from '../support/sandbox.ts';
import { batchCard, confirms, playFleet, previewOf } from './fleet.ts';

const LIST = /\/instances$/;

describe('three that fail', () => {
  it('are named at the end, and asked for again by one press', async () => {
    const sandbox = await playFleet(12);
    for (const id of [1_003, 1_007]) sandbox.hosting.failNext({ path: new RegExp(`/${id}/stop$`) }, 400);
    const preview = await previewOf(sandbox, '/instances stop name:stg-*');
    await confirms(sandbox, preview, 'Stop 12');
    await sandbox.settled();
    expect(readAll(sandbox)[1]).toBe('@ana 10 of 12 stopped, 2 failed: stg-3, stg-7.');
    const card = botMessages(sandbox)[0]!;
    // What failed stands in the open, and what is done is folded up.
    expect(sandbox.slack.read(card)).toMatch(/\n• ❌ [^\n]*stg-3[^]*\nDone: 10\n {2}• ✅ /);
    await sandbox.slack.person('bob').presses(card, 'Retry failed');
    await sandbox.settled();
    const texts = readAll(sandbox);
    expect(texts).toHaveLength(4);
    expect(texts[2]).toContain('Both stopped.');
    expect(texts[3]).toBe('@bob Both stopped.');
    expect(texts[0]).toContain('Retry failed: asked by @bob');
    expect(texts[0]).not.toContain('[ Retry failed ]');
    expect(powerCalls(sandbox, 'stop')).toBe(14);
  });

  it('end the batch, and what was not begun is named', async () => {
    const sandbox = await playFleet(20);
    sandbox.hosting.failNext({ path: /\/(1000|1001|1002)\/stop$/ }, 400, 3);
    const preview = await previewOf(sandbox, '/instances stop name:stg-* --at-once 1');
    await confirms(sandbox, preview, 'Stop 20');
    await sandbox.settled();
    const reply = readAll(sandbox)[1] ?? '';
    expect(reply).toContain('3 failed: ');
    expect(reply).toContain('untouched: ');
    expect(reply).toContain('I stopped after 3 had failed.');
    expect(powerCalls(sandbox, 'stop')).toBeLessThan(20);
  });
});

describe('some that fail and some that end unknown', () => {
  it.each<[string, readonly [number, number][], RegExp]>([
    [
      'two that fail and one unknown',
      [
        [400, 2],
        [503, 99],
      ],
      /2 failed: .* 1 unknown: .* 17 untouched: /,
    ],
    [
      'one that fails and two unknown',
      [
        [400, 1],
        [500, 99],
      ],
      /1 failed: .* 2 unknown: .* 17 untouched: /,
    ],
    ['three unknown', [[502, 99]], /3 unknown: .* 17 untouched: /],
  ])('end the batch by a rule that agrees with their count: %s', async (_, answers, counts) => {
    const sandbox = await playFleet(20);
    for (const [status, times] of answers) sandbox.hosting.failNext({ path: /\/restart$/ }, status, times);
    const preview = await previewOf(sandbox, '/instances restart name:stg-* --at-once 1');
    await confirms(sandbox, preview, 'Restart 20');
    await sandbox.settled();
    const reply = readAll(sandbox)[1] ?? '';
    expect(reply).toMatch(counts);
    expect(reply).toContain('I stopped after 3 had failed or ended unknown.');
    expect(powerCalls(sandbox, 'restart')).toBe(3);
  });
});

describe('"Cancel the rest"', () => {
  it('lets nothing leave after it, and shows what runs to its end', async () => {
    const sandbox = await playFleet(20);
    const held = sandbox.hosting.hold({ method: 'POST' }, 'after');
    const preview = await previewOf(sandbox, '/instances stop name:stg-* --at-once 1');
    await confirms(sandbox, preview, 'Stop 20');
    await held.arrived;
    const card = await sandbox.slack.until(() => botMessages(sandbox)[0]);
    await sandbox.slack.person('bob').presses(card, 'Cancel the rest');
    await privateMessage(sandbox, 'bob', 'Canceled the rest: 19 of 20');
    const before = powerCalls(sandbox);
    held.release();
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(before);
    expect(before).toBe(1);
    const [shown = '', reply = ''] = readAll(sandbox);
    expect(reply).toContain('@ana 1 of 20 stopped, 19 untouched: ');
    expect(reply).toContain('@bob canceled the rest.');
    expect(shown).toContain('20 operations: 19 canceled, 1 done.');
    expect(shown).not.toContain('[ Cancel the rest ]');
  });

  it('is refused for who may not cancel', async () => {
    const sandbox = await playFleet(3, { env: { LAMPLIGHTER_EVERYONE: 'none' } });
    await sandbox.slack.person('admin').types('#ops', '/lamplighter access grant operator @ana');
    await sandbox.slack.person('admin').types('#ops', '/lamplighter access grant viewer @bob');
    await sandbox.settled();
    const held = sandbox.hosting.hold({ method: 'POST' });
    const preview = await previewOf(sandbox, '/instances stop name:stg-* --at-once 1');
    await confirms(sandbox, preview, 'Stop 3');
    await held.arrived;
    const card = await messageWith(sandbox, 'Stopping 3');
    await sandbox.slack.person('bob').presses(card, 'Cancel the rest');
    await privateMessage(sandbox, 'bob', 'role');
    held.release();
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(3);
  });
});

describe('while a batch runs', () => {
  it('no more than was said run at once, and the list is read by its pages and the time', async () => {
    const sandbox = await playFleet(30);
    let running = 0;
    let most = 0;
    sandbox.hosting.events.on('status', ({ to }: { to: string }) => {
      if (to === 'stopping') running += 1;
      if (to === 'stopped') running -= 1;
      most = Math.max(most, running);
    });
    const preview = await previewOf(sandbox, '/instances stop name:stg-* --at-once 4');
    await confirms(sandbox, preview, 'Stop 30');
    await sandbox.settled();
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
    expect(sandbox.hosting.countCalls('GET', LIST)).toBeGreaterThan(0);
    expect(batchCard(sandbox)).toContain('30 operations: all done.');
  });

  it('who asks for one of them reads who is on it, and is mentioned at the end where they follow it', async () => {
    const sandbox = await playFleet(2, { others: [instance(5, 'web-5')] });
    const held = sandbox.hosting.hold({ method: 'POST' }, 'after');
    const preview = await previewOf(sandbox, '/instances stop name:stg-* --at-once 1');
    await confirms(sandbox, preview, 'Stop 2');
    await held.arrived;
    await sandbox.slack.person('bob').types('#ops', '/instances restart stg-0');
    const busy = await privateMessage(sandbox, 'bob', 'asked by @ana');
    await sandbox.slack.person('bob').presses(busy, 'Tell me too');
    await privateMessage(sandbox, 'bob', 'mention you');
    held.release();
    await sandbox.settled();
    expect(readAll(sandbox)[1]).toBe('@ana @bob Both stopped.');
  });

  it('keeps whoever presses it posted about the one that takes longer than usual', async () => {
    const sandbox = await play();
    const preview = await previewOf(sandbox, '/instances start never-starts staging');
    await confirms(sandbox, preview, 'Start 2');
    const bob = sandbox.slack.person('bob');
    const label = 'Keep me posted: never-starts';
    await sandbox.slack.until(() => batchCard(sandbox).includes(label), { timeoutMs: 10_000 });
    await bob.presses(botMessages(sandbox)[0]!, label);
    await privateMessage(sandbox, 'bob', "I'll mention you when never-starts (201) is finished.");
    await sandbox.settled();
    expect(readAll(sandbox)[1]).toMatch(/^@ana @bob /);
  });
});

describe('a batch of more lines than a message takes', () => {
  it('shows every line page by page, and names every instance on its card', async () => {
    const sandbox = await playFleet(60);
    const preview = await previewOf(sandbox, '/instances stop name:stg-* --at-once 20');
    await confirms(sandbox, preview, 'Stop 60');
    await sandbox.settled();
    const card = botMessages(sandbox)[0]!;
    for (let index = 0; index < 60; index++)
      expect(sandbox.slack.read(card)).toMatch(new RegExp(`\\bstg-${index}\\b`));
    await sandbox.slack.person('bob').presses(card, 'Show all');
    await privateMessage(sandbox, 'bob', '60 operations: all done. 1 to 40:');
    expect(botMessages(sandbox)).toHaveLength(2);
  });
});
