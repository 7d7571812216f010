import { type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { parseUrl } from '../http/parse-url.ts';
import { oncePer } from '../once-per.ts';
import { refusalOf, SlackError, tooManyRequests } from './errors.ts';
import { type Form, inFormsTaken } from './forms.ts';
import { type AccountMark, marked } from './account-mark.ts';
import { type OnCall, timedCall } from './timed-call.ts';
import type { Message } from './message.ts';
import { contentOf, literal } from './messenger.ts';
import { partsOf } from './parts-taken.ts';

/** How long Slack serves an address for private answers. */
export const SERVED_FOR_MS = 30 * 60_000;

const SLACK_HOSTS = ['hooks.slack.com', 'hooks.slack-gov.com'];
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Whether a response_url may be posted to: Slack's own hosts over https, or, where the Web API itself is
 * elsewhere (a sandbox), that same host. Bolt would post anywhere.
 */
export function isResponseUrl(text: string, apiUrl: string): boolean {
  const url = parseUrl(text);
  if (!url || url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:' && url.port === '' && SLACK_HOSTS.includes(url.hostname)) return true;
  const api = parseUrl(apiUrl);
  if (!api) return false;
  if (api.hostname === 'slack.com' || api.hostname.endsWith('.slack.com')) return false;
  const sameHost =
    url.hostname === api.hostname || (LOOPBACK.has(url.hostname) && LOOPBACK.has(api.hostname));
  return sameHost && url.protocol === api.protocol;
}

/** The response_url of a request, where it is one that may be posted to. */
export function responseUrlOf(text: string | undefined, apiUrl: string): { readonly responseUrl?: string } {
  return text !== undefined && isResponseUrl(text, apiUrl) ? { responseUrl: text } : {};
}

/** Private answers over a response_url, for what happens after its request was answered. */
export interface ResponseUrls {
  /** Throws SlackError; `dead` where Slack takes nothing more at that address. */
  post(url: string, message: Message): Promise<void>;
}

/** How answers leave: over which connections and how long each may take, and the account that they are about, where there are several. */
export interface AnswerOptions {
  readonly connections: Dispatcher;
  readonly timeoutMs: number;
  readonly mark?: AccountMark | undefined;
  readonly onCall?: OnCall;
}

export function createResponseUrls(options: AnswerOptions): ResponseUrls {
  return {
    post: (url, message) =>
      inFormsTaken(message, (form) => respond(url, message, { ...options, replaces: false, form })),
  };
}

/**
 * An answer for the person alone as the body of an acknowledgement. Nobody hears whether Slack took it, so blocks are
 * there only where they say more than the text: a list, a table, or what can be pressed.
 */
export const acknowledgement = oncePer((message: Message): object => {
  const isInWords = (message.bullets ?? []).length === 0 && partsOf(message).length === 0;
  const form = isInWords ? 'text' : 'whole';
  return { response_type: 'ephemeral', ...contentOf(message, undefined, form), ...literal };
});

/**
 * Answers over a response_url, in a form: a message for the person alone, or, with `replaces`, in place of the message
 * whose element was pressed. Throws SlackError.
 */
export async function respond(url: string, message: Message, options: Responding): Promise<void> {
  await timedCall('response_url', options.onCall, () => send(url, message, options));
}

type Responding = AnswerOptions & { readonly replaces: boolean; readonly form?: Form };

async function send(url: string, message: Message, options: Responding): Promise<void> {
  const body = {
    response_type: 'ephemeral',
    replace_original: options.replaces,
    ...marked(options.mark, contentOf(message, undefined, options.form)),
    ...literal,
  };
  let answer: Dispatcher.ResponseData;
  let refusal: SlackError | undefined;
  try {
    answer = await request(url, {
      method: 'POST',
      dispatcher: options.connections,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(options.timeoutMs),
    });
    refusal = await refusalIn(answer.body);
  } catch {
    throw new SlackError('response_url_unreachable', { outcome: 'unknown' });
  }
  const { statusCode: status, headers } = answer;
  if (status === 429) throw tooManyRequests([headers['retry-after']].flat()[0]);
  if (refusal) throw refusal;
  if (status < 200 || status > 299) {
    const isUsedUp = status >= 400 && status < 500;
    throw new SlackError(`response_url_${status}`, { outcome: 'not-done', dead: isUsedUp });
  }
}

const MAX_REFUSAL = 4_000;
const refusalSchema = z.object({ ok: z.literal(false), error: z.string() });

/** What Slack refused, which comes as JSON, mostly with a status 404; undefined for anything else. */
async function refusalIn(body: Dispatcher.ResponseData['body']): Promise<SlackError | undefined> {
  let text = '';
  for await (const chunk of body) {
    text += String(chunk);
    if (text.length > MAX_REFUSAL) break;
  }
  try {
    return refusalOf(refusalSchema.parse(JSON.parse(text)).error);
  } catch {
    return undefined;
  }
}
