import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => `test/${path}`);

/** `npm run test:chaos`: what needs thousands of runs, or a process killed at every moment. */
const CHAOS = 'chaos';
/** `npm run test:browser`: the page of the demo in a real browser. */
const BROWSER = 'browser';
/** `npm run test:image`: the image of the Dockerfile, built and run. */
const IMAGE = 'image';

/** `npm run test:cluster`: the same tests of what is asked, shown and told, on a Redis of three masters. */
const CLUSTER = 'cluster';
const ON_A_CLUSTER = [
  'instances/restart',
  'batches/several',
  'schedules/running',
  'schedules/saving',
  'billing/alerts',
  'billing/alerts-known',
  'access/approvals',
  'audit/audit',
  'accounts/unnamed',
  'batches/after',
  'access/freeze',
];

/** `npm test`: all that takes a few seconds at most, and `npm run test:long`: the rest. Without a mode, both. */
const QUICK = 'quick';
const LONG = 'long';

/** What is tested in each mode, and what is left to the others. */
const CHOSEN: Readonly<Record<string, { readonly include: string[]; readonly exclude: string[] }>> = {
  [CHAOS]: { include: ['test/**/*.chaos.test.ts', ...filesWithProperties()], exclude: [] },
  [CLUSTER]: { include: ON_A_CLUSTER.map((name) => `test/${name}{,.long}.test.ts`), exclude: [] },
  [BROWSER]: { include: ['test/**/*.browser.test.ts'], exclude: [] },
  [IMAGE]: { include: ['test/**/*.image.test.ts'], exclude: [] },
  [LONG]: {
    include: ['test/**/*.test.ts'],
    exclude: files.filter((path) => !path.endsWith('.long.test.ts')),
  },
  [QUICK]: allBut(CHAOS, BROWSER, IMAGE, LONG),
};

/** How long a test, or what it begins with, may take where that is minutes: a browser, or 100,000 draws, on a busy machine. */
const PATIENCE_MS: Readonly<Record<string, number>> = {
  [CHAOS]: 1_800_000,
  [BROWSER]: 300_000,
  [IMAGE]: 300_000,
};

/**
 * Tests by what they need, as `npm test -- --project pure`: nothing outside of the process, a Redis and a sandbox to play in, or
 * processes and a Redis of their own to kill.
 */
type Needs = 'pure' | 'front' | 'outside';
const NEEDS: readonly Needs[] = ['pure', 'front', 'outside'];

export default defineConfig(({ mode }) => {
  const chosen = CHOSEN[mode] ?? allBut(CHAOS, BROWSER, IMAGE);
  return {
    // As the bot itself has Node find it, for adapters that stand outside of it.
    resolve: {
      alias: { 'lamplighter/adapter': new URL('src/platform/hosting/kit.ts', import.meta.url).pathname },
    },
    test: {
      ...chosen,
      ...(isProjectAsked() ? { projects: projectsOf(chosen) } : {}),
      provide: { isChaos: mode === CHAOS },
      globalSetup: ['test/support/build.ts', ...(mode === BROWSER ? ['test/support/chromium.ts'] : [])],
      setupFiles: ['test/support/seed.ts'],
      // Nobody says how long a busy machine takes: what never comes ends with the test.
      expect: { poll: { timeout: 30_000 } },
      testTimeout: PATIENCE_MS[mode] ?? 120_000,
      hookTimeout: PATIENCE_MS[mode] ?? 120_000,
      // Loading Bolt, BullMQ and zod anew for each file takes longer than most of their tests.
      isolate: false,
      // What a test makes is mostly gone in a moment: with the usual room for it, a tenth of the CPU was garbage collection.
      execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=32'],
      // Most tests wait for something outside, so that the cores can do with more files than they are. With more of them than this,
      // all together took longer on two cores.
      maxWorkers: availableParallelism() + 2,
    },
  };
});

/** Whether one is chosen by its name. Each would load all of the bot anew in each of its workers: a third of the imports each. */
function isProjectAsked(): boolean {
  return process.argv.some((word) => word.startsWith('--project'));
}

/** What is chosen, by what it needs. A project can leave out of what the rest of this file includes, and include nothing else. */
function projectsOf({ exclude }: { readonly exclude: string[] }) {
  return NEEDS.map((name) => ({
    extends: true as const,
    test: { name, exclude: [...exclude, ...files.filter((path) => needsOf(path) !== name)] },
  }));
}

function allBut(...modes: readonly string[]): { include: string[]; exclude: string[] } {
  return {
    include: ['test/**/*.test.ts'],
    exclude: modes.map((mode) => `test/**/*.${mode}.test.ts`),
  };
}

/** The files whose properties `test:chaos` tries more often. */
function filesWithProperties(): string[] {
  return files.filter((path) => readFileSync(path, 'utf8').includes('support/runs.ts'));
}

/** What a test file needs: by what stands in it, and in what it imports. */
function needsOf(path: string): Needs {
  if (
    /'node:child_process'|\/support\/(?:process|shipped)\.ts'|\bownRedis: true/.test(
      readFileSync(path, 'utf8'),
    )
  )
    return 'outside';
  return reaches(path, new Set()) ? 'front' : 'pure';
}

/** Whether a file imports a Redis or a double of Slack or of a host, itself or by way of others. */
function reaches(path: string, seen: Set<string>): boolean {
  if (/^sandbox\/(?:sandbox|redis|slack\/index|hosting\/listener|clouds\/cloud)\.ts$/.test(path)) return true;
  if (seen.has(path) || path.startsWith('src/')) return false;
  seen.add(path);
  return [
    ...readFileSync(path, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*? from '(\.[^']+)';$/gm),
  ].some(([, to = '']) => reaches(posix.join(posix.dirname(path), to), seen));
}
