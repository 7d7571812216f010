import { isDeepStrictEqual } from 'node:util';
import { createStandingFiles } from '../platform/files/standing-files.ts';
import type { SettingsState } from '../core/watchdogs/messages.ts';
import { attempt, type ConfiguredAccount } from './config/accounts.ts';
import { VARIABLES } from './config/variables.ts';

type Accounts = readonly ConfiguredAccount[];

/** What the bot is configured with: what counts now, after what has changed in files since it started. */
export interface Settings {
  /** What counts now for an account, all of one reading; `name`: undefined where it is the only one. */
  of(name: string | undefined): ConfiguredAccount;
  state(): SettingsState;
  /** How often something else has come to count. */
  changes(): number;
  /** Looks at the files once, and takes what has changed there, where it is as it must be at a start. */
  look(): Promise<void>;
}

/** Settings that are never read again. */
export function fixedSettings(accounts: Accounts): Settings {
  return createSettings({ accounts, files: () => [], load: async () => accounts });
}

export function createSettings({
  accounts: started,
  files,
  load,
}: {
  /** What the bot is started with. */
  readonly accounts: Accounts;
  /** The paths of the files that it was read from, as they are named now. */
  readonly files: () => readonly string[];
  /** Reads all of it again. Throws a ConfigError. */
  readonly load: () => Promise<Accounts>;
}): Settings {
  let current = started;
  let state: SettingsState = { faults: [], restart: [] };
  let changes = 0;
  const found = createStandingFiles(files);

  const say = (next: SettingsState): void => {
    if (!isDeepStrictEqual(next, state)) state = next;
  };
  const take = (next: Accounts): void => {
    const before = current;
    current = started.map((one) => {
      const again = next.find(({ account }) => account?.name === one.account?.name);
      return again ? withRightsOf(one, again) : gone(one);
    });
    if (JSON.stringify(before) !== JSON.stringify(current)) changes += 1;
    say({ faults: [], restart: waitingForRestart(started, next) });
  };

  return {
    of: (name) => {
      const one = current.find(({ account }) => account?.name === name);
      if (!one) throw new Error('settings: there is no such account');
      return one;
    },
    state: () => state,
    changes: () => changes,
    look: async () => {
      if (!(await found.standStill())) return;
      const [next, faults] = await read(load);
      // What was read is what stood there, or it is read again.
      if (!(await found.judged())) return;
      if (next) take(next);
      else say({ ...state, faults });
    },
  };
}

async function read(
  load: () => Promise<Accounts>,
): Promise<readonly [Accounts | undefined, readonly string[]]> {
  try {
    return [await load(), []];
  } catch (error) {
    return attempt(() => {
      throw error;
    });
  }
}

/**
 * What counts of another reading while the bot runs: who may do what. All else is what the bot was started with, each key and token
 * with it: those of `next` wait for a restart, by what `isLive` leaves out.
 */
function withRightsOf(
  { config }: ConfiguredAccount,
  { account, config: next }: ConfiguredAccount,
): ConfiguredAccount {
  const { admins, everyone, protectedInstances, approvals, policy, doubts } = next;
  return {
    account,
    config: { ...config, admins, everyone, protectedInstances, approvals, policy, doubts },
  };
}

/** An account that is not in the file any more: nobody reaches it, and it waits for the end of this process. */
function gone({ account, config }: ConfiguredAccount): ConfiguredAccount {
  return { account: account && { ...account, people: [], always: [], defaultIn: [] }, config };
}

/**
 * What of other settings doesn't count before the bot is started again, in words that name no value: "REDIS_URL", "INSTANCE_URL of
 * the account labs", "the account labs, which is new". Pure.
 */
function waitingForRestart(
  started: readonly ConfiguredAccount[],
  next: readonly ConfiguredAccount[],
): readonly string[] {
  const same = (one: ConfiguredAccount, other: ConfiguredAccount): boolean =>
    one.account?.name === other.account?.name;
  const added = next.filter((one) => !started.some((other) => same(one, other)));
  const all = started.flatMap((one) => {
    const now = next.find((other) => same(one, other));
    return now ? changedIn(one, now) : [`the account ${one.account?.name}, which is gone`];
  });
  return [...new Set([...all, ...added.map(({ account }) => `the account ${account?.name}, which is new`)])];
}

/** Fields of an account on which more hangs than who reaches it, by what they are called in the file. */
const FIELDS = [
  ['workspaces', 'workspaces'],
  ['channels', 'channels'],
  ['defaultIn', 'default_in'],
] as const;

function changedIn(one: ConfiguredAccount, now: ConfiguredAccount): readonly string[] {
  const whose = one.account ? ` of the account ${one.account.name}` : '';
  const variables = VARIABLES.filter(
    ({ name, isLive }) => !isLive && one.config.given[name] !== now.config.given[name],
  );
  return [
    ...variables.map(({ name, ofAccount }) => (ofAccount ? `${name}${whose}` : name)),
    ...FIELDS.filter(([field]) => !isDeepStrictEqual(one.account?.[field], now.account?.[field])).map(
      ([, name]) => `${name}${whose}`,
    ),
  ];
}
