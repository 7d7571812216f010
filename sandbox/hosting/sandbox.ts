import { EventEmitter } from 'node:events';
import { demoWorld, type World } from '../world.ts';
import type { StatusChange } from './account.ts';
import type { Fault } from './behavior.ts';
import { matches, type CallMatcher, type RecordedCall } from './calls.ts';
import { createCompany } from './company.ts';
import { createDashboard, type Dashboard } from './dashboard.ts';
import { createEngine, type Engine } from './engine.ts';
import { exchange } from './exchange.ts';
import { createRateLimit } from './rate-limit.ts';
import type { PowerAction } from './status.ts';
import type { Variant } from './variant.ts';

/** How a sandbox is made; everything has a default. Times in milliseconds. */
export interface HostingSandboxOptions {
  readonly world?: World;
  /** Unix milliseconds. Charging, transitions and the rate limit go by it; only `answerDelayMs` is real time. */
  readonly clock?: () => number;
  readonly powerMs?: number | Readonly<Record<PowerAction, number>>;
  /**
   * A restart ends only once it was shown after its time, so that none is over before a bot on a slow machine has looked; by the
   * clock alone when left out.
   */
  readonly restartsAreShown?: boolean;
  readonly deleteMs?: number;
  readonly provisionMs?: number;
  /** `documented`: power calls answer with the final status at once, and a restart never leaves running. */
  readonly style?: 'transitional' | 'documented';
  /** Requests in a window for each key. */
  readonly rateLimit?: number;
  /** The length of that window; a minute when left out. */
  readonly rateWindowMs?: number;
  readonly variant?: Variant;
  /** Faults of its own accord, asked for every call; for runs with many. */
  readonly weather?: (call: RecordedCall) => Fault | undefined;
  /** 0 takes a free one, and keeps it when the sandbox is started again. */
  readonly port?: number;
}

/** A hosting company in this process, and what a test may do to it. */
export interface HostingSandbox extends Dashboard, Omit<Engine<Fault>, 'failNext'> {
  readonly customers: readonly { readonly name: string; readonly apiKey: string }[];
  countCalls(method: string, path: string | RegExp): number;
  /** Makes the next matching request fail: with a status and without its effect, or as the fault says. Gives what ends it. */
  failNext(matcher: CallMatcher, fault: number | Fault, times?: number): () => void;
  /** `call` when a request has been answered or cut, `status` when a change of status is noticed. */
  readonly events: EventEmitter<HostingEvents>;
}

interface HostingEvents {
  call: [RecordedCall];
  status: [StatusChange];
}

/** Makes a hosting company that answers as openapi.yaml says. It listens on 127.0.0.1 only. */
export function createHostingSandbox(options: HostingSandboxOptions = {}): HostingSandbox {
  const { powerMs = 3_000, rateLimit = 100, variant = {}, clock = Date.now } = options;
  const events = new EventEmitter<HostingEvents>();
  const pace = {
    style: options.style ?? 'transitional',
    powerMs: typeof powerMs === 'number' ? { start: powerMs, stop: powerMs, restart: powerMs } : powerMs,
    restartsAreShown: options.restartsAreShown ?? false,
    deleteMs: options.deleteMs ?? 3_000,
    provisionMs: options.provisionMs ?? 3_000,
  };
  const company = createCompany(options.world ?? demoWorld(), clock, pace, (change) => {
    events.emit('status', change);
  });
  const desk = {
    company,
    clock,
    weather: options.weather ?? (() => undefined),
    takeFromBudget: createRateLimit(rateLimit, options.rateWindowMs),
    variant,
  };
  const engine = createEngine<Fault>({
    port: options.port ?? 0,
    now: clock,
    serve: (received) => exchange(desk, received),
    onCall: (call) => void events.emit('call', call),
  });
  return {
    ...createDashboard(company),
    ...engine,
    customers: company.accounts.map(({ name, apiKey }) => ({ name, apiKey })),
    events,
    countCalls: (method, path) => engine.calls.filter((call) => matches({ method, path }, call)).length,
    failNext: (matcher, fault, times) =>
      engine.failNext(matcher, typeof fault === 'number' ? { answer: fault, done: false } : fault, times),
  };
}
