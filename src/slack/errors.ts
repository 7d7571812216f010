import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { wasNeverConnected } from '../http/never-connected.ts';

/**
 * Slack did not take a message, or may have. `not-done`: certainly not delivered; `unknown`: perhaps.
 * `dead`: this place can't be posted to, whoever tries again.
 */
export class SlackError extends Error {
  readonly outcome: 'not-done' | 'unknown';
  readonly code: string;
  readonly dead: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(
    code: string,
    details: { outcome: 'not-done' | 'unknown'; dead?: boolean; retryAfterMs?: number },
  ) {
    super(`slack: ${code}`);
    this.name = 'SlackError';
    this.code = code;
    this.outcome = details.outcome;
    this.dead = details.dead ?? false;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** Platform errors after which Slack may have done the work all the same. */
const UNSURE = new Set(['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout']);
/** Platform errors that pass by themselves or once somebody mends the installation; they say nothing of the channel. */
const PASSING = new Set([
  'ratelimited',
  'rate_limited',
  'message_limit_exceeded',
  'accesslimited',
  'team_added_to_org',
  'ekm_access_denied',
]);

const REFUSED_TOKENS = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'org_login_required',
]);

/** Whether Slack knows the token and won't have it. */
export function isRefusedToken(code: string): boolean {
  return REFUSED_TOKENS.has(code);
}

/** Whether Slack refuses the bot itself, wherever it posts: its token, or a permission that was never given. */
export function isBotRefused(code: string): boolean {
  return isRefusedToken(code) || code === 'missing_scope';
}

/** Whether Slack will say no however often it is asked: to this token, or to what it is asked with it. */
export function isRefusal({ code, dead }: Pick<SlackError, 'code' | 'dead'>): boolean {
  return dead || isRefusedToken(code);
}

/** Slack's codes are words joined by _, but for a few; a bare word may be a proxy's whole page. */
function isCode(code: unknown): code is string {
  return typeof code === 'string' && (/^(?=.{3,60}$)[a-z]+(_[a-z]+)+$/.test(code) || PASSING.has(code));
}

/** Any error of a WebClient call, in the two kinds that matter. */
export function slackErrorOf(error: unknown): SlackError {
  if (error instanceof SlackError) return error;
  if (error instanceof WebAPIRateLimitedError) {
    return new SlackError('ratelimited', { outcome: 'not-done', retryAfterMs: error.retryAfter * 1000 });
  }
  if (error instanceof WebAPIPlatformError) {
    const code: unknown = error.data.error;
    // Anything that is no error code came from something between Slack and us.
    if (!isCode(code)) return new SlackError('unreadable', { outcome: 'unknown' });
    if (UNSURE.has(code)) return new SlackError(code, { outcome: 'unknown' });
    return new SlackError(code, { outcome: 'not-done', dead: !PASSING.has(code) && !isRefusedToken(code) });
  }
  if (error instanceof WebAPIHTTPError) {
    const code = `http_${error.statusCode}`;
    return new SlackError(code, { outcome: error.statusCode >= 500 ? 'unknown' : 'not-done' });
  }
  if (error instanceof WebAPIRequestError) {
    const refused = wasNeverConnected(error) || wasNeverConnected(error.original);
    return new SlackError('unreachable', { outcome: refused ? 'not-done' : 'unknown' });
  }
  return new SlackError(error instanceof Error ? error.name : 'unknown', { outcome: 'unknown' });
}
