import { setTimeout as wait } from 'node:timers/promises';
import { asError } from '../../platform/log/log.ts';
import { SlackError } from '../../platform/slack/errors.ts';
import type { CurrentToken } from '../../platform/slack/token-fetch.ts';
import { atMost } from '../../platform/time/at-most.ts';
import { type Installation, installationId } from './installation.ts';
import type { InstallationStore } from './installation-store.ts';
import { createKnownInstallations, type KnownTimings } from './known-installations.ts';
import type { TokenRefresh } from './token-refresh.ts';
import type { Base } from '../base.ts';

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
