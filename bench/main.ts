import { parseArgs } from 'node:util';
import { endWithNpm } from '../sandbox/cleanup.ts';
import { BENCHMARKS } from './all.ts';
import type { Benchmark, Outcome } from './harness/benchmark.ts';
import { describeMachine, pin } from './harness/machine.ts';
import { buildProduct } from './harness/product.ts';
import { linesOf } from './harness/report.ts';
import { writePage } from './harness/write-page.ts';

const HELP = `Measures the built bot beside peers, in one run, on doubles of Slack and of a hosting service.

npm run bench -- [name …] [--json] [--write] [--no-build] [--rounds N] [--foreign PERCENT] [--repeats N]

  name       one or more of those below; without one, all
  --json     the figures as JSON
  --write    put the figures into docs/performance.md
  --no-build measure what is in dist/ already
  --rounds   rounds of each variant, in place of its own number
  --foreign  repeat a round in which other processes had more of the machine than this    (default 5)
  --repeats  … so often at most                                                           (default 1)

${BENCHMARKS.map(({ name, what }) => `  ${name.padEnd(12)} ${what}`).join('\n')}`;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      'no-build': { type: 'boolean', default: false },
      rounds: { type: 'string' },
      foreign: { type: 'string', default: '5' },
      repeats: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    say(HELP);
    return 0;
  }
  const chosen = choose(positionals);
  const rounds = values.rounds === undefined ? undefined : wholeNumber('rounds', values.rounds);
  const quiet = {
    foreignPct: wholeNumber('foreign', values.foreign),
    repeats: wholeNumber('repeats', values.repeats),
  };
  const progress = (line: string): void => void process.stderr.write(`${line}\n`);
  pin('load', process.pid);
  if (!values['no-build']) buildProduct();
  const machine = describeMachine();
  const results: Record<string, Outcome> = {};
  let failed = 0;
  for (const benchmark of chosen) {
    progress(`${benchmark.name}: ${benchmark.what}`);
    try {
      const outcome = await benchmark.run({
        rounds: rounds ?? benchmark.rounds,
        quiet,
        say: (line) => progress(`  ${line}`),
      });
      results[benchmark.name] = outcome;
      if (!values.json) say(linesOf(outcome).join('\n'));
      if (values.write) writePage(benchmark, outcome, machine);
    } catch (error) {
      failed += 1;
      progress(
        `${benchmark.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    }
  }
  if (values.json) say(JSON.stringify({ machine, results }, undefined, 2));
  return failed === 0 ? 0 : 1;
}

/** The benchmarks that are named; without a name all. Throws for a name that no benchmark has. */
function choose(names: readonly string[]): readonly Benchmark[] {
  if (names.length === 0) return BENCHMARKS;
  const unknown = names.find((name) => !BENCHMARKS.some((one) => one.name === name));
  if (unknown !== undefined)
    throw new Error(`no benchmark ${unknown}; there are ${BENCHMARKS.map(({ name }) => name).join(', ')}`);
  return BENCHMARKS.filter(({ name }) => names.includes(name));
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new Error(`--${name} must be a whole number`);
  return Number(text);
}

endWithNpm();
process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
