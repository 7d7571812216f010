import type { Account } from '../../core/accounts/account.ts';
import type { FileFault } from '../../core/policy/read-yaml.ts';
import { type AccountEntry, faultWords } from './accounts-file.ts';
import {
  type Config,
  ConfigError,
  environmentNow,
  loadAccountsFile,
  loadConfig,
  loadHostingService,
  loadPolicy,
} from './config.ts';
import { type Doubt, nearestVariable, wordsOfGone } from './doubts.ts';
import type { NamedPolicy } from './access-variables.ts';
import { type Environment, readVariable } from './values.ts';
import { DEFAULT_SERVICE } from './hosting-variables.ts';
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
/** Where an account is, by its field in the file: never taken from the variables that all accounts share. */
const FIELDS: Readonly<Record<string, 'service' | 'url' | 'key' | 'key_file'>> = {
  HOSTING_SERVICE: 'service',
  HOSTING_API_URL: 'url',
  HOSTING_API_TOKEN: 'key',
  HOSTING_API_TOKEN_FILE: 'key_file',
};
const NOT_SHARED: readonly string[] = ['HOSTING_ACCOUNTS', ...Object.keys(FIELDS)];
/** What stands for an account where only what all share is looked at. */
const ANY_ACCOUNT = { HOSTING_SERVICE: 'any', HOSTING_API_TOKEN: 'any' };

/**
 * The accounts that the environment names: one of its own variables, or those of the file at HOSTING_ACCOUNTS, each with the
 * other variables as they stand where it has none of its own. Throws ConfigError, which names all that is wrong, each where
 * it stands, and no value.
 */
export function loadAccounts(
  env: Environment = environmentNow(),
): readonly [ConfiguredAccount, ...ConfiguredAccount[]] {
  const shared = Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_SHARED.includes(name)));
  const [file, unread] = attempt(() => loadAccountsFile(env));
  if (!file && unread.length === 0) return [{ account: undefined, config: loadConfig(env) }];
  const [, ofAll] = attempt(() => loadConfig({ ...shared, ...ANY_ACCOUNT }));
  const { name = '', accounts: entries = [], faults: faultsInFile = [] } = file ?? {};
  const inFile: FileFault[] = [...faultsInFile];
  const accounts = entries.flatMap((entry) => {
    const { config, faults } = configured(entry, shared, ofAll);
    inFile.push(...faults);
    return config ? [{ entry, ...withAccount(entry, config) }] : [];
  });
  inFile.push(...sameKeys(accounts), ...ofOtherWorkspaces(accounts));
  const faults = [
    ...unread,
    ...ofAll,
    ...inFile.toSorted((one, other) => one.line - other.line).map((fault) => faultWords(name, fault)),
    ...(inFile.length === 0 ? withoutAccount(accounts) : []),
  ];
  const [first, ...others] = withAllSecrets(accounts);
  if (!first || faults.length > 0) throw new ConfigError([...new Set(faults)]);
  return [first, ...others];
}

/** A service that is named, and the policy file that counts there, if it can be read. */
export interface NamedService {
  readonly service: string;
  readonly policy: NamedPolicy | undefined;
  /** What to say where there is no such service. */
  readonly unknown: string;
  /** What to say where its adapter can't be loaded, if it stands beside keys, so that nothing of it is quoted. */
  readonly notLoaded?: string;
}

/** The services that the environment names, as far as it can be read: also where it has faults. Never throws. */
export function servicesIn(env: Environment = environmentNow()): readonly NamedService[] {
  const policyIn = (from: Environment): NamedPolicy | undefined => attempt(() => loadPolicy(from))[0];
  const [file] = attempt(() => loadAccountsFile(env));
  if (file)
    return file.accounts.map(({ service = DEFAULT_SERVICE, settings, faultAt }) => ({
      service,
      policy: policyIn({ ...env, ...settings }),
      unknown: faultWords(file.name, faultAt('service is none that I know', 'service')),
      notLoaded: faultWords(
        file.name,
        faultAt("service names an adapter that can't be loaded: npm run adapter:check says why", 'service'),
      ),
    }));
  const [service] = attempt(() => loadHostingService(env));
  if (service === undefined || readVariable(env, 'HOSTING_ACCOUNTS') !== undefined) return [];
  return [{ service, policy: policyIn(env), unknown: unknownService(service) }];
}

/** What to say where there is no adapter of this name. */
export function unknownService(service: string): string {
  return `HOSTING_SERVICE names no service that I know: there is no adapter ${service}`;
}

/** What `load` gives, or the faults that it throws. */
export function attempt<T>(load: () => T): readonly [T | undefined, readonly string[]] {
  try {
    return [load(), []];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [undefined, error.faults];
  }
}

interface ReadAccount extends ConfiguredAccount {
  readonly entry: AccountEntry;
}

/** The configuration of an account, or what is wrong with it beside `known`, with its places in the file. */
function configured(
  entry: AccountEntry,
  shared: Environment,
  known: readonly string[],
): { readonly config?: Config; readonly faults: readonly FileFault[] } {
  const { settings, faultAt } = entry;
  const foreign = Object.keys(settings).filter((one) => !OWN_NAMES.includes(one));
  const [config, faults] = attempt(() =>
    loadConfig({
      ...shared,
      ...Object.fromEntries(Object.entries(FIELDS).map(([name, field]) => [name, entry[field]])),
      ...Object.fromEntries(Object.entries(settings).filter(([one]) => OWN_NAMES.includes(one))),
    }),
  );
  const own = faults
    .filter((fault) => !known.includes(fault))
    .map((fault) => {
      const [variable = ''] = fault.split(' ');
      const field = FIELDS[variable];
      if (Object.hasOwn(settings, variable)) return faultAt(fault, 'settings', variable);
      return field === undefined ? faultAt(fault) : faultAt(`${field}${fault.slice(variable.length)}`, field);
    });
  const ofSettings = foreign.map((one) => faultAt(foreignWords(one), 'settings', one));
  return { config, faults: [...ofSettings, ...own] };
}

/** What is wrong with a setting that an account can't have. What somebody wrote there is not said: it may be anything. */
function foreignWords(name: string): string {
  if (VARIABLES.some((one) => one.name === name))
    return `${name} is the whole bot's, so no account can have its own`;
  const gone = wordsOfGone(name);
  if (gone !== undefined) return gone;
  const meant = nearestVariable(name);
  return `this is not a variable${meant === undefined ? '' : `. Did you mean ${meant}?`}`;
}

function withAccount(entry: AccountEntry, config: Config): ConfiguredAccount {
  const { name, channels, people, workspaces, default_in: defaultIn } = entry;
  // Who is notified of a balance in the end must be able to look at it.
  const always = [...config.admins, ...config.alerts.escalateTo];
  // What all accounts share may name a channel in which this one can't be used.
  const alerts = { ...config.alerts, ...(channels ? { only: channels } : {}) };
  const doubts = { ...config.doubts, ofAccount: [...config.doubts.ofAccount, ...nowhere(name, alerts)] };
  return {
    account: { name, channels, people, always, defaultIn, workspaces },
    config: { ...config, alerts, doubts },
  };
}

/** That an account's figures appear in no channel, where those that are named for them are none of its own. */
function nowhere(
  name: string,
  { channels, only }: { readonly channels: readonly string[]; readonly only?: readonly string[] },
): readonly Doubt[] {
  if (channels.length === 0 || !only || channels.some((one) => only.includes(one))) return [];
  return [
    {
      what: `BILLING_CHANNELS names no channel in which the account ${name} can be used, so its figures appear in none, and its alerts go to an admin alone.`,
      todo: 'Name one of its channels in BILLING_CHANNELS under its settings.',
    },
  ];
}

/** One key is one account: two names for it would share what is to be kept apart. */
function sameKeys(accounts: readonly ReadAccount[]): FileFault[] {
  const keys = accounts.map(({ config: { hosting } }) => `${hosting.service} ${hosting.token}`);
  return accounts
    .filter((_, at) => keys.indexOf(keys[at] ?? '') < at)
    .map(({ entry }) => entry.faultAt('another account has the same key'));
}

/** An account is for workspaces that there are; which ones an organization has, nobody knows before it installs the bot. */
function ofOtherWorkspaces(accounts: readonly ReadAccount[]): FileFault[] {
  const teams = accounts[0]?.config.slack.install?.teams ?? [];
  const hasOrganization = teams.some((id) => id.startsWith('E'));
  const isThere = (id: string): boolean => teams.includes(id) || (hasOrganization && id.startsWith('T'));
  return accounts
    .filter(({ account }) => account?.workspaces?.some((id) => !isThere(id)))
    .map(({ entry }) => entry.faultAt('workspaces names one that SLACK_TEAMS lacks', 'workspaces'));
}

/** Each workspace and organization has an account. */
function withoutAccount(accounts: readonly ReadAccount[]): string[] {
  const teams = accounts[0]?.config.slack.install?.teams ?? [];
  const named = accounts.flatMap(({ account }) => account?.workspaces ?? []);
  const isForAll = accounts.some(({ account }) => account?.workspaces === undefined);
  return isForAll
    ? []
    : teams
        .filter((team) => !named.includes(team))
        .map(
          (id) =>
            `HOSTING_ACCOUNTS has no account for the ${id.startsWith('E') ? 'organization' : 'workspace'} ${id}`,
        );
}

/** Each with the secrets of all of them: what one part of the bot says or logs must not give away another's. */
function withAllSecrets(accounts: readonly ConfiguredAccount[]): readonly ConfiguredAccount[] {
  const secrets = [...new Set(accounts.flatMap(({ config }) => config.secrets))];
  return accounts.map(({ account, config }) => ({ account, config: { ...config, secrets } }));
}

/**
 * The paths of all files from which the configuration is read: those that the environment names, and those that accounts name in
 * theirs. Never throws.
 */
export function filesNow(env: Environment = environmentNow()): readonly string[] {
  const [file] = attempt(() => loadAccountsFile(env));
  const ofAccounts = (file?.accounts ?? []).flatMap(({ key_file: keyFile, settings }) => [
    ...(keyFile === undefined ? [] : [keyFile]),
    ...namedIn(settings),
  ]);
  return [...new Set([...namedIn(env), ...ofAccounts])];
}

function namedIn(env: Environment): readonly string[] {
  return VARIABLES.flatMap(({ name, secret, isFile }) => {
    const path = isFile ? readVariable(env, name) : secret && readVariable(env, `${name}_FILE`);
    return path ? [path] : [];
  });
}
