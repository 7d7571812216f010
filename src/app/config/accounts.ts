import type { Account } from '../../core/accounts/account.ts';
import type { AccountEntry } from './accounts-file.ts';
import { type Config, ConfigError, type Environment, loadConfig, loadEntries } from './config.ts';
import { VARIABLES } from './variables.ts';

/** An account of the hosting service, and the configuration that its part of the bot runs with. */
export interface ConfiguredAccount {
  /** Undefined where the bot runs one account, which needs no name. */
  readonly account: Account | undefined;
  readonly config: Config;
}

/** What an account may have of its own: what is about its service, its money, and who may do what. */
const OWN = VARIABLES.filter(({ ofAccount }) => ofAccount);
const OWN_NAMES: readonly string[] = OWN.flatMap(({ name, secret }) =>
  secret ? [name, `${name}_FILE`] : [name],
);
/** Where an account is: never taken from the variables that all accounts share. */
const NOT_SHARED: readonly string[] = [
  'HOSTING_ACCOUNTS',
  'HOSTING_SERVICE',
  'HOSTING_API_URL',
  'HOSTING_API_TOKEN',
  'HOSTING_API_TOKEN_FILE',
];

/**
 * The accounts that the environment names: one of its own variables, or those of the file at HOSTING_ACCOUNTS, each with the
 * other variables as they stand where it has none of its own. Throws ConfigError, which names what is wrong and no value.
 */
export function loadAccounts(env?: Environment): readonly [ConfiguredAccount, ...ConfiguredAccount[]] {
  const { entries, variables } = loadEntries(env);
  if (!entries) return [{ account: undefined, config: loadConfig(env) }];
  const faults: string[] = [];
  const accounts = entries.flatMap((entry) => {
    try {
      return [configured(entry, variables)];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(...error.faults.map((fault) => `account ${entry.name}: ${fault}`));
      return [];
    }
  });
  faults.push(...sameKeys(accounts), ...ofNoWorkspace(accounts));
  const [first, ...others] = withAllSecrets(accounts);
  if (!first || faults.length > 0) throw new ConfigError([...new Set(faults)]);
  return [first, ...others];
}

function configured(entry: AccountEntry, variables: Environment): ConfiguredAccount {
  const { name, channels, people, workspaces, default_in: defaultIn, settings } = entry;
  const foreign = Object.keys(settings).filter((one) => !OWN_NAMES.includes(one));
  if (foreign.length > 0)
    throw new ConfigError([`its settings can't have ${foreign.join(', ')}, which is the whole bot's`]);
  const shared = Object.entries(variables).filter(([variable]) => !NOT_SHARED.includes(variable));
  const config = loadConfig({
    ...Object.fromEntries(shared),
    HOSTING_SERVICE: entry.service,
    HOSTING_API_URL: entry.url,
    HOSTING_API_TOKEN: entry.key,
    HOSTING_API_TOKEN_FILE: entry.key_file,
    ...settings,
  });
  // Who is notified of a balance in the end must be able to look at it.
  const always = [...config.admins, ...config.alerts.escalateTo];
  // What all accounts share may name a channel in which this one can't be used.
  const alerts = { ...config.alerts, ...(channels ? { only: channels } : {}) };
  return {
    account: { name, channels, people, always, defaultIn, workspaces },
    config: { ...config, alerts },
  };
}

/** One key is one account: two names for it would share what is to be kept apart. */
function sameKeys(accounts: readonly ConfiguredAccount[]): string[] {
  const keys = accounts.map(({ config: { hosting } }) => `${hosting.service} ${hosting.token}`);
  const same = accounts.filter((_, at) => keys.indexOf(keys[at] ?? '') !== keys.lastIndexOf(keys[at] ?? ''));
  const names = same.map(({ account }) => account?.name).join(', ');
  return same.length === 0 ? [] : [`HOSTING_ACCOUNTS has the same key for ${names}`];
}

/** Each workspace has an account, and each account is for workspaces that there are. */
function ofNoWorkspace(accounts: readonly ConfiguredAccount[]): string[] {
  const teams = accounts[0]?.config.slack.install?.teams ?? [];
  const named = accounts.flatMap(({ account }) => account?.workspaces ?? []);
  const isForAll = accounts.some(({ account }) => account?.workspaces === undefined);
  const without = isForAll ? [] : teams.filter((team) => !named.includes(team));
  return [
    ...named
      .filter((team) => !teams.includes(team))
      .map((team) => `HOSTING_ACCOUNTS names the workspace ${team}, which SLACK_TEAMS lacks`),
    ...without.map((team) => `HOSTING_ACCOUNTS has no account for the workspace ${team}`),
  ];
}

/** Each with the secrets of all of them: what one part of the bot says or logs must not give away another's. */
function withAllSecrets(accounts: readonly ConfiguredAccount[]): readonly ConfiguredAccount[] {
  const secrets = [...new Set(accounts.flatMap(({ config }) => config.secrets))];
  return accounts.map(({ account, config }) => ({ account, config: { ...config, secrets } }));
}
