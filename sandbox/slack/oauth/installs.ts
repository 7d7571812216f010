import { BOT, ORGANIZATION, TEAM } from '../../people.ts';
import { textArg } from '../api/args.ts';
import { SlackNo } from '../api/refusal.ts';
import type { Caller, Tokens } from '../api/tokens.ts';
import type { Json } from '../json.ts';

/** A workspace that the app can be installed in. */
export interface TeamRecord {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
}

/** How the app is known to Slack, and where it can be installed. */
export interface OAuthSetup {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The sandbox's own workspace when left out. */
  readonly teams?: readonly TeamRecord[];
  /** How long a token lives, with token rotation; without, until it is revoked. */
  readonly tokensLiveMs?: number;
}

/** What somebody consented to. */
interface Consent {
  readonly teamId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
}

interface Grant {
  readonly teamId: string;
  readonly scopes: readonly string[];
  readonly token: string;
  readonly refreshToken: string | undefined;
}

/** Slack keeps so many tokens of one installation; the oldest of more is revoked. */
const MAX_TOKENS = 2;
const STRANGER: OAuthSetup = { clientId: '0.0', clientSecret: 'sandbox-client-secret' };

/** The installations of the app: consents, codes, and tokens that expire and are refreshed. */
export class Installs {
  /** Every refresh that gave a token, by the refresh token that was used up. */
  readonly refreshed: string[] = [];
  readonly setup: OAuthSetup;
  readonly teams: readonly TeamRecord[];
  readonly #tokens: Tokens;
  readonly #nextId: (prefix: string) => string;
  /** The workspaces that the organization's admin added the app to, where it is installed in the organization. */
  readonly granted = new Set<string>();
  readonly #consents = new Map<string, Consent | 'used'>();
  readonly #grants: Grant[] = [];

  constructor(setup: OAuthSetup | undefined, tokens: Tokens, nextId: (prefix: string) => string) {
    this.setup = setup ?? STRANGER;
    this.teams = this.setup.teams ?? [TEAM];
    this.#tokens = tokens;
    this.#nextId = nextId;
  }

  /** The workspace of an id; undefined for one that the sandbox doesn't have. */
  team(teamId: string): TeamRecord | undefined {
    return [TEAM, ...this.teams].find(({ id }) => id === teamId);
  }

  /** The bot's user in a workspace: each has one of its own, and an organization one for all of its workspaces. */
  botUserIn(id: string): string {
    return this.#isMain(id) ? BOT.userId : `U0LAMP${id.slice(-5)}`;
  }

  botIn(id: string): string {
    return this.#isMain(id) ? BOT.botId : `B0LAMP${id.slice(-5)}`;
  }

  /** Whether it is the organization's installation that counts in a workspace. */
  isOrgWideIn(teamId: string): boolean {
    return (
      this.granted.has(teamId) &&
      this.grantsIn(ORGANIZATION.id).length > 0 &&
      this.grantsIn(teamId).length === 0
    );
  }

  #isMain(id: string): boolean {
    return id === TEAM.id || id === ORGANIZATION.id || this.isOrgWideIn(id);
  }

  /** Somebody consents on Slack's page; gives the code that the app is sent. */
  consent(consent: Consent): string {
    const code = this.#nextId('code-');
    this.#consents.set(code, consent);
    return code;
  }

  /** A token for a code, or for a refresh token: `oauth.v2.access`. */
  access(args: Json): Json {
    if (textArg(args, 'client_id') !== this.setup.clientId) throw new SlackNo('invalid_client_id');
    if (textArg(args, 'client_secret') !== this.setup.clientSecret) throw new SlackNo('bad_client_secret');
    if (textArg(args, 'grant_type') === 'refresh_token')
      return this.#refresh(textArg(args, 'refresh_token') ?? '');
    return this.#exchange(textArg(args, 'code') ?? '', textArg(args, 'redirect_uri'));
  }

  /** The tokens of a workspace that nobody revoked, oldest first. */
  grantsIn(teamId: string): readonly Grant[] {
    return this.#grants.filter((one) => one.teamId === teamId && this.#tokens.find(one.token) !== 'revoked');
  }

  /** Revokes every token of a workspace, and with them what would refresh them. */
  remove(teamId: string): void {
    for (const { token } of this.grantsIn(teamId)) this.#tokens.revoke(token);
  }

  #exchange(code: string, redirectUri: string | undefined): Json {
    const consent = this.#consents.get(code);
    if (consent === undefined) throw new SlackNo('invalid_code');
    if (consent === 'used') throw new SlackNo('code_already_used');
    if (consent.redirectUri !== redirectUri) throw new SlackNo('bad_redirect_uri');
    this.#consents.set(code, 'used');
    return { ...this.#grant(consent.teamId, consent.scopes), authed_user: { id: consent.userId } };
  }

  #refresh(refreshToken: string): Json {
    const grant = this.#grants.find((one) => one.refreshToken === refreshToken);
    const isUsed = this.refreshed.includes(refreshToken);
    if (!grant || isUsed || this.#tokens.find(grant.token) === 'revoked')
      throw new SlackNo('invalid_refresh_token');
    this.refreshed.push(refreshToken);
    return this.#grant(grant.teamId, grant.scopes);
  }

  #grant(teamId: string, scopes: readonly string[]): Json {
    const { tokensLiveMs } = this.setup;
    const isOrgWide = teamId === ORGANIZATION.id;
    const secret = this.#nextId(`${teamId}-`);
    const isRotated = tokensLiveMs !== undefined;
    const token = isRotated ? `xoxe.xoxb-1-sandbox-${secret}` : `xoxb-sandbox-${secret}`;
    const refreshToken = isRotated ? `xoxe-1-sandbox-${secret}` : undefined;
    const caller: Caller = { kind: 'bot', teamId, scopes: new Set(scopes) };
    this.#tokens.issue(token, caller, tokensLiveMs);
    this.#grants.push({ teamId, scopes, token, refreshToken });
    const live = this.grantsIn(teamId);
    for (const old of live.slice(0, -MAX_TOKENS)) this.#tokens.revoke(old.token);
    return {
      access_token: token,
      token_type: 'bot',
      scope: scopes.join(','),
      bot_user_id: this.botUserIn(teamId),
      app_id: BOT.appId,
      team: isOrgWide ? null : { id: teamId, name: this.team(teamId)?.name },
      enterprise: isOrgWide ? { id: ORGANIZATION.id, name: ORGANIZATION.name } : null,
      is_enterprise_install: isOrgWide,
      ...(isRotated ? { refresh_token: refreshToken, expires_in: tokensLiveMs / 1_000 } : {}),
    };
  }
}
