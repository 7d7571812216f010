import type { ConfiguredAccount } from './config/accounts.ts';
import type { Config } from './config/config.ts';

type Accounts = readonly ConfiguredAccount[];

/** Settings with another's hosting service: its key with where that key goes, which are never parted. */
export function withHosting(config: Config, { hosting }: Config): Config {
  return { ...config, hosting };
}

/** Settings with another's tokens for Slack, as far as these are named. */
export function withSlackTokens(
  config: Config,
  { slack }: Config,
  names: readonly ('botToken' | 'appToken')[] = ['botToken', 'appToken'],
): Config {
  const tokens = Object.fromEntries(names.map((name) => [name, slack[name]]));
  return { ...config, slack: { ...config.slack, ...tokens } };
}

/** Settings with another's way to Redis. */
export function withRedis(config: Config, { redis }: Config): Config {
  return { ...config, redis };
}

/** What was read, with the keys, tokens and passwords that count until now. Pure. */
export function withKeysOf(now: Accounts, next: Accounts): Accounts {
  const [first] = now;
  return next.map(({ account, config }) => {
    const before = now.find((one) => one.account?.name === account?.name)?.config;
    const kept = before ? withHosting(config, before) : config;
    // Those for Slack and Redis are the whole bot's, so an account that is new has them as well.
    return { account, config: first ? withRedis(withSlackTokens(kept, first.config), first.config) : kept };
  });
}
