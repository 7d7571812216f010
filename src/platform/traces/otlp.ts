import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type HrTime, type SpanContext, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace';
import type { WayOut } from '../http/way-out.ts';
import { asError, type Log } from '../log/log.ts';
import type { Span } from './span.ts';

/** Where traces go, and who says that it sends them. */
export interface OtlpOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What the process is called, by OpenTelemetry's own names. */
  readonly resource: Readonly<Record<string, string>>;
  readonly version: string;
  readonly wayOut: WayOut;
  readonly log: Pick<Log, 'limited'>;
}

/** So many spans are kept at most until they are sent: with a collector that is down, those that come then are lost. */
const MOST_KEPT = 2_048;
const AT_ONCE = 256;
const SENT_AFTER_MS = 1_000;
/** How long one page of them is tried, and how long each try may take. */
const TRIED_FOR_MS = 20_000;
const TAKEN_WITHIN_MS = 5_000;
const PAUSES_MS = [500, 3_000];
/** By the protocol, these are to be sent again. */
const AGAIN = new Set([429, 502, 503, 504]);

const KINDS = { taken: SpanKind.SERVER, asks: SpanKind.CLIENT, does: SpanKind.INTERNAL } as const;
const SCOPE = { name: 'lamplighter' };

/** What was sent was refused in a way that another try won't change. */
class Refused extends Error {}

/** Sends spans over OTLP: HTTP with JSON, a page at a time. */
export function createOtlp({ url, headers, resource, version, wayOut, log }: OtlpOptions): {
  add(spans: readonly Span[]): void;
  stop(): Promise<void>;
} {
  const of = resourceFromAttributes({ ...resource, 'service.version': version });
  let isStopping = false;

  const post = async (body: Uint8Array): Promise<void> => {
    const { origin, pathname, search } = new URL(url);
    // A page comes now and then: nothing is kept open between two.
    const connections = wayOut.open({ connections: 1 });
    try {
      const { statusCode, body: answer } = await connections.request({
        origin,
        path: `${pathname}${search}`,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(TAKEN_WITHIN_MS),
      });
      await answer.dump();
      if (statusCode >= 200 && statusCode <= 299) return;
      const why = `the collector of traces answered ${statusCode}`;
      throw AGAIN.has(statusCode) ? new Error(why) : new Refused(why);
    } finally {
      connections.destroy().catch(() => undefined);
    }
  };

  const send = async (spans: readonly ReadableSpan[]): Promise<void> => {
    const body = JsonTraceSerializer.serializeRequest([...spans]);
    if (!body) return;
    for (let tries = 0; ; tries++) {
      try {
        return await post(body);
      } catch (error) {
        const pauseMs = PAUSES_MS[tries];
        if (error instanceof Refused || pauseMs === undefined || isStopping) throw error;
        await wait(pauseMs, undefined, { ref: false });
      }
    }
  };

  const tell = async (...[spans, done]: Parameters<SpanExporter['export']>): Promise<void> => {
    let error: Error | undefined;
    try {
      await send(spans);
    } catch (thrown) {
      error = asError(thrown);
      log.limited('sending traces, which are lost', error);
    }
    done(error ? { code: 1, error } : { code: 0 });
  };
  const exporter: SpanExporter = {
    export: (spans, done) => void tell(spans, done),
    shutdown: async () => undefined,
  };
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: MOST_KEPT,
    maxExportBatchSize: AT_ONCE,
    scheduledDelayMillis: SENT_AFTER_MS,
    exportTimeoutMillis: TRIED_FOR_MS,
  });
  return {
    add: (spans) => {
      for (const span of spans) processor.onEnd(spanOf(span, of));
    },
    stop: async () => {
      isStopping = true;
      await processor.shutdown();
    },
  };
}

/** A span as OpenTelemetry has one that is over. Pure. */
function spanOf(span: Span, resource: ReadableSpan['resource']): ReadableSpan {
  const { trace, id, under, name, kind, from, to, attributes, fault } = span;
  const until = Math.max(from, to);
  const context = contextOf(trace, id);
  return {
    name,
    kind: KINDS[kind],
    spanContext: () => context,
    ...(under === undefined ? {} : { parentSpanContext: contextOf(trace, under) }),
    startTime: timeOf(from),
    endTime: timeOf(until),
    duration: timeOf(until - from),
    ended: true,
    status:
      fault === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: fault },
    attributes: known({ ...attributes, 'error.type': fault }),
    resource,
    instrumentationScope: SCOPE,
    links: [],
    events: [],
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** What is not known is not sent. */
function known(attributes: Span['attributes']): Record<string, string | number> {
  const pairs = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(pairs);
}

/** 16 and 8 bytes of hashes in hex: of one reference, and of one span. */
function contextOf(trace: string, id: string): SpanContext {
  return {
    traceId: hash('sha256', trace).slice(0, 32),
    spanId: hash('sha256', `${trace} ${id}`).slice(0, 16),
    traceFlags: TraceFlags.SAMPLED,
  };
}

function timeOf(ms: number): HrTime {
  const whole = Math.round(ms);
  return [Math.floor(whole / 1_000), (whole % 1_000) * 1_000_000];
}
