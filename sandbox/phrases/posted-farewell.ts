import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { FAREWELL } from '../../src/core/watchdogs/farewell/record.ts';
import { connectBlocking } from '../../src/platform/redis/connection.ts';
import { versionAfter } from '../../src/platform/redis/stored.ts';
import type { SlackDouble } from '../slack/index.ts';

const recordSchema = z.looseObject({
  keptAt: z.number(),
  scheduled: z.array(z.looseObject({ postAt: z.number(), since: z.number() })),
});
const SILENT_MS = 20 * 60_000;
/** As long ago as the bot waits for Slack to post it. */
const POSTED_MS = 30_000;
const PAUSE_MS = 5;

/** Has Slack post what the bot has scheduled ahead, as if it had been silent for as long as that takes. */
export async function letFarewellBePosted(slack: SlackDouble): Promise<void> {
  await slack.until(() => slack.scheduled().length > 0);
  slack.postDue(SILENT_MS);
}

/** It was posted a moment ago, and the bot looks what became of it. */
export async function letBotBeBack(redisUrl: string): Promise<void> {
  const redis = connectBlocking({ url: redisUrl }, () => undefined);
  const key = FAREWELL.key;
  for (let isWritten = false; !isWritten;) {
    await redis.watch(key);
    const [version, text] = await redis.hmget(key, 'version', 'record');
    const record = recordSchema.parse(JSON.parse(text ?? '{}'));
    const postAt = Date.now() - POSTED_MS;
    const scheduled = record.scheduled.map((one) => ({ ...one, postAt, since: postAt - SILENT_MS }));
    const written = {
      version: versionAfter(version ?? '0'),
      record: JSON.stringify({ ...record, keptAt: 1, scheduled }),
    };
    // The bot that still runs may not have written yet what Slack has told it.
    isWritten = scheduled.length > 0 && (await redis.multi().hset(key, written).exec()) !== null;
    if (!isWritten) await wait(PAUSE_MS);
  }
  redis.disconnect();
}
