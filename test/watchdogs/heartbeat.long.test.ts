import { createServer } from 'node:http';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished, test } from 'vitest';
import { vitalFault, type VitalSigns } from '../../src/core/watchdogs/vital-signs.ts';
import { looks, watch } from '../billing/watching.ts';
import { answerTo } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const MINUTE = 60_000;
const NOW = 1_000 * MINUTE;
const LOOKS = {
  everyMs: 5 * MINUTE,
  unknownAfterMs: 30 * MINUTE,
  checkedAt: NOW - 4 * MINUTE,
  readAt: NOW - 4 * MINUTE,
  failingSince: undefined,
};
const due = (agoMs: number) => [{ kind: 'operation' as const, dueAt: NOW - agoMs }];

test.each<[string, VitalSigns, string | undefined]>([
  ['is done', { oldest: due(0), looks: LOOKS }, undefined],
  ['is done, without any money', { oldest: [], looks: undefined }, undefined],
  ['is overdue', { oldest: due(MINUTE), looks: LOOKS }, 'work is overdue: operation'],
  ['was begun just now', { oldest: [], looks: { ...LOOKS, checkedAt: 0 } }, 'nobody looks at the money'],
  [
    'misses looks',
    { oldest: [], looks: { ...LOOKS, checkedAt: NOW - 17 * MINUTE } },
    'nobody looks at the money',
  ],
  [
    'reads nothing',
    { oldest: [], looks: { ...LOOKS, readAt: NOW - 31 * MINUTE } },
    "the money can't be read",
  ],
  [
    'never read anything',
    { oldest: [], looks: { ...LOOKS, readAt: undefined, failingSince: NOW - 31 * MINUTE } },
    "the money can't be read",
  ],
  ['fails for a moment', { oldest: [], looks: { ...LOOKS, failingSince: NOW - MINUTE } }, undefined],
  ['has alerts that are off', { oldest: [], looks: { ...LOOKS, readAt: undefined } }, undefined],
])('a bot whose work %s', (_which, signs, expected) => {
  expect(vitalFault(signs, NOW)).toBe(expected);
});

/** A monitor outside, which answers each call with a status, or cuts it off. Gives its address. */
async function monitorThat(answers: () => number | 'cut'): Promise<string> {
  const server = createServer((request, response) => {
    const answer = answers();
    if (answer === 'cut') request.socket.destroy();
    else response.writeHead(answer).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return `http://127.0.0.1:${port}/ping/a-secret-of-the-monitor`;
}

it('a call that a monitor did not take leaves the beat to other processes', async () => {
  let calls = 0;
  const HEARTBEAT_URL = await monitorThat(() => {
    calls += 1;
    return 500;
  });
  const sandbox = await watch({
    env: { HEARTBEAT_URL },
    timings: { watchdogEveryMs: 40, heartbeatEveryMs: 60_000 },
  });
  await until(() => calls > 0);
  await until(() =>
    sandbox.logs.join('').includes('no heartbeat: the monitor at HEARTBEAT_URL answered 500.'),
  );
  expect(await answerTo(sandbox, 'admin', '/lamplighter doctor')).toContain(
    // How long it has been up is told of the whole process, which runs other tests as well.
    "The monitor at HEARTBEAT_URL wasn't reached",
  );
  // Well before the lease would be over by itself.
  const redis = new Redis(sandbox.redisUrl);
  onTestFinished(() => redis.disconnect());
  await until(async () => (await redis.exists('{lamplighter}:heartbeat')) === 0);
});

it('a monitor outside is called while the work is done, and not while the balance can not be read', async () => {
  let beats = 0;
  let isCut = false;
  const HEARTBEAT_URL = await monitorThat(() => {
    beats += 1;
    return isCut ? 'cut' : 200;
  });
  const sandbox = await watch({
    env: { HEARTBEAT_URL },
    timings: { watchdogEveryMs: 40, heartbeatEveryMs: 40, unknownAfterMs: 1 },
  });
  const { hosting, logs } = sandbox;
  const silences = (): number =>
    logs.filter((line) => line.includes("no heartbeat: the money can't be read")).length;
  await until(() => beats > 1);
  hosting.breakBalance('harbour', { answer: 500, done: false });
  await until(() => silences() > 0);
  const before = beats;
  await looks(sandbox, 20);
  expect(beats).toBe(before);
  hosting.mendBalance('harbour');
  await until(() => beats > before);
  expect(await answerTo(sandbox, 'admin', '/lamplighter doctor')).toContain(
    'The monitor at HEARTBEAT_URL was',
  );
  isCut = true;
  const why = "no heartbeat: the monitor at HEARTBEAT_URL can't be reached: it closed the connection";
  await until(() => logs.join('').includes(why));
  expect(logs.join('')).not.toContain('a-secret-of-the-monitor');
});
