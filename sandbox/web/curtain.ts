import type { Stage } from './stage.ts';
import { isCharged } from '../hosting/status.ts';
import type { BotLife } from './bot-life.ts';
import type { OperationsReader } from './operations.ts';
import type { Troubles } from './trouble.ts';
import type { CurtainOfPage } from './wire.ts';

const SHOWN_CALLS = 40;

/** Reads what people in Slack never see: the company, its calls, the bot's records, and who is alive. */
export async function readCurtain({
  sandbox: { hosting },
  customer,
  bot,
  troubles,
  operations,
}: {
  readonly sandbox: Stage;
  readonly customer: string;
  readonly bot: BotLife;
  readonly troubles: Troubles;
  readonly operations: OperationsReader;
}): Promise<CurtainOfPage> {
  const writes = hosting.calls.filter(({ method, keyName }) => method !== 'GET' && keyName === customer);
  const second = 1_000;
  return {
    customer,
    balance: hosting.balanceOf(customer),
    // The page shows no less than a second, and need not be sent more.
    now: Math.floor(hosting.now() / second) * second,
    instances: hosting.instancesOf(customer).map(({ id, name, status, dailyCredits }) => ({
      id,
      name,
      status,
      // What is stopped or paused costs nothing.
      dailyCredits: isCharged(status) ? dailyCredits : 0,
    })),
    calls: writes
      .slice(-SHOWN_CALLS)
      .toReversed()
      .map(({ at, method, path, status, hadEffect }) => ({
        at,
        method,
        path,
        status: `${status}`,
        hadEffect,
      })),
    reads: hosting.calls.length - writes.length,
    operations: await operations.read(),
    bot: bot.state,
    redis: troubles.redis,
    waiting: troubles.waiting,
  };
}
