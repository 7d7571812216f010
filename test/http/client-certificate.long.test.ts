import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthority } from '../support/certifying.ts';
import { runCommand } from '../support/command.ts';
import { fileWith } from '../support/file-with.ts';
import { startProcess } from '../support/process.ts';
import { play, powerCalls, runToEnd } from '../support/sandbox.ts';

/** What stands before a service and takes only clients with a certificate of `ca`. `onShown`: hears which, as text. */
async function openGate(
  target: string,
  { ca, host }: { ca: string; host: { key: string; cert: string } },
  onShown: (fingerprint: string) => void = () => undefined,
) {
  const server = createServer(
    { ...host, ca, requestCert: true, rejectUnauthorized: true },
    ({ url = '/', method, headers: { authorization }, socket }, response) => {
      if (socket instanceof TLSSocket) onShown(socket.getPeerCertificate().fingerprint256);
      void request(new URL(url, target), {
        method: method === 'POST' ? 'POST' : 'GET',
        headers: { authorization },
      }).then((answer) => {
        response.writeHead(answer.statusCode, { 'content-type': 'application/json' });
        answer.body.pipe(response);
      });
    },
  );
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a hosting service that asks who calls takes the certificate that is configured, and the doctor says where it takes none', async () => {
  const sandbox = await play({ bot: false });
  const authority = createAuthority();
  const client = authority.issue({ host: 'lamplighter' });
  const stranger = createAuthority().issue({ host: 'lamplighter' });
  const url = await openGate(sandbox.env['HOSTING_API_URL'] ?? '', {
    ca: authority.cert,
    host: authority.issue({ host: '127.0.0.1' }),
  });
  const env = {
    ...sandbox.env,
    HOSTING_API_URL: url,
    NODE_EXTRA_CA_CERTS: fileWith(authority.cert),
  };
  const examined = async (shown?: { cert: string; key: string }): Promise<string> => {
    const own = shown && {
      HOSTING_API_CLIENT_CERT_FILE: fileWith(shown.cert),
      HOSTING_API_CLIENT_KEY_FILE: fileWith(shown.key),
    };
    return (await runCommand('doctor', [], { ...env, ...own })).said;
  };
  expect(await examined(client)).toContain('✅ The hosting service takes the key.');
  const refused =
    /❌ The hosting service can't be reached at HOSTING_API_URL: it .*\. Check .* whether it wants https:\/\/ or a client certificate\./;
  expect(await examined()).toMatch(refused);
  expect(await examined(stranger)).toMatch(refused);
});

// Node reads whom it trusts when a process starts, so this bot is one of its own.
test('a certificate is shown to read and to change something', async () => {
  const sandbox = await play({ bot: false });
  const authority = createAuthority();
  const client = authority.issue({ host: 'lamplighter' });
  const shown: string[] = [];
  const host = authority.issue({ host: '127.0.0.1' });
  const url = await openGate(sandbox.env['HOSTING_API_URL'] ?? '', { ca: authority.cert, host }, (one) =>
    shown.push(one),
  );
  const bot = await startProcess(sandbox, {
    env: {
      HOSTING_API_URL: url,
      NODE_EXTRA_CA_CERTS: fileWith(authority.cert),
      HOSTING_API_CLIENT_CERT_FILE: fileWith(client.cert),
      HOSTING_API_CLIENT_KEY_FILE: fileWith(client.key),
    },
  });
  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  expect(powerCalls(sandbox)).toBe(1);
  expect(new Set(shown)).toEqual(new Set([new X509Certificate(client.cert).fingerprint256]));
  await bot.end('SIGTERM');
});
