import type { Metrics, Reading } from '../metrics/metrics.ts';
import type { SharedQueue } from '../queue/queue.ts';
import { within } from '../time/at-most.ts';
import { answer, type HttpHandler } from './server.ts';

/** What keeps this process from being of use, as a code without any secret; undefined for nothing. Answers in time, and never throws. */
type Check = () => Promise<string | undefined>;

export interface StatusDeps {
  /** What must hold for this process to be of use, by name. */
  readonly checks: Readonly<Record<string, Check>>;
  readonly metrics: Metrics;
  /** What is read at a scrape, each by itself: what has no answer in time, or none at all, is left out. */
  readonly readings: () => readonly Promise<readonly Reading[]>[];
  readonly queue: Pick<SharedQueue, 'metrics'>;
}

const LIMIT_MS = 1_500;

/** `/healthz`: the main loop turns. `/readyz`: send it work, or why not. `/metrics`: what it counts. */
export function statusRoutes(deps: StatusDeps): Readonly<Record<string, HttpHandler>> {
  const names = Object.keys(deps.checks);
  const faultsNow = (): Promise<readonly (string | undefined)[]> =>
    Promise.all(Object.values(deps.checks).map((check) => check()));
  return {
    'GET /healthz': (_request, response) => answer(response, 200, { status: 'ok' }),
    'GET /readyz': async (_request, response) => {
      const faults = await faultsNow();
      const isReady = faults.every((fault) => fault === undefined);
      const checks = Object.fromEntries(names.map((name, index) => [name, faults[index] ?? 'ok']));
      answer(response, isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', checks });
    },
    'GET /metrics': async (_request, response) => {
      const [faults, readings, ofQueue] = await Promise.all([
        faultsNow(),
        Promise.all(deps.readings().map((reading) => within(LIMIT_MS, reading, []))),
        within(LIMIT_MS, deps.queue.metrics(), ''),
      ]);
      const ready = names.map((check, index): Reading => {
        return { gauge: 'ready', labels: { check }, value: faults[index] === undefined ? 1 : 0 };
      });
      const own = await deps.metrics.text([...ready, ...readings.flat()]);
      response.setHeader('cache-control', 'no-store');
      answer(response, 200, `${own}${ofQueue}`);
    },
  };
}
