import { z } from 'zod';
import type { Adapter } from '../platform/hosting/adapter.ts';
import { type Timings, TIMINGS } from '../core/timings.ts';
import { leastAlertEveryMs } from '../platform/hosting/budget.ts';
import type { AccountSetup } from './account-bot.ts';
import { createBareFeatures } from './bare-features.ts';
import { withKnownVerbs } from './change-verbs.ts';
import {
  attempt,
  type ConfiguredAccount,
  loadAccounts,
  type NamedService,
  servicesIn,
} from './config/accounts.ts';
import { ConfigError, environmentNow } from './config/config.ts';
import type { Environment } from './config/values.ts';

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
  const ready = async ({ account, config }: ConfiguredAccount): Promise<Ready> => {
    const adapter = change(await loadAdapter(config.hosting.service));
    const ofService = { settleMs: adapter.showsWithinMs };
    const set = { ...TIMINGS, ...ofService, ...config.timings, ...timings };
    // What is set to be read more often than it can be is read as often as it can be, and said to be.
    const billingCheckEveryMs = Math.max(set.billingCheckEveryMs, leastAlertEveryMs(adapter.limit));
    return { account, config, adapter, timings: { ...set, billingCheckEveryMs } };
  };
  return [await ready(first), ...(await Promise.all(others.map(ready)))];
}

/**
 * The accounts that the environment names, ready to be run. Throws ConfigError, which names at once all that is wrong with the
 * variables, the files that they name, and the services.
 */
export async function loadSetups(env: Environment = environmentNow()): Promise<readonly [Ready, ...Ready[]]> {
  const [accounts, faults] = attempt(() => loadAccounts(env));
  const ofServices = (await Promise.all(servicesIn(env).map(faultsOfService))).flat();
  if (!accounts || ofServices.length > 0) throw new ConfigError([...new Set([...faults, ...ofServices])]);
  return withAdapters(accounts);
}

async function faultsOfService({ service, policy, unknown }: NamedService): Promise<readonly string[]> {
  const adapter = await loadAdapter(service).catch(() => undefined);
  if (!adapter) return [unknown];
  if (!policy?.approvals) return [];
  return attempt(() => withKnownVerbs({ policy }, adapter.name, createBareFeatures(adapter)))[1];
}
