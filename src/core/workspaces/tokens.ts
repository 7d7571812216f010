import { setTimeout as wait } from 'node:timers/promises';
import { asError } from '../../platform/log/log.ts';
import { SlackError } from '../../platform/slack/errors.ts';
import type { CurrentToken } from '../../platform/slack/token-fetch.ts';
import { atMost } from '../../platform/time/wait.ts';
import { type Installation, installationId } from './installation.ts';
import type { InstallationStore } from './installation-store.ts';
import type { TokenRefresh } from './token-refresh.ts';
import type { Base } from '../base.ts';
import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import { SealError } from '../../platform/secrets/keyring.ts';

/** How long what was read counts, and when a token is refreshed. */
interface KnownTimings {
  /** How long before its end a token is refreshed. Time for somebody to install the bot again where that is refused. */
  readonly refreshBeforeMs: number;
  /** How long a token is used without a look at what is stored. */
  readonly rememberMs: number;
  /** The same while it is to be refreshed. */
  readonly rememberDueMs: number;
}

/** What one process knows of the installations, each by the id of the workspace or organization that it was asked for by. */
interface KnownInstallations {
  /** What was read a short while ago and can be used. */
  recent(id: string): Installation | undefined;
  /** What is stored, or while Redis is away what was read last. Throws SealError for what can't be decrypted. */
  read(id: string): Promise<Installation | undefined>;
  /** What was asked for by an id is this now. */
  remember(id: string, installation: Installation): void;
  /** Whether its token can be used: its time isn't over, and Slack hasn't refused it. */
  isUsable(installation: Installation): boolean;
  /** Whether its token is to be refreshed. */
  isDue(installation: Installation): boolean;
  /** Slack refused this token. */
  refused(id: string, token: string): void;
  forget(id: string): void;
  /** Why a workspace or an organization lost its token or soon will, as codes by their ids. */
  faults(): ReadonlyMap<string, string>;
}

/** `now`: Redis' clock, Unix ms. */
function createKnownInstallations(
  store: Pick<InstallationStore, 'find'>,
  timings: KnownTimings,
  now: () => number,
): KnownInstallations {
  const known = new Map<string, { readonly installation: Installation; readonly until: number }>();
  /** The token of each installation that Slack refused last, whatever its time says. */
  const refusedTokens = new Map<string, string>();
  /** Why what is stored of a workspace can't be decrypted. */
  const sealed = new Map<string, string>();

  const isUsable = (one: Installation): boolean =>
    one.rotation === undefined ||
    (refusedTokens.get(installationId(one)) !== one.token && now() < one.rotation.expiresAt);
  const isDue = (one: Installation): boolean =>
    one.rotation !== undefined &&
    one.refused === undefined &&
    (!isUsable(one) || now() >= one.rotation.expiresAt - timings.refreshBeforeMs);
  const remember = (id: string, installation: Installation): void => {
    const forMs = isDue(installation) ? timings.rememberDueMs : timings.rememberMs;
    known.set(id, { installation, until: now() + forMs });
  };
  const find = async (id: string): Promise<Installation | undefined> => {
    try {
      return await store.find(id);
    } catch (error) {
      if (error instanceof SealError) sealed.set(id, error.code);
      throw error;
    }
  };
  return {
    isUsable,
    isDue,
    remember,
    recent: (id) => {
      const kept = known.get(id);
      return kept && now() < kept.until && isUsable(kept.installation) ? kept.installation : undefined;
    },
    read: async (id) => {
      const kept = known.get(id)?.installation;
      const found = await (kept ? unlessRedisIsAway(find(id), kept) : find(id));
      sealed.delete(id);
      if (!found) known.delete(id);
      else if (found !== kept) remember(id, found);
      return found;
    },
    refused: (id, token) => {
      const kept = known.get(id)?.installation;
      const of = kept ? installationId(kept) : id;
      // Once for each token: one that Slack goes on refusing is no reason to read it again for each call.
      if (refusedTokens.get(of) === token) return;
      refusedTokens.set(of, token);
      known.delete(id);
    },
    forget: (id) => {
      known.delete(id);
      refusedTokens.delete(id);
    },
    faults: () => {
      const lost = [...known.values()].flatMap(({ installation }): [string, string][] =>
        installation.refused ? [[installationId(installation), installation.refused.code]] : [],
      );
      return new Map([...sealed, ...lost]);
    },
  };
}

/** The bot tokens of all workspaces and organizations, by their ids, fresh for as long as Slack refreshes them. */
export interface Tokens {
  /**
   * The token that counts for an id: from memory, or from Redis. One that ends soon is refreshed meanwhile; one that has ended
   * is waited for. Throws SlackError: `account_inactive` where the bot isn't installed, `token_expired` where Slack gives
   * no other token, `token_pending` where one may come later. Throws what Redis throws where nothing is known yet, and
   * SealError where what is stored can't be decrypted.
   */
  of(id: string): Promise<string>;
  /** The same for one workspace, with word of what Slack refuses. */
  in(teamId: string): CurrentToken;
  /** Has the next call read again what is stored: somebody installed the bot, or removed it. */
  forget(id: string): void;
  /** Why a workspace or an organization lost its token or soon will, as codes by their ids; as far as this process has seen. */
  faults(): ReadonlyMap<string, string>;
  /** Waits until no refresh of this process is under way. */
  drain(): Promise<void>;
}

export interface TokenTimings extends KnownTimings {
  /** How long a call waits for a token where the last one has ended, and how often it looks. */
  readonly waitMs: number;
  readonly pollEveryMs: number;
}

export const TOKEN_TIMINGS: TokenTimings = {
  refreshBeforeMs: 2 * 3_600_000,
  rememberMs: 60_000,
  rememberDueMs: 1_000,
  waitMs: 4_000,
  pollEveryMs: 100,
};

/** `now`: Redis' clock, Unix ms. */
export function createTokens({
  store,
  refresh,
  now,
  timings = TOKEN_TIMINGS,
  log,
}: Pick<Base, 'log'> & {
  readonly store: InstallationStore;
  readonly refresh: TokenRefresh;
  readonly now: () => number;
  readonly timings?: TokenTimings;
}): Tokens {
  const known = createKnownInstallations(store, timings, now);
  const underWay = new Map<string, Promise<void>>();

  const refreshQuietly = async (id: string): Promise<void> => {
    try {
      const next = await refresh(id, known.isDue);
      if (next) known.remember(id, next);
    } catch (error) {
      log.limited('refreshing a bot token', asError(error));
    }
  };
  /** One refresh of this process at a time. Never rejects. */
  const refreshOnce = (id: string): Promise<void> => {
    const running = underWay.get(id);
    if (running) return running;
    const one = refreshQuietly(id).finally(() => underWay.delete(id));
    underWay.set(id, one);
    return one;
  };
  const read = async (id: string): Promise<Installation> => {
    const found = await known.read(id);
    if (!found) throw refusal('account_inactive');
    return found;
  };
  /** The token of an installation whose time is not over; undefined where one may come. Throws where none will. */
  const tokenIn = (found: Installation): string | undefined => {
    if (known.isUsable(found)) return found.token;
    if (found.refused) throw refusal('token_expired');
    return undefined;
  };
  const waitFor = async (id: string, first: Installation): Promise<string> => {
    const until = performance.now() + timings.waitMs;
    for (;;) {
      const leftMs = until - performance.now();
      if (leftMs <= 0) throw refusal('token_pending');
      await atMost(leftMs, refreshOnce(installationId(first)));
      const token = tokenIn(await read(id));
      if (token !== undefined) return token;
      await wait(timings.pollEveryMs);
    }
  };
  const of = async (id: string): Promise<string> => {
    const recent = known.recent(id);
    if (recent) return recent.token;
    const found = await read(id);
    const token = tokenIn(found);
    if (token === undefined) return waitFor(id, found);
    // Nobody waits for the next token while this one lives.
    if (known.isDue(found)) void refreshOnce(installationId(found));
    return token;
  };
  return {
    of,
    in: (teamId) => ({ get: () => of(teamId), refused: (token) => known.refused(teamId, token) }),
    forget: known.forget,
    faults: known.faults,
    drain: async () => {
      while (underWay.size > 0) await Promise.all(underWay.values());
    },
  };
}

function refusal(code: string): SlackError {
  return new SlackError(code, { outcome: 'not-done' });
}
