import { TEAM, BOT } from '../../sandbox/people.ts';
import { signedHeaders } from '../../sandbox/slack/bot/sign.ts';

/** One signed request as Slack sends it. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const SECRET = 'bench-signing-secret';

/** Which slash command, and who types it where. */
export interface Typed {
  readonly command: string;
  readonly text: string;
  /** Names this one request: its channel and its response URL end with it. */
  readonly nth: number;
  readonly userId: string;
  /** Where response URLs begin. */
  readonly respondUrl: string;
}

/** So many people type in turn, so that nobody asks more than one person may in a minute. */
const PEOPLE_OF_LOAD = 400;

/** The nth person of the load. */
export function userOf(nth: number): string {
  return `U0LOAD${String(nth % PEOPLE_OF_LOAD).padStart(5, '0')}`;
}

/** Everybody of the load. */
export function everybody(): string[] {
  return Array.from({ length: PEOPLE_OF_LOAD }, (_, nth) => userOf(nth));
}

/** The channel of the nth request: a post there tells which request it answers. */
function channelOf(nth: number): string {
  return `C0LOAD${nth}`;
}

/** Which request a post belongs to, by the channel or the response URL in it. */
export function nthIn(text: string): number | undefined {
  const nth = /(?:C0LOAD|\/respond\/)(\d+)/.exec(text)?.[1];
  return nth === undefined ? undefined : Number(nth);
}

/** A slash command, signed as of `ageSeconds` ago. Each is different, because a bot may refuse what it saw before. */
export function signCommand(
  { command, text, nth, userId, respondUrl }: Typed,
  ageSeconds = 0,
): SignedRequest {
  const body = new URLSearchParams({
    token: 'bench-verification-token',
    team_id: TEAM.id,
    team_domain: TEAM.domain,
    channel_id: channelOf(nth),
    channel_name: 'load',
    user_id: userId,
    user_name: 'load',
    command,
    text,
    api_app_id: BOT.appId,
    is_enterprise_install: 'false',
    response_url: `${respondUrl}/${nth}`,
    trigger_id: `${Date.now()}.${nth}.bench`,
  }).toString();
  const atSeconds = Math.floor(Date.now() / 1000) - ageSeconds;
  return {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      ...signedHeaders(SECRET, atSeconds, body),
    },
    body,
  };
}
