import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CLOUD_KINDS, type CloudKind } from '../sandbox/clouds/cloud.ts';
import { endWithNpm } from '../sandbox/cleanup.ts';
import { buildSandboxBot } from '../sandbox/start-bot.ts';
import { measureRecovery } from './recovery.ts';
import { doubtsOf, faultsOf, head, line, total } from './report.ts';
import { type RedisKind, run, type RunResult } from './run.ts';
import { FAMILIES, type Family, USUAL_FAMILIES } from './schedule.ts';
import { commandOf, scheduleOfSize, shrink, type Size } from './shrink.ts';

const HELP = `Random faults against the real bot: processes, Redis and both services fail on a schedule drawn from a seed.

npm run faults -- [--seed N] [--seeds N] [--ops N] [--minutes N] [--every MS] [--only ${FAMILIES.join(',')}]
                  [--service ${CLOUD_KINDS.join('|')}] [--redis sentinel|cluster] [--from RELEASE]

  --seed     the first seed; a random one without it
  --seeds    how many seeds, one run each                     (default 1)
  --ops      instances asked about in each run                (default 120)
  --minutes  begin no further run after so many minutes
  --every    milliseconds between two of them                 (default 100)
  --only     families of faults, separated by commas          (default all but limits and silence)
  --service  the cloud that the bot runs                  (default the hosting company)
  --redis    sentinel: a primary and two replicas; cluster: three masters with a replica each. The primary is
             killed and paused right after an acknowledgement, a call, a post or a reply, or at random; 30 kills and
             20 pauses are about --only redis --ops 700 --every 400 (default one Redis)
  --from     a release like 1.1.0 that runs at first: each process that is killed is replaced by today's version
  --recovery N  in place of all that: kill workers and Redis N times each, with the waits the bot is shipped with,
             and measure how long the work stands still
  --no-shrink  don't look for a smaller run that fails too

Exit code 1 when anything was lost, doubled, false, sent twice, or a process ended by itself.`;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Runs seed after seed and prints one table. Gives the exit code. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string', default: '1' },
      ops: { type: 'string', default: '120' },
      minutes: { type: 'string' },
      every: { type: 'string', default: '100' },
      only: { type: 'string', default: USUAL_FAMILIES.join(',') },
      'no-shrink': { type: 'boolean', default: false },
      recovery: { type: 'string' },
      service: { type: 'string' },
      redis: { type: 'string' },
      from: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    say(HELP);
    return 0;
  }
  buildSandboxBot();
  if (values.recovery !== undefined) return recover(wholeNumber('recovery', values.recovery));
  const first =
    values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : wholeNumber('seed', values.seed);
  const seeds = values.minutes === undefined ? wholeNumber('seeds', values.seeds) : Number.MAX_SAFE_INTEGER;
  const limitMs =
    values.minutes === undefined ? Number.POSITIVE_INFINITY : wholeNumber('minutes', values.minutes) * 60_000;
  const sizeOf = (seed: number): Size => ({
    seed,
    rounds: wholeNumber('ops', values.ops),
    everyMs: wholeNumber('every', values.every),
    families: familiesOf(values.only),
    service: serviceOf(values.service),
    redis: redisOf(values.redis),
    from: values.from,
  });

  say(`${commandOf(sizeOf(first))} --seeds ${seeds === Number.MAX_SAFE_INTEGER ? '…' : seeds}\n\n${head()}`);
  const results: RunResult[] = [];
  const failed: Size[] = [];
  const started = performance.now();
  for (let nth = 0; nth < seeds && performance.now() - started < limitMs; nth++) {
    const size = sizeOf(first + nth);
    const result = await run(scheduleOfSize(size), size);
    say(line(result));
    results.push({ ...result, output: '' });
    for (const doubt of doubtsOf(result)) say(`seed ${size.seed} proves little: ${doubt}`);
    if (faultsOf(result).length > 0) {
      failed.push(size);
      explain(result);
    }
  }
  say(total(results));
  if (failed[0] && !values['no-shrink']) {
    say('\nlooking for a smaller run that fails');
    say(`smallest: ${commandOf(await shrink(failed[0], say))}`);
  }
  return failed.length > 0 ? 1 : 0;
}

/** Measures recovery and holds it to what docs/reliability.md promises. */
async function recover(times: number): Promise<number> {
  let isLate = false;
  for (const [what, mostMs] of [
    ['worker', 20_000],
    ['redis', 5_000],
  ] as const) {
    const { stoodMs } = await measureRecovery(what, times, say);
    const sorted = stoodMs.toSorted((one, other) => one - other);
    const at = (share: number): string =>
      ((sorted[Math.ceil(share * sorted.length) - 1] ?? 0) / 1000).toFixed(1);
    say(
      `${what}: ${sorted.length} operations, half within ${at(0.5)} s, all within ${at(1)} s (promised: ${mostMs / 1000} s)`,
    );
    isLate ||= sorted.some((ms) => ms > mostMs);
  }
  return isLate ? 1 : 0;
}

/** Says what was wrong in a run, and keeps what the bots logged. */
function explain(result: RunResult): void {
  const file = join(tmpdir(), `lamplighter-faults-${result.seed}.log`);
  writeFileSync(file, result.output);
  const faults = faultsOf(result).map((fault) => `  ${fault}`);
  say([`seed ${result.seed}:`, ...faults, `  what the bots logged: ${file}`].join('\n'));
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} must be a whole number`);
  return Number(text);
}

function serviceOf(text: string | undefined): CloudKind | undefined {
  const service = CLOUD_KINDS.find((kind) => kind === text);
  if (text !== undefined && service === undefined)
    throw new Error(`--service: no cloud ${text}; there are ${CLOUD_KINDS.join(', ')}`);
  return service;
}

function redisOf(text: string | undefined): RedisKind | undefined {
  if (text === undefined || text === 'sentinel' || text === 'cluster') return text;
  throw new Error('--redis: sentinel, cluster, or nothing');
}

function familiesOf(text: string): Family[] {
  const words = text.split(',').filter((word) => word !== '');
  const unknown = words.find((word) => !FAMILIES.some((family) => family === word));
  if (unknown !== undefined)
    throw new Error(`--only: no family ${unknown}; there are ${FAMILIES.join(', ')}`);
  return FAMILIES.filter((family) => words.includes(family));
}

endWithNpm();
// What a run that failed has left open would go on for good.
process.exit(
  await main().catch((error: unknown) => {
    process.stderr.write(`faults: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }),
);
