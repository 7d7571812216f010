import { describe, expect, it } from 'vitest';
import type { Cause, RunJob } from '../../src/platform/queue/run-job.ts';
import { createRunner, type Runner } from '../../src/platform/queue/runner.ts';

const JOB = 'job';

/** A runner whose runs are ended by the test; `runs` are those that began, oldest first. */
function startRunner(): {
  runner: Runner;
  runs: { id: string; cause: Cause; signal: AbortSignal; end: (delayMs?: number) => Promise<void> }[];
} {
  const runner = createRunner([JOB]);
  const runs: ReturnType<typeof startRunner>['runs'] = [];
  const run: RunJob = (_name, id, signal, cause) =>
    new Promise((done) => {
      const end = async (delayMs?: number): Promise<void> => {
        done(delayMs);
        await new Promise(setImmediate);
      };
      runs.push({ id, cause, signal, end });
    });
  runner.start(run);
  return { runner, runs };
}

describe('a job in its own process', () => {
  it('runs once more where it is woken while it runs, and never beside itself', async () => {
    const { runner, runs } = startRunner();
    runner.wake(JOB, 'a', 'here');
    runner.wake(JOB, 'a', 'elsewhere');
    runner.wake(JOB, 'a', 'here');
    expect(runs.map(({ cause }) => cause)).toEqual(['here']);
    await runs[0]?.end();
    expect(runs.map(({ cause }) => cause)).toEqual(['here', 'elsewhere']);
    await runs[1]?.end();
    expect(runner.holds(JOB, 'a')).toBe(false);
    expect(runs).toHaveLength(2);
  });

  it('runs again after the delay that it asks for, and is nobody else’s to leave alone until then', async () => {
    const { runner, runs } = startRunner();
    runner.wake(JOB, 'a', 'here');
    expect(runner.held(JOB, 0)).toEqual(['a']);
    await runs[0]?.end(50);
    expect(runner.held(JOB, 0)).toEqual([]);
    await expect.poll(() => runs.length).toBe(2);
  });

  it('waits where many run, and comes as soon as one of them ends', async () => {
    const { runner, runs } = startRunner();
    for (let nth = 0; nth < 1_000; nth++) runner.wake(JOB, String(nth), 'here');
    const atOnce = runs.length;
    expect(atOnce).toBeLessThan(1_000);
    expect(runner.held(JOB, 0)).toHaveLength(1_000);
    await runs[7]?.end();
    expect(runs).toHaveLength(atOnce + 1);
  });

  it('runs at once where hundreds of another channel wait', async () => {
    const { runner, runs } = startRunner();
    for (let nth = 0; nth < 500; nth++) runner.wake(JOB, `busy ${nth}`, 'here', 'C1');
    const before = runs.length;
    runner.wake(JOB, 'other', 'here', 'C2');
    expect(runs.slice(before).map(({ id }) => id)).toEqual(['other']);
    // What has ended makes room for those who waited longer, and not for what comes now.
    runner.wake(JOB, 'late', 'here', 'C1');
    await runs[0]?.end();
    expect(runs.at(-1)?.id).toBe(`busy ${before}`);
  });

  it('is kept back by nobody of its channel who waits for long', async () => {
    const { runner, runs } = startRunner();
    for (let nth = 0; nth < 60; nth++) runner.wake(JOB, String(nth), 'here', 'C1');
    expect(runs.length).toBeLessThan(60);
    // Nobody ends: that one waits for long is seen by the time that passes.
    await expect.poll(() => runs.length, { timeout: 10_000 }).toBe(60);
  });

  it('has its turn after one of each other channel where all together are too many', async () => {
    const { runner, runs } = startRunner();
    const channels = Array.from({ length: 40 }, (_, nth) => `C${nth}`);
    for (const group of channels)
      for (let nth = 0; nth < 20; nth++) runner.wake(JOB, `${group} ${nth}`, 'here', group);
    runner.wake(JOB, 'other', 'here', 'C-other');
    const atOnce = runs.length;
    expect(atOnce).toBeLessThan(800);
    const begun = new Set(runs.map(({ id }) => id.split(' ')[0]));
    const waiting = [...channels.filter((group) => !begun.has(group)).map((group) => `${group} 0`), 'other'];
    for (let ended = 0; ended < waiting.length; ended++) await runs[ended]?.end();
    expect(runs.slice(atOnce).map(({ id }) => id)).toEqual(waiting);
  });

  it('is not begun any more while the process stops, and what runs is waited for', async () => {
    const { runner, runs } = startRunner();
    runner.wake(JOB, 'a', 'here');
    let isDrained = false;
    const drained = runner.drain(60_000).then(() => (isDrained = true));
    runner.wake(JOB, 'b', 'here');
    await new Promise(setImmediate);
    expect({ isDrained, takes: runner.takes(JOB), begun: runs.length }).toEqual({
      isDrained: false,
      takes: false,
      begun: 1,
    });
    expect(runs[0]?.signal.aborted).toBe(true);
    await runs[0]?.end();
    await drained;
  });
});
