import { createMCPClient, type MCPClient } from '@ai-sdk/mcp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { tokenOf } from '../support/agent.ts';
import { botMessages, play, powerCalls, urlOf } from '../support/sandbox.ts';

/** A client of the protocol by others than the server's, as a program of somebody else's has it. */

const resultSchema = z.object({
  isError: z.boolean().default(false),
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
});
type Result = z.output<typeof resultSchema>;

/** What is said in a JSON of its own, for clients that read no structure. */
const inWords = ({ content }: Result): unknown => JSON.parse(content.map(({ text }) => text).join(''));

async function open() {
  const sandbox = await play({ env: { LAMPLIGHTER_AGENTS: 'yes' } });
  const token = await tokenOf(sandbox, 'deploy-bot as @ana in #ops');
  const faults: unknown[] = [];
  const connect = async (shown: string): Promise<MCPClient> => {
    const client = await createMCPClient({
      transport: { type: 'http', url: urlOf(sandbox, '/mcp'), headers: { Authorization: `Bearer ${shown}` } },
      onUncaughtError: (error) => faults.push(error),
    });
    onTestFinished(() => client.close());
    return client;
  };
  const client = await connect(token);
  const calls = async (name: string, args: object): Promise<Result> => {
    const tools = await client.tools();
    return resultSchema.parse(await tools[name]?.execute(args, { toolCallId: name, messages: [] }));
  };
  return { sandbox, client, connect, calls, faults };
}

describe('a client of the protocol by somebody else', () => {
  it('is told what the bot is, and which tools there are, with what goes in and comes out', async () => {
    const { client, faults } = await open();
    expect(client.serverInfo.name).toBe('lamplighter');
    expect(client.instructions).toContain('in the name of the person');
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['list_instances', 'propose_change', 'get_proposal']));
    for (const { description, inputSchema, outputSchema } of tools) {
      expect(description).toBeTruthy();
      expect([inputSchema.type, outputSchema?.['type']]).toEqual(['object', 'object']);
    }
    expect(faults).toEqual([]);
  });

  it('reads, proposes, and hears what a person made of it', async () => {
    const { sandbox, calls, faults } = await open();
    const read = await calls('get_instance', { instance: 'web-1' });
    expect(read.structuredContent).toMatchObject({ instance: { id: '101', status: 'running' } });
    expect(inWords(read)).toEqual(read.structuredContent);
    const change = { verb: 'restart', instance: 'web-1', because: 'deploy 41' };
    const { structuredContent: { reference, state } = {} } = await calls('propose_change', change);
    expect(state).toBe('waiting');
    expect(powerCalls(sandbox)).toBe(0);
    const message = await sandbox.slack.until(() => botMessages(sandbox)[0]);
    await sandbox.slack.person('bob').presses(message, 'Go ahead');
    await sandbox.settled();
    const { structuredContent } = await calls('get_proposal', { reference });
    expect(structuredContent).toMatchObject({ state: 'begun', outcome: 'done' });
    expect(powerCalls(sandbox)).toBe(1);
    expect(faults).toEqual([]);
  });

  it('reads a no as words, and not as a broken connection', async () => {
    const { calls, faults } = await open();
    const { isError, content } = await calls('get_instance', { instance: 'nothing' });
    expect(isError).toBe(true);
    expect(content[0]?.text).toContain('nothing');
    expect(faults).toEqual([]);
  });

  it('is let in with no other token', async () => {
    const { connect } = await open();
    await expect(connect('lamplighter_wrong')).rejects.toThrow(/401|nauthorized/);
  });
});
