import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { answer, type HttpHandler } from '../http/server.ts';

/** What an agent can call: its name, what goes in and comes out, and what it does. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** Whether it only reads. */
  readonly isReadOnly: boolean;
  /** Gives what `output` says, or why not, in words. Never throws. `input`: as its schema gives it. */
  call(input: Readonly<Record<string, unknown>>): Promise<McpAnswer>;
}

export type McpAnswer = { readonly data: Readonly<Record<string, unknown>> } | { readonly no: string };

/** Why a request is not answered. */
export interface NotEntered {
  readonly status: 401 | 403 | 409 | 413 | 415 | 429;
  readonly retryAfterMs?: number;
}

/** A request of somebody who may ask. */
export interface Entered {
  readonly raw: Buffer;
  /** The tools that they have, for what they ask. Throws ZodError where it is no request. */
  as(body: Readonly<Record<string, unknown>>): Promise<readonly McpTool[] | NotEntered>;
}

export interface McpEndpointDeps {
  readonly version: string;
  /** What an agent is told of all tools before it calls one. */
  readonly instructions: string;
  /** Reads the request, and finds out whose it is. Throws where the connection breaks. */
  enter(request: IncomingMessage): Promise<Entered | NotEntered>;
  readonly onError: (error: Error) => void;
}

/**
 * `POST /mcp`: the Model Context Protocol of 2026-07-28, and that of 2025-11-25 for who speaks it still. Each request is whole by itself,
 * so any replica answers it.
 */
export function createMcpEndpoint({ version, instructions, enter, onError }: McpEndpointDeps): HttpHandler {
  return async (request, response) => {
    // A browser sends it, and no browser is to come here: a page that somebody opens must reach nothing.
    if (request.headers.origin !== undefined) return answer(response, 403);
    const entered = await enter(request);
    if ('status' in entered) return refuse(response, entered);
    const parsed = parse(entered.raw);
    if (!parsed) return answer(response, 400);
    const tools = await entered.as(parsed);
    if ('status' in tools) return refuse(response, tools);
    // It takes 10 MB and a sixth of a second to load, which a bot without agents doesn't need.
    const library = await import('@modelcontextprotocol/server');
    // Nothing changes while a request is answered: who waits to hear of it is told at once that it won't.
    const capabilities = { tools: { listChanged: false } };
    const server = new library.McpServer({ name: 'lamplighter', version }, { instructions, capabilities });
    for (const tool of tools) register(server, tool);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const handler = library.createMcpHandler(() => server, { onerror: onError });
    try {
      const given = new Request('http://lamplighter/mcp', {
        method: 'POST',
        headers: headersOf(request),
        signal: gone.signal,
      });
      await send(response, await handler.fetch(given, { parsedBody: parsed }));
    } finally {
      await handler.close();
    }
  };
}

/** Clients ask for a stream to listen to, and end a session: by the protocol this status says that there is neither, and no fault. */
export function refuseMethod(_: IncomingMessage, response: ServerResponse): void {
  response.setHeader('allow', 'POST');
  answer(response, 405);
}

function register(server: McpServer, tool: McpTool): void {
  const { name, title, description, input, output, isReadOnly, call } = tool;
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: input,
      outputSchema: output,
      // Nothing that it does is done before a person presses.
      annotations: { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false },
    },
    async (given) => {
      const said = await call(given);
      if ('no' in said) return { isError: true, content: [{ type: 'text', text: said.no }] };
      return {
        structuredContent: said.data,
        content: [{ type: 'text', text: JSON.stringify(said.data) }],
      };
    },
  );
}

function refuse(response: ServerResponse, no: NotEntered): void {
  if (no.status === 401) response.setHeader('www-authenticate', 'Bearer');
  if (no.status === 413) response.setHeader('connection', 'close');
  if (no.retryAfterMs !== undefined) response.setHeader('retry-after', Math.ceil(no.retryAfterMs / 1_000));
  answer(response, no.status);
}

/** One message; a list of them is of a revision that nobody speaks any more. */
function parse(raw: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    return messageSchema.parse(JSON.parse(raw.toString('utf8')));
  } catch {
    return undefined;
  }
}

const messageSchema = z.looseObject({ method: z.string() });

function headersOf({ headers }: IncomingMessage): Headers {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') given.set(name, value);
  return given;
}

async function send(response: ServerResponse, given: Response): Promise<void> {
  response.writeHead(given.status, Object.fromEntries(given.headers));
  response.end(Buffer.from(await given.arrayBuffer()));
}
