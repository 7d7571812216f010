import type { Socket } from 'node:net';
import type { WebClient } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { slackErrorOf } from '../../src/platform/slack/errors.ts';
import { openServer } from '../hosting/calling.ts';
import { fetchOf, webClientOf } from '../support/connections.ts';

const clientOf = (url: string, timeoutMs?: number): WebClient => webClientOf(`${url}/api/`, timeoutMs);

const faultOf = (call: Promise<unknown>): Promise<unknown> => call.catch(slackErrorOf);

describe('calls of the Web API', () => {
  it('one after another share connections, and bring token and body', async () => {
    const seen: unknown[] = [];
    const connections = new Set<Socket>();
    const { url } = await openServer((request, response) => {
      connections.add(request.socket);
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        seen.push([request.method, request.url, request.headers.authorization, body]);
        response.setHeader('x-oauth-scopes', 'chat:write, commands');
        response.end('{"ok":true}');
      });
    });
    const web = clientOf(url);
    const text = 'ä & <b>';
    for (let calls = 0; calls < 3; calls++) await web.chat.postMessage({ channel: 'C1', text });
    const answer = await web.auth.test();
    expect(answer.response_metadata?.scopes).toEqual(['chat:write', 'commands']);
    // The pool may open a second while the first call is not quite through.
    expect(connections.size).toBeLessThan(3);
    expect(seen[0]).toEqual([
      'POST',
      '/api/chat.postMessage',
      'Bearer xoxb-1',
      expect.stringContaining(`text=${encodeURIComponent(text)}`),
    ]);
  });

  it('are certainly not done where nobody listens, and unknown where the answer is late or cut off', async () => {
    const { url } = await openServer((request, response) => {
      if (request.url?.endsWith('auth.test')) response.socket?.destroy();
    });
    const { port } = new URL(url);
    expect(await faultOf(clientOf(`http://127.0.0.1:${port}`).auth.test())).toMatchObject({
      outcome: 'unknown',
    });
    expect(await faultOf(clientOf(url, 50).users.info({ user: 'U1' }))).toMatchObject({
      outcome: 'unknown',
    });
    expect(await faultOf(clientOf('http://127.0.0.1:1').auth.test())).toMatchObject({
      code: 'unreachable',
      outcome: 'not-done',
    });
  });

  it.each([301, 302, 307])('that are redirected by %i are not followed', async (status) => {
    let asked = 0;
    const { url } = await openServer((_request, response) => {
      asked++;
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
    expect(await faultOf(clientOf(url).auth.test())).toMatchObject({ outcome: 'unknown' });
    expect(asked).toBe(1);
  });

  it('go to no other address, and carry no files', async () => {
    const { url } = await openServer((_request, response) => void response.end('{}'));
    const fetch = fetchOf(`${url}/api/`);
    await expect(fetch('https://example.org/api/auth.test')).rejects.toThrow("is not where Slack's API is");
    await expect(fetch(`${url}/api/x`, { method: 'POST', body: new FormData() })).rejects.toThrow('file');
  });
});
