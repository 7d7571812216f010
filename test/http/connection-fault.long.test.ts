import { createServer, type Server, type AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { onTestFinished, expect, it } from 'vitest';
import fc from 'fast-check';
import { connectionFaultIn, ProxyError } from '../../src/platform/http/connection-fault.ts';
import { runCommand } from '../support/command.ts';
import { PURE_RUNS } from '../support/runs.ts';
import { play } from '../support/sandbox.ts';

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void (server.listening && server.close()));
  return (server.address() as AddressInfo).port;
}

/** A server that speaks no TLS, and one that speaks nothing else and has no certificate. */
const plain = (): Server => createServer((socket) => void socket.on('error', () => undefined).end('hello\n'));
const closing = (): Server => createTlsServer({}, () => undefined);

// The doctor's own process: it is what a person runs who can't reach something.
it('the doctor says by its name why nothing is reached', async () => {
  const sandbox = await play({ bot: false, isRefused: true });
  const left = createServer();
  const gone = await listen(left);
  await new Promise((done) => left.close(done));
  const [noTls, noHttp] = [await listen(plain()), await listen(closing())];
  for (const [url, words] of [
    ['https://not-there.invalid', 'no host has that name. Check how the address is spelled'],
    [`http://127.0.0.1:${gone}`, 'nothing listens there. Check the address and its port'],
    [`https://127.0.0.1:${noTls}`, 'what answers there speaks no TLS. Check the port, or write http://'],
    [`http://127.0.0.1:${noHttp}`, 'it closed the connection without an answer. Check the port'],
  ] as const) {
    const { said } = await runCommand('doctor', [], {
      ...sandbox.env,
      HOSTING_API_URL: url,
      SLACK_API_URL: `${url}/api/`,
    });
    expect(said).toContain(`❌ The hosting service can't be reached at HOSTING_API_URL: ${words}`);
    expect(said).toContain(`❌ Slack's token couldn't be checked: Slack can't be reached, because ${words}`);
  }
});

it.each([
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['CERT_NOT_YET_VALID', "its certificate isn't valid yet"],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', "its certificate isn't trusted here"],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', "its certificate isn't trusted here"],
  ['EHOSTUNREACH', 'no way leads there from here'],
  ['UND_ERR_CONNECT_TIMEOUT', 'nothing answers there'],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'it broke the TLS handshake off'],
])('%s is that %s, however deep it stands', (code, why) => {
  const inner = Object.assign(new Error('x'), { code });
  for (const error of [
    inner,
    new Error('fetch failed', { cause: inner }),
    Object.assign(new Error('a request'), {
      code: 'slack_webapi_request_error',
      original: new Error('y', { cause: inner }),
    }),
    new Error('z', { cause: new AggregateError([inner]) }),
  ])
    expect(connectionFaultIn(error)?.why).toBe(why);
});

it.each([
  [403, 'Have that address allowed at the proxy, or put its host into NO_PROXY if I can reach it directly.'],
  [502, 'Check that the proxy can look that name up and reach it.'],
])('a proxy that answers %i is named, with what to do', (status, todo) => {
  const error = new ProxyError('proxy:3128', 'slack.com:443', { status });
  expect(connectionFaultIn(new Error('x', { cause: error }))).toEqual({
    why: `the proxy proxy:3128 makes no connection to slack.com:443 (${status})`,
    todo,
  });
});

it('whatever is thrown, it says nothing or a whole sentence', () => {
  fc.assert(
    fc.property(
      fc.anything(),
      fc.constantFrom('constructor', '__proto__', 'ECONNRESET', 'x'),
      (cause, code) => {
        const fault = connectionFaultIn(Object.assign(new Error('x', { cause }), { code }));
        expect(fault === undefined || (fault.why !== '' && fault.todo !== '')).toBe(true);
      },
    ),
    { numRuns: PURE_RUNS / 20 },
  );
  const round = new Error('x');
  round.cause = round;
  expect(connectionFaultIn(round)).toBeUndefined();
});
