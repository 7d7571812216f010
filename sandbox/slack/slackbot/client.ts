import { randomUUID } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { signedHeaders } from '../bot/sign.ts';

/** Who asks, as Slack says it to an app. */
interface Asker {
  readonly user_id: string;
  readonly team_id: string;
}

const META = '_meta';

/**
 * Slackbot's client of the Model Context Protocol: each request names who asks, and is signed as Slack signs all that it sends.
 * `revision`: the newest of the protocol, or the one before. Close it in the end. Rejects where nobody answers at `url`.
 */
export async function connectSlackbot(
  {
    url,
    signingSecret,
    slack,
  }: { readonly url: string; readonly signingSecret: string; readonly slack: Asker },
  revision: 'newest' | 'before' = 'newest',
): Promise<Client> {
  const client = new Client(
    { name: 'slackbot', version: '1' },
    { versionNegotiation: { mode: revision === 'newest' ? { pin: '2026-07-28' } : 'legacy' } },
  );
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: (to, init) => {
      if (typeof init?.body !== 'string') return fetch(to, init);
      const { params, ...request } = JSON.parse(init.body);
      // Each client counts from the beginning: the same question within a second would be the same bytes, which are a replay.
      const meta = { ...params?.[META], slack, 'sandbox/once': randomUUID() };
      const body = JSON.stringify({ ...request, params: { ...params, [META]: meta } });
      const headers = new Headers(init.headers);
      const signed = signedHeaders(signingSecret, Math.floor(Date.now() / 1_000), body);
      for (const [name, value] of Object.entries(signed)) headers.set(name, value);
      return fetch(to, { ...init, headers, body });
    },
  });
  await client.connect(transport);
  return client;
}
