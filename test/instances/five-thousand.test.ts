import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { answeredWith, answerTo, play, powerCalls } from '../support/sandbox.ts';

const COUNT = 5_000;

/** 5,000 instances of long names, of which each hundredth is stopped and one is in error. */
function playThousands(): Promise<Sandbox> {
  const world = worldOf(
    Array.from({ length: COUNT }, (_, index) =>
      instance(10_000 + index, `node-${index}-${'x'.repeat(60)}`, {
        ...(index % 100 === 1 ? { status: 'stopped' } : {}),
        ...(index === 4_321 ? { status: 'error' } : {}),
      }),
    ),
  );
  return play({
    hosting: { world, variant: { paging: { style: 'pages', size: 1_000 } } },
    // A busy machine, on which the host that draws them up shares the process, takes longer than Slack waits.
    slack: { deadlineMs: 30_000 },
  });
}

// The sandbox's Slack refuses what is over its limits, and the test fails where it did.
describe('5,000 instances', () => {
  it('are listed with a summary of all, the one in error first, and where the page is', async () => {
    const sandbox = await playThousands();
    const text = await answerTo(sandbox, 'ana', '/instances');
    const [summary, page, _caption, _head, first] = text.split('\n');
    expect(summary).toBe('5000 instances: 1 in error, 50 stopped, 4949 running.');
    expect(page).toMatch(/^1 to \d+ of 5000, trouble first, running last:$/);
    expect(first).toContain('node-4321-');
    expect(text).toMatch(/\[ Next \d+ \]/);
    expect(text).toContain('[ In error 1 ] [ Stopped 50 ] [ Running 4949 ]');
  });

  it('are offered in pickers as the first hundred, with the word that there are more', async () => {
    const sandbox = await playThousands();
    const { slack } = sandbox;
    const ana = slack.person('ana');
    const list = await answeredWith(sandbox, 'ana', '/instances');
    const question = await answeredWith(sandbox, 'ana', '/instances stop');
    for (const [message, picker] of [
      [list, 'Show one'],
      [list, 'Pick several'],
      [question, 'Pick an instance to stop'],
    ] as const) {
      const offered = await ana.searches(message, picker, '');
      expect(offered.options).toHaveLength(100);
      expect(JSON.stringify(offered.optionGroups?.[0]?.['label'])).toContain(
        'The first 100; type a name or an id to find others',
      );
      const found = await ana.searches(message, picker, 'node-4999');
      expect(found.options[0]?.['value']).toBe('14999');
    }
  });

  it('are too many at once for a change, which says so and does nothing', async () => {
    const sandbox = await playThousands();
    const no = await answerTo(sandbox, 'ana', '/instances stop name:node-*');
    expect(no).toMatch(/at most \d+ at once, so nothing was done/);
    expect(powerCalls(sandbox)).toBe(0);
  });
});
