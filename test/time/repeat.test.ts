import { expect, it } from 'vitest';
import { repeat } from '../../src/platform/time/repeat.ts';

it('a work that never ends keeps no other from its turn', async () => {
  const turns = { hung: 0, other: 0 };
  const told: string[] = [];
  const stop = repeat(
    1,
    [
      () => {
        turns.hung += 1;
        return new Promise(() => undefined);
      },
      async () => void (turns.other += 1),
    ],
    (error) => void told.push(error.message),
  );
  while (turns.other < 5) await new Promise(setImmediate);
  expect(turns.hung).toBe(1);
  stop();
  expect(told).toEqual([]);
});

it('a work that fails is told of and begun again, until it is stopped', async () => {
  let turns = 0;
  const told: string[] = [];
  const stop = repeat(1, [() => Promise.reject(new Error(`turn ${(turns += 1)}`))], (error) => {
    told.push(error.message);
    if (told.length === 3) stop();
  });
  while (told.length < 3) await new Promise(setImmediate);
  await new Promise((done) => setTimeout(done, 20));
  expect(told).toEqual(['turn 1', 'turn 2', 'turn 3']);
});
