import { describe, expect, it } from 'vitest';
import { botMessages, powerCalls, privateTexts, readAll } from '../support/sandbox.ts';
import { batchCard, confirms, playFleet, previewOf } from './fleet.ts';

/** No look of FAST comes sooner after the one before it. */
const FAST_POLL_MS = 20;

describe('forty instances by a filter', () => {
  it('are stopped by forty calls, shown on one card, and reported in one sentence', async () => {
    const sandbox = await playFleet(40);
    const reads = (): number => sandbox.hosting.countCalls('GET', /\/instances/);
    const before = reads();
    const preview = await previewOf(sandbox, '/instances stop name:stg-*');
    expect(sandbox.slack.read(preview)).toContain('Stop 40 instances? Nothing has been done yet.');
    // One list, whatever its length in instances, and one more at the yes.
    expect(reads() - before).toBe(1);
    const began = performance.now();
    await confirms(sandbox, preview, 'Stop 40');
    await sandbox.settled();
    // One look serves all that run, and there is one each so often at most.
    const looks = 2 + (performance.now() - began) / FAST_POLL_MS;
    expect(reads() - before).toBeLessThanOrEqual(looks);
    expect(powerCalls(sandbox, 'stop')).toBe(40);
    for (let index = 0; index < 40; index++)
      expect(sandbox.hosting.countCalls('POST', new RegExp(`/instances/${1_000 + index}/stop$`))).toBe(1);
    expect(botMessages(sandbox).length).toBeLessThanOrEqual(6);
    const [card = '', reply = ''] = readAll(sandbox);
    expect(card).toContain('All 40 stopped.');
    expect(card).toContain('40 operations: all done.');
    const container = botMessages(sandbox)[0]?.blocks.find(({ type }) => type === 'container');
    expect(container).toMatchObject({ title: { text: 'Done: 40' }, default_collapsed: true });
    expect(JSON.stringify(container)).toContain('Stopped ');
    expect(reply).toBe('@ana All 40 stopped.');
    expect(readAll(sandbox)).toHaveLength(2);
  });
});

describe('several by their names', () => {
  it('are shown with what is left out and why, and only the others are stopped', async () => {
    const sandbox = await playFleet(3, {
      env: { LAMPLIGHTER_PROTECTED: 'stg-2' },
    });
    await sandbox.slack.person('ana').types('#ops', '/instances stop stg-0');
    await sandbox.settled();
    const preview = await previewOf(sandbox, '/instances stop stg-0 stg-1 1002');
    const text = sandbox.slack.read(preview);
    expect(text).toContain('Stop 1 of 3 instances?');
    expect(text).toContain('stg-1 (1001) · running');
    expect(text).toContain('Skipped stg-0: it is stopped already');
    expect(text).toContain('Skipped stg-2: it is protected; run it separately');
    await confirms(sandbox, preview, 'Stop 1');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'stop')).toBe(2);
    expect(batchCard(sandbox)).toContain('1 of 1 stopped.');
    expect(privateTexts(sandbox, 'ana').at(-1)).toContain('Stopping 1 instance. The card in the channel');
  });
});
