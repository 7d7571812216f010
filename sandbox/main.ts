import { parseArgs } from 'node:util';
import { playLines, readPlayed } from './play.ts';
import { NoRedisError } from './redis.ts';
import { NoCustomerError, openSandbox } from './sandbox.ts';
import { CHANNELS } from './slack/workspace/standard-channels.ts';
import { talk } from './talk.ts';

/**
 * `npm run demo`: the real bot between a Slack and a hosting company on this machine. With lines as arguments it
 * types those, prints the channel and ends; without, a person types. `--customer nearly-empty` lets the bot work for
 * that one of the company's customers.
 */
const WHO = 'ana';
const WHERE = '#ops';
const WHERE_ID = CHANNELS.find(({ name }) => `#${name}` === WHERE)?.id ?? '';
/** In the demo nobody wants to watch an instance that never starts for five minutes. */
const DEMO_PATIENCE_MS = 20_000;
/** Nor to wait long before a deletion begins. */
const DEMO_DELETE_GRACE_MS = 10_000;

/** Nor for an alert, once a day has passed in a moment. */
const DEMO_CHECK_EVERY_MS = 300;

async function main(args: string[]): Promise<number> {
  const { values, positionals: lines } = parseArgs({
    args,
    options: { customer: { type: 'string' } },
    allowPositionals: true,
  });
  const sandbox = await openSandbox({
    customer: values.customer,
    redisUrl: process.env.REDIS_URL,
    // Whoever tries the demo is to see everything, and at once.
    env: { LAMPLIGHTER_EVERYONE: 'admin', BILLING_CHANNELS: WHERE_ID },
    timings: {
      patienceMs: DEMO_PATIENCE_MS,
      slowAfterMs: DEMO_PATIENCE_MS / 2,
      deleteGraceMs: DEMO_DELETE_GRACE_MS,
      billingCheckEveryMs: DEMO_CHECK_EVERY_MS,
      alertFreshMs: DEMO_CHECK_EVERY_MS,
    },
  });
  try {
    if (lines.length === 0) {
      await talk(sandbox, WHO, WHERE);
      return 0;
    }
    const played = await playLines(sandbox, lines, WHO, WHERE);
    process.stdout.write(`${WHO} types in ${WHERE}:\n${readPlayed(played)}\n\n`);
    process.stdout.write(`${WHERE}, as ${WHO} sees it:\n\n${sandbox.slack.transcript(WHERE, WHO)}\n`);
    const [first] = sandbox.slack.person(WHO).dms;
    if (first) {
      const direct = sandbox.slack.transcript(first.channel, WHO);
      process.stdout.write(`\n${WHO}'s direct messages:\n\n${direct}\n`);
    }
    const faults = played.filter((one) => one.fault !== undefined);
    for (const { line, fault } of faults) process.stderr.write(`\n${line}: ${fault}\n`);
    return faults.length === 0 ? 0 : 1;
  } finally {
    await sandbox.close();
  }
}

main(process.argv.slice(2)).then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    const isPlain = error instanceof NoRedisError || error instanceof NoCustomerError;
    const text = isPlain ? error.message : `The demo broke: ${String(error)}`;
    process.stderr.write(`${text}\n`);
    process.exit(1);
  },
);
