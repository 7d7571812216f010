import type { World } from '../world.ts';
import { sendHttp, type WireAnswer } from './http-door.ts';
import { signedHeaders } from './sign.ts';

/** A request to the bot of a test's own making. */
export interface RawRequest {
  readonly body: string;
  readonly method?: string;
  /** Appended to nothing: the path on the bot's host; the request URL's own when left out. */
  readonly path?: string;
  /** `application/x-www-form-urlencoded` when left out. */
  readonly contentType?: string;
  /** `true` signs as Slack does; `'wrong'` signs with another secret; `false` not at all. */
  readonly sign?: boolean | 'wrong';
  /** The timestamp in seconds; now when left out. */
  readonly at?: number;
  /** Put over the others. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends it over HTTP and waits as long as Slack would. */
export function sendRaw({ door, settings }: World, raw: RawRequest): Promise<WireAnswer> {
  const { body, sign = true, at = Math.floor(Date.now() / 1000) } = raw;
  const secret = sign === 'wrong' ? `${settings.signingSecret}-not` : settings.signingSecret;
  const headers = {
    'content-type': raw.contentType ?? 'application/x-www-form-urlencoded',
    ...(sign === false ? {} : signedHeaders(secret, at, body)),
    ...raw.headers,
  };
  const url = raw.path === undefined ? door.url : new URL(raw.path, door.url).href;
  return sendHttp({ url, method: raw.method ?? 'POST', headers, body }, settings.deadlineMs);
}
