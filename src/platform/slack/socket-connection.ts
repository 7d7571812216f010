import { SocketModeClient } from '@slack/socket-mode';
import type { FetchFunction, Logger } from '@slack/web-api';
import type { Dispatcher } from 'undici';
import { atMost } from '../time/wait.ts';
import { SlackError, slackErrorOf } from './errors.ts';
import { z } from 'zod';
import { withoutNulls } from './payload.ts';

/** One request of Slack over a WebSocket, to be acknowledged by its id. */
export interface Envelope {
  readonly id: string;
  readonly body: Record<string, unknown>;
  readonly retryNum: number | undefined;
}

/** What Slack says over a WebSocket: that it is ready, that another connection should take over, or a request. */
export type Frame =
  | { readonly kind: 'hello' }
  | { readonly kind: 'disconnect' }
  | { readonly kind: 'envelope'; readonly envelope: Envelope };

const frameSchema = z.union([
  z.object({ type: z.literal('hello') }).transform((): Frame => ({ kind: 'hello' })),
  z.object({ type: z.literal('disconnect') }).transform((): Frame => ({ kind: 'disconnect' })),
  z
    .object({
      type: z.string(),
      envelope_id: z.string().min(1).max(200),
      payload: z.record(z.string(), z.unknown()),
      retry_attempt: z.number().int().min(0).optional().catch(undefined),
    })
    .transform(({ envelope_id: id, payload: body, retry_attempt: retryNum }): Frame => ({
      kind: 'envelope',
      envelope: { id, body, retryNum },
    })),
]);

/** A text frame as what it means; undefined for anything else, `null` and broken JSON included. */
export function readFrame(text: string): Frame | undefined {
  try {
    return frameSchema.safeParse(withoutNulls(JSON.parse(text))).data;
  } catch {
    return undefined;
  }
}

/** Sends the acknowledgement of one envelope. Rejects when its connection is gone. */
export type Acknowledge = (payload: object) => Promise<void>;

/** What a connection reports to its owner. */
export interface SocketEvents {
  /** A request; never rejects. Until it ends the connection stays open, for as long as Slack waits for an answer. */
  onEnvelope(envelope: Envelope, acknowledge: Acknowledge): Promise<void>;
  /** Slack will close this connection soon: another should take over. */
  onRefresh(): void;
  /** It was open and is no longer. Not reported after `close`. */
  onLost(): void;
  onMalformed(): void;
}

/** One Socket Mode connection, opened once and closed once. */
export interface SocketConnection {
  /** Resolves when Slack has said hello. Throws SlackError. */
  open(): Promise<void>;
  /** Takes what still arrives until nothing is unanswered, then closes. Never rejects. */
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly appToken: string;
  readonly apiUrl: string;
  readonly logger: Logger;
  /** What makes the call that gives the address of the socket. */
  readonly fetch: FetchFunction;
  /** Through which the socket is opened; undefined for the library's own, of which it can cut one that hangs at once. */
  readonly connections: Dispatcher | undefined;
}

export type Connect = (events: SocketEvents) => SocketConnection;

const API_TIMEOUT_MS = 10_000;
const HELLO_WITHIN_MS = 15_000;
/** Slack shows the person an error after three seconds. */
const ANSWER_WITHIN_MS = 3_000;
const CLOSE_WITHIN_MS = 1_000;

/**
 * The library's client for a single connection, with our own reading of frames: its own takes every frame for an
 * object, and closes at Slack's `disconnect` before another connection is open.
 */
class OneConnection extends SocketModeClient {
  readonly #onText: (text: string) => void;

  constructor(options: ConnectOptions, onText: (text: string) => void) {
    super({
      appToken: options.appToken,
      logger: options.logger,
      autoReconnectEnabled: false,
      dispatcher: options.connections,
      clientOptions: {
        slackApiUrl: options.apiUrl,
        retryConfig: { retries: 0 },
        timeout: API_TIMEOUT_MS,
        rejectRateLimitedCalls: true,
        fetch: options.fetch,
      },
    });
    this.#onText = onText;
  }

  protected override async onWebSocketMessage(data: string | ArrayBuffer, isBinary: boolean): Promise<void> {
    const text = isBinary || typeof data !== 'string' ? '' : data;
    if (readFrame(text)?.kind === 'hello') await super.onWebSocketMessage(text, false);
    else this.#onText(text);
  }
}

/** Builds connections, each with the app token that counts then; nothing is sent before `open`. */
export function createConnect(options: ConnectOptions): Connect {
  return (events) => {
    const unanswered = new Set<Promise<void>>();
    let state: 'new' | 'open' | 'closed' = 'new';
    const take = async (envelope: Envelope): Promise<void> => {
      const one = events.onEnvelope(envelope, (payload) => send(client, envelope.id, payload));
      unanswered.add(one);
      await one.finally(() => unanswered.delete(one));
    };
    const client = new OneConnection(options, (text) => {
      const frame = readFrame(text);
      if (frame?.kind === 'envelope') void take(frame.envelope);
      else if (frame?.kind === 'disconnect') events.onRefresh();
      else events.onMalformed();
    });
    client.on('disconnected', () => {
      const wasOpen = state === 'open';
      state = 'closed';
      if (wasOpen) events.onLost();
    });
    const hangUp = async (): Promise<void> => {
      state = 'closed';
      await atMost(CLOSE_WITHIN_MS, client.disconnect());
    };
    const allAnswered = async (): Promise<void> => {
      while (unanswered.size > 0) await Promise.allSettled(unanswered);
    };
    return {
      open: async () => {
        const isThere = await atMost(
          HELLO_WITHIN_MS,
          client.start().then(
            () => true,
            // A connection that was refused or cut before hello rejects with nothing.
            (error: unknown) =>
              error === undefined
                ? new SlackError('socket_closed', { outcome: 'not-done' })
                : slackErrorOf(error),
          ),
        );
        if (isThere === true && state === 'new') {
          state = 'open';
          return;
        }
        void hangUp();
        throw isThere instanceof SlackError ? isThere : new SlackError('no_hello', { outcome: 'not-done' });
      },
      close: async () => {
        if (state === 'open') await atMost(ANSWER_WITHIN_MS, allAnswered());
        await hangUp();
      },
    };
  };
}

function send(client: SocketModeClient, envelopeId: string, payload: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const { websocket } = client;
    if (!websocket?.isActive()) {
      reject(new Error('the connection is gone'));
      return;
    }
    websocket.send(JSON.stringify({ envelope_id: envelopeId, payload }), (error: unknown) =>
      error === undefined ? resolve() : reject(new Error('sending an acknowledgement', { cause: error })),
    );
  });
}
