import type { FetchFunction } from '@slack/web-api';
import { direct } from '../../src/platform/http/way-out.ts';
import { createPoolFetch } from '../../src/platform/slack/pool-fetch.ts';

/** Connections straight to any host, for all tests of a file. */
export const connections = direct.open();

/** What a client of the Web API there makes its calls with. */
export function fetchOf(apiUrl: string): FetchFunction {
  return createPoolFetch(apiUrl, connections);
}
