import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { type Collector, openCollector, type Span } from '../../sandbox/collector.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { operationKeys } from '../../src/core/operations/keys.ts';
import { OPERATION_JOB } from '../../src/core/operations/operations.ts';
import { createQueue } from '../../src/platform/queue/queue.ts';
import { answerTo, play, type PlayOptions, powerCalls, runToEnd } from '../support/sandbox.ts';
import { startHttpProxy } from '../support/http-proxy.ts';
import { startProcess } from '../support/process.ts';
import { until } from '../support/until.ts';

/** What the collector is sent with, which must be seen there and nowhere else. */
const HEADER_CANARY = 'canary-of-the-collector';

async function collectorOf(options: PlayOptions = {}): Promise<{ sandbox: Sandbox; collector: Collector }> {
  const collector = await openCollector();
  onTestFinished(() => collector.stop());
  const sandbox = await play({
    ...options,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `api-key=${HEADER_CANARY}`,
      ...options.env,
    },
  });
  return { sandbox, collector };
}

/** The spans of each trace in their order, each below the one that it is part of. */
function treesOf(spans: readonly Span[]): string[][] {
  const traces = new Map<string, Span[]>();
  for (const span of spans) traces.set(span.traceId, [...(traces.get(span.traceId) ?? []), span]);
  return [...traces.values()].map((all) => {
    const draw = (parent: string | undefined, depth: string): string[] =>
      all
        .filter(({ parentSpanId }) => parentSpanId === parent)
        .toSorted((one, other) => (one.startTimeUnixNano < other.startTimeUnixNano ? -1 : 1))
        .flatMap((span) => [`${depth}${wordsOf(span)}`, ...draw(span.spanId, `${depth}  `)]);
    const drawn = draw(undefined, '');
    // What has a parent that isn't there would be left out.
    expect(drawn).toHaveLength(all.length);
    return drawn;
  });
}

function wordsOf({ name, status, attributes }: Span): string {
  const what = attributes['lamplighter.message'] ?? attributes['http.response.status_code'];
  const how = status.code === 2 ? ` ✗ ${status.message}` : '';
  return `${name}${what === undefined ? '' : ` ${what}`}${how}`;
}

const ended = ({ spans }: Collector): boolean => spans.some(({ name }) => name === 'instances.restart');

const RESTART = [
  'request instances.restart',
  '  instances.restart',
  '    chat.postMessage card',
  '    POST /instances/{id}/restart 200',
  '    chat.postMessage reply',
];

it('a restart is one trace, from the request through the operation to the call and what was posted', async () => {
  const { sandbox, collector } = await collectorOf({
    env: { OTEL_SERVICE_NAME: 'lamps', OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test' },
  });
  await runToEnd(sandbox, 'ana', '/instances restart web-1 --because "typed-canary"');
  await until(() => ended(collector));
  expect(treesOf(collector.spans)).toEqual([RESTART]);
  expect(collector.resources[0]).toMatchObject({
    'service.name': 'lamps',
    'service.version': expect.any(String),
    'deployment.environment.name': 'test',
  });
  const call = collector.spans.find(({ kind, name }) => kind === 3 && name.startsWith('POST'));
  expect(call?.attributes).toEqual({
    'http.request.method': 'POST',
    'url.template': '/instances/{id}/restart',
    'http.response.status_code': 200,
  });
  for (const { startTimeUnixNano, endTimeUnixNano } of collector.spans)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));

  // What only shows something, and what is refused, is a request alone.
  await answerTo(sandbox, 'ana', '/instances show web-2');
  await answerTo(sandbox, 'ana', '/instances stop typed-canary');
  await until(() => collector.spans.length === RESTART.length + 2);
  expect(treesOf(collector.spans).slice(1)).toEqual([['request instances.show'], ['request instances.stop']]);
  const heard = collector.heard.join('\n');
  const { env } = sandbox;
  for (const secret of [
    'typed-canary',
    'web-1',
    'web-2',
    'U0ANA000001',
    'C0OPS000001',
    ...['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET', 'HOSTING_API_TOKEN'].map((name) => env[name] ?? 'none'),
  ])
    expect(heard).not.toContain(secret);
  expect(heard).toContain(HEADER_CANARY);
  expect(sandbox.logs.join('')).not.toContain(HEADER_CANARY);
});

it('the collector is reached through the proxy, where there is one', async () => {
  const collector = await openCollector();
  onTestFinished(() => collector.stop());
  const proxy = await startHttpProxy({ routes: { 'collector.example.test': collector.url } });
  const sandbox = await play({
    env: {
      HTTP_PROXY: proxy.url,
      NO_PROXY: '127.0.0.1',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example.test:4318/',
    },
  });
  await answerTo(sandbox, 'ana', '/instances show web-1');
  await until(() => collector.spans.length === 1);
  expect(proxy.asked).toEqual(['collector.example.test:4318']);
});

it('several at once are one trace, with each of them below their batch', async () => {
  const { sandbox, collector } = await collectorOf();
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-1 web-2');
  const preview = await sandbox.slack.until(() =>
    sandbox.slack
      .channel('#ops')
      .ephemeralFor('ana')
      .find(({ deleted }) => !deleted),
  );
  await sandbox.slack.person('ana').presses(preview, 'Restart 2');
  await until(() => collector.spans.some(({ name }) => name === 'batch instances.restart'));
  const trees = treesOf(collector.spans);
  const one = ['    instances.restart', '      POST /instances/{id}/restart 200'];
  expect(trees.at(-1)).toEqual(['request instances.restart', '  batch instances.restart', ...one, ...one]);
});

// Its processes are killed: a signal can't be sent to one that runs the test.
it.each(['before', 'after'] as const)(
  'killed while the call is on its way (%s it was done), the next process tells the one trace, with each span once',
  async (when) => {
    const { sandbox, collector } = await collectorOf({ bot: false });
    const first = await startProcess(sandbox);
    const held = sandbox.hosting.hold({ method: 'POST', path: /restart$/ }, when);
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await held.arrived;
    await first.end('SIGKILL');
    held.drop();
    await startProcess(sandbox);
    await sandbox.settled();
    await until(() => ended(collector));
    const [tree, ...others] = treesOf(collector.spans);
    expect(others).toEqual([]);
    expect(tree?.map((line) => line.replace(/^( {2}instances\.restart) ✗.*/, '$1'))).toEqual(
      RESTART.map((line) => line.replace(' 200', ' ✗ no-answer')),
    );
    expect(powerCalls(sandbox)).toBe(1);
  },
);

it('what a web process takes, two workers do, and whose job runs twice, is one trace with each span once', async () => {
  const { sandbox, collector } = await collectorOf({ bot: false });
  await sandbox.startBot({ LAMPLIGHTER_ROLE: 'worker' });
  await sandbox.startBot({ LAMPLIGHTER_ROLE: 'worker' });
  await sandbox.startBot({ LAMPLIGHTER_ROLE: 'web' });
  const redis = new Redis(sandbox.redisUrl, { maxRetriesPerRequest: null });
  const queue = createQueue({ connection: redis, prefix: '' });
  onTestFinished(async () => {
    await queue.close();
    redis.disconnect();
  });
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
  // Each worker in turn may take it, whoever has it already.
  const again = setInterval(() => {
    void redis
      .zrange(operationKeys.open, '0', '-1')
      .then((ids) => Promise.all(ids.map((id) => queue.of('').ensure(OPERATION_JOB, id))))
      .catch(() => undefined);
  }, 5);
  await sandbox.settled();
  clearInterval(again);
  await until(() => ended(collector));
  expect(treesOf(collector.spans)).toEqual([RESTART]);
});

it('a collector that is down or never answers holds nobody up, and what waits at the end is sent before the process ends', async () => {
  const { sandbox, collector } = await collectorOf();
  collector.status = 400;
  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  await until(() => sandbox.logs.some((line) => line.includes('the collector of traces answered 400')));
  collector.status = 'hangs';
  await runToEnd(sandbox, 'ana', '/instances restart web-2');
  expect(powerCalls(sandbox)).toBe(2);
  const lines = sandbox.logs.filter((line) => line.includes('traces'));
  expect(lines).toHaveLength(1);
  await until(() => collector.heard.length === 2);
  collector.status = 200;
  await answerTo(sandbox, 'ana', '/instances show web-2');
  await sandbox.stopBots();
  expect(treesOf(collector.spans)).toContainEqual(['request instances.show']);
});
