import type { App, Receiver } from '@slack/bolt';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answer, type HttpHandler, readBody } from '../http/server.ts';
import { handToBolt } from './incoming-request.ts';
import { parseBody, shapeOf } from './payload.ts';
import type { RefusedRequests } from './refused-requests.ts';
import { createSeenRequests } from './seen-requests.ts';
import { judgeSigned } from './verify.ts';

export interface HttpReceiverDeps {
  /** With which Slack signs now, or did a moment ago. */
  readonly signingSecrets: () => readonly string[];
  /** A signature is wrong. Resolves once it is known whether Slack signs with another secret by now. */
  readonly onWrong?: () => Promise<unknown>;
  readonly onRefused: (why: string) => void;
  /** What is told of those that are refused. */
  readonly refused: RefusedRequests;
  /** Redis' time, Unix ms. */
  readonly now: () => number;
}

const MAX_BYTES = 1024 * 1024;

/**
 * Everything from Slack over HTTP: signature before anything is parsed, one body read, one parse. Bolt's own receiver lets replays and
 * times in the future pass, and takes half as much CPU again for each acknowledgement (95 µs in place of 64).
 */
export function createHttpReceiver(deps: HttpReceiverDeps): { receiver: Receiver; handler: HttpHandler } {
  let app: App | undefined;
  let isOpen = false;
  // Bolt lets replays pass.
  const seen = createSeenRequests();

  const handler = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refuse = (status: number, why: string): void => {
      deps.onRefused(why);
      deps.refused.refused(why);
      if (status === 413) response.setHeader('connection', 'close');
      answer(response, status);
    };
    if (!app || !isOpen) return refuse(503, 'draining');
    // Slack compresses nothing; a bomb could come no other way.
    if (request.headers['content-encoding'] !== undefined) return refuse(415, 'compressed');
    const arrivedAt = deps.now();
    const raw = await readBody(request, MAX_BYTES);
    if (!raw) return refuse(413, 'oversized');
    const timestamp = header(request, 'x-slack-request-timestamp');
    const signature = header(request, 'x-slack-signature');
    const now = Date.now();
    const judge = () => judgeSigned(deps.signingSecrets(), { timestamp, signature }, raw, now);
    let signed = judge();
    if (signed === 'wrong' && deps.onWrong) {
      await deps.onWrong();
      signed = judge();
    }
    if (signed === 'unsigned') return refuse(401, 'unsigned');
    if (signed === 'wrong') return refuse(401, 'signature');
    if (signed === 'off time') {
      deps.refused.offTime(Number(timestamp) * 1_000 - now);
      return refuse(401, 'time');
    }
    deps.refused.signed();
    const body = parseBody(raw, request.headers['content-type']);
    const shape = shapeOf(body);
    if (!body || !shape) return refuse(400, 'malformed');
    if (shape === 'ssl_check') return answer(response, 200);
    if (shape === 'unhandled') {
      deps.onRefused('unhandled');
      return answer(response, 200);
    }
    if (shape === 'url_verification') return answer(response, 200, { challenge: body['challenge'] });
    // Slack's own retries of an event may be the only delivery there is; event_id distinguishes them.
    if (shape !== 'event' && !seen.isFirst(String(signature))) return refuse(409, 'replayed');
    const retryNum = header(request, 'x-slack-retry-num');
    await handToBolt(app, {
      body,
      isEvent: shape === 'event',
      incomingId: `signature ${String(signature)}`,
      isReplayable: true,
      retryNum: retryNum === undefined ? undefined : Number(retryNum),
      arrivedAt,
      respond: (said) => answer(response, 200, said),
      refuse,
    });
  };

  return {
    receiver: {
      init: (bolt) => {
        app = bolt;
      },
      start: async () => {
        isOpen = true;
      },
      stop: async () => {
        isOpen = false;
      },
    },
    handler,
  };
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? undefined : value;
}
