import { Redis } from 'ioredis';
import { ConfigError, loadRedisUrl } from './app/config/config.ts';
import { verifyAudit } from './core/audit/audit-reader.ts';
import { auditWords } from './core/audit/audit-words.ts';

/** `npm run audit:verify`: goes through the audit at REDIS_URL. Exits with 1 and names the first wrong place, if any. */
async function main(): Promise<void> {
  const redis = new Redis(loadRedisUrl(), { maxRetriesPerRequest: 1, retryStrategy: () => null });
  // What goes wrong is said by the command that fails.
  redis.on('error', () => undefined);
  try {
    const verified = await verifyAudit(redis);
    process.stdout.write(`${auditWords(verified)}\n`);
    process.exitCode = verified.fault ? 1 : 0;
  } finally {
    redis.disconnect();
  }
}

main().catch((error: unknown) => {
  const why = error instanceof ConfigError ? error.message : "Redis at REDIS_URL can't be read";
  process.stderr.write(`audit:verify: ${why}\n`);
  process.exitCode = 1;
});
