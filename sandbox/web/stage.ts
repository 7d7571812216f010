import type { HostingSandbox } from '../hosting/sandbox.ts';
import type { PrivateRedis } from '../redis.ts';
import type { SlackDouble } from '../slack/index.ts';

/** As much of a sandbox as its page shows and changes. */
export interface Stage {
  readonly slack: SlackDouble;
  readonly hosting: HostingSandbox;
  /** The private Redis; undefined where one was given. */
  readonly redis: PrivateRedis | undefined;
  /** Lets time pass at the hosting company, in ms. Resolves when the bot has read the balance that is left. */
  pass(ms: number): Promise<void>;
}
