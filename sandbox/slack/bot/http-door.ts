import { request } from 'node:http';

/** A request as it goes over the wire to the bot. */
export interface WireRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What came back; status 0 with an `error` when nothing did. */
export interface WireAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `operation_timeout` after the deadline, `dispatch_failed` when the bot could not be reached. */
  readonly error?: 'operation_timeout' | 'dispatch_failed';
}

/** Sends one request on a connection of its own and waits at most `deadlineMs` for the whole answer. */
export function sendHttp(wire: WireRequest, deadlineMs: number): Promise<WireAnswer> {
  return new Promise((resolve) => {
    const none = (error: 'operation_timeout' | 'dispatch_failed'): void =>
      resolve({ status: 0, body: '', headers: {}, error });
    const call = request(
      wire.url,
      {
        method: wire.method ?? 'POST',
        agent: false,
        headers: { ...wire.headers, 'content-length': Buffer.byteLength(wire.body) },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', () => none('dispatch_failed'));
        response.on('end', () => {
          clearTimeout(timer);
          const headers = Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          );
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString('utf8'), headers });
        });
      },
    );
    const timer = setTimeout(() => {
      none('operation_timeout');
      call.destroy();
    }, deadlineMs);
    call.on('error', () => {
      clearTimeout(timer);
      none('dispatch_failed');
    });
    call.end(wire.body);
  });
}
