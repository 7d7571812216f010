import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** An HTTP server on 127.0.0.1 that can be stopped and started again at the same address. */
export interface Listener {
  start(): Promise<{ url: string }>;
  stop(): Promise<void>;
}

/** Answers one request. `stopping` aborts when the server does. */
export type Handle = (
  request: IncomingMessage,
  response: ServerResponse,
  stopping: AbortSignal,
) => Promise<void>;

/** Makes a listener; port 0 takes a free one at the first start. */
export function createListener(port: number, handle: Handle): Listener {
  let stopping = new AbortController();
  let chosenPort = port;
  const server = createServer((request, response) => {
    handle(request, response, stopping.signal).catch(() => {
      // Stopped on the way, or a bug in the sandbox: nobody waits for ever either way.
      if (response.headersSent || stopping.signal.aborted) request.socket.destroy();
      else response.writeHead(500, { 'Content-Type': 'application/json' }).end(failure);
    });
  });
  server.on('clientError', (_error, stream) => refuse(stream as Socket));
  return {
    async start() {
      stopping = new AbortController();
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(chosenPort, '127.0.0.1', () => {
          server.off('error', reject);
          resolve();
        });
      });
      const address = server.address();
      if (typeof address === 'object' && address !== null) chosenPort = address.port;
      return { url: `http://127.0.0.1:${chosenPort}` };
    },
    async stop() {
      stopping.abort();
      if (!server.listening) return;
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

const failure = '{"error":{"code":"internal_server_error","message":"The sandbox itself is broken"}}';
const notHttp = '{"error":{"code":"bad_request","message":"Not an HTTP request"}}';

// What isn't HTTP at all is refused before there is a request to answer.
function refuse(socket: Socket): void {
  if (!socket.writable) return;
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${notHttp.length}\r\nConnection: close\r\n\r\n${notHttp}`,
  );
}
