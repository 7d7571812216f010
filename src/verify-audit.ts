import './app/no-inspector.ts';
import { Redis } from 'ioredis';
import { ConfigError, loadRedisAt, loadRedisPrefix } from './app/config/config.ts';
import { readEnvFile } from './app/config/env-file.ts';
import { isUsageAsked } from './app/usage-asked.ts';
import { verifyAudit } from './core/audit/audit-reader.ts';
import { auditWords, ownerWords } from './core/audit/audit-words.ts';
import { type AuditPlace, findAudits } from './core/audit/find-audits.ts';
import { optionsOf, shownAddress } from './platform/redis/address.ts';

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
  REDIS_URL=redis://127.0.0.1:6379 npm run audit:verify

Reads the audit in Redis and checks the hash of every entry. It exits with 1 if an entry was changed or is missing, and
names the first one. Where the bot runs several accounts, it checks the audit of each, and says whose it is. Without
REDIS_URL it reads redis://127.0.0.1:6379. With REDIS_PREFIX it reads what begins so.
`;

/** Goes through one audit, and says how it is. Gives whether it is intact. */
async function verify(redis: Redis, { scope, names }: AuditPlace, isOnly: boolean): Promise<boolean> {
  const own = redis.duplicate({ keyPrefix: scope });
  own.on('error', () => undefined);
  try {
    const verified = await verifyAudit(own);
    process.stdout.write(`${ownerWords(names, isOnly)}${auditWords(verified)}\n`);
    return verified.fault === undefined;
  } finally {
    own.disconnect();
  }
}

/** `npm run audit:verify`: goes through each audit at REDIS_URL. Exits with 1 and names the first wrong place, if any. */
async function main(): Promise<void> {
  if (isUsageAsked(process.argv.slice(2))) {
    process.stdout.write(USAGE);
    return;
  }
  readEnvFile();
  const at = loadRedisAt();
  const { url, options } = optionsOf(at);
  const given = { ...options, maxRetriesPerRequest: 1, retryStrategy: () => null };
  const redis = url === undefined ? new Redis(given) : new Redis(url, given);
  // What goes wrong is said by the command that fails.
  redis.on('error', () => undefined);
  try {
    const places = await findAudits(redis, loadRedisPrefix());
    for (const place of places) if (!(await verify(redis, place, places.length === 1))) process.exitCode = 1;
  } catch (error) {
    throw new Unreachable(at.url, error);
  } finally {
    redis.disconnect();
  }
}

main().catch((error: unknown) => {
  const isSaid = error instanceof ConfigError || error instanceof Unreachable;
  process.stderr.write(`audit:verify: ${isSaid ? error.message : 'something went wrong.'}\n`);
  process.exitCode = 1;
});
