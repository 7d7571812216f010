import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { play, powerCalls, urlOf } from '../support/sandbox.ts';
import { knock } from './forgeries.ts';
import { FORM, genuineRequests, JSON_TYPE, openDoor, tracesOf } from './knocking.ts';
import { growthOf, MAX_MS, watchForCrashes } from './watching.ts';

const MIB = 1024 * 1024;

async function isAlive(sandbox: Sandbox): Promise<boolean> {
  return (await fetch(urlOf(sandbox, '/healthz'))).status === 200;
}

/** The end of a connection, however it comes. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.on('error', () => undefined);
    socket.once('close', () => resolve());
  });
}

function open(sandbox: Sandbox, bytes: string): Socket {
  const { hostname, port } = new URL(urlOf(sandbox, '/'));
  const socket = connect(Number(port), hostname, () => socket.write(bytes));
  socket.resume();
  onTestFinished(() => void socket.destroy());
  return socket;
}

const BODIES: readonly [string, string, string, readonly number[]][] = [
  ['4 MiB of a form', `text=${'x'.repeat(4 * MIB)}`, FORM, [413, 0]],
  ['4 MiB of JSON', `{"type":"event_callback","event":"${'x'.repeat(4 * MIB)}"}`, JSON_TYPE, [413, 0]],
  ['JSON nested 500,000 deep', '['.repeat(500_000) + ']'.repeat(500_000), JSON_TYPE, [400]],
  ['JSON nested and never closed', '{"a":'.repeat(200_000), JSON_TYPE, [400]],
  [
    'an event nested 400,000 deep',
    `{"type":"event_callback","event":{"type":"app_mention","x":${'['.repeat(400_000)}${']'.repeat(400_000)}}}`,
    JSON_TYPE,
    [200],
  ],
  ['250,000 form fields', 'a=1&'.repeat(250_000), FORM, [400]],
  ['80,000 payloads', 'payload=%7B&'.repeat(80_000), FORM, [400]],
  ['a form of nothing but %', '%'.repeat(MIB - 1), FORM, [400]],
];

describe('bodies that are too much, and connections that never say all they have to say', () => {
  it(
    'hold up nobody: the bot is alive, does what others ask, and cuts what does not end',
    async () => {
      const crashes = watchForCrashes();
      const sandbox = await play();
      const send = openDoor(sandbox);
      const secret = sandbox.slack.signingSecret;
      const head = 'POST /slack/events HTTP/1.1\r\nhost: x\r\n';
      const slow = [
        ...Array.from({ length: 150 }, () => open(sandbox, head)),
        ...Array.from({ length: 150 }, () => open(sandbox, `${head}content-length: 100\r\n\r\nx`)),
      ];
      const ends = slow.map(closed);
      const drip = setInterval(() => {
        for (const [index, socket] of slow.entries()) socket.write(index < 150 ? 'x-a: b\r\n' : 'x');
      }, 200);
      onTestFinished(() => clearInterval(drip));

      const before = await tracesOf(sandbox);
      const { after } = await growthOf(async () => {
        for (const [what, text, type, statuses] of BODIES) {
          const wire = knock(secret, { type, body: Buffer.from(text) });
          // Slack would sign each again; the same bytes again are the cheapest attack.
          const answers = Array.from({ length: 3 }, () => send(wire));
          expect(await isAlive(sandbox)).toBe(true);
          for (const status of await Promise.all(answers)) expect([what, ...statuses, 409]).toContain(status);
        }
      }, 1_000);
      expect(after).toBeLessThan(60);
      const { slack, hosting } = await tracesOf(sandbox);
      expect([slack, hosting]).toEqual([before.slack, before.hosting]);

      const [command] = genuineRequests(sandbox, ['web-1', 'web-2']);
      expect(await send(knock(secret, command!))).toBe(200);
      await sandbox.settled();
      expect(powerCalls(sandbox)).toBe(1);
      await Promise.all(ends);
      expect(await isAlive(sandbox)).toBe(true);
      expect(crashes).toEqual([]);
    },
    MAX_MS,
  );

  it('are cut off while they still come, where they do not tell their length', async () => {
    const sandbox = await play();
    const chunk = `10000\r\n${'x'.repeat(0x1_0000)}\r\n`;
    const socket = open(
      sandbox,
      'POST /slack/events HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n',
    );
    let sent = 0;
    const more = (): void => {
      while (!socket.destroyed && sent < 64 * MIB) {
        sent += chunk.length;
        if (!socket.write(chunk)) return void socket.once('drain', more);
      }
    };
    socket.once('connect', more);
    await closed(socket);
    expect(sent).toBeLessThan(32 * MIB);
    expect(await isAlive(sandbox)).toBe(true);
  });
});
