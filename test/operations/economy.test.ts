import { expect, it } from 'vitest';
import { z } from 'zod';
import { connect } from 'node:net';
import { change } from '../../src/core/changes/change.ts';
import { play, readAll, runToEnd } from '../support/sandbox.ts';
import { TIMINGS } from '../../src/core/timings.ts';

/** The pauses between looks as they are shipped, since each look is a step: a restart takes seconds here, as it does there. */
const AS_SHIPPED = {
  firstLookMs: TIMINGS.firstLookMs,
  lookEveryMs: TIMINGS.lookEveryMs,
  confirmRestartMs: TIMINGS.confirmRestartMs,
  sweepEveryMs: TIMINGS.sweepEveryMs,
  watchdogEveryMs: TIMINGS.watchdogEveryMs,
};
/** A third of what it was when every step read the record again, and drew the card to see whether it had changed. */
const MAX_READS = 12;
const MAX_RENDERS = 9;

/** Counts how often the record of an operation is read, by Redis' own account. */
function watchReads(redisUrl: string): { reads: () => number; stop: () => void } {
  let seen = '';
  const [path = ''] = redisUrl.split('?');
  const socket = connect(path, () => socket.write('MONITOR\r\n'));
  socket.on('data', (chunk) => (seen += chunk.toString()));
  return {
    reads: () => seen.match(/"hmget" "lamplighter:operation:/gi)?.length ?? 0,
    stop: () => socket.destroy(),
  };
}

it('a restart reads its record a dozen times at most, from the first word to the last', async () => {
  const sandbox = await play({ timings: AS_SHIPPED, hosting: { powerMs: 3_000 } });
  const { reads, stop } = watchReads(sandbox.redisUrl);
  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  stop();
  expect(readAll(sandbox)[0]).toContain('Restarted web-1 (101)');
  expect(reads()).toBeGreaterThan(0);
  expect(reads()).toBeLessThanOrEqual(MAX_READS);
});

it('an operation draws what it says only where that goes out', async () => {
  let renders = 0;
  const sandbox = await play({
    timings: AS_SHIPPED,
    more: ({ hosting, clock }) => ({
      instances: [
        change({
          id: 'instances.polish',
          verb: 'polish',
          permission: 'instances:power',
          usage: '<name or id>',
          summary: 'polish one instance',
          example: 'polish web-1',
          words: { doing: 'Polishing', done: 'Polished' },
          args: z.object({}),
          object: (instance) => {
            renders += 1;
            return instance;
          },
          look: async () => ({ question: { lines: [] } }),
          observer: {
            look: async () => async (operation) => {
              const seen = await hosting.findInstance(operation.subject.id);
              return { status: seen?.status ?? 'gone', word: seen?.statusWord ?? 'gone', at: clock.now() };
            },
          },
          send: ({ subject }, options) => hosting.powerInstance(subject.id, 'restart', options),
          rule: { repeats: 'never', isReached: ({ status }) => status === 'running' },
        }),
      ],
    }),
    hosting: { powerMs: 3_000 },
  });
  await runToEnd(sandbox, 'ana', '/instances polish web-1');
  expect(readAll(sandbox)[0]).toContain('Polished web-1 (101)');
  expect(renders).toBeLessThanOrEqual(MAX_RENDERS);
});
