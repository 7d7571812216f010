import type { App } from '@slack/bolt';
import type { Listeners } from '../core/intake/listeners.ts';
import type { HttpHandler } from '../platform/http/server.ts';
import { onceWithinLimit } from '../platform/time/wait.ts';
import type { Identity } from '../platform/slack/identity.ts';
import { fixedToken } from '../platform/slack/token-fetch.ts';
import type { AccountBot } from './account-bot.ts';
import type { Common } from './shared-by-accounts.ts';
import { createWorkspaceBot, type Setups, type WorkspaceBot } from './workspace-bot.ts';

/** Every part of the bot that works in a workspace, by one workspace or by all in which it is installed. */
export interface Fleet {
  readonly listeners: Listeners;
  /** The pages over which it is installed; none where it works in one workspace. */
  readonly routes: Readonly<Record<string, HttpHandler>>;
  /** What else it hears of Slack. */
  listen(bolt: App): void;
  /** Who the bot is in a workspace; undefined where nobody knows. */
  identityIn(teamId: string | undefined): ReturnType<Identity['known']>;
  /** The bot in a workspace, by its id; undefined where it doesn't work there. */
  find(teamId: string | undefined): Promise<WorkspaceBot | undefined>;
  /** The workspaces that are known by now. */
  workspaces(): readonly WorkspaceBot[];
  /** Finds the workspaces in which the bot is installed. Throws what Redis throws. */
  open(): Promise<void>;
  /** Throws a StartError where what is kept in Redis is another deployment's. */
  checkOwner(): Promise<void>;
  /** Starts what works behind the queue, in each. */
  startJobs(): void;
  /** Why the bot can't work, as a code. */
  slackFault(): string | undefined;
  /** Takes no new job and waits for the running ones, at most `limitMs`. */
  drain(limitMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Each account's part of the bot, in each workspace. */
export function botsOf(fleet: Pick<Fleet, 'workspaces'>): readonly AccountBot[] {
  return fleet.workspaces().flatMap(({ bots }) => bots);
}

/** Does now and again what each part of the bot looks after beside its jobs. Throws the first fault once all are through, or take too long. */
export async function watch(fleet: Pick<Fleet, 'workspaces'>): Promise<void> {
  const works = botsOf(fleet).flatMap(({ watchdogs }) => watchdogs);
  const results = await Promise.allSettled(works.map(onceWithinLimit));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Whether all of them work with their own state. Throws a StartError for the first that doesn't. */
export async function checkOwners(workspaces: readonly Pick<WorkspaceBot, 'bots'>[]): Promise<void> {
  await Promise.all(workspaces.flatMap(({ bots }) => bots).map(({ owner }) => owner.check()));
}

/** The bot in the one workspace whose token is configured. */
export function createOneWorkspace(
  setups: Setups,
  given: Omit<Common, 'workspace' | 'otherAccounts' | 'recall'>,
): Fleet {
  const [{ config }] = setups;
  const token = fixedToken(config.slack.botToken);
  const bot = createWorkspaceBot(setups, given, { scope: '', redis: given.shared, token });
  const { bots, slack } = bot;
  return {
    listeners: bot.listeners,
    routes: {},
    listen: () => undefined,
    identityIn: () => slack.identity.known(),
    find: async () => bot,
    workspaces: () => [bot],
    open: async () => undefined,
    checkOwner: () => checkOwners([bot]),
    startJobs: bot.startJobs,
    slackFault: () =>
      bots.map((one) => one.slack.tokenHealth.check()).find((fault) => fault !== undefined) ??
      slack.tokenHealth.silence(),
    drain: bot.drain,
    close: bot.close,
  };
}
