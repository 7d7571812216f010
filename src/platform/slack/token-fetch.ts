import type { FetchFunction } from '@slack/web-api';
import { z } from 'zod';
import { NotSentError } from '../http/connection-fault.ts';
import { isRefusedToken, SlackError } from './errors.ts';

/** The bot token of a workspace, which changes while the bot runs. */
export interface CurrentToken {
  /** The token to use now. Throws SlackError where the workspace has none any more. */
  get(): Promise<string>;
  /** Slack refused this token. Resolves once it is known whether there is another by now. */
  refused(token: string): void | Promise<unknown>;
}

/** A token that stays what it is. */
export function fixedToken(token: string): CurrentToken {
  return { get: async () => token, refused: () => undefined };
}

type Init = NonNullable<Parameters<FetchFunction>[1]>;
type Answer = Awaited<ReturnType<FetchFunction>>;

/** Answers that may be about a token that was replaced meanwhile. Slack has done nothing then. */
const ABOUT_THE_TOKEN = new Set(['token_expired', 'invalid_auth', 'token_revoked', 'account_inactive']);
const refusalSchema = z.object({ ok: z.literal(false), error: z.string() });

/**
 * What a client of Slack's Web API calls in place of `fetch`, so that each call carries the token that counts at that
 * moment: the client itself is built with an empty token. A call that is answered with a refusal of its token is made
 * once more if there is another token by then. A workspace without a token is answered as Slack answers for it, and a
 * call whose token can't be had just now throws NotSentError.
 */
export function createTokenFetch(fetch: FetchFunction, token: CurrentToken): FetchFunction {
  return async (input, init = {}) => {
    const first = await tokenOf(token);
    if (typeof first !== 'string') return first;
    const answer = await send(fetch, input, init, first);
    if (!ABOUT_THE_TOKEN.has(answer.refusal ?? '')) return answer;
    await token.refused(first);
    const second = await tokenOf(token);
    if (typeof second !== 'string' || second === first) return answer;
    return send(fetch, input, init, second);
  };
}

async function tokenOf(token: CurrentToken): Promise<string | Answer> {
  try {
    return await token.get();
  } catch (error) {
    if (error instanceof SlackError && isRefusedToken(error.code))
      return textAnswer({ ok: true, status: 200 }, JSON.stringify({ ok: false, error: error.code }));
    throw new NotSentError('the bot token of this workspace is not to be had right now', error);
  }
}

async function send(
  fetch: FetchFunction,
  input: string | URL,
  init: Init,
  token: string,
): Promise<Answer & { readonly refusal: string | undefined }> {
  // The wait for a token counts against the time that the call has.
  if (init.signal?.aborted) throw new NotSentError('no time was left for this call');
  const others = Object.entries(init.headers ?? {}).filter(
    ([name]) => name.toLowerCase() !== 'authorization',
  );
  const headers = { ...Object.fromEntries(others), Authorization: `Bearer ${token}` };
  const answer = await fetch(input, { ...init, headers });
  const text = await answer.text();
  return { ...textAnswer(answer, text), refusal: refusalIn(text) };
}

/** What an answer without such words is spared: to be parsed once more than its caller does. */
const REFUSAL = /"ok"\s*:\s*false/;

function refusalIn(text: string): string | undefined {
  if (!REFUSAL.test(text)) return undefined;
  try {
    return refusalSchema.safeParse(JSON.parse(text)).data?.error;
  } catch {
    return undefined;
  }
}

/** An answer whose text was read already. */
function textAnswer(answer: Pick<Answer, 'ok' | 'status'> & Partial<Answer>, text: string): Answer {
  const { ok, status, statusText = '', url = '', headers = NO_HEADERS } = answer;
  return {
    ok,
    status,
    statusText,
    url,
    headers,
    text: async () => text,
    json: async () => JSON.parse(text) as unknown,
    arrayBuffer: async () => new TextEncoder().encode(text).buffer,
  };
}

const NO_HEADERS: Answer['headers'] = { get: () => null, entries: () => [] };
