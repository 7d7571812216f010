import { expect, it } from 'vitest';
import { answerTo, play, powerCalls, readAll } from '../support/sandbox.ts';

it('what comes to its turn too late is not begun, and who asked reads that', async () => {
  const sandbox = await play({
    env: { LAMPLIGHTER_ADMINS: 'U0ADA000001', LAMPLIGHTER_EVERYONE: 'operator' },
    timings: { acceptWithinMs: -1 },
  });
  expect(await answerTo(sandbox, 'ana', '/instances restart web-1')).toContain(
    'It took me too long to get to what you asked for, so nothing was done. Ask again if you still want it.',
  );
  // What begins no operation has no other deadline.
  expect(await answerTo(sandbox, 'admin', '/lamplighter freeze "release"')).toContain('took me too long');
  expect(await answerTo(sandbox, 'admin', '/lamplighter freeze')).toBe('Nothing is frozen.');
  // A read changes nothing, however late.
  expect(await answerTo(sandbox, 'ana', '/instances show web-1')).toContain('web-1 (101)');
  await sandbox.settled();
  expect(powerCalls(sandbox)).toBe(0);
  expect(readAll(sandbox)).toEqual([]);
});
