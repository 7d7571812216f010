import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Adapter } from '../../src/platform/hosting/adapter.ts';
import { checkAdapter } from './check.ts';
import type { Finding } from './finding.ts';

const USAGE = `Usage:
  HOSTING_API_TOKEN=… npm run adapter:check -- path/to/adapter.ts [--url URL] [--power ID]

Plays an adapter against a service and prints a line for each check: the list and its pages, what it leaves out, why
instances are paused, what actions prove, one instance, an id that nothing has, a wrong key, too many requests, money. It changes nothing, unless --power names an instance: that one is
restarted twice, stopped and started. It exits with 1 where there is a fault.

  --url          where the service is; the adapter's own address by default
  --power        the id of an instance that may be restarted, stopped and started
  --patience     seconds that a power action may take                               (default 300)
  --auth-header  the header that carries the key                                    (default Authorization)
  --auth-scheme  the word before the key in it; empty for none                      (default Bearer)
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
      power: { type: 'string' },
      patience: { type: 'string', default: '300' },
      'auth-header': { type: 'string', default: 'Authorization' },
      'auth-scheme': { type: 'string', default: 'Bearer' },
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
  const adapter = await adapterIn(path);
  const url = values.url ?? adapter.origin;
  const patienceS = z.coerce.number().positive().safeParse(values.patience).data;
  if (token === '') throw new Error('HOSTING_API_TOKEN is missing');
  if (url === undefined) throw new Error('the adapter has no address of its own: give one with --url');
  if (patienceS === undefined) throw new Error('--patience takes seconds');
  const findings = await checkAdapter({
    adapter,
    url,
    token,
    authHeader: values['auth-header'],
    authScheme: values['auth-scheme'],
    powerId: values.power,
    patienceMs: patienceS * 1_000,
  });
  for (const { level, check, said } of findings)
    process.stdout.write(`${MARKS[level]} ${check.padEnd(20)} ${said}\n`);
  return findings.some(({ level }) => level === 'fault') ? 1 : 0;
}

const adapterModule = z.object({
  adapter: z.custom<Adapter>((value) => typeof value === 'object' && value !== null && 'instances' in value, {
    error: 'exports no adapter',
  }),
});

async function adapterIn(path: string): Promise<Adapter> {
  const loaded: unknown = await import(pathToFileURL(path).href);
  return adapterModule.parse(loaded).adapter;
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
