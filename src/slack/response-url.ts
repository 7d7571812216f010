import { type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { parseUrl } from '../http/parse-url.ts';
import { SlackError } from './errors.ts';
import { type Message, render } from './message.ts';

const SLACK_HOSTS = ['hooks.slack.com', 'hooks.slack-gov.com'];
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Whether a response_url may be posted to: Slack's own hosts over https, or, where the Web API itself is
 * elsewhere (a sandbox), that same host. Bolt would post anywhere (reliability.md X5).
 */
export function isResponseUrl(text: string, apiUrl: string): boolean {
  const url = parseUrl(text);
  const api = parseUrl(apiUrl);
  if (!url || !api || url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:' && url.port === '' && SLACK_HOSTS.includes(url.hostname)) return true;
  if (api.hostname === 'slack.com' || api.hostname.endsWith('.slack.com')) return false;
  const sameHost =
    url.hostname === api.hostname || (LOOPBACK.has(url.hostname) && LOOPBACK.has(api.hostname));
  return sameHost && url.protocol === api.protocol;
}

/** Private answers over a response_url, for what happens after its request was answered. */
export interface ResponseUrls {
  /** Throws SlackError; `dead` where Slack takes nothing more at that address. */
  post(url: string, message: Message): Promise<void>;
}

export function createResponseUrls(timeoutMs: number): ResponseUrls {
  return { post: (url, message) => respond(url, message, { replaces: false, timeoutMs }) };
}

/**
 * Answers over a response_url: a message for the person alone, or, with `replaces`, in place of the message
 * whose element was pressed. Throws SlackError.
 */
export async function respond(
  url: string,
  message: Message,
  options: { replaces: boolean; timeoutMs: number },
): Promise<void> {
  const body = { response_type: 'ephemeral', replace_original: options.replaces, ...render(message) };
  let status: number;
  let said: string | undefined;
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(options.timeoutMs),
    });
    status = answer.statusCode;
    said = await codeIn(answer.body);
  } catch {
    throw new SlackError('response_url_unreachable', { outcome: 'unknown' });
  }
  if (said !== undefined || status < 200 || status > 299) {
    const isUsedUp = said === undefined && status >= 400 && status < 500 && status !== 429;
    throw new SlackError(said ?? `response_url_${status}`, { outcome: 'not-done', dead: isUsedUp });
  }
}

const LONGEST_REFUSAL = 4_000;
const refusalSchema = z.object({ error: z.literal('invalid_blocks') });

/** That the blocks were refused, which comes as JSON with a status 404 (slack.md 2.6); undefined for anything else. */
async function codeIn(body: Dispatcher.ResponseData['body']): Promise<string | undefined> {
  let text = '';
  for await (const chunk of body) {
    text += String(chunk);
    if (text.length > LONGEST_REFUSAL) break;
  }
  try {
    return refusalSchema.parse(JSON.parse(text)).error;
  } catch {
    return undefined;
  }
}
