import type { ServerResponse } from 'node:http';
import type { Logger } from '@slack/bolt';
import type { FetchFunction } from '@slack/web-api';
import { type CallbackOptions, ErrorCode, type Installation, InstallProvider } from '@slack/oauth';
import type { HttpHandler } from '../http/server.ts';
import { parseUrl } from '../http/parse-url.ts';
import { PAGE_HEADERS, type Page, renderPage } from './install-pages.ts';

/** What Slack gave for somebody's consent, before anything is kept of it. */
export interface NewInstallation {
  /** Undefined for an installation in a whole organization. */
  readonly teamId: string | undefined;
  readonly teamName: string | undefined;
  readonly enterpriseId: string | undefined;
  readonly enterpriseName: string | undefined;
  readonly appId: string | undefined;
  readonly botId: string;
  readonly botUserId: string;
  readonly scopes: readonly string[];
  readonly token: string;
  /** Where tokens expire: how long this one lives, and what gives the next. */
  readonly rotation: { readonly refreshToken: string; readonly livesMs: number } | undefined;
  readonly installedBy: string;
}

export interface InstallOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Signs the state that comes back with the consent. */
  readonly stateSecret: string;
  /** Where people reach the bot. */
  readonly publicUrl: string;
  /** Where the Web API is; the page of consent is on the same host. */
  readonly apiUrl: string;
  readonly scopes: readonly string[];
  readonly timeoutMs: number;
  /** What the app is called on the pages, and the command that it is best begun with. */
  readonly name: string;
  readonly firstCommand: string;
  /** Uses a state up that came back with a consent; false where that was done before. */
  readonly useState: (state: string) => Promise<boolean>;
  /** Why an installation can't be kept, for the person; its token is revoked then. Undefined where it can. */
  readonly refuse: (installation: NewInstallation) => string | undefined;
  readonly keep: (installation: NewInstallation) => Promise<void>;
  readonly revoke: (token: string) => Promise<void>;
  readonly logger: Logger;
  /** What makes the calls. */
  readonly fetch: FetchFunction;
}

const COOKIE = 'slack-app-oauth-state';
/** How long somebody may take to say yes at Slack, in seconds. */
const STATE_S = 600;
const INSTALL_PATH = '/slack/install';
const REDIRECT_PATH = '/slack/oauth_redirect';

/** Where Slack sends people back to. */
function redirectUrlOf(publicUrl: string): string {
  return `${publicUrl.replace(/\/+$/, '')}${REDIRECT_PATH}`;
}

/** The two pages over which people install the bot in their workspace, as routes of the HTTP server. */
export function createInstallRoutes(options: InstallOptions): Readonly<Record<string, HttpHandler>> {
  const { name, publicUrl, scopes } = options;
  const provider = createProvider(options);
  const callbacks = createCallbacks(options);
  const installOptions = { scopes: [...scopes], redirectUri: redirectUrlOf(publicUrl) };
  return {
    [`GET ${INSTALL_PATH}`]: async (_request, response) => {
      prepare(response);
      try {
        // Not the provider's own way: its cookie goes along with requests that other sites make.
        const state = await provider.stateStore?.generateStateParam(installOptions, new Date());
        const url = await provider.generateInstallUrl(installOptions, true, state);
        response.setHeader(
          'set-cookie',
          `${COOKIE}=${state}; Secure; HttpOnly; SameSite=Lax; Path=/; Max-Age=${STATE_S}`,
        );
        showPage(response, { status: 200, ...consentPage(name, url) });
      } catch {
        showPage(response, notNow(name));
      }
    },
    [`GET ${REDIRECT_PATH}`]: async (request, response) => {
      prepare(response);
      await provider.handleCallback(request, response, callbacks, installOptions);
    },
  };
}

function createProvider(options: InstallOptions): InstallProvider {
  const { clientId, clientSecret, stateSecret, apiUrl, timeoutMs, keep, logger, fetch } = options;
  return new InstallProvider({
    clientId,
    clientSecret,
    stateSecret,
    authorizationUrl: new URL('/oauth/v2/authorize', apiUrl).href,
    stateCookieName: COOKIE,
    stateCookieExpirationSeconds: STATE_S,
    installationStore: {
      storeInstallation: (installation) => keep(readInstallation(installation)),
      // The provider's own refresh has no lock, so no token is taken from it.
      fetchInstallation: async () => {
        throw new Error('no token is read through the installer');
      },
    },
    logger,
    // No headers, ever: they leak one workspace's token into the next.
    clientOptions: {
      slackApiUrl: apiUrl,
      retryConfig: { retries: 0 },
      timeout: timeoutMs,
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
      fetch,
    },
  });
}

function createCallbacks(options: InstallOptions): CallbackOptions {
  const { name, firstCommand, useState, refuse, revoke, logger } = options;
  return {
    // The state was signed by us and is this browser's own; it has not been used yet.
    beforeInstallation: async (_options, request, response) => {
      const state = parseUrl(request.url ?? '', 'http://localhost')?.searchParams.get('state') ?? '';
      if (await useState(state)) return true;
      showPage(response, usedPage(name));
      return false;
    },
    afterInstallation: async (installation, _options, _request, response) => {
      const given = readInstallation(installation);
      const why = refuse(given);
      if (why === undefined) return true;
      const isRevoked = await revoke(given.token).then(
        () => true,
        (error: unknown) => {
          logger.error('revoking the token of a refused installation', String(error));
          return false;
        },
      );
      showPage(response, refusedPage(name, why, isRevoked));
      return false;
    },
    success: (installation, _options, _request, response) =>
      showPage(response, installedPage(name, firstCommand, readInstallation(installation))),
    failure: (error, _options, _request, response) => showPage(response, failurePage(name, error)),
  };
}

/** Throws where Slack gave no bot token. */
function readInstallation(installation: Installation): NewInstallation {
  const { team, enterprise, appId, bot, user, isEnterpriseInstall } = installation;
  if (!bot) throw new Error('Slack gave no bot token');
  const { refreshToken, expiresAt } = bot;
  return {
    teamId: isEnterpriseInstall === true ? undefined : team?.id,
    teamName: team?.name,
    enterpriseId: enterprise?.id,
    enterpriseName: enterprise?.name,
    appId,
    botId: bot.id,
    botUserId: bot.userId,
    scopes: bot.scopes,
    token: bot.token,
    rotation:
      refreshToken === undefined || expiresAt === undefined
        ? undefined
        : { refreshToken, livesMs: expiresAt * 1_000 - Date.now() },
    installedBy: user.id,
  };
}

function prepare(response: ServerResponse): void {
  for (const [header, value] of Object.entries(PAGE_HEADERS)) response.setHeader(header, value);
}

function showPage(response: ServerResponse, page: Page): void {
  if (response.writableEnded) return;
  response.writeHead(page.status);
  response.end(renderPage(page));
}

function consentPage(name: string, url: string): Omit<Page, 'status'> {
  return {
    title: `Install ${name}`,
    words: [
      'Slack asks you next where to install it, in a workspace or your whole organization, and shows what it may do there.',
      'Use this link in this browser within ten minutes.',
    ],
    link: { label: 'Continue to Slack', url },
  };
}

function installedPage(
  name: string,
  firstCommand: string,
  { teamId, teamName, enterpriseName }: NewInstallation,
): Page {
  const isOrganization = teamId === undefined;
  const where = isOrganization ? (enterpriseName ?? 'your organization') : (teamName ?? 'your workspace');
  // Slack lets an organization's installation be used nowhere at first.
  const next = isOrganization
    ? `An admin of the organization adds it to workspaces in Slack. Then type ${firstCommand} there to begin.`
    : `Type ${firstCommand} in Slack to begin. You can close this page.`;
  return { status: 200, title: `${name} is installed in ${where}`, words: [next] };
}

function refusedPage(name: string, why: string, isRevoked: boolean): Page {
  const kept = isRevoked
    ? 'Nothing was kept, and what Slack gave for this was revoked.'
    : `Nothing was kept. Remove ${name} in Slack under Apps, because Slack did not confirm that its access ended.`;
  return { status: 403, title: `${name} was not installed`, words: [why, kept] };
}

function usedPage(name: string): Page {
  return {
    status: 400,
    title: `${name} was not installed`,
    words: ['This link was used before. Nothing was kept.', `Start again at ${INSTALL_PATH}.`],
  };
}

function notNow(name: string): Page {
  return {
    status: 503,
    title: 'Something went wrong on our side',
    words: [`${name} may not be installed. Install it again in a minute.`],
  };
}

const CANCELED: string = ErrorCode.AuthorizationError;
/** The codes of what the person or their browser can put right. */
const NOT_THIS_BROWSER: readonly string[] = [
  ErrorCode.InvalidStateError,
  ErrorCode.MissingStateError,
  ErrorCode.MissingCodeError,
];
const PLATFORM_ERROR = 'slack_webapi_platform_error';

function failurePage(name: string, { code }: { readonly code: string }): Page {
  const title = `${name} was not installed`;
  const again = `Start again at ${INSTALL_PATH}.`;
  if (code === CANCELED)
    return { status: 403, title, words: ['You canceled in Slack, and nothing was kept.', again] };
  if (NOT_THIS_BROWSER.includes(code))
    return {
      status: 400,
      title,
      words: [
        'This link was begun in another browser, or more than ten minutes ago. Nothing was kept.',
        again,
      ],
    };
  if (code === PLATFORM_ERROR)
    return {
      status: 400,
      title,
      words: ['Slack did not confirm this installation: its code was used before or is too old.', again],
    };
  return notNow(name);
}
