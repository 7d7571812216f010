import { isDeepStrictEqual } from 'node:util';
import { createStandingFiles } from '../platform/files/standing-files.ts';
import type { SettingsState } from '../core/watchdogs/messages.ts';
import { attempt, type ConfiguredAccount } from './config/accounts.ts';
import type { Config } from './config/config.ts';
import { waitingForRestart } from './config/waiting-for-restart.ts';
import { createFormerSecrets, type FormerSecrets } from './former-secrets.ts';
import { withKeysOf } from './keys.ts';

type Accounts = readonly ConfiguredAccount[];

/**
 * Tries the keys and tokens that are others in `next` than in what counts now. Gives `next` with those of `now` in place of those that
 * can't be used, and why, in words without any of them. Never throws.
 */
export type TryKeys = (
  now: Accounts,
  next: Accounts,
) => Promise<{ readonly accounts: Accounts; readonly faults: readonly string[] }>;

/** What the bot is configured with: what counts now, after what has changed in files since it started. */
export interface Settings {
  /** What counts now for an account, all of one reading; `name`: undefined where it is the only one. */
  of(name: string | undefined): ConfiguredAccount;
  /** What counts now for the whole bot. */
  ofBot(): Config;
  state(): SettingsState;
  /** What must never stand in the log or in a message: all that any reading had. */
  secrets(): readonly string[];
  readonly former: Pick<FormerSecrets, 'keysOf' | 'signingSecrets'>;
  /** How often something else has come to count. */
  changes(): number;
  /** Looks at the files once, and takes what has changed there, where it is as it must be at a start. */
  look(tryKeys: TryKeys): Promise<void>;
  /** The same without waiting for the next look, where a key was refused. Resolves once what stands there now is taken, or isn't. */
  lookAtOnce(tryKeys: TryKeys): Promise<void>;
}

interface SettingsDeps {
  /** What the bot is started with. */
  readonly accounts: Accounts;
  /** The paths of the files that it was read from, as they are named now. */
  readonly files: () => readonly string[];
  /** Reads all of it again. Throws a ConfigError. */
  readonly load: () => Promise<Accounts>;
}

/** Keys that can't be used yet are tried again. */
const TRY_AGAIN_AFTER_MS = 10_000;
/** Who is refused asks for a look, which costs no more than this. */
const AT_ONCE_EVERY_MS = 1_000;
/** How often the same files are looked at where nobody can wait. */
const LOOKS_AT_ONCE = 20;

/** Settings that are never read again. */
export function fixedSettings(accounts: Accounts): Settings {
  return createSettings({ accounts, files: () => [], load: async () => accounts });
}

export function createSettings({ accounts: started, files, load }: SettingsDeps): Settings {
  const former = createFormerSecrets();
  let current = started;
  let secrets = secretsIn(started);
  let state: SettingsState = { faults: [], keys: [], restart: [] };
  let changes = 0;
  const found = createStandingFiles(files);
  /** What was read whole, and has keys that can't be used yet. */
  let waiting: { readonly next: Accounts; readonly triedAt: number } | undefined;

  const put = (accounts: Accounts): void => {
    const before = current;
    current = before.map(
      (one) => accounts.find(({ account }) => account?.name === one.account?.name) ?? gone(one, accounts),
    );
    if (wordsOf(before) === wordsOf(current)) return;
    former.changed(before, current);
    changes += 1;
  };
  const say = (next: SettingsState): void => {
    if (!isDeepStrictEqual(next, state)) state = next;
  };
  const take = async (next: Accounts, tryKeys: TryKeys): Promise<void> => {
    // A right that was taken away waits for no answer about a key.
    put(withKeysOf(current, next));
    const { accounts, faults } = await tryKeys(current, next);
    put(accounts);
    waiting = faults.length === 0 ? undefined : { next, triedAt: performance.now() };
    say({ faults: [], keys: faults, restart: waitingForRestart(started, next) });
  };

  const look = async (tryKeys: TryKeys, looks: number): Promise<void> => {
    const isNew = await found.standStill(looks);
    if (!isNew) {
      const isDue = waiting && performance.now() - waiting.triedAt >= TRY_AGAIN_AFTER_MS;
      if (waiting && isDue) await take(waiting.next, tryKeys);
      return;
    }
    const [next, faults] = await read(load);
    // Hidden before anything is done with it, that could say it.
    if (next) secrets = [...new Set([...secrets, ...secretsIn(next)])];
    // What was read is what stood there, or it is read again.
    if (!(await found.judged())) return;
    if (next) await take(next, tryKeys);
    else {
      waiting = undefined;
      say({ ...state, faults });
    }
  };

  return {
    of: (name) => {
      const one = current.find(({ account }) => account?.name === name);
      if (!one) throw new Error('settings: there is no such account');
      return one;
    },
    ofBot: () => {
      const [first] = current;
      if (!first) throw new Error('settings: there is no account');
      return first.config;
    },
    state: () => state,
    secrets: () => secrets,
    former,
    changes: () => changes,
    ...createTurns(look),
  };
}

/** One look after another: two at the same time would take what the other has just taken from before. */
function createTurns(
  look: (tryKeys: TryKeys, looks: number) => Promise<void>,
): Pick<Settings, 'look' | 'lookAtOnce'> {
  let last: Promise<void> = Promise.resolve();
  let atOnce: { readonly at: number; readonly looked: Promise<void> } | undefined;
  const inTurn = (tryKeys: TryKeys, looks: number): Promise<void> => {
    const mine = last.then(() => look(tryKeys, looks));
    last = mine.catch(() => undefined);
    return mine;
  };
  return {
    look: (tryKeys) => inTurn(tryKeys, 1),
    lookAtOnce: (tryKeys) => {
      if (!atOnce || performance.now() - atOnce.at >= AT_ONCE_EVERY_MS)
        atOnce = { at: performance.now(), looked: inTurn(tryKeys, LOOKS_AT_ONCE) };
      return atOnce.looked;
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

/** What tells whether anything counts that is different: not what was merely read. */
function wordsOf(accounts: Accounts): string {
  return JSON.stringify(
    accounts.map(({ account, config }) => ({ account, ...config, given: undefined, secrets: undefined })),
  );
}

function secretsIn(accounts: Accounts): readonly string[] {
  return [...new Set(accounts.flatMap(({ config }) => config.secrets))];
}

/** An account that is not in the file any more: nobody reaches it, and it waits for the end of this process, with what is the whole bot's. */
function gone({ account, config }: ConfiguredAccount, [first]: Accounts): ConfiguredAccount {
  const { slack, redis, audit } = first?.config ?? config;
  const ofBot = { slack, redis, audit: { ...config.audit, stream: audit.stream } };
  return {
    account: account && { ...account, people: [], always: [], defaultIn: [] },
    config: { ...config, ...ofBot },
  };
}
