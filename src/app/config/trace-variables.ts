import { z } from 'zod';
import { parseUrl } from '../../platform/http/parse-url.ts';

/** What a header may hold, and what it may be called. */
const HEADER = /^([!#$%&'*+.^_`|~\w-]{1,100})=([\x20-\x7e]{1,2000})$/;
const PAIR = /^([\w.-]{1,100})=([^\s,;="\\]{1,200})$/;

const endpoint = z.string().refine((text) => {
  const url = parseUrl(text);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  return isHttp && url.username === '' && url.password === '' && url.hash === '';
}, 'must be an http or https URL without a user and a password');

/** Where traces of what people ask for go, by the names that OpenTelemetry gives these. */
export const TRACE_DECLARATIONS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    about:
      'Where traces go: an OpenTelemetry collector that takes HTTP with JSON, like `http://collector:4318`. Without it, and the next one, there are none',
    schema: endpoint.optional(),
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    about: 'The same with its whole path, where that is not `/v1/traces` below it',
    schema: endpoint.optional(),
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    about: 'What they are sent with, like `api-key=…`, separated by commas, each value as in a URL',
    secret: true,
    schema: z
      .string()
      .refine((text) => headersIn(text) !== undefined, 'must be like name=value,name=value')
      .optional(),
  },
  OTEL_SERVICE_NAME: {
    about: 'What the bot is called there',
    default: 'lamplighter',
    schema: z.string().regex(/^[\w .-]{1,100}$/, 'must be a short name like lamplighter'),
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    about: 'What else is said of it there, like `deployment.environment.name=staging`, separated by commas',
    schema: z
      .string()
      .refine((text) => pairsIn(text, PAIR) !== undefined, 'must be like name=value,name=value')
      .optional(),
  },
} as const;

/** Where traces go. */
export interface TracesConfig {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of the process that sends them. */
  readonly resource: Readonly<Record<string, string>>;
}

interface TraceVariables {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_HEADERS?: string | undefined;
  readonly OTEL_SERVICE_NAME: string;
  readonly OTEL_RESOURCE_ATTRIBUTES?: string | undefined;
}

/** Undefined where nobody collects them. */
export function traceConfigOf(env: TraceVariables): TracesConfig | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = env;
  const url = whole ?? (base === undefined ? undefined : `${base.replace(/\/$/, '')}/v1/traces`);
  if (url === undefined) return undefined;
  return {
    url,
    headers: headersIn(env.OTEL_EXPORTER_OTLP_HEADERS ?? '') ?? {},
    resource: {
      ...pairsIn(env.OTEL_RESOURCE_ATTRIBUTES ?? '', PAIR),
      'service.name': env.OTEL_SERVICE_NAME,
    },
  };
}

/** A shorter value is a word of some sort, which must not eat into the log. */
const SHORTEST_SECRET = 8;

/** What of the headers must stand nowhere: as it is written, and each value as it is sent. */
export function secretsOfTraces({
  OTEL_EXPORTER_OTLP_HEADERS: headers = '',
}: Pick<TraceVariables, 'OTEL_EXPORTER_OTLP_HEADERS'>): readonly string[] {
  const values = Object.values(headersIn(headers) ?? {});
  return [headers, ...values.filter((value) => value.length >= SHORTEST_SECRET)];
}

function headersIn(text: string): Record<string, string> | undefined {
  return pairsIn(text, HEADER);
}

/** Undefined where one of them is none. */
function pairsIn(text: string, pattern: RegExp): Record<string, string> | undefined {
  const pairs: [string, string][] = [];
  for (const one of text.split(',').map((part) => part.trim())) {
    if (one === '') continue;
    const [, name = '', value = ''] = pattern.exec(decoded(one)) ?? [];
    if (name === '') return undefined;
    pairs.push([name, value.trim()]);
  }
  return Object.fromEntries(pairs);
}

/** As it stands where it is not written as in a URL. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
