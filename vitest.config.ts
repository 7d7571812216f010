import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** `npm run test:chaos`: what needs thousands of runs, or a process killed at every moment. */
const CHAOS = 'chaos';

export default defineConfig(({ mode }) => ({
  test: {
    include: mode === CHAOS ? ['test/**/*.chaos.test.ts', ...filesWithProperties()] : ['test/**/*.test.ts'],
    exclude: mode === CHAOS ? [] : ['test/**/*.chaos.test.ts'],
    provide: { isChaos: mode === CHAOS },
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Loading Bolt, BullMQ and zod anew for each file takes longer than most of their tests.
    isolate: false,
    // Most tests wait for something outside, so that the cores can do with three files more than they are.
    maxWorkers: availableParallelism() + 3,
  },
}));

/** The files whose properties `test:chaos` tries more often. */
function filesWithProperties(): string[] {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => `test/${path}`)
    .filter((path) => readFileSync(path, 'utf8').includes('support/runs.ts'));
}
