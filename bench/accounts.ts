import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import { customer, instance, type World } from '../sandbox/world.ts';
import { type Benchmark, medianOf, type Outcome, outcomeOf, type RunOptions } from './harness/benchmark.ts';
import { checkSignatures } from './harness/checks.ts';
import { NO_LIMIT } from './harness/goals.ts';
import { startShipped } from './harness/product.ts';
import { commandsSince, watchRedis } from './harness/redis.ts';
import { SECRET } from './harness/requests.ts';
import { interleave, type Metrics } from './harness/rounds.ts';
import { wait } from './harness/stats.ts';

const MANY = 100;
const ALONE = 'one account';
const TOGETHER = `${MANY} accounts`;
/** What a start begins has ended by then. */
const IDLE_AFTER_MS = 30_000;
const WATCHED_MS = 60_000;

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

/** One process with so many accounts to which nobody says anything. */
async function measure(accounts: number): Promise<Metrics> {
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
    await wait(WATCHED_MS);
    const after = await redis.commands();
    const metrics = {
      connections: (await countConnections()) - ofOthers,
      commands: commandsSince(before, after) / (WATCHED_MS / 1_000),
      rssMib: bot.rssMib(),
    };
    await bot.stop();
    redis.close();
    return metrics;
  } finally {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The look at the balance, every five minutes of each account, is mostly not among it. */
async function run({ rounds }: RunOptions): Promise<Outcome> {
  const variants = [
    { name: TOGETHER, measure: () => measure(MANY) },
    { name: ALONE, measure: () => measure(1) },
  ];
  // It is counted, which no other process changes.
  const measured = await interleave(variants, rounds, () => () => 0);
  const ofMany = (key: string): number => medianOf(measured, TOGETHER, key);
  return outcomeOf(measured, {
    'idle connections': ofMany('connections'),
    'idle commands': ofMany('commands'),
    'idle memory': (ofMany('rssMib') - medianOf(measured, ALONE, 'rssMib')) / (MANY - 1),
  });
}

export const accounts: Benchmark = {
  name: 'accounts',
  what: `What ${MANY} accounts of one process cost while nobody says anything.`,
  rounds: 1,
  run,
};
