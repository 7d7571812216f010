import { expect, it, onTestFinished } from 'vitest';
import { createSlackDouble } from '../../sandbox/slack/index.ts';
import { MAX_SOCKET_ACK_BYTES } from '../../src/platform/slack/incoming-request.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { createSlackLogger } from '../../src/platform/slack/bolt.ts';
import { createSocketReceiver } from '../../src/platform/slack/socket-receiver.ts';
import { fetchOf } from '../support/connections.ts';

interface Heard {
  readonly ack: (body: unknown) => Promise<void>;
  readonly customProperties: { readonly maxAckBytes: number };
}

it.each([
  ['as a text', 'x'.repeat(MAX_SOCKET_ACK_BYTES)],
  ['as a message', { text: '本番'.repeat(MAX_SOCKET_ACK_BYTES / 4) }],
])(
  'a socket stands, and the person reads no error, whose acknowledgement is too long %s',
  async (_how, long) => {
    const slack = createSlackDouble();
    const { apiUrl } = await slack.start();
    const log = createLog('silent', []);
    const { receiver } = createSocketReceiver({
      appToken: slack.appToken,
      apiUrl,
      logger: createSlackLogger(log),
      fetch: fetchOf(apiUrl),
      connections: undefined,
      onRefused: () => undefined,
      onHeldBack: () => undefined,
      refused: { refused: () => undefined },
      onState: () => undefined,
      now: () => 1,
      log,
    });
    onTestFinished(async () => {
      await receiver.stop();
      await slack.stop();
    });
    const limits: number[] = [];
    let says: unknown = long;
    const processEvent = async ({ ack, customProperties }: Heard): Promise<void> => {
      limits.push(customProperties.maxAckBytes);
      await ack(says);
    };
    receiver.init({ processEvent } as never); // nothing else of Bolt is used
    await receiver.start();
    const ana = slack.person('ana');
    expect(await ana.types('#ops', '/boats')).toMatchObject({ status: 200, error: undefined, ephemeral: [] });
    says = { text: 'short' };
    const { ephemeral } = await ana.types('#ops', '/boats');
    expect(ephemeral.map(({ text }) => text)).toEqual(['short']);
    expect(slack.calls.filter(({ method }) => method === 'apps.connections.open')).toHaveLength(1);
    expect(limits).toEqual([MAX_SOCKET_ACK_BYTES, MAX_SOCKET_ACK_BYTES]);
  },
);
