// Vercel's chat SDK with its Slack adapter, behind node:http, with its state in memory and one command.
import { createServer } from 'node:http';
import { createSlackAdapter } from '@chat-adapter/slack';
import { Chat } from 'chat';
import { env, sayReady } from './env.mjs';

const kept = new Map();
const lists = new Map();
/** What the SDK keeps, without its expiry. */
const state = {
  connect: async () => {},
  disconnect: async () => {},
  get: async (key) => kept.get(key) ?? null,
  set: async (key, value) => void kept.set(key, value),
  setIfNotExists: async (key, value) => {
    if (kept.has(key)) return false;
    kept.set(key, value);
    return true;
  },
  delete: async (key) => void kept.delete(key),
  getList: async (key) => lists.get(key) ?? [],
  appendToList: async (key, value) => void lists.set(key, [...(lists.get(key) ?? []), value]),
  acquireLock: async (threadId, ttlMs) => ({ threadId, token: threadId, expiresAt: Date.now() + ttlMs }),
  extendLock: async () => true,
  releaseLock: async () => {},
  forceReleaseLock: async () => {},
  enqueue: async () => 1,
  dequeue: async () => null,
  queueDepth: async () => 0,
  isSubscribed: async () => false,
  subscribe: async () => {},
  unsubscribe: async () => {},
};
const adapter = createSlackAdapter({
  botToken: env.botToken,
  signingSecret: env.secret,
  botUserId: 'U0BENCH0001',
  apiUrl: env.apiUrl,
});
const chat = new Chat({ userName: 'lamplighter', adapters: { slack: adapter }, state, logger: 'silent' });
chat.onSlashCommand('/instances', async () => {});

async function answer(request, response, body) {
  const asked = new Request(`http://127.0.0.1${request.url}`, {
    method: 'POST',
    headers: request.headers,
    body,
  });
  const answered = await chat.webhooks.slack(asked, { waitUntil: () => {} });
  response.writeHead(answered.status).end(await answered.text());
}

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => void answer(request, response, Buffer.concat(parts)));
});
await chat.initialize();
server.listen(0, '127.0.0.1', () => sayReady(server));
