import { expect, it, onTestFinished, vi } from 'vitest';
import { repeat } from '../../src/platform/time/wait.ts';

it('a work that never ends keeps no other from its turn', async () => {
  const turns = { hung: 0, other: 0 };
  const said: string[] = [];
  const stop = repeat(
    1,
    [
      () => {
        turns.hung += 1;
        return new Promise(() => undefined);
      },
      async () => void (turns.other += 1),
    ],
    (error) => void said.push(error.message),
  );
  while (turns.other < 5) await new Promise(setImmediate);
  expect(turns.hung).toBe(1);
  stop();
  expect(said).toEqual([]);
});

it('a work that fails is reported and begun again, until it is stopped', async () => {
  let turns = 0;
  const said: string[] = [];
  const stop = repeat(1, [() => Promise.reject(new Error(`turn ${(turns += 1)}`))], (error) => {
    said.push(error.message);
    if (said.length === 3) stop();
  });
  while (said.length < 3) await new Promise(setImmediate);
  await new Promise((done) => setTimeout(done, 20));
  expect(said).toEqual(['turn 1', 'turn 2', 'turn 3']);
});

it('a work that takes too long is told of each time, and begun again only once it has ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const ends: (() => void)[] = [];
  const said: string[] = [];
  const work = (): Promise<void> => new Promise((done) => ends.push(done));
  onTestFinished(repeat(1, [work], (error) => void said.push(error.message)));
  while (said.length < 3) {
    vi.advanceTimersByTime(10_000);
    await new Promise(setImmediate);
  }
  expect(ends).toHaveLength(1);
  ends[0]?.();
  while (ends.length < 2) await new Promise(setImmediate);
});
