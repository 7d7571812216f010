import { parseArgs } from 'node:util';
import { z } from 'zod';
import { importOutside, isOutsideAdapter, loadAdapter } from '../../src/app/load-adapter.ts';
import type { Examples } from '../../src/platform/hosting/examples.ts';
import { checkAdapter } from './check.ts';
import { checkExamples } from './examples/check-examples.ts';
import { examplesIn } from './examples/examples-shape.ts';
import type { Finding } from './finding.ts';

const USAGE = `Usage:
  npm run adapter:check -- ./my-cloud.ts [--examples]
  HOSTING_API_TOKEN=… npm run adapter:check -- ./my-cloud.ts [--url URL] [--power ID]

Plays an adapter, named as in HOSTING_SERVICE, and prints a line for each check. It exits with 1 where there is a fault.

Without a key it plays the adapter's own examples, which its file exports beside it: no service is asked. All that the adapter
offers is played, each refusal, and each example with one thing changed.

With a key it plays against the service: the list and its pages, several lists, what is left out, why instances are paused,
what actions prove, one instance, an id that nothing has, a wrong key, too many requests, money. It changes nothing, unless
--power names an instance: that one is restarted twice, stopped and started.

  --examples     plays the examples, also where there is a key
  --url          where the service is; the adapter's own address by default
  --login        where its tokens are asked for; the adapter's own address by default
  --power        the id of an instance that may be restarted, stopped and started
  --patience     seconds that a power action may take                               (default 300)
`;

const MARKS: Readonly<Record<Finding['level'], string>> = {
  ok: '✓',
  doubt: '?',
  fault: '✗',
  'not tried': '-',
};

/** `npm run adapter:check`: exits with 1 where there is a fault. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      login: { type: 'string' },
      power: { type: 'string' },
      examples: { type: 'boolean', default: false },
      patience: { type: 'string', default: '300' },
      help: { type: 'boolean', default: false },
    },
  });
  const [path] = positionals;
  if (values.help || path === undefined) {
    process.stdout.write(USAGE);
    return values.help ? 0 : 1;
  }
  // A key on the command line could be read by everybody on the machine.
  const token = process.env['HOSTING_API_TOKEN'] ?? '';
  const adapter = await loadAdapter(path);
  if (values.examples || token === '') return print(await checkExamples(adapter, await examplesBeside(path)));
  const url = values.url ?? adapter.origin;
  const patienceS = z.coerce.number().positive().safeParse(values.patience).data;
  if (url === undefined) throw new Error('the adapter has no address of its own: give one with --url');
  if (patienceS === undefined) throw new Error('--patience takes seconds');
  const patienceMs = patienceS * 1_000;
  return print(
    await checkAdapter({
      adapter,
      url,
      loginUrl: values.login,
      token,
      powerId: values.power,
      patienceMs,
    }),
  );
}

/** The examples in the file of an adapter. */
async function examplesBeside(path: string): Promise<Examples> {
  const found = isOutsideAdapter(path) ? examplesIn(await importOutside(path)) : { examples: undefined };
  if ('faults' in found)
    throw new Error(`the examples are not what they must be: ${found.faults.join('; ')}`);
  if (found.examples) return found.examples;
  throw new Error(`${path} exports no examples: give a key in HOSTING_API_TOKEN, to ask the service itself`);
}

/** Prints a line for each check; the exit code. */
function print(findings: readonly Finding[]): number {
  for (const { level, check, said } of findings)
    process.stdout.write(`${MARKS[level]} ${check.padEnd(24)} ${said}\n`);
  return findings.some(({ level }) => level === 'fault') ? 1 : 0;
}

main().then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    process.stderr.write(`adapter:check: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
