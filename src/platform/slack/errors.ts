import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { wasNeverConnected } from '../http/connection-fault.ts';

/**
 * Slack did not take a message, or may have. `not-done`: certainly not delivered; `unknown`: perhaps.
 * `dead`: Slack says no to this call however often it is asked; whether that is for the place, `isRefusedThere` says.
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

/** Platform errors about what a message holds: the same words in a plainer form may be taken. */
const ABOUT_CONTENT = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_attachments',
  'invalid_arguments',
  'block_mismatch',
  'msg_blocks_too_long',
  'msg_too_long',
]);
/** Platform errors about where a message was to go or who sends it: no other form of it fares better. */
const ABOUT_THE_PLACE = new Set([
  'access_denied',
  'as_user_not_supported',
  'cannot_dm_bot',
  'cannot_reply_to_message',
  'cant_delete_message',
  'cant_update_message',
  'channel_is_limited_access',
  'channel_not_found',
  'edit_window_closed',
  'ekm_access_denied',
  'enterprise_is_restricted',
  'expired_url',
  'external_channel_migrating',
  'invalid_cursor',
  'invalid_time',
  'invalid_url',
  'is_archived',
  'is_inactive',
  'message_not_found',
  'messages_tab_disabled',
  'missing_scope',
  'no_permission',
  'not_allowed_token_type',
  'not_in_channel',
  'restricted_action',
  'restricted_action_non_threadable_channel',
  'restricted_action_read_only_channel',
  'restricted_action_thread_locked',
  'restricted_action_thread_only_channel',
  'restricted_too_many',
  'team_access_not_granted',
  'team_not_found',
  'thread_not_found',
  'time_in_past',
  'time_too_far',
  'two_factor_setup_required',
  'unknown_method',
  'used_url',
  'user_not_found',
  'user_not_in_channel',
  'users_not_found',
]);

/** What Slack says of a token once the bot was removed, or its token revoked. */
const REVOKED_TOKENS = new Set(['account_inactive', 'token_revoked']);
const REFUSED_TOKENS = new Set([
  ...REVOKED_TOKENS,
  'invalid_auth',
  'not_authed',
  'token_expired',
  'org_login_required',
]);

/** Whether Slack knows the token and won't have it. */
export function isRefusedToken(code: string): boolean {
  return REFUSED_TOKENS.has(code);
}

/** Whether Slack knows the token as one of an installation that is gone. */
export function isRevokedToken(code: string): boolean {
  return REVOKED_TOKENS.has(code);
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

/**
 * What Slack refused a message for, where a plainer one may be taken: what it holds, or a reason nobody knows. Undefined
 * where it may have been taken, and for any other reason.
 */
export function refusedFor({ code, dead, outcome }: SlackError): 'content' | 'unclear' | undefined {
  if (outcome !== 'not-done') return undefined;
  if (ABOUT_CONTENT.has(code)) return 'content';
  return dead && !ABOUT_THE_PLACE.has(code) && !code.startsWith('response_url_') ? 'unclear' : undefined;
}

/** Platform errors about one message that stood: others are taken there. */
const ABOUT_ONE_MESSAGE = new Set([
  'cant_delete_message',
  'cant_update_message',
  'edit_window_closed',
  'message_not_found',
]);

/**
 * Whether Slack refused a message for where it was to go, so that nothing will stand there: also for a reason that nobody
 * knows, since a message that was lost for it would be missed by nobody.
 */
export function isRefusedThere(code: string): boolean {
  return (refusalOf(code)?.dead ?? false) && !ABOUT_CONTENT.has(code) && !ABOUT_ONE_MESSAGE.has(code);
}

/** However little Slack asks for, and however much. */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 10 * 60_000;

/** How long to wait after a 429, from its Retry-After in seconds; a second where that says nothing. */
export function pauseMsOf(retryAfter: number | string | undefined): number {
  const seconds = Number.parseFloat(String(retryAfter));
  return Number.isFinite(seconds)
    ? Math.min(Math.max(seconds * 1_000, MIN_PAUSE_MS), MAX_PAUSE_MS)
    : MIN_PAUSE_MS;
}

/** A 429: certainly not done. */
export function tooManyRequests(retryAfter: number | string | undefined): SlackError {
  return new SlackError('ratelimited', { outcome: 'not-done', retryAfterMs: pauseMsOf(retryAfter) });
}

/** What Slack's client says of a 429 whose Retry-After is missing or is no number; it has no class of its own. */
const NO_RETRY_AFTER = 'Retry header did not contain a valid timeout';

/** A platform error by its code; undefined for what is no error code and came from something between Slack and us. */
export function refusalOf(code: unknown): SlackError | undefined {
  if (!isCode(code)) return undefined;
  if (UNSURE.has(code)) return new SlackError(code, { outcome: 'unknown' });
  if (code === 'ratelimited' || code === 'rate_limited') return tooManyRequests(undefined);
  return new SlackError(code, { outcome: 'not-done', dead: !PASSING.has(code) && !isRefusedToken(code) });
}

/** Any error of a WebClient call, in the two kinds that matter. */
export function slackErrorOf(error: unknown): SlackError {
  if (error instanceof SlackError) return error;
  if (error instanceof WebAPIRateLimitedError) {
    return tooManyRequests(error.retryAfter);
  }
  if (error instanceof WebAPIPlatformError) {
    return refusalOf(error.data.error) ?? new SlackError('unreadable', { outcome: 'unknown' });
  }
  if (error instanceof WebAPIHTTPError) {
    const code = `http_${error.statusCode}`;
    return new SlackError(code, { outcome: error.statusCode >= 500 ? 'unknown' : 'not-done' });
  }
  if (error instanceof WebAPIRequestError) {
    const refused = wasNeverConnected(error) || wasNeverConnected(error.original);
    return new SlackError('unreachable', { outcome: refused ? 'not-done' : 'unknown' });
  }
  if (error instanceof Error && error.message.startsWith(NO_RETRY_AFTER)) return tooManyRequests(undefined);
  return new SlackError(error instanceof Error ? error.name : 'unknown', { outcome: 'unknown' });
}
