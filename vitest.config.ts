import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

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
  [LONG]: { include: ['test/**/*.long.test.ts'], exclude: [] },
  [QUICK]: allBut(CHAOS, BROWSER, IMAGE, LONG),
};

/**
 * What takes long however many cores there are, since it mostly waits: 20 s and more beside others on two cores, or a
 * minute and more among those of chaos. One that began last would have all of them wait for it.
 */
const LONGEST = new RegExp(
  `\\.chaos\\.test\\.ts$|/(?:${[
    'access/(?:approval-expires|policy-check)',
    'accounts/secret-file',
    'audit/history',
    'batches/killed',
    'clouds/(?:adapter-new|budget|charged-month|examples-check|lost-answers|scaleway)',
    'faults/run',
    'hosting/\\w+-first',
    'instances/(?:delete-settling|restart)',
    'lamplighter/open-home',
    'log/broken-output',
    'lookup/in-text',
    'operations/(?:crash|guards|message-faults|shown-first|write-queue)',
    'outbox/(?:board|lookup)',
    'phrases/phrases',
    'queue/accounts',
    'sandbox/(?:cleanup|demo)',
    'watches/watch',
  ].join('|')})(?:\\.long)?\\.test\\.ts$`,
);

/**
 * Has the files that take long begin soon, so that nobody waits for them in the end, each with `othersBetween` others that
 * use the cores meanwhile.
 */
function beginLong(othersBetween: number): typeof BaseSequencer {
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await super.sort.call(this, files);
      const others = sorted.filter(({ moduleId }) => !LONGEST.test(moduleId));
      const long = sorted.filter(({ moduleId }) => LONGEST.test(moduleId));
      return [...long.flatMap((file) => [file, ...others.splice(0, othersBetween)]), ...others];
    }
  };
}

/** Where a test, or what it begins with, may take minutes. */
const PATIENT = new Set([CHAOS, BROWSER, IMAGE]);

export default defineConfig(({ mode }) => ({
  // As the bot itself has Node find it, for adapters that stand outside of it.
  resolve: {
    alias: { 'lamplighter/adapter': new URL('src/platform/hosting/kit.ts', import.meta.url).pathname },
  },
  test: {
    ...(CHOSEN[mode] ?? allBut(CHAOS, BROWSER, IMAGE)),
    provide: { isChaos: mode === CHAOS },
    globalSetup: ['test/support/build.ts', ...(mode === BROWSER ? ['test/support/chromium.ts'] : [])],
    setupFiles: ['test/support/seed.ts'],
    // Those of chaos use the cores themselves.
    sequence: { sequencer: beginLong(mode === CHAOS ? 0 : 3) },
    // Nobody says how long a busy machine takes: what never comes ends with the test.
    expect: { poll: { timeout: 30_000 } },
    // A browser on a busy machine takes minutes for what takes seconds elsewhere.
    testTimeout: PATIENT.has(mode) ? 300_000 : 120_000,
    hookTimeout: PATIENT.has(mode) ? 300_000 : 120_000,
    // Loading Bolt, BullMQ and zod anew for each file takes longer than most of their tests.
    isolate: false,
    // What a test makes is mostly gone in a moment: with the usual room for it, a tenth of the CPU was garbage collection.
    execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=32'],
    // Most tests wait for something outside, so that the cores can do with more files than they are. With more of them than this,
    // all together took longer on two cores.
    maxWorkers: availableParallelism() + 2,
  },
}));

function allBut(...modes: readonly string[]): { include: string[]; exclude: string[] } {
  return {
    include: ['test/**/*.test.ts'],
    exclude: modes.map((mode) => `test/**/*.${mode}.test.ts`),
  };
}

/** The files whose properties `test:chaos` tries more often. */
function filesWithProperties(): string[] {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => `test/${path}`)
    .filter((path) => readFileSync(path, 'utf8').includes('support/runs.ts'));
}
