import { fingerprintOf } from '../platform/files/fingerprint.ts';
import type { SettingsState } from '../core/watchdogs/messages.ts';
import { attempt, type ConfiguredAccount } from './config/accounts.ts';
import { waitingForRestart } from './config/waiting-for-restart.ts';

type Accounts = readonly ConfiguredAccount[];

/** What the bot is configured with: what counts now, after what has changed in files since it started. */
export interface Settings {
  /** What counts now for an account, all of one reading; `name`: undefined where it is the only one. */
  of(name: string | undefined): ConfiguredAccount;
  state(): SettingsState;
  /** What must never stand in the log or in a message: all that any reading had. */
  secrets(): readonly string[];
  /**
   * Looks at the files once, and takes what has changed there, where it is as it must be at a start. Gives whether anything else counts now.
   */
  look(): Promise<boolean>;
}

interface SettingsDeps {
  /** What the bot is started with. */
  readonly accounts: Accounts;
  /** The paths of the files that it was read from, as they are named now. */
  readonly files: () => readonly string[];
  /** Reads all of it again. Throws a ConfigError. */
  readonly load: () => Promise<Accounts>;
}

/** Settings that are never read again. */
export function fixedSettings(accounts: Accounts): Settings {
  return createSettings({ accounts, files: () => [], load: async () => accounts });
}

export function createSettings({ accounts: started, files, load }: SettingsDeps): Settings {
  let current = started;
  let secrets = secretsIn(started);
  let state: SettingsState = { faults: [], restart: [] };
  /** What stood in the files at the last look, and what was judged last. */
  let seen: string | undefined;
  let judged: string | undefined;
  const take = (next: Accounts): void => {
    state = { faults: [], restart: waitingForRestart(started, next) };
    current = started.map(
      (one) => next.find(({ account }) => account?.name === one.account?.name) ?? gone(one),
    );
  };
  return {
    of: (name) => {
      const found = current.find(({ account }) => account?.name === name);
      if (!found) throw new Error('settings: there is no such account');
      return found;
    },
    state: () => state,
    secrets: () => secrets,
    look: async () => {
      const paths = files();
      const now = await fingerprintOf(paths);
      // What is being written changes from look to look; only what stands still is read.
      const isStill = now === seen;
      seen = now;
      if (!isStill || now === judged || paths.length === 0) return false;
      const [next, faults] = await read(load);
      // Hidden before anything is done with it, that could say it.
      if (next) secrets = [...new Set([...secrets, ...secretsIn(next)])];
      // What was read is what stood there, or it is read again.
      if ((await fingerprintOf(files())) !== now) return false;
      judged = now;
      if (!next) {
        state = { ...state, faults };
        return false;
      }
      const before = wordsOf(current);
      take(next);
      return wordsOf(current) !== before;
    },
  };
}

async function read(load: SettingsDeps['load']): Promise<readonly [Accounts | undefined, readonly string[]]> {
  try {
    return [await load(), []];
  } catch (error) {
    return attempt(() => {
      throw error;
    });
  }
}

/** What tells whether anything is different. */
function wordsOf(accounts: Accounts): string {
  return JSON.stringify(accounts.map(({ account, config }) => ({ account, config })));
}

function secretsIn(accounts: Accounts): readonly string[] {
  return [...new Set(accounts.flatMap(({ config }) => config.secrets))];
}

/** An account that is not in the file any more: nobody reaches it, and it waits for the end of this process. */
function gone({ account, config }: ConfiguredAccount): ConfiguredAccount {
  return { account: account && { ...account, people: [], always: [], defaultIn: [] }, config };
}
