import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '../../platform/id.ts';
import { isRedisAway, unlessRedisIsAway } from '../../platform/redis/away.ts';
import { releaseLock, takeLock } from '../../platform/redis/lock.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import type { OAuthClient, RefreshedToken } from '../../platform/slack/oauth-client.ts';
import { type Installation, installationId, refreshed, refused, workspaceKeys } from './installation.ts';
import type { InstallationStore } from './installation-store.ts';
import type { Base } from '../base.ts';

/** What Slack says of a refresh token that will never give a token again. Anything else may pass. */
const REFUSED_FOR_GOOD = new Set([
  'invalid_refresh_token',
  'token_revoked',
  'token_expired',
  'account_inactive',
]);
/** Longer than a call to Slack takes. */
const REFRESH_LOCK_MS = 15_000;
/** A new token that Redis does not take is offered to it this often, for this long. */
const SAVE_EVERY_MS = 250;
const SAVE_WITHIN_MS = 60_000;

export interface TokenRefreshDeps extends Pick<Base, 'redis' | 'log'> {
  readonly store: InstallationStore;
  readonly oauth: Pick<OAuthClient, 'refresh'>;
  /** Redis' clock, Unix ms. */
  readonly now: () => number;
  /** For how long one process alone may refresh; after a failed try it is the pause. */
  readonly lockMs?: number;
}

/**
 * Refreshes the token of one installation, by its id, if `isDue` says so of what is stored, once over all processes: the one with the lock
 * does. Gives the installation with its new token, or as it stands where it isn't due any more; undefined where
 * somebody else has the lock or nothing came of it. Throws what Redis throws.
 */
export type TokenRefresh = (
  id: string,
  isDue: (installation: Installation) => boolean,
) => Promise<Installation | undefined>;

/**
 * A process may end after Slack answered and before the new token is written. Then the stored refresh token is used up,
 * and the stored token lives on until its time: Slack keeps two tokens of a workspace. The next process tries the same
 * refresh token once the lock has ended. Slack takes it again for a short while; after that it refuses it, and somebody
 * has to install the bot again before the stored token ends.
 */
export function createTokenRefresh(deps: TokenRefreshDeps): TokenRefresh {
  const { store, redis, lockMs = REFRESH_LOCK_MS } = deps;
  return async (id, isDue) => {
    const [key, owner] = [workspaceKeys.refresh(id), newId()];
    if (!(await takeLock(redis, key, owner, lockMs))) return undefined;
    const found = await store.find(id);
    // Not released after a failed try: until the lock ends nobody asks Slack again.
    const settled = found && isDue(found) ? await exchange(deps, found) : { now: found };
    if (settled) await unlessRedisIsAway(releaseLock(redis, key, owner), undefined);
    return settled?.now;
  };
}

/** Undefined where Slack gave no token and may give one later. */
async function exchange(
  deps: TokenRefreshDeps,
  installation: Installation,
): Promise<{ now: Installation | undefined } | undefined> {
  const { oauth, now, log } = deps;
  const { rotation } = installation;
  const id = installationId(installation);
  if (!rotation) return { now: installation };
  const askedAt = now();
  let answer: RefreshedToken;
  try {
    answer = await oauth.refresh(rotation.refreshToken);
  } catch (error) {
    const { code } = slackErrorOf(error);
    if (REFUSED_FOR_GOOD.has(code)) return { now: await refuse(deps, installation, code) };
    log.warn({ team: id, code }, 'refreshing a bot token; it is tried again');
    return undefined;
  }
  if (answer.of !== undefined && answer.of !== id) {
    log.error({ team: id }, 'a refresh gave the token of another workspace, which is not used');
    return undefined;
  }
  const next = { ...answer, expiresAt: askedAt + answer.livesMs };
  return { now: await save(deps, installation, rotation.refreshToken, next) };
}

/** Writes the new token, again and again while Redis is away. Gives the installation that counts then. */
async function save(
  { store, log }: TokenRefreshDeps,
  installation: Installation,
  used: string,
  next: Parameters<typeof refreshed>[2],
): Promise<Installation | undefined> {
  const id = installationId(installation);
  const until = performance.now() + SAVE_WITHIN_MS;
  for (;;) {
    try {
      // Where another token is stored by now, or none, that one counts.
      const saved = await store.change(id, (one) => refreshed(one, used, next));
      if (saved) log.info({ team: id }, 'refreshed a bot token');
      return saved ?? (await store.find(id));
    } catch (error) {
      if (!isRedisAway(error) || performance.now() > until) {
        log.error({ team: id, error }, 'writing a refreshed bot token down');
        return refreshed(installation, used, next);
      }
      await wait(SAVE_EVERY_MS);
    }
  }
}

async function refuse(
  { store, now, log }: TokenRefreshDeps,
  installation: Installation,
  code: string,
): Promise<Installation | undefined> {
  const id = installationId(installation);
  const { rotation } = installation;
  const used = rotation?.refreshToken ?? '';
  const marked = await store.change(id, (one) => refused(one, used, { code, at: now() }));
  if (!marked) return store.find(id);
  log.error(
    { team: id, code, endsAt: marked.rotation?.expiresAt },
    'refreshing a bot token is refused by Slack: the bot has to be installed again there',
  );
  return marked;
}
