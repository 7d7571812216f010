import { parseArgs } from 'node:util';
import { endWithNpm } from '../sandbox/cleanup.ts';
import { accounts } from './accounts.ts';
import { ack } from './ack.ts';
import { channel } from './channel.ts';
import { command } from './command.ts';
import { far } from './far.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { GOALS, isReached, withUnit } from './harness/goals.ts';
import { describeMachine, pin } from './harness/machine.ts';
import { buildProduct } from './harness/product.ts';
import { writePage } from './harness/write-page.ts';
import { memory } from './memory.ts';
import { operation } from './operation.ts';
import { start } from './start.ts';

/** In the order in which they run. */
const BENCHMARKS: readonly Benchmark[] = [operation, channel, ack, command, far, memory, accounts, start];

const HELP = `Measures the built bot beside peers, in one run, on doubles of Slack and of a hosting service.

npm run bench -- [name …] [--write] [--no-build] [--rounds N]

  name       one or more of those below; without one, all
  --write    put the figures into docs/performance.md
  --no-build measure what is in dist/ already
  --rounds   rounds of each variant, in place of its own number

${BENCHMARKS.map(({ name, what }) => `  ${name.padEnd(12)} ${what}`).join('\n')}`;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      write: { type: 'boolean', default: false },
      'no-build': { type: 'boolean', default: false },
      rounds: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    say(HELP);
    return 0;
  }
  const chosen = choose(positionals);
  if (values.rounds !== undefined && !/^\d{1,6}$/.test(values.rounds))
    throw new Error('--rounds must be a whole number');
  const progress = (line: string): void => void process.stderr.write(`${line}\n`);
  pin('load', process.pid);
  if (!values['no-build']) buildProduct();
  const machine = describeMachine();
  let failed = 0;
  for (const benchmark of chosen) {
    progress(`${benchmark.name}: ${benchmark.what}`);
    try {
      const outcome = await benchmark.run({
        rounds: Number(values.rounds ?? benchmark.rounds),
        say: (line) => progress(`  ${line}`),
      });
      for (const target of GOALS.flatMap(({ targets }) => targets)) {
        const { id, what, wanted, bar, unit } = target;
        const value = outcome.figures[id];
        if (value === undefined) continue;
        const verdict = isReached(target, value) ? 'reached    ' : 'not reached';
        const noisy = outcome.isNoisy ? ' (noisy)' : '';
        say(
          `${verdict}  ${withUnit(value, unit)}${noisy}, wanted ${wanted} ${withUnit(bar, unit)} (${what})`,
        );
      }
      if (values.write) writePage(benchmark, outcome, machine);
    } catch (error) {
      failed += 1;
      progress(
        `${benchmark.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    }
  }
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

endWithNpm();
process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
