import type { App, Receiver } from '@slack/bolt';
import { SocketModeClient } from '@slack/socket-mode';
import type { Logger } from '@slack/web-api';
import { z } from 'zod';
import { deliver } from './deliver.ts';
import { shapeOf } from './payload.ts';

const envelopeSchema = z.object({
  envelope_id: z.string().min(1),
  body: z.record(z.string(), z.unknown()),
  retry_num: z.number().optional(),
});
type Acknowledge = (said?: Record<string, unknown>) => Promise<void>;

/** Everything from Slack over a WebSocket. Acknowledged after the listener, like HTTP. */
export function createSocketReceiver(options: {
  appToken: string;
  apiUrl: string;
  logger: Logger;
  onRefused: (why: string) => void;
  now: () => number;
}): Receiver {
  const client = new SocketModeClient({
    appToken: options.appToken,
    logger: options.logger,
    // Without a retry policy of its own the client writes one into this object (slack.md 0.4).
    clientOptions: {
      slackApiUrl: options.apiUrl,
      retryConfig: { retries: 100, factor: 1.3 },
      timeout: 10_000,
    },
  });
  let app: App | undefined;
  const receive = async (envelope: { ack: Acknowledge }): Promise<void> => {
    const parsed = envelopeSchema.safeParse(envelope);
    const shape = parsed.success ? shapeOf(parsed.data.body) : undefined;
    if (!parsed.success || !shape || !app) return options.onRefused('malformed');
    await deliver(app, {
      body: parsed.data.body,
      isEvent: shape === 'event',
      deliveryId: `envelope ${parsed.data.envelope_id}`,
      retryNum: parsed.data.retry_num,
      arrivedAt: options.now(),
      respond: (said) => envelope.ack(typeof said === 'string' ? { text: said } : { ...said }),
      refuse: (_status, why) => options.onRefused(why),
    });
  };
  client.on('slack_event', (envelope: { ack: Acknowledge }) => {
    receive(envelope).catch(() => options.onRefused('fault'));
  });
  return {
    init: (bolt) => {
      app = bolt;
    },
    start: () => client.start(),
    stop: () => client.disconnect(),
  };
}
