import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { START, createVerifier } from '../../src/core/audit/chain.ts';

export const lineSchema = z.object({
  of: z.array(z.string()).optional(),
  seq: z.number(),
  before: z.string(),
  hash: z.string(),
  entry: z.string(),
});
export type Line = z.infer<typeof lineSchema>;

/** Who collects the audit: what it was sent, and how it answers. */
interface Collector {
  readonly url: string;
  readonly taken: readonly Line[];
  readonly authorizations: ReadonlySet<string | undefined>;
  status: number;
  /** How many requests it has refused. */
  refused: number;
}

export async function openCollector(): Promise<Collector> {
  const taken: Line[] = [];
  const authorizations = new Set<string | undefined>();
  const collector = { url: '', taken, authorizations, status: 204, refused: 0 };
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      authorizations.add(request.headers.authorization);
      const lines = text.trim().split('\n');
      if (collector.status < 300) taken.push(...lines.map((line) => lineSchema.parse(JSON.parse(line))));
      else collector.refused += 1;
      response.writeHead(collector.status).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens nowhere');
  collector.url = `http://127.0.0.1:${address.port}/services/collector?index=audit`;
  return collector;
}

/** What a collector finds wrong with the lines that it has, each once and in their order; undefined for nothing. */
export function faultIn(lines: readonly Line[]): unknown {
  const verifier = createVerifier(START);
  const once = [...new Map(lines.map((line) => [line.seq, line])).values()];
  return once.map((line) => verifier.next({ id: '', ...line })).find((fault) => fault !== undefined);
}

export const has = (lines: readonly Line[], words: string): boolean =>
  lines.some(({ entry }) => entry.includes(words));

export const timings = { watchdogEveryMs: 50 };
