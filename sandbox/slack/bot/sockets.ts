import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { BOT } from '../../people.ts';
import { type Json, parseJson, record, string } from '../json.ts';

export type DisconnectReason = 'warning' | 'refresh_requested' | 'link_disabled';

/** Slack closes a connection over which more comes, in bytes. */
const MAX_FRAME = 20_480;

/** Socket Mode: up to ten connections; an envelope goes to any one of them. */
export class Sockets {
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME });
  readonly #tickets = new Set<string>();
  readonly #open: WebSocket[] = [];
  readonly #waiting = new Map<string, (payload: Json) => void>();
  readonly #tell: () => void;
  #next = 0;

  constructor({ tell }: { tell: () => void }) {
    this.#tell = tell;
  }

  /** How many connections stand. */
  get count(): number {
    return this.#open.length;
  }

  /** A ticket for one connection, from `apps.connections.open`. */
  ticket(id: string): string {
    this.#tickets.add(id);
    return id;
  }

  /** Takes an upgrade request; one without a fresh ticket is turned away. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const ticket = new URL(request.url ?? '/', 'http://slack').searchParams.get('ticket') ?? '';
    if (!this.#tickets.delete(ticket) || this.#open.length >= 10) {
      socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (ws) => this.#welcome(ws));
  }

  /** Hands an envelope to one connection; resolves with the payload of the acknowledgement. */
  deliver(envelope: Json, envelopeId: string): Promise<Json> {
    const ws = this.#open[this.#next++ % this.#open.length];
    if (!ws) throw new Error('no Socket Mode connection is open');
    return new Promise((resolve) => {
      this.#waiting.set(envelopeId, resolve);
      ws.send(JSON.stringify(envelope));
    });
  }

  forget(envelopeId: string): void {
    this.#waiting.delete(envelopeId);
  }

  /** Tells every connection to reconnect; but for a warning Slack closes them itself. */
  disconnect(reason: DisconnectReason): void {
    for (const ws of this.#open.slice()) {
      ws.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'sandbox' } }));
      if (reason !== 'warning') ws.close();
    }
  }

  /** Sends a text frame, whatever it says, over every connection. */
  send(text: string): void {
    for (const ws of this.#open) ws.send(text);
  }

  /** Cuts every connection without a word. */
  cut(): void {
    for (const ws of this.#open.slice()) ws.terminate();
  }

  /** Closes every connection properly, and by force those that do not answer. */
  async close(): Promise<void> {
    await Promise.all(this.#open.slice().map(farewell));
    this.#server.close();
  }

  #welcome(ws: WebSocket): void {
    this.#open.push(ws);
    ws.on('close', () => {
      this.#open.splice(this.#open.indexOf(ws), 1);
      this.#tell();
    });
    ws.on('error', () => ws.terminate());
    ws.on('message', (data) => this.#acknowledged(Buffer.isBuffer(data) ? data.toString('utf8') : ''));
    const debug_info = { host: 'sandbox', started: '', build_number: 1, approximate_connection_time: 18_060 };
    const hello = {
      type: 'hello',
      connection_info: { app_id: BOT.appId },
      num_connections: this.count,
      debug_info,
    };
    ws.send(JSON.stringify(hello));
    this.#tell();
  }

  #acknowledged(text: string): void {
    const ack = record(parseJson(text));
    const id = string(ack['envelope_id']) ?? '';
    this.#waiting.get(id)?.(record(ack['payload']));
    this.#waiting.delete(id);
  }
}

function farewell(ws: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => ws.terminate(), 200);
    ws.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    ws.close(1000);
  });
}
