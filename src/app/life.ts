import type { Sweeps } from '../core/sweep.ts';
import type { HttpServer } from '../platform/http/server.ts';
import { asError, type Log } from '../platform/log/log.ts';
import type { SharedQueue } from '../platform/queue/queue.ts';
import type { JobWorker } from '../platform/queue/worker.ts';
import { StartError } from '../platform/start-error.ts';
import { atMost, repeat } from '../platform/time/wait.ts';
import { DAY_MS } from '../platform/time/duration.ts';
import { logDoubts } from './doctor.ts';
import type { Config } from './config/config.ts';
import { keepFarewells } from './farewells.ts';
import { botsOf, type Fleet, watch } from './fleet.ts';
import { checkRedis, checkServices } from './preflight.ts';
import type { SlackReceiver } from './receiver.ts';
import type { Progress, Readiness } from './readiness.ts';
import type { SharedRedis } from './redis.ts';
import type { Slack } from './slack.ts';
import type { Settings } from './settings.ts';
import type { SettingsState } from '../core/watchdogs/messages.ts';
import type { Bot } from '../core/bot/bot.ts';

/** The whole bot, built and not yet started. */
export interface LamplighterApp {
  /**
   * Starts what this process' role asks for. Gives the port that HTTP listens on. Throws StartError for what won't pass
   * by itself; rejects with an AbortError when `stop` is called meanwhile.
   */
  start(): Promise<{ port: number }>;
  /** Takes no new work, finishes or parks what runs, lets go of everything. */
  stop(): Promise<void>;
}

export interface LifeDeps extends Pick<Bot, 'timings' | 'log' | 'traces' | 'inFlight'> {
  readonly config: Config;
  readonly settings: Settings;
  readonly isWeb: boolean;
  readonly fleet: Fleet;
  readonly shared: SharedRedis;
  readonly jobQueue: SharedQueue;
  /** Undefined where this process does not work behind the queue. */
  readonly worker: JobWorker | undefined;
  readonly sweeps: Sweeps;
  readonly receiver: SlackReceiver;
  readonly server: HttpServer;
  readonly eventLoop: { check(): Promise<void>; stop(): void };
  readonly progress: Progress;
  readonly readiness: Readiness;
  /** Calls the monitor outside where that is due. */
  readonly beat: () => Promise<void>;
  /** Called where the state in Redis has become another deployment's while this one ran. */
  readonly lost: (why: string) => void;
}

/** How long letting go of the queue may take when Redis does not answer. */
const CLOSE_LIMIT_MS = 500;

/** Starts and stops everything in order. */
export function createLife(deps: LifeDeps): LamplighterApp {
  const {
    config,
    isWeb,
    fleet,
    shared,
    jobQueue,
    worker,
    sweeps,
    receiver,
    server,
    progress,
    eventLoop,
    timings,
    log,
  } = deps;
  const { failFast: redis, clock } = shared;
  const stopping = new AbortController();
  let stopWatchdogs = (): void => undefined;
  let stopLooks = (): void => undefined;
  let stopReading = (): void => undefined;
  return {
    start: async () => {
      // First, so that the person who watches the process sees that it lives while it waits for Redis or Slack.
      const port = await server.start(config.host, config.port);
      log.info({ port }, 'listening');
      await checkRedis({ config, redis, clock, log, stopping: stopping.signal });
      await fleet.open();
      await checkServices(configuredSlack(deps), botsOf(fleet), log);
      await fleet.checkOwner();
      await watchFirst(deps);
      stopping.signal.throwIfAborted();
      fleet.startJobs();
      worker?.start();
      if (worker) sweeps.start();
      const watchdogs = [
        eventLoop.check,
        () => watch(fleet),
        () => keepFarewells(fleet.workspaces()),
        deps.beat,
        () => watchOwner(deps),
        deps.readiness.tell,
      ];
      stopWatchdogs = repeat(timings.watchdogEveryMs, watchdogs, (error) => log.limited('watchdog', error));
      if (isWeb) await receiver.bolt.start();
      stopping.signal.throwIfAborted();
      progress.isStarted = true;
      const mode = receiver.httpHandler ? 'http' : 'socket';
      stopLooks = tellDoubts(deps);
      stopReading = repeat(timings.settingsEveryMs, [createFollowSettings(deps)], (error) =>
        log.limited('reading the settings again', error),
      );
      log.info({ role: config.role, ...(isWeb ? { mode } : {}) }, 'ready');
      return { port };
    },
    stop: async () => {
      stopping.abort();
      const until = performance.now() + timings.drainMs;
      const left = (): number => Math.max(0, until - performance.now());
      if (isWeb) await receiver.bolt.stop();
      const closing = server.stop();
      sweeps.stop();
      stopWatchdogs();
      stopLooks();
      stopReading();
      await Promise.all([
        atMost(left(), Promise.all([closing, deps.inFlight.drain()])),
        // It takes no new job before the accounts are drained: none of theirs is left to others then.
        worker?.drain(left()),
        fleet.drain(left()),
      ]);
      eventLoop.stop();
      await deps.traces.stop(left());
      await fleet.close();
      await atMost(CLOSE_LIMIT_MS, jobQueue.close());
      await shared.close();
    },
  };
}

/**
 * Says what of the configuration is hardly meant, and once a day who or what is named and has gone. Nobody waits for it: what is
 * named is asked for at Slack and the service. Gives a function that ends it.
 */
function tellDoubts({ config, fleet, timings, log }: LifeDeps): () => void {
  logDoubts(config.doubts.ofBot, [], log);
  for (const { setup } of botsOf(fleet)) logDoubts(setup.config.doubts.ofAccount, [], log);
  if (!Number.isFinite(timings.checkNamedAfterMs)) return () => undefined;
  const look = (): void => {
    for (const bot of botsOf(fleet)) void bot.checkNamed();
    timer = setTimeout(look, DAY_MS).unref();
  };
  let timer = setTimeout(look, timings.checkNamedAfterMs).unref();
  return () => clearTimeout(timer);
}

/** Before anything is done, since an older Redis holds back what changes something. Never throws. */
async function watchFirst({ fleet, log }: LifeDeps): Promise<void> {
  await watch(fleet).catch((error: unknown) => log.limited('watchdog', asError(error)));
}

/** Lets go where what is kept in Redis was taken over: whoever has it now does all that was begun here. */
async function watchOwner({ fleet, lost, log }: LifeDeps): Promise<void> {
  try {
    await fleet.checkOwner();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    log.error({ check: 'owner' }, error.message);
    lost(error.message);
  }
}

/** Tokens that came by an installation are not the configuration's. */
function configuredSlack({ config, fleet }: LifeDeps): Slack | undefined {
  return config.slack.install ? undefined : fleet.workspaces()[0]?.slack;
}

/** Gives a work to be done again and again: it takes what changed in files, and says in the log and to the admins what came of it. */
function createFollowSettings({
  settings,
  fleet,
  log,
}: Pick<Bot, 'log'> & {
  readonly settings: Pick<Settings, 'state' | 'changes' | 'look'>;
  readonly fleet: Pick<Fleet, 'workspaces'>;
}): () => Promise<void> {
  let logged = settings.state();
  let counted = settings.changes();
  let told: SettingsState | undefined;
  return async () => {
    await settings.look();
    if (settings.changes() !== counted) {
      counted = settings.changes();
      log.info({ check: 'settings' }, 'what changed in files counts now');
    }
    const state = settings.state();
    if (state !== logged) logState(state, log);
    logged = state;
    if (state === told) return;
    for (const { bots } of fleet.workspaces()) {
      const heard: string[] = [];
      for (const bot of bots) heard.push(...(await bot.tellSettings(state, heard)));
    }
    told = state;
  };
}

function logState({ faults, restart }: SettingsState, log: Log): void {
  for (const fault of faults)
    log.error({ check: 'settings' }, `${fault}: what was there before still counts`);
  for (const what of restart)
    log.warn({ check: 'settings' }, `what changed in a file needs a restart: ${what}`);
}
