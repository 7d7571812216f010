import { expect, it } from 'vitest';
import { repeat } from '../../src/platform/time/repeat.ts';

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
