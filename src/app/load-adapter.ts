import { z } from 'zod';
import type { Adapter } from '../platform/hosting/adapter.ts';
import { type Timings, TIMINGS } from '../core/timings.ts';
import type { AccountSetup } from './account-bot.ts';
import type { ConfiguredAccount } from './config/accounts.ts';
import { ConfigError } from './config/config.ts';

/** What tells an adapter from another module. It is code of this deployment: that it keeps its types is its compiler's. */
const adapterModule = z.object({
  adapter: z.custom<Adapter>(
    (value) =>
      z.object({ name: z.string(), prefix: z.string(), instances: z.object({}) }).safeParse(value).success,
  ),
});

/**
 * The adapter of a hosting service, by the name of its file in platform/hosting/adapters. Throws ConfigError where there
 * is none.
 */
export async function loadAdapter(service: string): Promise<Adapter> {
  try {
    const loaded: unknown = await import(`../platform/hosting/adapters/${service}.ts`);
    return adapterModule.parse(loaded).adapter;
  } catch (cause) {
    throw new ConfigError(
      [`HOSTING_SERVICE names no service that I know: there is no adapter ${service}`],
      cause,
    );
  }
}

type Ready = Omit<AccountSetup, 'mark'>;

/**
 * Configured accounts with the adapter of their service, as `change` makes it, and with their waits, `timings` before those
 * that are configured. Throws ConfigError.
 */
export async function withAdapters(
  [first, ...others]: readonly [ConfiguredAccount, ...ConfiguredAccount[]],
  change: (adapter: Adapter) => Adapter = (adapter) => adapter,
  timings: Partial<Timings> = {},
): Promise<readonly [Ready, ...Ready[]]> {
  const ready = async ({ account, config }: ConfiguredAccount): Promise<Ready> => ({
    account,
    config,
    adapter: change(await loadAdapter(config.hosting.service)),
    timings: { ...TIMINGS, ...config.timings, ...timings },
  });
  return [await ready(first), ...(await Promise.all(others.map(ready)))];
}
