import type { Running } from './bots.ts';
import { checkAnswers } from './checks.ts';
import type { LoadJob } from './load.ts';
import type { Metrics } from './table.ts';

/** What is sent to a bot in one round. */
export type Sent = Pick<LoadJob, 'command' | 'text' | 'count' | 'inFlight' | 'untilPosted'>;

/**
 * Sends a round of requests, each different, with a signature of its own. Gives requests a second, CPU for each in µs, and times in ms.
 * Rejects with a CheckError where one was not answered with 200.
 */
export async function send(running: Running, sent: Sent): Promise<Metrics> {
  const { name, process, redis, load, url } = running;
  const from = running.nextNth;
  running.nextNth += sent.count;
  const start = await load.prepare({ ...sent, url, from });
  const [cpuMs, redisMs] = [process.cpuMs(), redis.cpuMs()];
  const { tookMs, statuses, ack, posted } = await start();
  checkAnswers(name, statuses);
  return {
    perSecond: (1_000 * sent.count) / tookMs,
    cpuUs: (1_000 * (process.cpuMs() - cpuMs)) / sent.count,
    redisUs: (1_000 * (redis.cpuMs() - redisMs)) / sent.count,
    ackP50Ms: ack.p50,
    ackP99Ms: ack.p99,
    postedP50Ms: posted.p50,
    postedP99Ms: posted.p99,
  };
}
