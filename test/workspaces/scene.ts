import { onTestFinished } from 'vitest';
import { createSlackDouble, type SlackDouble } from '../../sandbox/slack/index.ts';
import { TEAM } from '../../sandbox/people.ts';
import { type Access, createAccess } from '../../src/core/workspaces/access.ts';
import { createInstaller, createUninstall, type Erased } from '../../src/core/workspaces/install.ts';
import {
  createInstallationStore,
  type InstallationStore,
} from '../../src/core/workspaces/installation-store.ts';
import { createTokenRefresh } from '../../src/core/workspaces/token-refresh.ts';
import { createTokens, TOKEN_TIMINGS, type Tokens } from '../../src/core/workspaces/tokens.ts';
import { SCOPES } from '../../src/features/doctor/judge-slack.ts';
import { createHttpServer } from '../../src/platform/http/server.ts';
import { createLog } from '../../src/platform/log/log.ts';
import type { Redis } from 'ioredis';
import { connectFailFast } from '../../src/platform/redis/connection.ts';
import { parseKeyring } from '../../src/platform/secrets/keyring.ts';
import { createSlackLogger } from '../../src/platform/slack/bolt.ts';
import { createInstallRoutes } from '../../src/platform/slack/install.ts';
import { createOAuthClient, type OAuthClient } from '../../src/platform/slack/oauth-client.ts';
import { takeDatabase } from '../support/shared-redis.ts';
import { fetchOf } from '../support/connections.ts';

export const LANTERN = TEAM;
export const QUARRY = { id: 'T0QUARRY001', name: 'Quarry & Sons', domain: 'quarry' };
/** A workspace that may not install the bot. */
export const STRANGERS = { id: 'T0STRANGE99', name: '<script>alert(1)</script>', domain: 'strangers' };
export const CLIENT = { clientId: '1234567890.1234567890', clientSecret: 'client-secret-canary-77' };
export const STATE_SECRET = 'state-secret-canary-88';
export const PUBLIC_URL = 'https://lamplighter.example.com';
export const OLD_KEY = `2025b:${Buffer.alloc(32, 'o').toString('base64')}`;
export const NEW_KEY = `2026a:${Buffer.alloc(32, 'n').toString('base64')}`;
export const HOUR_MS = 3_600_000;
/** How long a token lives with Slack. */
export const TOKENS_LIVE_MS = 12 * HOUR_MS;
/** So long that a test says itself when it ends. */
const LOCK_MS = 60_000;

/** Slack, a Redis, and a clock that both and the bot go by. */
export interface Scene {
  readonly slack: SlackDouble;
  readonly apiUrl: string;
  readonly redisUrl: string;
  now(): number;
  pass(ms: number): void;
  /** One process of the bot, with connections of its own. */
  process(options?: ProcessOptions): Promise<BotParts>;
}

interface ProcessOptions {
  readonly keys?: string;
  readonly allowed?: readonly string[];
  readonly clientSecret?: string;
}

/** What the composition root builds for several workspaces. */
export interface BotParts {
  readonly redis: Redis;
  readonly store: InstallationStore;
  readonly oauth: OAuthClient;
  readonly tokens: Tokens;
  readonly access: Access;
  readonly erased: Erased;
  /** Where its pages are on this machine. */
  readonly url: string;
  /** What it logged. */
  readonly lines: readonly string[];
}

export async function openScene({ tokensLiveMs }: { tokensLiveMs?: number } = {}): Promise<Scene> {
  const database = await takeDatabase();
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  const slack = createSlackDouble({
    clock: now,
    // These parts are no whole bot, which would hear of an uninstall.
    events: [],
    oauth: {
      ...CLIENT,
      teams: [LANTERN, QUARRY, STRANGERS],
      ...(tokensLiveMs === undefined ? {} : { tokensLiveMs }),
    },
  });
  const { apiUrl } = await slack.start();
  onTestFinished(async () => {
    await slack.stop();
    database.release();
  });
  const scene = { slack, apiUrl, redisUrl: database.url, now };
  return { ...scene, pass: (ms) => (ahead += ms), process: (options) => startParts(scene, options) };
}

async function startParts(
  { apiUrl, redisUrl, now }: Pick<Scene, 'apiUrl' | 'redisUrl' | 'now'>,
  {
    keys = NEW_KEY,
    allowed = [LANTERN.id, QUARRY.id],
    clientSecret = CLIENT.clientSecret,
  }: ProcessOptions = {},
): Promise<BotParts> {
  const lines: string[] = [];
  const log = createLog('debug', [], { write: (line) => void lines.push(line) });
  const logger = createSlackLogger(log);
  const redis = connectFailFast({ url: redisUrl }, () => undefined);
  await new Promise((done) => redis.once('ready', done));
  const teams = new Set(allowed);
  const store = createInstallationStore(redis, parseKeyring(keys), teams);
  const ofApp = { ...CLIENT, clientSecret, apiUrl, timeoutMs: 5_000, logger, fetch: fetchOf(apiUrl) };
  const oauth = createOAuthClient(ofApp);
  const refresh = createTokenRefresh({ store, redis, oauth, now, lockMs: LOCK_MS, log });
  const timings = { ...TOKEN_TIMINGS, rememberDueMs: 0, waitMs: 2_500, pollEveryMs: 10 };
  const tokens = createTokens({ store, refresh, now, timings, log });
  const installer = createInstaller({ store, tokens, allowed: teams, now, log });
  const scopes = SCOPES.map(({ name }) => name);
  const routes = createInstallRoutes({
    ...ofApp,
    ...installer,
    stateSecret: STATE_SECRET,
    publicUrl: PUBLIC_URL,
    scopes,
    name: 'Lamplighter',
    firstCommand: '/lamplighter help',
    revoke: oauth.revoke,
  });
  const server = createHttpServer(routes, (error) => void lines.push(String(error)));
  const port = await server.start('127.0.0.1', 0);
  onTestFinished(async () => {
    await Promise.all([server.stop(), tokens.drain()]);
    redis.disconnect();
  });
  const erased = createUninstall({ store, tokens, oauth, log });
  const access = createAccess({ store, tokens, oauth, redis });
  return { redis, store, oauth, tokens, access, erased, url: `http://127.0.0.1:${port}`, lines };
}

/** What a browser shows. */
export interface Shown {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** A browser that has asked the bot for its page of consent. */
export interface Browser {
  readonly page: Shown;
  readonly cookie: string;
  /** Where the page leads to. */
  readonly authorizeUrl: string;
}

export async function show(url: string, cookie?: string): Promise<Shown> {
  const answer = await fetch(url, {
    redirect: 'manual',
    ...(cookie === undefined ? {} : { headers: { cookie } }),
  });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

export async function beginInstall(parts: Pick<BotParts, 'url'>): Promise<Browser> {
  const page = await show(`${parts.url}/slack/install`);
  const cookie = page.headers.get('set-cookie')?.split(';')[0] ?? '';
  const link = /href="([^"]+)"/.exec(page.text)?.[1] ?? '';
  return { page, cookie, authorizeUrl: link.replaceAll('&amp;', '&') };
}

/** The address on this machine of one at the public URL. */
export function locally(parts: BotParts, address: string): string {
  return address.replace(PUBLIC_URL, parts.url);
}

/** Somebody installs the bot; with `deny` or the id of the organization, they answer that. */
export async function installs(scene: Scene, parts: BotParts, answer: string = LANTERN.id): Promise<Shown> {
  const browser = await beginInstall(parts);
  const back = scene.slack.oauth.answers(browser.authorizeUrl, answer);
  return show(locally(parts, back), browser.cookie);
}

/** The newest token that Slack gave for a workspace and nobody revoked. */
export function newestToken({ slack }: Scene, teamId: string = LANTERN.id): string {
  return slack.oauth.tokensOf(teamId).at(-1)?.token ?? 'none';
}
