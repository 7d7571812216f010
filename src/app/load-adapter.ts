import { existsSync } from 'node:fs';
import { register } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Adapter } from '../platform/hosting/adapter.ts';
import { type Timings, TIMINGS } from '../core/timings.ts';
import { ADAPTER_VERSION, adapterIn, checkedAdapter } from '../platform/hosting/adapter-shape.ts';
import { leastAlertEveryMs } from '../platform/hosting/budget.ts';
import { billedIn } from '../platform/hosting/one-currency.ts';
import type { AccountSetup } from './account-bot.ts';
import { createBareFeatures, withKnownVerbs } from './features.ts';
import {
  attempt,
  type ConfiguredAccount,
  loadAccounts,
  type NamedService,
  servicesIn,
  unknownService,
} from './config/accounts.ts';
import { ConfigError, environmentNow } from './config/config.ts';
import type { Environment } from './config/values.ts';

/** What such a file imports its helpers by. */
const KIT = 'lamplighter/adapter';
const KIT_AT = new URL('../platform/hosting/kit.ts', import.meta.url).href;

/** There is no such adapter, or it can't be loaded: what was named may be anything, a key in the wrong place as well. */
class NotLoaded extends ConfigError {}

/**
 * The adapter of a hosting service: one of platform/hosting/adapters by its file's name, or one outside of the bot by the path of
 * its file, from the working directory, or by the name of its npm package. Throws ConfigError where there is none or where it can't
 * be used.
 */
export async function loadAdapter(service: string): Promise<Adapter> {
  const shipped = isOutsideAdapter(service) ? undefined : await importShipped(service);
  const found = adapterIn(shipped ?? (await importOutside(service)));
  if ('faults' in found)
    throw new ConfigError(found.faults.map((fault) => `HOSTING_SERVICE ${service}: ${fault}`));
  const { adapter } = found;
  if (shipped !== undefined) return adapter;
  if (adapter.version === undefined)
    throw new ConfigError([
      `HOSTING_SERVICE ${service}: adapter.version is missing: this bot has version ${ADAPTER_VERSION}`,
    ]);
  return checkedAdapter(adapter);
}

/** Undefined where no adapter of the bot has that name. */
async function importShipped(service: string): Promise<unknown> {
  return import(`../platform/hosting/adapters/${service}.ts`).catch(() => undefined);
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
    const adapter = billedIn(change(await loadAdapter(config.hosting.service)), config.billingCurrency);
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

async function faultsOfService({
  service,
  policy,
  unknown,
  notLoaded,
}: NamedService): Promise<readonly string[]> {
  let adapter: Adapter;
  try {
    adapter = await loadAdapter(service);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    if (!isOutsideAdapter(service)) return [unknown];
    return notLoaded !== undefined && error instanceof NotLoaded ? [notLoaded] : error.faults;
  }
  if (!policy?.approvals) return [];
  return attempt(() => withKnownVerbs({ policy }, adapter.name, createBareFeatures(adapter)))[1];
}

/** Whether a name of a service can only be one that stands outside of the bot: a path, or an npm package. */
export function isOutsideAdapter(service: string): boolean {
  return /[./@]/.test(service);
}

/** Loads the module of such an adapter. Throws NotLoaded. */
export async function importOutside(service: string): Promise<unknown> {
  const isPath = /^\.{0,2}\//.test(service);
  const path = resolve(service);
  if (isPath && !existsSync(path)) throw new NotLoaded([`HOSTING_SERVICE ${service}: there is no such file`]);
  findKit();
  try {
    return await import(/* @vite-ignore */ isPath ? pathToFileURL(path).href : service);
  } catch (cause) {
    const isPlain = !isOutsideAdapter(service) && isNotFound(cause);
    const fault = isPlain ? unknownService(service) : `HOSTING_SERVICE ${service} ${whyNot(cause)}`;
    throw new NotLoaded([fault], cause);
  }
}

/** Whether there is no package of that name at all. */
function isNotFound(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
}

function whyNot(cause: unknown): string {
  if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_UNKNOWN_FILE_EXTENSION')
    return `is TypeScript, which Node ${process.version} doesn't run: take Node 24, or name a file with JavaScript`;
  const [why] = String(cause instanceof Error ? cause.message : cause).split('\n', 1);
  return `can't be loaded: ${why}`;
}

let isKitFound = false;

/** Has Node find the helpers from wherever such a file is: they are of this bot, and not of a package beside that file. */
function findKit(): void {
  if (isKitFound) return;
  isKitFound = true;
  const hook = `export const resolve = (name, context, next) =>
    next(name === ${JSON.stringify(KIT)} ? ${JSON.stringify(KIT_AT)} : name, context);`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
