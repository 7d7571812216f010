import type { PrivateRedis } from '../redis.ts';
import type { Service } from '../service/service.ts';
import type { SlackDouble } from '../slack/index.ts';

/** As much of a sandbox as its page shows and changes. */
export interface Stage {
  readonly slack: SlackDouble;
  readonly service: Service;
  /** The private Redis; undefined where one was given. */
  readonly redis: PrivateRedis | undefined;
  /** Lets time pass at the hosting service, in ms. Resolves when the bot has read the balance that is left, where there is one. */
  pass(ms: number): Promise<void>;
}
