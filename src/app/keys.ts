import type { ConfiguredAccount } from './config/accounts.ts';
import type { Config } from './config/config.ts';

type Accounts = readonly ConfiguredAccount[];

/** Settings with another's key for the hosting service, and with the certificate that is shown beside it. */
export function withHostingKey(config: Config, { hosting: { token, clientCertificate } }: Config): Config {
  return { ...config, hosting: { ...config.hosting, token, clientCertificate } };
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
  return next.map(({ account, config }) => {
    const before = now.find((one) => one.account?.name === account?.name)?.config;
    return {
      account,
      config: before ? withRedis(withSlackTokens(withHostingKey(config, before), before), before) : config,
    };
  });
}
