import { asError, type Log } from '../log/log.ts';
import { atMost } from '../time/wait.ts';
import type { OtlpOptions } from './otlp.ts';
import type { Span } from './span.ts';

/** Takes what happened, as spans, out of the bot. */
export interface Traces {
  /** Never throws and never waits: what can't be sent is lost. */
  add(spans: readonly Span[]): void;
  /** Sends what is left, for at most `limitMs`. */
  stop(limitMs: number): Promise<void>;
}

/** Where nobody collects them. */
export const noTraces: Traces = { add: () => undefined, stop: async () => undefined };

/** Sends them to a collector. What that takes is loaded here, and nowhere else. */
export function createTraces(options: OtlpOptions & { readonly log: Log }): Traces {
  const { log } = options;
  const loading = import('./otlp.ts').then(({ createOtlp }) => createOtlp(options));
  const use = (work: (otlp: Awaited<typeof loading>) => unknown): Promise<unknown> =>
    loading.then(work).catch((error: unknown) => log.limited('telling of traces', asError(error)));
  return {
    add: (spans) => void use((otlp) => otlp.add(spans)),
    stop: async (limitMs) => {
      await atMost(
        limitMs,
        use((otlp) => otlp.stop()),
      );
    },
  };
}

/** The same, each of whose spans says which account it is about. */
export function tracesOf(names: readonly string[], traces: Traces): Traces {
  if (names.length === 0) return traces;
  const scope = { 'lamplighter.scope': names.join(' ') };
  return {
    add: (spans) =>
      traces.add(spans.map((span) => ({ ...span, attributes: { ...span.attributes, ...scope } }))),
    stop: (limitMs) => traces.stop(limitMs),
  };
}
