import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import { customer, instance, type World } from '../sandbox/world.ts';
import type { Benchmark, Outcome, RunOptions } from './harness/benchmark.ts';
import { checkSignatures } from './harness/checks.ts';
import { NO_LIMIT } from './harness/no-limit.ts';
import { startShipped } from './harness/product.ts';
import { type Commands, commandsSince, watchRedis } from './harness/redis.ts';
import { SECRET } from './harness/requests.ts';
import { interleave } from './harness/rounds.ts';
import { compare, medianOf, type Metrics } from './harness/table.ts';
import { wait } from './harness/wait.ts';

const MANY = 100;
const ALONE = 'one account';
const TOGETHER = `${MANY} accounts`;
/** What a start begins has ended by then. */
const IDLE_AFTER_MS = 30_000;
const WATCHED_MS = 60_000;
const SHOWN = 12;

const nameOf = (nth: number): string => `team-${nth}`;

/** Each account is a customer of its own, with a key of its own. */
function worldOf(accounts: number): World {
  const customers = Array.from({ length: accounts }, (_, nth) => {
    const instances = Array.from({ length: 20 }, (_each, index) =>
      instance(1_000 * (nth + 1) + index, `web-${index}`),
    );
    return customer(nameOf(nth), { instances });
  });
  return { customers };
}

/** Writes the file that names the accounts; gives its path. */
function writeAccounts({ env, hosting }: Sandbox, folder: string): string {
  const path = join(folder, 'accounts.json');
  const accounts = hosting.customers.map(({ name, apiKey }) => ({
    name,
    url: env['HOSTING_API_URL'],
    key: apiKey,
  }));
  writeFileSync(path, JSON.stringify({ accounts }), { mode: 0o600 });
  return path;
}

/** The commands that were sent most often, in a second. */
function mostOf(before: Commands, after: Commands): string {
  const each = [...after].map(([name, calls]) => [name, calls - (before.get(name) ?? 0)] as const);
  const most = each.toSorted(([, one], [, other]) => other - one).slice(0, SHOWN);
  return most.map(([name, calls]) => `${name} ${(calls / (WATCHED_MS / 1_000)).toFixed(1)}`).join(', ');
}

/** One process with so many accounts to which nobody says anything. */
async function measure(accounts: number, say: (line: string) => void): Promise<Metrics> {
  const sandbox = await openSandbox({
    bot: false,
    hosting: { world: worldOf(accounts), rateLimit: NO_LIMIT.requests },
    slack: { signingSecret: SECRET },
  });
  const folder = mkdtempSync(join(tmpdir(), 'bench-accounts-'));
  try {
    if (!sandbox.redis) throw new Error('the sandbox has no Redis of its own');
    const redis = watchRedis(sandbox.redis);
    const countConnections = async (): Promise<number> =>
      String(await redis.client.client('LIST'))
        .trim()
        .split('\n').length;
    const ofOthers = await countConnections();
    const bot = await startShipped({ ...sandbox.env, HOSTING_ACCOUNTS: writeAccounts(sandbox, folder) });
    const url = `http://127.0.0.1:${bot.port}/slack/events`;
    await checkSignatures(TOGETHER, url, `${sandbox.env['SLACK_API_URL'] ?? ''}respond`);
    await wait(IDLE_AFTER_MS);
    const before = await redis.commands();
    const [botMs, redisMs] = [bot.cpuMs(), redis.cpuMs()];
    await wait(WATCHED_MS);
    const after = await redis.commands();
    say(`${accounts}: ${mostOf(before, after)} a second`);
    const seconds = WATCHED_MS / 1_000;
    const metrics = {
      connections: (await countConnections()) - ofOthers,
      commands: commandsSince(before, after) / seconds,
      botMs: (bot.cpuMs() - botMs) / seconds,
      redisMs: (redis.cpuMs() - redisMs) / seconds,
      rssMib: bot.rssMib(),
      startMs: bot.startMs,
    };
    await bot.stop();
    redis.close();
    return metrics;
  } finally {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run({ rounds, say }: RunOptions): Promise<Outcome> {
  const variants = [
    { name: TOGETHER, measure: () => measure(MANY, say) },
    { name: ALONE, measure: () => measure(1, say) },
  ];
  // Mostly it is counted, which no other process changes.
  const measured = await interleave(variants, rounds, { foreignPct: 100, repeats: 0 });
  const metrics = [
    { key: 'connections', what: 'connections to Redis' },
    { key: 'commands', what: 'Redis commands a second, those in scripts included' },
    { key: 'botMs', what: 'CPU of the bot, ms a second' },
    { key: 'redisMs', what: 'CPU of Redis, ms a second' },
    { key: 'rssMib', what: 'memory, MiB' },
    { key: 'startMs', what: 'ready after, ms' },
  ];
  const ofMany = (key: string): number => medianOf(measured, TOGETHER, key);
  return {
    tables: [compare('One process to which nobody says anything', measured, metrics, TOGETHER)],
    figures: {
      'idle connections': ofMany('connections'),
      'idle commands': ofMany('commands'),
      'idle memory': (ofMany('rssMib') - medianOf(measured, ALONE, 'rssMib')) / (MANY - 1),
    },
    notes: ['The look at the balance, every five minutes of each account, is mostly not among it.'],
  };
}

export const accounts: Benchmark = {
  name: 'accounts',
  what: `What ${MANY} accounts of one process cost while nobody says anything.`,
  rounds: 1,
  run,
};
