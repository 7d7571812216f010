import './app/no-inspector.ts';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import { ConfigError, loadRedisAt, loadRedisPrefix, readEnvFile } from './app/config/config.ts';
import { isUsageAsked } from './app/usage-asked.ts';
import { BadHead, faultsOfHeads, judgeHeads, readHeads } from './app/verify-heads.ts';
import { verifyAudit } from './core/audit/audit-reader.ts';
import { auditWords, ownerWords } from './core/audit/audit-words.ts';
import { type AuditPlace, findAudits } from './core/audit/keys.ts';
import type { Head } from './core/audit/chain.ts';
import { optionsOf, shownAddress } from './platform/redis/address.ts';
import { scopedTo } from './platform/redis/key.ts';

/** Redis gave no answer that can be used. Names the address, without its password. */
class Unreachable extends Error {
  constructor(redisUrl: string, cause: unknown) {
    super(
      `Redis at ${shownAddress(redisUrl)} can't be read. Start it, or set REDIS_URL to the Redis of the bot.`,
      {
        cause,
      },
    );
  }
}

const USAGE = `Usage:
  REDIS_URL=redis://127.0.0.1:6379 node dist/verify-audit.js [--head LINE --public-key FILE]

Reads the audit in Redis and checks the hash of every entry. It names the first that was changed or is missing. Where the
bot runs several accounts, it checks the audit of each, and says whose it is. Without REDIS_URL it reads
redis://127.0.0.1:6379. With REDIS_PREFIX it reads what begins so.

  --head LINE          the line that the bot posted at the end of a day: says whether the audit still leads to it. Several
                       tell between which of them it was rewritten
  --public-key FILE    the public key of AUDIT_SIGNING_KEY, in PEM

Exits with 0 where all is as it was, with 1 where something was changed, and with 2 where that can't be told.
`;
const CHANGED = 1;
const UNTOLD = 2;

/** Goes through one audit, and says how it is and how it stands to its heads. Gives the exit code. */
async function verify(
  redis: Redis,
  { scope, names }: AuditPlace,
  isOnly: boolean,
  heads: readonly Head[],
): Promise<number> {
  const verified = await verifyAudit(
    scopedTo(scope, redis),
    heads.map(({ seq }) => seq),
  );
  const { said, isWrong, isUntold } = judgeHeads(heads, verified);
  for (const words of [auditWords(verified), ...said])
    process.stdout.write(`${ownerWords(names, isOnly)}${words}\n`);
  if (verified.fault || isWrong) return CHANGED;
  return isUntold ? UNTOLD : 0;
}

/** Goes through each audit at REDIS_URL. Gives the exit code: what was changed outweighs what can't be told. */
async function verifyAll(lines: readonly string[], keyFile: string | undefined): Promise<number> {
  const heads = readHeads(lines, keyFile);
  const at = loadRedisAt();
  const { url, options } = optionsOf(at);
  const given = { ...options, maxRetriesPerRequest: 1, retryStrategy: () => null };
  const redis = url === undefined ? new Redis(given) : new Redis(url, given);
  // What goes wrong is said by the command that fails.
  redis.on('error', () => undefined);
  try {
    const places = await findAudits(redis, loadRedisPrefix());
    const isOf = ({ names }: AuditPlace, { of }: Head): boolean => names.join('/') === of.join('/');
    const faults = faultsOfHeads(heads, (head) => places.some((place) => isOf(place, head)));
    for (const fault of faults) process.stdout.write(`${fault}\n`);
    const codes = [faults.length > 0 ? CHANGED : 0];
    for (const place of places) {
      const own = heads.signed.filter((head) => isOf(place, head));
      codes.push(await verify(redis, place, places.length === 1, own));
    }
    return codes.includes(CHANGED) ? CHANGED : Math.max(...codes);
  } catch (error) {
    throw new Unreachable(at.url, error);
  } finally {
    redis.disconnect();
  }
}

/** What the command is given. Throws BadHead for what it doesn't know. */
function argumentsOf(args: readonly string[]): {
  readonly heads: string[];
  readonly keyFile: string | undefined;
} {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { head: { type: 'string', multiple: true }, 'public-key': { type: 'string' } },
    });
    return { heads: values.head ?? [], keyFile: values['public-key'] };
  } catch (error) {
    throw new BadHead(`${error instanceof Error ? error.message : "it can't be read"}. See --help.`, {
      cause: error,
    });
  }
}

/** `node dist/verify-audit.js`: says how the audit at REDIS_URL is, and by its exit code whether anything was changed. */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (isUsageAsked(args)) {
    process.stdout.write(USAGE);
    return;
  }
  const { heads, keyFile } = argumentsOf(args);
  readEnvFile();
  process.exitCode = await verifyAll(heads, keyFile);
}

main().catch((error: unknown) => {
  const isSaid = error instanceof ConfigError || error instanceof Unreachable || error instanceof BadHead;
  process.stderr.write(`audit:verify: ${isSaid ? error.message : 'something went wrong.'}\n`);
  process.exitCode = UNTOLD;
});
