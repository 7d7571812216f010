import { expect, it } from 'vitest';
import { z } from 'zod';
import { connect } from 'node:net';
import { change } from '../../src/core/changes/change.ts';
import { play, readAll, runToEnd } from '../support/sandbox.ts';
import { TIMINGS } from '../../src/core/timings.ts';

/** The pauses as they are shipped, since each poll is a step: a restart takes seconds here, as it does there. */
const AS_SHIPPED = {
  pollEveryMs: TIMINGS.pollEveryMs,
  staleMs: TIMINGS.staleMs,
  patienceMs: TIMINGS.patienceMs,
  sweepEveryMs: TIMINGS.sweepEveryMs,
  jobLockMs: TIMINGS.jobLockMs,
  watchdogEveryMs: TIMINGS.watchdogEveryMs,
};
/** Most steps follow one of the same process, which knows the record. */
const MAX_READS = 6;
const MAX_RENDERS = 9;
/** Two thirds of what it was when each wake went through a queue; what sweeps and workers ask meanwhile counts, too. */
const MAX_COMMANDS = 390;

/** Counts what Redis is asked, and how often for the record of an operation, by its own account. */
function watchRedis(redisUrl: string): { reads: () => number; commands: () => number; stop: () => void } {
  let seen = '';
  const [path = ''] = redisUrl.split('?');
  const socket = connect(path, () => socket.write('MONITOR\r\n'));
  socket.on('data', (chunk) => (seen += chunk.toString()));
  return {
    reads: () => seen.match(/"hmget" "\{lamplighter\}:operation:/gi)?.length ?? 0,
    // The sandbox counts what is open, to see when all has ended.
    commands: () => seen.match(/^\+\d+\.\d+ \[[^\]]*\] "(?!zcard)/gim)?.length ?? 0,
    stop: () => socket.destroy(),
  };
}

it('a restart asks Redis little, and hardly ever for its own record, from the first word to the last', async () => {
  const sandbox = await play({ ownRedis: true, timings: AS_SHIPPED, hosting: { powerMs: 3_000 } });
  const { reads, commands, stop } = watchRedis(sandbox.redisUrl);
  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  stop();
  expect(readAll(sandbox)[0]).toContain('Restarted web-1 (101)');
  expect(reads()).toBeLessThanOrEqual(MAX_READS);
  expect(commands()).toBeGreaterThan(reads());
  expect(commands()).toBeLessThanOrEqual(MAX_COMMANDS);
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
          check: async () => ({ question: { lines: [] } }),
          observer: {
            observe: async () => async (operation) => {
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
