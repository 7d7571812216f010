import type { App, Receiver } from '@slack/bolt';
import { fittedTo, MAX_SOCKET_ACK_BYTES, handToBolt } from './incoming-request.ts';
import type { Log } from '../log/log.ts';
import { shapeOf } from './payload.ts';
import type { RefusedRequests } from './refused-requests.ts';
import { type Acknowledge, type ConnectOptions, createConnect, type Envelope } from './socket-connection.ts';
import { createSocketLink } from './socket-link.ts';

export interface SocketReceiverDeps extends ConnectOptions {
  readonly onRefused: (why: string) => void;
  /** Slack tells that it holds events back. */
  readonly onHeldBack: () => void;
  /** What is told of those that are refused. */
  readonly refused: Pick<RefusedRequests, 'refused'>;
  /** Called when a connection has opened, and when the last one is gone. */
  readonly onState: (isOpen: boolean) => void;
  /** Redis' time, Unix ms. */
  readonly now: () => number;
  readonly log: Log;
}

/**
 * Everything from Slack over a WebSocket. Acknowledged after the listener, like HTTP. `fault`: why nothing can
 * arrive, as a code.
 */
export function createSocketReceiver(deps: SocketReceiverDeps): {
  receiver: Receiver;
  fault: () => string | undefined;
} {
  let app: App | undefined;
  const refuse = (why: string): void => {
    deps.onRefused(why);
    deps.refused.refused(why);
  };
  const receive = async (envelope: Envelope, acknowledge: Acknowledge): Promise<void> => {
    const shape = shapeOf(envelope.body);
    if (!shape || !app) return refuse('malformed');
    if (shape === 'app_rate_limited') {
      deps.onHeldBack();
      return acknowledge({});
    }
    if (shape === 'unhandled') {
      deps.onRefused('unhandled');
      return acknowledge({});
    }
    await handToBolt(app, {
      body: envelope.body,
      isEvent: shape === 'event',
      incomingId: `envelope ${envelope.id}`,
      // The connection itself is Slack's, and Slack sends again what nobody acknowledged.
      isReplayable: false,
      maxAckBytes: MAX_SOCKET_ACK_BYTES,
      retryNum: envelope.retryNum,
      arrivedAt: deps.now(),
      respond: (said) =>
        acknowledge(fittedTo(MAX_SOCKET_ACK_BYTES, typeof said === 'string' ? { text: said } : { ...said })),
      refuse: (_status, why) => refuse(why),
    });
  };
  const link = createSocketLink({
    connect: createConnect(deps),
    onEnvelope: (envelope, acknowledge) =>
      receive(envelope, acknowledge).catch(() => deps.onRefused('fault')),
    onMalformed: () => refuse('malformed'),
    onState: deps.onState,
    log: deps.log,
  });
  return {
    receiver: {
      init: (bolt) => {
        app = bolt;
      },
      start: () => link.start(),
      stop: () => link.stop(),
    },
    fault: link.fault,
  };
}
