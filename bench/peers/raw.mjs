// The floor: node:http, one HMAC, one parse, an empty answer. `post` as the first argument: after the answer it reads the
// instances and posts them, over one pool of connections each, with nothing checked.
import { createServer } from 'node:http';
import { parse } from 'node:querystring';
import { Pool } from 'undici';
import { env, sayReady } from './env.mjs';
import { isSigned } from './signature.mjs';

const posts = process.argv[2] === 'post';
const slack = posts
  ? new Pool(new URL(env.apiUrl).origin, { connections: 8, keepAliveTimeout: 60_000 })
  : undefined;
const hosting = posts ? new Pool(env.hostingUrl, { connections: 8, keepAliveTimeout: 60_000 }) : undefined;

async function answer(form) {
  const listed = await hosting.request({ method: 'GET', path: '/api/v1/instances' });
  const { data } = await listed.body.json();
  const text = data.map(({ name, id, status }) => `${name} (${id}) ${status}`).join('\n');
  const posted = await slack.request({
    method: 'POST',
    path: '/api/chat.postMessage',
    headers: { 'content-type': 'application/json; charset=utf-8', authorization: `Bearer ${env.botToken}` },
    body: JSON.stringify({ channel: form.channel_id, text }),
  });
  await posted.body.json();
}

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts);
    if (!isSigned(request.headers, body)) {
      response.writeHead(401).end();
      return;
    }
    const form = parse(body.toString());
    response.writeHead(form.command === undefined ? 400 : 200).end();
    if (posts) void answer(form);
  });
});
server.listen(0, '127.0.0.1', () => sayReady(server));
