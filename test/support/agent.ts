import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { PEOPLE } from '../../sandbox/people.ts';
import { signedHeaders } from '../../sandbox/slack/bot/sign.ts';
import { connectSlackbot } from '../../sandbox/slack/slackbot/client.ts';
import { answeredWith, urlOf } from './sandbox.ts';

/** What Slackbot signs: a body with who asks, by the secret of the app. `at`: Unix ms. */
export function signed(secret: string, body: string, at = Date.now()): Record<string, string> {
  return signedHeaders(secret, Math.floor(at / 1_000), body);
}

const named = z.looseObject({ id: z.string().default(''), name: z.string().default('') });
/** What tools answer, as far as tests look at it. */
const dataSchema = z.looseObject({
  asOf: z.string(),
  instances: z.array(named).default([]),
  instance: named.default({ id: '', name: '' }),
  lines: z.array(z.string()).default([]),
  reference: z.string().default(''),
  state: z.string().default(''),
  items: z.array(z.string()).default([]),
});
type Data = z.output<typeof dataSchema>;

/** An agent, and what it is answered. */
interface Agent {
  readonly client: Client;
  /** What a tool answers. Throws where it refuses. */
  calls(name: string, args?: Record<string, unknown>): Promise<Data>;
  /** Why a tool refuses. Throws where it answers. */
  isRefused(name: string, args?: Record<string, unknown>): Promise<string>;
}

function agentBy(client: Client): Agent {
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: args });
    const said = content.map((one) => (one.type === 'text' ? one.text : '')).join('\n');
    return { isError, said, structuredContent };
  };
  return {
    client,
    calls: async (...asked) => {
      const { isError, said, structuredContent } = await call(...asked);
      if (isError) throw new Error(`refused: ${said}`);
      return dataSchema.parse(structuredContent);
    },
    isRefused: async (...asked) => {
      const { isError, said } = await call(...asked);
      if (!isError) throw new Error(`answered: ${said}`);
      return said;
    },
  };
}

/** Slackbot with its own client of the protocol, as a person uses it. `revision`: the newest revision, or the one before. */
export async function slackbotOf(
  sandbox: Sandbox,
  who: string,
  revision: 'newest' | 'before' = 'newest',
): Promise<Agent> {
  const person = PEOPLE.find(({ handle }) => handle === who);
  const slack = { user_id: person?.id ?? '', team_id: person?.teamId ?? '' };
  const { signingSecret } = sandbox.slack;
  const client = await connectSlackbot({ url: urlOf(sandbox, '/mcp'), signingSecret, slack }, revision);
  onTestFinished(() => client.close());
  return agentBy(client);
}

/** An agent that shows a token. `url`: where it asks, of a bot that was started later. */
export async function agentWith(
  sandbox: Sandbox,
  token: string,
  url = urlOf(sandbox, '/mcp'),
): Promise<Agent> {
  const client = new Client(
    { name: 'deploy-bot', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return agentBy(client);
}

/** The token that an admin is shown of an agent that they add in these words. */
export async function tokenOf(sandbox: Sandbox, words: string): Promise<string> {
  const added = await answeredWith(sandbox, 'admin', `/lamplighter agent add ${words}`);
  const known = /lamplighter_[\w.-]+/;
  await sandbox.slack.person('admin').presses(added, 'Show its token');
  // It takes the place of what was pressed.
  return sandbox.slack.until(() => known.exec(sandbox.slack.read(added))?.[0]);
}
