import { describe, expect, it } from 'vitest';
import type { RunJob } from '../../src/platform/queue/run-job.ts';
import { createRunner, type Runner } from '../../src/platform/queue/runner.ts';

const JOB = 'job';

/** A runner whose runs are ended by the test; `runs` are those that began, oldest first. */
function startRunner(): {
  runner: Runner;
  runs: { id: string; isTakenOver: boolean; signal: AbortSignal; end: (delayMs?: number) => Promise<void> }[];
} {
  const runner = createRunner();
  const runs: ReturnType<typeof startRunner>['runs'] = [];
  const run: RunJob = (_name, id, signal, isTakenOver = false) =>
    new Promise((done) => {
      const end = async (delayMs?: number): Promise<void> => {
        done(delayMs);
        await new Promise(setImmediate);
      };
      runs.push({ id, isTakenOver, signal, end });
    });
  runner.start([JOB], run);
  return { runner, runs };
}

/** All have begun that may. */
const begun = (): Promise<void> => new Promise(setImmediate);

describe('a job in its own process', () => {
  it('runs once more where it is woken while it runs, and never beside itself', async () => {
    const { runner, runs } = startRunner();
    for (let woken = 0; woken < 3; woken++) {
      runner.wake(JOB, 'a');
      await begun();
    }
    expect(runs).toHaveLength(1);
    await runs[0]?.end();
    expect(runs).toHaveLength(2);
    await runs[1]?.end();
    expect(runner.holds(JOB, 'a')).toBe(false);
    expect(runs).toHaveLength(2);
  });

  it('runs again after the delay that it asks for, and is no longer taken over', async () => {
    const { runner, runs } = startRunner();
    runner.wake(JOB, 'a', { isTakenOver: true });
    await begun();
    await runs[0]?.end(50);
    expect(runner.holds(JOB, 'a')).toBe(false);
    await expect.poll(() => runs.map(({ isTakenOver }) => isTakenOver)).toEqual([true, false]);
  });

  it('runs at once where hundreds of another channel wait', async () => {
    const { runner, runs } = startRunner();
    for (let nth = 0; nth < 500; nth++) runner.wake(JOB, `busy ${nth}`, { group: 'C1' });
    await begun();
    const before = runs.length;
    runner.wake(JOB, 'other', { group: 'C2' });
    await begun();
    expect(runs.slice(before).map(({ id }) => id)).toEqual(['other']);
    // What has ended makes room for those who waited longer, and not for what comes now.
    runner.wake(JOB, 'late', { group: 'C1' });
    await runs[0]?.end();
    expect(runs.at(-1)?.id).toBe(`busy ${before}`);
  });

  it('is kept back by nobody of its channel who waits for long', async () => {
    const { runner, runs } = startRunner();
    for (let nth = 0; nth < 60; nth++) runner.wake(JOB, String(nth), { group: 'C1' });
    await begun();
    expect(runs.length).toBeLessThan(60);
    // Nobody ends: that one waits for long is seen by the time that passes.
    await expect.poll(() => runs.length).toBe(60);
  });

  it('is not begun any more while the process stops, and what runs is waited for', async () => {
    const { runner, runs } = startRunner();
    runner.wake(JOB, 'a');
    await begun();
    let isDrained = false;
    const drained = runner.drain(60_000).then(() => (isDrained = true));
    runner.wake(JOB, 'b');
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
