import type { IncomingHttpHeaders } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { openServer } from '../../hosting/calling.ts';

/** A call as a service gets it. */
export interface Got {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Parsed, where it is JSON; the text where it isn't. */
  readonly body: unknown;
}

/**
 * What it answers, a text as it is and all else as JSON; without one the connection breaks off, when it has done what it was asked
 * for.
 */
export type Given = readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>];

/** A service over HTTP that answers as a test says. */
export interface SmallService {
  readonly url: string;
  readonly calls: Got[];
  /** The calls that change something: "POST /servers/1/stop {…}". */
  writes(): string[];
}

export async function openService(
  answer: (call: Got) => Given | undefined,
  contentType = 'application/json',
): Promise<SmallService> {
  const calls: Got[] = [];
  const { url: at } = await openServer((request, response) => {
    const hear = (text: string): void => {
      const { method = '', headers } = request;
      const url = new URL(request.url ?? '/', 'http://here.test');
      const call = { method, url, headers, text, body: parsed(text) };
      calls.push(call);
      const given = answer(call);
      if (!given) {
        request.socket.destroy();
        return;
      }
      const [status, body, more] = given;
      response.writeHead(status, { 'content-type': contentType, ...more });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    textOf(request).then(hear, () => undefined);
  });
  return {
    url: at,
    calls,
    writes: () =>
      calls
        .filter(({ method }) => method !== 'GET')
        .map(({ method, url, body }) => `${method} ${url.pathname}${url.search} ${JSON.stringify(body)}`),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
