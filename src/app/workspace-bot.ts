import type { Account } from '../core/accounts/account.ts';
import { createChosenAccounts, reachableFor } from '../core/accounts/choose.ts';
import { createDispatch, type Served } from '../core/accounts/dispatch.ts';
import type { Listeners } from '../core/intake/listeners.ts';
import { HOME_ROUTE } from '../features/lamplighter/home.ts';
import type { AccountMark } from '../platform/slack/account-mark.ts';
import { type AccountBot, type AccountSetup, createAccountBot } from './account-bot.ts';
import type { Common, Workspace } from './shared-by-accounts.ts';
import { createOtherAccounts } from './home.ts';
import type { Jobs } from './kinds.ts';
import type { Farewells } from '../core/watchdogs/farewell/keep.ts';
import { createFarewellsOf } from './farewells.ts';
import { atMost } from '../platform/time/wait.ts';
import { createSlack, type Slack } from './slack.ts';
import type { Settings } from './settings.ts';

/** An account that the bot runs, with the configuration of its part of the bot. */
type ConfiguredSetup = Omit<AccountSetup, 'mark'>;
export type Setups = readonly [ConfiguredSetup, ...ConfiguredSetup[]];

/** The part of the bot that works in one workspace: that of each account, behind the same listeners. */
export interface WorkspaceBot {
  readonly bots: readonly [AccountBot, ...AccountBot[]];
  /** Without any account's mark. */
  readonly slack: Slack;
  readonly listeners: Listeners;
  /** Undefined where this process does not work behind the queue. */
  readonly farewells: Farewells | undefined;
  /** Starts what works behind the queue, where this process does. */
  startJobs(): void;
  /** Takes no new job and waits for the running ones, at most `limitMs`. */
  drain(limitMs: number): Promise<void>;
  /** Lets go of everything. */
  close(): Promise<void>;
}

export function createWorkspaceBot(
  setups: Setups,
  given: Omit<Common, 'workspace' | 'otherAccounts' | 'recall'>,
  workspace: Workspace,
): WorkspaceBot {
  const recall: Common['recall'] = async () => (await farewells?.recall()) ?? [];
  const common = { ...given, recall, workspace, otherAccounts: createOtherAccounts() };
  const bots = createBots(setups, common);
  const [first] = bots;
  const { config, timings } = first.setup;
  // What is said before an account is known has no account's mark.
  const slack =
    first.setup.account === undefined
      ? first.slack
      : createSlack({ ...given, config, timings, token: workspace.token, teamId: workspace.teamId });
  const speakers = bots.map(({ speaker }) => speaker);
  const farewells = given.worker && createFarewellsOf({ ...given, workspace }, slack, speakers);
  let jobs: readonly Jobs[] = [];
  return {
    bots,
    slack,
    farewells,
    listeners: listenersOf(bots, common, slack),
    startJobs: () => {
      jobs = bots.flatMap(({ startJobs }) => startJobs?.() ?? []);
    },
    drain: async (limitMs) => {
      await Promise.all([
        ...jobs.map((one) => one.drain(limitMs)),
        // A farewell that is half pushed forward would stand twice.
        farewells && atMost(limitMs, farewells.stop()),
      ]);
    },
    close: async () => {
      for (const bot of bots) bot.stop();
      await Promise.all(bots.map((bot) => bot.close()));
    },
  };
}

function createBots([first, ...others]: Setups, common: Common): WorkspaceBot['bots'] {
  const named = [first, ...others].flatMap(({ account }) =>
    account ? [currentAccount(account, common.settings)] : [],
  );
  const build = (setup: ConfiguredSetup): AccountBot =>
    createAccountBot({ ...setup, mark: setup.account && markOf(setup.account, named) }, common);
  return [build(first), ...others.map(build)];
}

/** The mark of one account among several; the only one has none. */
function markOf(account: Account, named: readonly { readonly account: Account }[]): AccountMark {
  return {
    account: account.name,
    homeActionId: HOME_ROUTE,
    othersFor: (userId) =>
      reachableFor(named, { userId })
        .map((one) => one.account.name)
        .filter((name) => name !== account.name),
  };
}

/** What listens to Slack: the only account, or all of them behind what finds out which one is meant. */
function listenersOf(
  bots: WorkspaceBot['bots'],
  { workspace, inFlight, settings, log }: Common,
  slack: Slack,
): Listeners {
  const [first, ...others]: readonly Served[] = bots.flatMap((bot) => servedBy(bot, settings));
  if (!first) return bots[0].listeners;
  const { apiUrl } = bots[0].setup.config.slack;
  const chosen = createChosenAccounts(workspace.redis.failFast);
  return createDispatch({ ...slack, inFlight, apiUrl, log, served: [first, ...others], chosen });
}

/** An account among several, as requests are handed to it. */
function servedBy(
  { setup: { account, mark }, stores, listeners, lines }: AccountBot,
  settings: Settings,
): Served[] {
  if (!account || !mark) return [];
  const { threads, accessStore } = stores;
  const own = { mark, listeners, threads, accessStore, ...lines };
  return [Object.assign(currentAccount(account, settings), own)];
}

/** Something of an account, which is always the account as it is configured now. */
export function currentAccount({ name }: Account, settings: Settings): { readonly account: Account } {
  const { account } = settings.of(name);
  if (!account) throw new Error('settings: an account without a name among several');
  return {
    get account() {
      return settings.of(name).account ?? account;
    },
  };
}
