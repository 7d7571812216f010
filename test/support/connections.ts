import type { FetchFunction, WebClient } from '@slack/web-api';
import { direct } from '../../src/platform/http/way-out.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { createSlackLogger, createWebClient } from '../../src/platform/slack/bolt.ts';
import { createPoolFetch } from '../../src/platform/slack/pool-fetch.ts';

/** Connections straight to any host, for all tests of a file. */
export const connections = direct.open();

/** What a client of the Web API there makes its calls with. */
export function fetchOf(apiUrl: string): FetchFunction {
  return createPoolFetch(apiUrl, connections);
}

/** A client of the Web API there, which logs nothing. */
export function webClientOf(apiUrl: string, timeoutMs = 2_000, token = 'xoxb-1'): WebClient {
  const logger = createSlackLogger(createLog('silent', []));
  return createWebClient(token, { apiUrl, timeoutMs, logger, fetch: fetchOf(apiUrl) });
}
