import { onTestFinished } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Timings } from '../../src/core/timings.ts';
import { type BotProcess, startBotProcess } from '../../sandbox/start-bot.ts';
import { FAST, IMPATIENCE } from './sandbox.ts';
import { shippedStart } from './shipped.ts';

/**
 * Starts a bot for this sandbox in a process of its own: with fast timings, and soon another's where it is killed, or the one
 * that is shipped.
 */
export async function startProcess(
  sandbox: Sandbox,
  options: {
    env?: Record<string, string>;
    timings?: Partial<Timings>;
    asShipped?: boolean;
    listens?: boolean;
    until?: string;
  } = {},
): Promise<BotProcess> {
  const bot = await startBotProcess({
    env: { ...sandbox.env, ...options.env },
    timings: { ...FAST, ...IMPATIENCE, patienceMs: 20_000, slowAfterMs: 10_000, ...options.timings },
    ...(options.until === undefined ? {} : { until: options.until }),
    ...(options.asShipped ? { script: shippedStart() } : {}),
  });
  onTestFinished(async () => {
    await bot.end('SIGKILL');
  });
  if (options.listens !== false) {
    sandbox.slack.connect({ requestUrl: `http://127.0.0.1:${bot.port}/slack/events` });
  }
  return bot;
}
