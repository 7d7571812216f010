import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { inherited } from '../../sandbox/programs.ts';
import { clientOf, faultOf } from '../hosting/calling.ts';
import { type Certificate, createAuthority, selfSigned } from '../support/certifying.ts';

/** A hosting company behind TLS. Tells how many requests got through to it. */
async function openTls({ key, cert }: Certificate): Promise<{ url: string; heard: () => number }> {
  let heard = 0;
  const server = createServer({ key, cert }, (_request, response) => {
    heard += 1;
    response.end('{"data":{"id":1,"name":"web-1","status":"running"}}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, heard: () => heard };
}

test('a certificate that nobody vouches for is refused, and the key never goes out', async () => {
  const { url, heard } = await openTls(selfSigned('127.0.0.1'));
  const hosting = clientOf(url);
  const fault = await faultOf(hosting.powerInstance('1', 'restart'));
  expect(fault).toMatchObject({ fault: 'unreachable', outcome: 'not-done', answered: false });
  expect(fault.cause).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  expect(heard()).toBe(0);
});

test('of four certificates of an authority that is trusted, only the one that is right for this host and day is taken', async () => {
  const authority = createAuthority();
  const day = 86_400_000;
  const servers = await Promise.all(
    [
      authority.issue({ host: '127.0.0.1' }),
      authority.issue({ host: '127.0.0.2' }),
      authority.issue({ host: '127.0.0.1', from: Date.now() - 9 * day, until: Date.now() - day }),
      authority.issue({ host: '127.0.0.1', from: Date.now() + day, until: Date.now() + 9 * day }),
    ].map(openTls),
  );
  const folder = mkdtempSync(join(tmpdir(), 'lamp-ca-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'ca.pem'), authority.cert);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', 'test/attacks/ask-over-tls.ts', ...servers.map(({ url }) => url)],
    { env: { ...inherited(), NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') } },
  );
  expect(JSON.parse(stdout)).toEqual([
    'done',
    ['not-done', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['not-done', 'CERT_HAS_EXPIRED'],
    [expect.any(String), 'CERT_NOT_YET_VALID'],
  ]);
  expect(servers.map(({ heard }) => heard())).toEqual([1, 0, 0, 0]);
});
