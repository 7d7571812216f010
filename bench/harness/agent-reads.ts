import { Pool } from 'undici';
import { TEAM } from '../../sandbox/people.ts';
import { signedHeaders } from '../../sandbox/slack/bot/sign.ts';
import { checkAnswers } from './checks.ts';
import { SECRET } from './requests.ts';

/** How an agent reads: one call after another at a steady pace, whether or not those before were answered. */
export interface AgentReads {
  /** Where agents ask the bot. */
  readonly url: string;
  readonly perSecond: number;
  /** In whose names it asks, in turn: one person's would be held back after 600 calls in a minute. */
  readonly userIds: readonly string[];
  /** What it calls, in turn. */
  readonly calls: readonly { readonly name: string; readonly arguments: object }[];
}

const META = '_meta';
/** A connection that is idle for longer may be closed by the bot just as it is used. */
const KEPT_MS = 1_000;
/** No request is the same as another. */
let nth = 0;

/** How many reads were answered, and how many of them with a no: the bot gives up what its database takes too long for. */
interface Read {
  readonly reads: number;
  readonly noes: number;
}

/** Begins to read. Gives what ends it, which resolves once all are answered; it rejects with a CheckError where one was not. */
export function startReads({ url, perSecond, userIds, calls }: AgentReads): () => Promise<Read> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: 16, keepAliveMaxTimeout: KEPT_MS });
  const under: Promise<void>[] = [];
  let noes = 0;
  const statuses: Record<string, number> = {};
  const ask = async (headers: Record<string, string>, body: string): Promise<string> => {
    const answer = await pool.request({ method: 'POST', path: pathname, headers, body });
    const text = await answer.body.text();
    if (text.includes('"isError":true')) noes += 1;
    return String(answer.statusCode);
  };
  const one = async (): Promise<void> => {
    nth += 1;
    const slack = { user_id: userIds[nth % userIds.length], team_id: TEAM.id };
    const params = { ...calls[nth % calls.length], [META]: { slack } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: nth, method: 'tools/call', params });
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...signedHeaders(SECRET, Math.floor(Date.now() / 1_000), body),
    };
    const status = await ask(headers, body).catch((error: unknown) => `nothing (${String(error)})`);
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const timer = setInterval(() => under.push(one()), 1_000 / perSecond);
  return async () => {
    clearInterval(timer);
    await Promise.all(under);
    await pool.destroy();
    checkAnswers('the bot', statuses);
    return { reads: under.length, noes };
  };
}
