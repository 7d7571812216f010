import { joinMetrics } from '../metrics/join-metrics.ts';
import type { Metrics, Reading } from '../metrics/metrics.ts';
import type { WorkQueue } from '../queue/queue.ts';
import { answer, type HttpHandler } from './server.ts';

/** What keeps this process from being of use, as a code without any secret; undefined for nothing. */
type Check = () => Promise<string | undefined>;

export interface StatusDeps {
  /** What must hold for this process to be of use, by name. */
  readonly checks: Readonly<Record<string, Check>>;
  readonly metrics: Metrics;
  /** What is read at a scrape, each by itself: what has no answer in time, or none at all, is left out. */
  readonly readings: () => readonly Promise<readonly Reading[]>[];
  /** Those that there are now. */
  readonly queues: () => readonly WorkQueue[];
}

const LIMIT_MS = 1_500;
const NO_ANSWER = 'no answer';

/** `/healthz`: the main loop turns. `/readyz`: send it work, or why not. `/metrics`: what it counts. */
export function statusRoutes(deps: StatusDeps): Readonly<Record<string, HttpHandler>> {
  const names = Object.keys(deps.checks);
  const faultsNow = (): Promise<readonly (string | undefined)[]> =>
    Promise.all(Object.values(deps.checks).map((check) => within(check(), NO_ANSWER)));
  return {
    'GET /healthz': (_request, response) => answer(response, 200, { status: 'ok' }),
    'GET /readyz': async (_request, response) => {
      const faults = await faultsNow();
      const isReady = faults.every((fault) => fault === undefined);
      const checks = Object.fromEntries(names.map((name, index) => [name, faults[index] ?? 'ok']));
      answer(response, isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', checks });
    },
    'GET /metrics': async (_request, response) => {
      const [faults, readings, queues] = await Promise.all([
        faultsNow(),
        Promise.all(deps.readings().map((reading) => within(reading, []))),
        Promise.all(deps.queues().map((queue) => within(queue.metrics(), ''))),
      ]);
      const ready = names.map((check, index): Reading => {
        return { gauge: 'ready', labels: { check }, value: faults[index] === undefined ? 1 : 0 };
      });
      const own = await deps.metrics.text([...ready, ...readings.flat()]);
      response.setHeader('cache-control', 'no-store');
      answer(response, 200, joinMetrics([own, ...queues]));
    },
  };
}

async function within<T>(work: Promise<T>, otherwise: T): Promise<T> {
  const limit = new Promise<T>((done) => {
    setTimeout(() => done(otherwise), LIMIT_MS).unref();
  });
  return Promise.race([work.catch(() => otherwise), limit]);
}
