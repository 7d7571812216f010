import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What the bot counts about itself. Labels come from closed lists only, never from people or services. */
export interface Metrics {
  /** One request of Slack: its kind, and whether it was handled or why not. */
  slackRequest(kind: string, result: string): void;
  /** Whether Socket Mode has a connection; each `true` counts one. Without a call there is no such metric. */
  slackSocket(isOpen: boolean): void;
  /** One call to the hosting API. */
  hostingCall(method: string, result: string, tookMs: number): void;
  /** One operation that came to its end. */
  operationEnded(kind: string, result: string, tookMs: number): void;
  /** So many pending operations were polled together. */
  operationsPolled(count: number): void;
  /** A message reached nobody, and won't. */
  messageDeadLettered(): void;
  /** Too few replicas of Redis had what was written. */
  redisShort(result: 'refused' | 'went on'): void;
  /** Everything in Prometheus' text format. */
  text(): Promise<string>;
}

/** How often the lag of the event loop is sampled: each sample wakes a process that has nothing to do. */
const LAG_SAMPLE_MS = 1_000;

let ofProcess: Registry | undefined;

/** What is known of the process as a whole. It is watched once, since the watching never ends. */
function watchProcess(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess, eventLoopMonitoringPrecision: LAG_SAMPLE_MS });
  // Each is the sum of another, under a name that Prometheus keeps for counters.
  for (const name of ['handles', 'requests', 'resources'])
    ofProcess.removeSingleMetric(`nodejs_active_${name}_total`);
  return ofProcess;
}

export function createMetrics(): Metrics {
  const process = watchProcess();
  const registry = new Registry();
  const registers = [registry];
  const slackRequests = new Counter({
    name: 'lamplighter_slack_requests_total',
    help: 'Requests of Slack by kind and result',
    labelNames: ['kind', 'result'],
    registers,
  });
  const hostingCalls = new Histogram({
    name: 'lamplighter_hosting_call_seconds',
    help: 'Calls to the hosting API by method and result',
    labelNames: ['method', 'result'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  });
  const operations = new Histogram({
    name: 'lamplighter_operation_seconds',
    help: 'Operations from request to outcome, by kind and result',
    labelNames: ['kind', 'result'],
    buckets: [1, 2, 5, 10, 20, 40, 60, 120, 300, 600],
    registers,
  });
  const polls = new Counter({
    name: 'lamplighter_operation_polls_total',
    help: 'Polls of pending operations; one call to the hosting API may serve many',
    registers,
  });
  const deadLettered = new Counter({
    name: 'lamplighter_messages_dead_lettered_total',
    help: 'Messages that reached nobody, neither where they were to go nor anybody else',
    registers,
  });
  const short = new Counter({
    name: 'lamplighter_redis_not_replicated_total',
    help: 'Times that too few replicas of Redis had what was written, by what came of it: refused, or went on',
    labelNames: ['result'],
    registers,
  });
  const createSocket = (): { open: Gauge; connections: Counter } => ({
    open: new Gauge({
      name: 'lamplighter_slack_socket_open',
      help: '1 while a Socket Mode connection is open, else 0',
      registers,
    }),
    connections: new Counter({
      name: 'lamplighter_slack_socket_connections_total',
      help: 'Socket Mode connections opened',
      registers,
    }),
  });
  let socket: ReturnType<typeof createSocket> | undefined;
  return {
    slackSocket: (isOpen) => {
      socket ??= createSocket();
      socket.open.set(isOpen ? 1 : 0);
      if (isOpen) socket.connections.inc();
    },
    slackRequest: (kind, result) => slackRequests.inc({ kind, result }),
    hostingCall: (method, result, tookMs) => hostingCalls.observe({ method, result }, tookMs / 1000),
    operationEnded: (kind, result, tookMs) => operations.observe({ kind, result }, tookMs / 1000),
    redisShort: (result) => short.inc({ result }),
    messageDeadLettered: () => deadLettered.inc(),
    operationsPolled: (count) => polls.inc(count),
    text: () => Registry.merge([process, registry]).metrics(),
  };
}
