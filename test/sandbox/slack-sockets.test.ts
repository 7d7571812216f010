import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createSlackDouble, type SlackDouble } from '../../sandbox/slack/index.ts';

let slack: SlackDouble;
let apiUrl = '';
beforeEach(async () => {
  slack = createSlackDouble({ deadlineMs: 80 });
  ({ apiUrl } = await slack.start());
});
afterEach(() => slack.stop());

interface Client {
  readonly ws: WebSocket;
  readonly received: Record<string, unknown>[];
}

async function connect(answer: Record<string, unknown> | 'silence' = {}): Promise<Client> {
  const headers = { authorization: `Bearer ${slack.appToken}` };
  const response = await fetch(`${apiUrl}apps.connections.open`, { method: 'POST', headers });
  const { url } = (await response.json()) as { url: string };
  const ws = new WebSocket(url);
  const received: Record<string, unknown>[] = [];
  ws.on('message', (data: Buffer) => {
    const envelope = JSON.parse(data.toString('utf8')) as Record<string, unknown>;
    received.push(envelope);
    if (envelope['envelope_id'] && answer !== 'silence') {
      ws.send(JSON.stringify({ envelope_id: envelope['envelope_id'], payload: answer }));
    }
  });
  await new Promise((resolve) => ws.once('open', resolve));
  return { ws, received };
}

test('a connection begins with hello, and its ticket serves once', async () => {
  const { ws, received } = await connect();
  await slack.person('ana').types('#ops', '/x');
  expect(received[0]).toMatchObject({ type: 'hello', num_connections: 1 });
  const again = new WebSocket(ws.url);
  await expect(new Promise((_, reject) => again.on('error', reject))).rejects.toThrow('408');
});

test('each envelope goes to one connection, and its acknowledgement is the answer', async () => {
  const [one, two] = [await connect({ text: 'from one' }), await connect({ text: 'from two' })];
  const first = await slack.person('ana').types('#ops', '/x');
  const second = await slack.person('ana').types('#ops', '/x');
  expect([...first.ephemeral, ...second.ephemeral].map(({ text }) => text)).toContain('from one');
  expect([one, two].map(({ received }) => received.length)).toEqual([2, 2]);
  expect(one.received[1]).toMatchObject({ type: 'slash_commands', accepts_response_payload: true });
});

test('an envelope without an acknowledgement is a time-out, and may come again', async () => {
  const { received } = await connect('silence');
  const turn = await slack.person('ana').mentions('#ops', 'hi');
  expect(turn.error).toBe('operation_timeout');
  await slack.retry(turn.requestId ?? '', 1);
  expect(received[2]).toMatchObject({ type: 'events_api', retry_attempt: 1, retry_reason: 'http_timeout' });
});

test('a warning leaves the connection open, a refresh closes it', async () => {
  const { ws, received } = await connect();
  slack.disconnectSockets('warning');
  slack.disconnectSockets('refresh_requested');
  await slack.until(() => slack.socketCount === 0);
  if (ws.readyState !== WebSocket.CLOSED) await new Promise((resolve) => ws.once('close', resolve));
  expect(received.map(({ type, reason }) => [type, reason])).toEqual([
    ['hello', undefined],
    ['disconnect', 'warning'],
    ['disconnect', 'refresh_requested'],
  ]);
});

test('pings are answered', async () => {
  const { ws } = await connect();
  const pong = new Promise((resolve) => ws.once('pong', resolve));
  ws.ping();
  await expect(pong).resolves.toBeDefined();
});

test('a bot that is not connected is an error, not a silence', async () => {
  await expect(slack.person('ana').types('#ops', '/x')).rejects.toThrow('the bot is not connected');
});
