import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { PersonRecord } from '../../people.ts';
import { encode } from '../reading/entities.ts';
import type { World } from '../world.ts';
import type { Channel } from '../workspace/channel.ts';
import { readWish, type Wish } from './wish.ts';
import { referenceIn, wordsOf } from './words.ts';

type Tool = Awaited<ReturnType<Client['listTools']>>['tools'][number];

const accountSchema = z.object({ enum: z.tuple([z.string()], z.string()) });

/**
 * Slackbot answers a line of somebody's: it asks the bot, in their name. What it says is the text of a message; where the bot answers
 * no agents, or not at all, that says so.
 */
export async function answerAsSlackbot(
  { door, settings }: World,
  { id, teamId }: PersonRecord,
  channel: Channel,
  line: string,
): Promise<string> {
  const references = channel.messages.flatMap(({ text }) => referenceIn(text) ?? []);
  const wish = readWish(line, references.at(-1));
  // Only where somebody asks Slackbot: it takes a moment to load.
  const { connectSlackbot } = await import('./client.ts');
  try {
    const { signingSecret } = settings;
    const client = await connectSlackbot({
      url: door.agentsUrl,
      signingSecret,
      slack: { user_id: id, team_id: teamId },
    });
    try {
      const { tools } = await client.listTools();
      const tool = tools.find(({ name }) => name === wish?.tool);
      if (!wish || !tool) return help(tools);
      const { isError, content, structuredContent } = await client.callTool({
        name: tool.name,
        arguments: argsOf(wish, tool),
      });
      if (isError !== true) return wordsOf(tool.name, structuredContent);
      return encode(content.map((one) => (one.type === 'text' ? one.text : '')).join('\n'));
    } finally {
      await client.close();
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it does not answer';
    return `I can't ask Lamplighter: ${encode(why)}`;
  }
}

/** What a tool is called with; of several accounts that which a name begins with, else the first. Pure. */
function argsOf({ args, words }: Wish, { inputSchema }: Tool): Record<string, string> {
  const properties = inputSchema.properties ?? {};
  const account = accountSchema.safeParse(properties['account']).data?.enum;
  const first = Object.keys(properties).find((name) => name !== 'account');
  const all = { ...args, ...(first === undefined || words === undefined ? {} : { [first]: words }) };
  if (!account) return all;
  const named = account.find((name) => Object.values(all).some((value) => value.startsWith(`${name}:`)));
  const bare = Object.entries(all).map(([name, value]) => [
    name,
    named !== undefined && value.startsWith(`${named}:`) ? value.slice(named.length + 1) : value,
  ]);
  return { ...Object.fromEntries(bare), account: named ?? account[0] };
}

function help(tools: readonly Tool[]): string {
  const names = tools.map(({ name }) => name).join(', ');
  return `Here I understand \`restart web-1 because deploy 41\`, \`what runs?\`, \`what became of it?\`, and what I can call, with what it is about, like \`get_instance web-1\`. I can call ${names}.`;
}
