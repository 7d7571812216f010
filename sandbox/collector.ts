import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const valueSchema = z.union([
  z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.object({ intValue: z.union([z.number(), z.string()]) }).transform(({ intValue }) => Number(intValue)),
]);
const attributesSchema = z
  .array(z.object({ key: z.string(), value: valueSchema }))
  .transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, value])));
const spanSchema = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: z.string().regex(/^\d{19}$/),
  endTimeUnixNano: z.string().regex(/^\d{19}$/),
  attributes: attributesSchema,
  status: z.object({ code: z.int().min(0).max(2), message: z.string().optional() }),
});
/** One step of a trace, as OTLP has it. */
export type Span = z.infer<typeof spanSchema>;

const requestSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

/** An OpenTelemetry collector: takes traces by OTLP over HTTP, in JSON, as strictly as the protocol has it. */
export interface Collector {
  /** What is given as OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  /** All that it has taken, in its order. */
  readonly spans: readonly Span[];
  /** What was said of who sends them. */
  readonly resources: readonly Readonly<Record<string, string | number>>[];
  /** All that was sent, whether it was taken or not, with its headers. */
  readonly heard: readonly string[];
  /** What it answers from now on; `hangs` for nothing. */
  status: number | 'hangs';
  stop(): Promise<void>;
}

export async function openCollector(): Promise<Collector> {
  const spans: Span[] = [];
  const resources: Record<string, string | number>[] = [];
  const heard: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      heard.push(`${request.method} ${request.url} ${request.rawHeaders.join(' ')}\n${text}`);
      const { status } = collector;
      if (status === 'hangs') return;
      const isRight = request.method === 'POST' && request.url === '/v1/traces';
      const sent = isRight && status === 200 ? requestSchema.safeParse(JSON.parse(text)) : undefined;
      for (const one of sent?.data?.resourceSpans ?? []) {
        resources.push(one.resource.attributes);
        spans.push(...one.scopeSpans.flatMap((scope) => scope.spans));
      }
      response.writeHead(sent?.success === false ? 400 : isRight ? status : 404, {
        'content-type': 'application/json',
      });
      response.end('{}');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  // A TCP listener's address is never a string.
  const { port } = server.address() as AddressInfo;
  const collector: Collector = {
    url: `http://127.0.0.1:${port}`,
    spans,
    resources,
    heard,
    status: 200,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return collector;
}
