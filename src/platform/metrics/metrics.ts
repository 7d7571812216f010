import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What the bot counts about itself. Labels come from closed lists only, never from people or services. */
export interface Metrics {
  /** One request of Slack: its kind, and whether it was handled or why not. */
  slackRequest(kind: string, result: string): void;
  /** Whether Socket Mode has a connection; each `true` counts one. Without a call there is no such metric. */
  slackSocket(isOpen: boolean): void;
  /** One call to Slack: by its method, or `response_url`. */
  slackCall(method: string, result: CallResult, tookMs: number): void;
  /** A person has the answer to what they asked. */
  answered(tookMs: number): void;
  /** A message stands in Slack, so long after it was wanted. */
  messagePosted(delayMs: number): void;
  /** Nothing of this process could run for so long. */
  stoodStill(blockedMs: number): void;
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
  /** Redis came back without what it had, or with less of it. */
  redisLost(loss: 'empty' | 'older'): void;
  /** Everything in Prometheus' text format, with what was read just now. */
  text(readings?: readonly Reading[]): Promise<string>;
}

/** How a call ended: Slack said yes, that it is asked too often, or no; or nobody knows, or Slack is in trouble. */
export type CallResult = 'ok' | 'rate-limited' | 'refused' | 'failed';

/** What is not counted but read where somebody asks: its name after `lamplighter_`, and what it is. */
const GAUGES = {
  ready: '1 while a check of /readyz holds, else 0',
  settings_faults: 'Faults for which the last change of the settings is not used',
  balance: 'What was left when it was read last, in the unit of the account',
  balance_runway_seconds: 'How long that lasts at what a day costs',
  budget_used_ratio: "Part of the month's budget that is used",
  balance_age_seconds: 'How long ago the balance, or the month, was read',
  operations_open: 'Operations that have not ended',
  oldest_due_seconds: 'How long what is due first has been due, by kind; 0 where nothing is',
  audit_entries: 'Entries that the audit keeps',
  hosting_calls_left: 'Calls that the API key has left in the window that ends now',
  redis_round_trip_seconds: 'One question to Redis and its answer',
  redis_replicas: 'Replicas that are connected to Redis',
  redis_memory_bytes: 'Memory that Redis uses',
  redis_memory_max_bytes: 'Memory that Redis may use, where it has a limit',
} as const;

/** `scope`: the account and the workspace, where there are several. Both come from the configuration. */
const LABELS = ['scope', 'kind', 'check'] as const;

/** The value of a gauge just now. What could not be read has none, rather than an old one. */
export interface Reading {
  readonly gauge: keyof typeof GAUGES;
  readonly labels?: Readonly<Partial<Record<(typeof LABELS)[number], string>>>;
  readonly value: number;
}

function textOf(readings: readonly Reading[]): Promise<string> {
  const registry = new Registry();
  const { gauge } = makersIn(registry);
  for (const [name, help] of Object.entries(GAUGES)) {
    const one = gauge(name, help, ...LABELS);
    for (const reading of readings) if (reading.gauge === name) one.set({ ...reading.labels }, reading.value);
  }
  return registry.metrics();
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
  // They contain the time between two samples: a second of lag in a process that has nothing to do.
  for (const name of ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'])
    ofProcess.removeSingleMetric(`nodejs_eventloop_lag_${name}_seconds`);
  return ofProcess;
}

/** What makes the metrics of a registry: their name after `lamplighter_`, what they are, and their labels. */
function makersIn(registry: Registry) {
  const about = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) => {
    return { name: `lamplighter_${name}`, help, labelNames, registers: [registry] };
  };
  return {
    counter: <Label extends string>(name: string, help: string, ...labels: readonly Label[]) =>
      new Counter(about(name, help, labels)),
    gauge: <Label extends string>(name: string, help: string, ...labels: readonly Label[]) =>
      new Gauge(about(name, help, labels)),
    histogram: <Label extends string>(
      name: string,
      help: string,
      buckets: number[],
      ...labels: readonly Label[]
    ) => new Histogram({ ...about(name, help, labels), buckets }),
  };
}

/** What is counted as it happens. */
function countedIn(registry: Registry) {
  const { counter, gauge, histogram } = makersIn(registry);
  return {
    slackRequests: counter('slack_requests_total', 'Requests of Slack by kind and result', 'kind', 'result'),
    hostingCalls: histogram(
      'hosting_call_seconds',
      'Calls to the hosting API by method and result',
      [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      'method',
      'result',
    ),
    slackCalls: histogram(
      'slack_call_seconds',
      'Calls to Slack by method and result; result="rate-limited" is Slack\'s 429',
      [0.1, 0.25, 0.5, 1, 2.5, 5],
      'method',
      'result',
    ),
    answers: histogram(
      'answer_seconds',
      'Requests from arrival to the private answer, where that does not go with the acknowledgement',
      [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300],
    ),
    posts: histogram(
      'post_delay_seconds',
      'Messages from when they were wanted to when they stood in Slack',
      [0.25, 0.5, 1, 2, 5, 10, 30, 60, 300],
    ),
    operations: histogram(
      'operation_seconds',
      'Operations from request to outcome, by kind and result',
      [1, 2, 5, 10, 20, 40, 60, 120, 300, 600],
      'kind',
      'result',
    ),
    polls: counter(
      'operation_polls_total',
      'Polls of pending operations; one call to the hosting API may serve many',
    ),
    deadLettered: counter(
      'messages_dead_lettered_total',
      'Messages that reached nobody, neither where they were to go nor anybody else',
    ),
    blocked: counter(
      'event_loop_blocked_seconds_total',
      'Time in which nothing of this process could run, of pauses of half a second and more',
    ),
    short: counter(
      'redis_not_replicated_total',
      'Times that too few replicas of Redis had what was written, by what came of it: refused, or went on',
      'result',
    ),
    losses: counter(
      'redis_losses_total',
      'Times that a worker found Redis empty, or older than it was: once for each account',
      'loss',
    ),
    createSocket: () => ({
      open: gauge('slack_socket_open', '1 while a Socket Mode connection is open, else 0'),
      connections: counter('slack_socket_connections_total', 'Socket Mode connections opened'),
    }),
  };
}

/** `version`: the one that runs. */
export function createMetrics(version = 'unknown'): Metrics {
  const process = watchProcess();
  const registry = new Registry();
  makersIn(registry).gauge('build_info', '1 for the version that runs', 'version').set({ version }, 1);
  const counted = countedIn(registry);
  // What happens once in a year is seen only where it was 0 before.
  for (const loss of ['empty', 'older']) counted.losses.inc({ loss }, 0);
  let socket: ReturnType<typeof counted.createSocket> | undefined;
  return {
    slackSocket: (isOpen) => {
      socket ??= counted.createSocket();
      socket.open.set(isOpen ? 1 : 0);
      if (isOpen) socket.connections.inc();
    },
    slackRequest: (kind, result) => counted.slackRequests.inc({ kind, result }),
    hostingCall: (method, result, tookMs) => counted.hostingCalls.observe({ method, result }, tookMs / 1000),
    operationEnded: (kind, result, tookMs) => counted.operations.observe({ kind, result }, tookMs / 1000),
    redisShort: (result) => counted.short.inc({ result }),
    redisLost: (loss) => counted.losses.inc({ loss }),
    slackCall: (method, result, tookMs) => counted.slackCalls.observe({ method, result }, tookMs / 1000),
    answered: (tookMs) => counted.answers.observe(tookMs / 1000),
    messagePosted: (delayMs) => counted.posts.observe(delayMs / 1000),
    stoodStill: (blockedMs) => counted.blocked.inc(blockedMs / 1000),
    messageDeadLettered: () => counted.deadLettered.inc(),
    operationsPolled: (count) => counted.polls.inc(count),
    text: async (readings = []) =>
      `${await Registry.merge([process, registry]).metrics()}\n${await textOf(readings)}`,
  };
}
