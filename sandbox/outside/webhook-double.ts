import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the receiver does with what comes: takes it, answers a status, answers nothing, or breaks off once it has all of it. */
type WebhookFault = number | 'no answer' | 'close after the body' | 'slow';

/** One post as it came. */
interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Somebody's server that takes what a webhook posts, on this machine alone. */
export interface WebhookDouble {
  readonly url: string;
  /** All that came whole, repeats too. */
  readonly received: readonly Received[];
  /** What it does with the next ones, each once; then it takes what comes. */
  failNext(...faults: WebhookFault[]): void;
  close(): Promise<void>;
}

const SLOW_MS = 300;

export async function openWebhookDouble(): Promise<WebhookDouble> {
  const received: Received[] = [];
  const faults: WebhookFault[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      const fault = faults.shift();
      if (fault === 'no answer') return;
      if (fault === 'close after the body') return void request.socket.destroy();
      response.statusCode = typeof fault === 'number' ? fault : 200;
      if (fault === 'slow') setTimeout(() => response.end(), SLOW_MS);
      else response.end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // a TCP listener's address is never a string
  return {
    url: `http://127.0.0.1:${port}/hooks/money?key=hush-hush`,
    received,
    failNext: (...next) => void faults.push(...next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
