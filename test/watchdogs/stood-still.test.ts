import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createEventLoopWatchdog } from '../../src/core/watchdogs/vital-signs.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { timings } from '../operations/operation.ts';

const SAMPLE_MS = 250;
const LOCK_MS = 2_000;

let nowMs = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onTestFinished(() => {
    clock.mockRestore();
    vi.useRealTimers();
  });
});

/** Time that passes in which nothing of the process runs, before the next sample can be taken. */
function standStill(forMs: number): void {
  nowMs += SAMPLE_MS + forMs;
  vi.advanceTimersByTime(SAMPLE_MS);
}

function watchdog() {
  const lines: string[] = [];
  const counted: number[] = [];
  const log = createLog('debug', [], { write: (line) => lines.push(line) });
  const given = createEventLoopWatchdog(
    { ...timings, jobLockMs: LOCK_MS },
    { stoodStill: (ms) => counted.push(ms) },
    log,
  );
  return { ...given, lines, counted };
}

test('a process that stood still for less than a lock lasts warns of it, and it is counted', async () => {
  const { check, lines, counted } = watchdog();
  standStill(700);
  await check();
  expect(counted).toEqual([700]);
  expect(lines).toEqual([expect.stringMatching(/"level":"warn".*"blockedMs":700.*the process stood still"/)]);
});

test('past the time of a lock it is an error, since a job may run elsewhere too', async () => {
  const { check, lines, counted } = watchdog();
  standStill(LOCK_MS);
  await check();
  expect(counted).toEqual([LOCK_MS]);
  expect(lines).toEqual([expect.stringMatching(/"level":"error".*longer than a lock lasts/)]);
});

test('the longest pause since the last look is told, and told once', async () => {
  const { check, lines, counted } = watchdog();
  for (const forMs of [600, 900, 0]) standStill(forMs);
  await check();
  await check();
  expect(counted).toEqual([900]);
  expect(lines).toHaveLength(1);
});

test('a process that runs, and one that is only a little late, says nothing', async () => {
  const { check, lines, counted } = watchdog();
  for (const forMs of [0, 0, 499]) standStill(forMs);
  await check();
  expect([...lines, ...counted]).toEqual([]);
});

test('a process that stops samples nothing any more', () => {
  const { stop } = watchdog();
  expect(vi.getTimerCount()).toBe(1);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});
