import type { HostingSandbox } from '../hosting/sandbox.ts';
import type { PrivateRedis } from '../redis.ts';
import type { SlackDouble } from '../slack/index.ts';

/** As much of a sandbox as its page shows and changes. */
export interface Stage {
  readonly slack: SlackDouble;
  readonly hosting: HostingSandbox;
  /** The private Redis; undefined where one was given. */
  readonly redis: PrivateRedis | undefined;
  /** Has the bot look at the balance once, and resolves when it has. */
  look(): Promise<void>;
  /** Lets time pass at the hosting company, in ms. */
  pass(ms: number): Promise<void>;
}
