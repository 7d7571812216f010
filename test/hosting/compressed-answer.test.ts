import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { watchForCrashes } from '../attacks/watching.ts';
import { clientOf, faultOf, openServer } from './calling.ts';

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

// destroys a body that nobody listens to: its 'error' event ends the process.
test.each(['gzip', 'br', 'deflate', 'x-gzip'])(
  '%s, which nobody asked for, is unreadable and does not end the process',
  async (coding) => {
    const crashes = watchForCrashes();
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024, ' '));
    const { url, seen } = await openServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': coding });
      response.end(bomb);
    });
    expect(await faultOf(clientOf(url).listInstances())).toMatchObject({ fault: 'unreadable' });
    expect(seen[0]?.headers['accept-encoding']).toBe('identity');
    await nextTurn();
    expect(crashes).toEqual([]);
  },
);

test.each(['identity', 'IDENTITY', 'Identity', 'utf-8', 'UTF-8', '', 'none'])(
  '"%s" says of a body that it is as it came',
  async (coding) => {
    const { url } = await openServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': coding });
      response.end('{"data":[{"id":1,"name":"web-1","status":"running"}]}');
    });
    expect((await clientOf(url).listInstances()).instances).toHaveLength(1);
  },
);

// looks at the encoding before the status.
test.each([
  [401, 'unclear', 'unknown'],
  [422, 'unclear', 'unknown'],
  [429, 'rate-limited', 'not-done'],
  [503, 'unavailable', 'unknown'],
])('a compressed %i is still a %s: the status decides first', async (status, fault, outcome) => {
  const crashes = watchForCrashes();
  const { url } = await openServer((_request, response) => {
    response.writeHead(status, { 'content-encoding': 'gzip' });
    response.end(gzipSync('{"error":{"code":"x","message":"y"}}'));
  });
  const error = await faultOf(clientOf(url).powerInstance('1', 'restart'));
  await nextTurn();
  // What came is no text, and none of it is shown as what the service said.
  expect(error).toMatchObject({ fault, outcome, answered: true, said: undefined });
  expect(crashes).toEqual([]);
});
