import { createHmac } from 'node:crypto';
import type { Listeners } from '../core/intake/listeners.ts';
import { createStateOwner } from '../core/deployment/owner.ts';
import { type Access, createAccess, notInstalled, notKnown } from '../core/workspaces/access.ts';
import { createInstaller, createUninstall, type Erased } from '../core/workspaces/install.ts';
import { installationId } from '../core/workspaces/installation.ts';
import {
  createInstallationStore,
  type InstallationStore,
  type LeavingWorkspace,
} from '../core/workspaces/installation-store.ts';
import { createTokenRefresh } from '../core/workspaces/token-refresh.ts';
import { createTokens, type Tokens } from '../core/workspaces/tokens.ts';
import { SCOPES } from '../features/doctor/judge-slack.ts';
import type { HttpHandler } from '../platform/http/server.ts';
import { type Log, asError } from '../platform/log/log.ts';
import type { SharedQueue } from '../platform/queue/queue.ts';
import { eraseKeys } from '../platform/redis/connection.ts';
import { scopeOf } from '../platform/redis/key.ts';
import { parseKeyring } from '../platform/secrets/keyring.ts';
import { createSlackLogger } from '../platform/slack/bolt.ts';
import { createInstallRoutes } from '../platform/slack/install.ts';
import { createOAuthClient } from '../platform/slack/oauth-client.ts';
import { createPoolFetch, SLACK_CONNECTIONS } from '../platform/slack/pool-fetch.ts';
import { acknowledgement } from '../platform/slack/response-url.ts';
import { repeat } from '../platform/time/wait.ts';
import type { Common } from './shared-by-accounts.ts';
import type { InstallConfig } from './config/config.ts';
import { checkOwners, type Fleet } from './fleet.ts';
import { createOpened, type Opened } from './opened.ts';
import { connectionsOf, type SharedRedis } from './redis.ts';
import { hearOfInstalls } from './installs.ts';
import { createWorkspaceBot, type Setups, type WorkspaceBot } from './workspace-bot.ts';

/** How often a process looks for workspaces that were installed or removed over another. */
const POLL_EVERY_MS = 10_000;
/** By then each process has looked, and closed what it had of such a workspace. */
const CLOSED_EVERYWHERE_MS = 60_000;
const NAME = 'Lamplighter';

type Given = Omit<Common, 'workspace' | 'otherAccounts' | 'recall'>;

/** The bot in every workspace that installs it, of those that may. */
export function createWorkspaces(setups: Setups, given: Given, install: InstallConfig): Fleet {
  const { shared, jobQueue, log } = given;
  const [{ config }] = setups;
  const parts = createParts(config.slack, install, given, config.slack.commandPrefix);
  const { access, tokens, store } = parts;
  const owner = createStateOwner({
    redis: shared.failFast,
    owner: () => ({ app: install.clientId }),
    takeOver: config.takeOver,
  });
  let hasJobs = false;
  let stopLooking = (): void => undefined;
  const opened = createOpened({
    botUserIn: async (teamId) => (await store.find(teamId))?.botUserId,
    build: async (teamId) => {
      const scope = scopeOf(teamId);
      const redis = connectionsOf(shared, scope);
      const token = tokens.in(teamId);
      const own = setupsIn(setups, teamId, (await store.find(teamId))?.enterpriseId);
      const bot = createWorkspaceBot(own, given, { scope, redis, token, teamId });
      await Promise.all(bot.bots.map(({ slack }) => slack.identity.workspace().catch(() => undefined)));
      await checkOwners([bot]);
      if (hasJobs) bot.startJobs();
      log.info({ team: teamId }, 'working in a workspace');
      return bot;
    },
  });
  const { find, all } = opened;
  const { look, tryTo } = createLook({ ...parts, opened, shared, jobQueue, log });
  /** What was installed just now is worked with at once, by this process. */
  const open = async (id: string): Promise<void> => {
    if (id.startsWith('E')) await access.ask(id).then(look);
    else await opened.refresh(id).then(() => find(id));
  };
  return {
    listeners: listenersBy(find, log),
    routes: parts.routes((id) => tryTo('opening', id, open(id))),
    listen: (app) => hearOfInstalls(app, { erased: parts.erased, access, look }),
    identityIn: (teamId) => (teamId === undefined ? undefined : opened.get(teamId)?.slack.identity.known()),
    find: async (teamId) => (teamId === undefined ? undefined : find(teamId)),
    workspaces: all,
    open: async () => {
      await look();
      stopLooking = repeat(POLL_EVERY_MS, [look], (error) => log.limited('looking for workspaces', error));
    },
    checkOwner: async () => {
      await owner.check();
      await checkOwners(all());
    },
    startJobs: () => {
      hasJobs = true;
      for (const bot of all()) bot.startJobs();
    },
    // One workspace that loses its token is no reason to leave the others without the bot; its own log says so.
    slackFault: () => undefined,
    drain: async (limitMs) => {
      opened.stop();
      stopLooking();
      await Promise.all(all().map((bot) => bot.drain(limitMs)));
    },
    close: async () => {
      await Promise.all(all().map((bot) => bot.close()));
      await tokens.drain();
    },
  };
}

/** What a process does now and again, so that it works in the workspaces where the bot is installed, and in no other. */
function createLook({
  store,
  access,
  tokens,
  opened,
  shared,
  jobQueue,
  log,
}: Pick<Parts, 'store' | 'access' | 'tokens'> &
  Pick<Given, 'shared' | 'jobQueue' | 'log'> & { readonly opened: Opened }): {
  readonly look: () => Promise<void>;
  /** One that can't be opened keeps no other from it. */
  readonly tryTo: (doing: string, id: string, work: Promise<unknown>) => Promise<void>;
} {
  const leave = createLeave({ store, opened, shared, jobQueue });
  const tryTo = async (doing: string, id: string, work: Promise<unknown>): Promise<void> => {
    await work.catch((error: unknown) => log.limited(`${doing} ${id}`, asError(error)));
  };
  const askForAccess = async (): Promise<void> => {
    const due = await access.due();
    await Promise.all(due.map((id) => tryTo('asking for the workspaces of', id, access.ask(id))));
  };
  const look = async (): Promise<void> => {
    const known = opened.ids();
    await askForAccess();
    const installed = await store.list();
    // Read, so that what nobody uses is encrypted under the newest key as well.
    await Promise.all(installed.map((teamId) => tryTo('reading', teamId, opened.refresh(teamId))));
    await Promise.all(installed.map((teamId) => tryTo('opening', teamId, opened.find(teamId))));
    const gone = known.filter((teamId) => !installed.includes(teamId));
    for (const teamId of gone) tokens.forget(teamId);
    await Promise.all(gone.map((teamId) => tryTo('closing', teamId, opened.close(teamId))));
    const leaving = await store.listLeaving();
    await Promise.all(leaving.map((one) => tryTo('erasing', one.teamId, leave(one))));
  };
  return { look, tryTo };
}

/**
 * Erases what is kept of a workspace that removed the bot, and closes it here. Every process does so, and again until each has
 * had the time to close it: what runs there to its end may write once more.
 */
function createLeave({
  store,
  opened,
  shared,
  jobQueue,
}: {
  readonly store: InstallationStore;
  readonly opened: Opened;
  readonly shared: SharedRedis;
  readonly jobQueue: SharedQueue;
}): (leaving: LeavingWorkspace) => Promise<void> {
  return async ({ teamId, since }) => {
    await opened.close(teamId);
    // Installed again meanwhile.
    if (await store.find(teamId)) return;
    await jobQueue.forget(scopeOf(teamId));
    const { clock, prefix, bare } = shared;
    await eraseKeys(bare.blocking, `${prefix}${scopeOf(teamId)}`, (keys) =>
      store.erase(
        teamId,
        keys.map((one) => one.slice(prefix.length)),
      ),
    );
    if (clock.atRedis(clock.now()) - since > CLOSED_EVERYWHERE_MS) await store.forget(teamId);
  };
}

/** The accounts of a workspace, those of its organization among them. The configuration has at least one for each. */
function setupsIn(setups: Setups, teamId: string, enterpriseId: string | undefined): Setups {
  const isMeant = (id: string): boolean => id === teamId || id === enterpriseId;
  const [first, ...others] = setups.filter(({ account }) => account?.workspaces?.some(isMeant) ?? true);
  if (!first) throw new Error(`no account is for the workspace ${teamId}`);
  return [first, ...others];
}

interface Parts {
  readonly store: InstallationStore;
  readonly tokens: Tokens;
  readonly access: Access;
  readonly erased: Erased;
  /** The pages over which the bot is installed. `found`: is called with each workspace or organization that installs it. */
  routes(found: (id: string) => Promise<unknown>): Readonly<Record<string, HttpHandler>>;
}

/** What installs the bot and keeps its tokens. */
function createParts(
  { apiUrl }: { readonly apiUrl: string },
  install: InstallConfig,
  { shared, timings, wayOut, log }: Given,
  commandPrefix: string,
): Parts {
  const { clientId, clientSecret, publicUrl } = install;
  const redis = shared.failFast;
  const { now } = shared.clock;
  const allowed = new Set(install.teams);
  const store = createInstallationStore(redis, parseKeyring(install.tokenKeys), allowed);
  const logger = createSlackLogger(log);
  const fetch = createPoolFetch(apiUrl, wayOut.open(SLACK_CONNECTIONS));
  const ofApp = { clientId, clientSecret, apiUrl, timeoutMs: timings.slackTimeoutMs, logger, fetch };
  const oauth = createOAuthClient(ofApp);
  const tokens = createTokens({
    store,
    refresh: createTokenRefresh({ store, redis, oauth, now, log }),
    now,
    log,
  });
  const installer = createInstaller({ store, tokens, allowed, now, log });
  return {
    store,
    tokens,
    access: createAccess({ store, tokens, oauth, redis }),
    erased: createUninstall({ store, tokens, oauth, log }),
    routes: (found) =>
      createInstallRoutes({
        ...ofApp,
        refuse: installer.refuse,
        useState: installer.useState,
        keep: async (installation) => {
          await installer.keep(installation);
          await found(installationId(installation));
        },
        // Whoever has the one signs installs under way with the other.
        stateSecret: createHmac('sha256', clientSecret).update('state of an install').digest('hex'),
        publicUrl,
        scopes: SCOPES.map(({ name }) => name),
        name: NAME,
        firstCommand: `/${commandPrefix}lamplighter help`,
        revoke: oauth.revoke,
      }),
  };
}

/**
 * Hands each request to the workspace that it comes from. Where the bot isn't installed, it says so or nothing. While it can't tell,
 * a command hears so, and nothing else is acknowledged, so that Slack shows that it failed or sends it again.
 */
function listenersBy(find: (teamId: string) => Promise<WorkspaceBot | undefined>, log: Log): Listeners {
  const of = async ({ teamId }: { readonly teamId?: string }): Promise<Listeners | undefined> => {
    const bot = teamId === undefined ? undefined : await find(teamId);
    if (!bot)
      log.limited(
        'slack',
        new Error(`a request came from ${teamId ?? 'no workspace'}, where the bot isn't installed`),
      );
    return bot?.listeners;
  };
  return {
    command: async (heard) => {
      const own = await of(heard.context).catch(() => 'unknown' as const);
      if (own === 'unknown') return heard.ack(acknowledgement(notKnown()));
      return own ? own.command(heard) : heard.ack(acknowledgement(notInstalled()));
    },
    press: async (heard) => (await of(heard.context))?.press(heard) ?? heard.ack(),
    submission: async (heard) => (await of(heard.context))?.submission(heard) ?? heard.ack(),
    typing: async (heard) => (await of(heard.context))?.typing(heard) ?? heard.ack({ options: [] }),
    shortcut: async (heard) => (await of(heard.context))?.shortcut(heard) ?? heard.ack(),
    message: async (heard) => (await of(heard.context))?.message(heard),
    home: async (heard) => (await of(heard.context))?.home(heard),
    workflowStep: async (heard) => (await of(heard.context))?.workflowStep(heard),
  };
}
