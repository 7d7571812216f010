import type { Stage } from './stage.ts';
import type { BotLife } from './bot-life.ts';
import type { OperationsReader } from './operations.ts';
import { stepsAt } from './tour.ts';
import type { Troubles } from './trouble.ts';
import type { CurtainOfPage } from './wire.ts';

const SHOWN_CALLS = 40;

/** Reads what people in Slack never see: the hosting service, its calls, the bot's records, and who is alive. */
export async function readCurtain({
  sandbox: { service },
  bot,
  troubles,
  operations,
}: {
  readonly sandbox: Stage;
  readonly bot: BotLife;
  readonly troubles: Troubles;
  readonly operations: OperationsReader;
}): Promise<CurtainOfPage> {
  const writes = service.writes();
  const second = 1_000;
  return {
    name: service.name,
    money: service.money(),
    // The page shows no less than a second, and need not be sent more.
    now: Math.floor(service.now() / second) * second,
    instances: service.instances(),
    calls: writes.slice(-SHOWN_CALLS).toReversed(),
    reads: service.reads(),
    tour: stepsAt(service),
    operations: await operations.read(),
    bot: bot.state,
    redis: troubles.redis,
    api: service.api(),
    isLarge: service.isLarge(),
    waiting: troubles.waiting,
  };
}
