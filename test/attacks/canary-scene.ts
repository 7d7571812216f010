import { createServer, request } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { CANARIES } from '../log/canaries.ts';

/** Every secret that the environment can hold, each awkward in its own way. */
export const SECRETS = {
  SLACK_BOT_TOKEN: CANARIES[0]!,
  SLACK_APP_TOKEN: CANARIES[1]!,
  SLACK_SIGNING_SECRET: CANARIES[3]!,
  HOSTING_API_TOKEN: CANARIES[11]!,
  redisPassword: CANARIES[10]!,
  wrongPassword: CANARIES[5]!,
} as const;

/** Every way in which one of the secrets could stand in a text. */
export function secretsIn(text: string, secrets: readonly string[] = Object.values(SECRETS)): string[] {
  return secrets.filter((secret) => {
    const once = JSON.stringify(secret).slice(1, -1);
    const form = new URLSearchParams({ '': secret }).toString().slice(1);
    const base64 = Buffer.from(secret).toString('base64').replaceAll('=', '');
    const forms = [secret, once, JSON.stringify(once).slice(1, -1), encodeURIComponent(secret), form, base64];
    return [...forms, encodeURI(secret)].some((one) => text.includes(one));
  });
}

/**
 * A proxy before the hosting service that answers with the key that the caller sent: in a name of an instance,
 * in a status, in a header, and in every error.
 */
export async function openTalkativeProxy(
  target: string,
  isAngry: (path: string) => boolean,
): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const key = incoming.headers.authorization ?? '';
    const path = incoming.url ?? '/';
    if (isAngry(path)) {
      const words = `denied: Authorization: ${key} (${encodeURIComponent(key)})`;
      outgoing.writeHead(422, {
        'content-type': 'application/json',
        'x-echo': Buffer.from(key).toString('base64'),
      });
      outgoing.end(JSON.stringify({ error: { code: words, message: words }, request: incoming.headers }));
      return;
    }
    const { headers, method } = incoming;
    const onward = request(`${target}${path}`, { headers, method: method ?? 'GET' }, (answer) => {
      let body = '';
      answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
      answer.on('end', () => {
        outgoing.writeHead(answer.statusCode ?? 500, { 'content-type': 'application/json' });
        outgoing.end(body.replaceAll('says-key', `says ${JSON.stringify(key).slice(1, -1)}`));
      });
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  const port = await listening(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}

/** Gives a private Redis a password, and an address on which it asks for it. */
export async function lockRedis(socketPath: string, password: string): Promise<string> {
  const admin = new Redis(socketPath);
  await admin.config('SET', 'requirepass', password);
  admin.disconnect();
  const server = createTcpServer((incoming) => {
    const onward = connect(socketPath);
    for (const [one, other] of [
      [incoming, onward],
      [onward, incoming],
    ] as const) {
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  const port = await listening(server);
  onTestFinished(() => void server.close());
  return `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}`;
}

function listening(
  server: ReturnType<typeof createTcpServer> | ReturnType<typeof createServer>,
): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** Everything that stands in Redis: every key with its value, whatever its type. */
export async function readRedis(url: string): Promise<{ text: string; count: number }> {
  const redis = new Redis(url);
  const found: unknown[] = [];
  let cursor = '0';
  do {
    const [next, names] = await redis.scan(cursor, 'COUNT', 500);
    cursor = next;
    for (const name of names) found.push([name, await valueOf(redis, name)]);
  } while (cursor !== '0');
  redis.disconnect();
  // Not as JSON alone, which would escape what is escaped already.
  return { text: found.map((one) => `${JSON.stringify(one)}\n${flat(one)}`).join('\n'), count: found.length };
}

async function valueOf(redis: Redis, name: string): Promise<unknown> {
  switch (await redis.type(name)) {
    case 'string':
      return redis.get(name);
    case 'hash':
      return redis.hgetall(name);
    case 'list':
      return redis.lrange(name, 0, -1);
    case 'set':
      return redis.smembers(name);
    case 'zset':
      return redis.zrange(name, '0', '-1', 'WITHSCORES');
    case 'stream':
      return redis.xrange(name, '-', '+');
    default:
      return undefined;
  }
}

function flat(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${flat(inner)}`)
    .join('\n');
}
