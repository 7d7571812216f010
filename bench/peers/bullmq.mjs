// BullMQ as a watch: each of N delayed jobs writes its state and delays itself again. The arguments: how many, how long each
// waits (ms), how many run at once. Over HTTP: POST adds the jobs, GET tells how many cycles have run and when the last began.
import { createServer } from 'node:http';
import { DelayedError, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { env, sayReady } from './env.mjs';

const [count, everyMs, concurrency] = process.argv.slice(2).map(Number);
const connection = new Redis(env.redisUrl, { maxRetriesPerRequest: null });
const queue = new Queue('watch', { connection });
let cycles = 0;
let lastAt = 0;
const worker = new Worker(
  'watch',
  async (job, token) => {
    cycles += 1;
    lastAt = Date.now();
    await job.updateData({ ...job.data, polls: job.data.polls + 1, seenAt: lastAt });
    await job.moveToDelayed(lastAt + everyMs, token);
    throw new DelayedError();
  },
  { connection: connection.duplicate(), concurrency },
);
await worker.waitUntilReady();

async function add(delayMs) {
  const dueAt = Date.now() + delayMs;
  for (let from = 0; from < count; from += 1_000) {
    const jobs = Array.from({ length: Math.min(1_000, count - from) }, (_, index) => ({
      name: 'look',
      data: { id: from + index, status: 'restarting', polls: 0, seenAt: 0 },
      opts: { delay: Math.max(1, dueAt - Date.now()), removeOnComplete: true },
    }));
    await queue.addBulk(jobs);
  }
  return dueAt;
}

const server = createServer((request, response) => {
  const answer = (body) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (request.method === 'POST')
    void add(Number(request.headers['x-delay-ms'])).then((dueAt) => answer({ dueAt }));
  else answer({ cycles, lastAt });
});
server.listen(0, '127.0.0.1', () => sayReady(server));
