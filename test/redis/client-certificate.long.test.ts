import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { freePort } from '../../sandbox/redis-process.ts';
import { createAuthority } from '../support/certifying.ts';
import { runCommand } from '../support/command.ts';
import { fileWith } from '../support/file-with.ts';
import { startProcess } from '../support/process.ts';
import { play, powerCalls, readAll } from '../support/sandbox.ts';

// Node reads whom it trusts when a process starts, so each look at it is one of its own.
test('a Redis that asks who connects takes the certificate that is configured, and the doctor says where it takes none', async () => {
  const sandbox = await play({ ownRedis: true, bot: false });
  const authority = createAuthority();
  const [host, client] = ['127.0.0.1', 'lamplighter'].map((name) => authority.issue({ host: name }));
  if (!host || !client) throw new Error('no certificates');
  const stranger = createAuthority().issue({ host: 'lamplighter' });
  const port = await freePort();
  const admin = new Redis(sandbox.redisUrl);
  await admin.call(
    'CONFIG',
    'SET',
    'tls-cert-file',
    fileWith(host.cert),
    'tls-key-file',
    fileWith(host.key),
    'tls-ca-cert-file',
    fileWith(authority.cert),
    'tls-auth-clients',
    'yes',
    'tls-port',
    port,
  );
  const trusting = {
    ...sandbox.env,
    REDIS_URL: `rediss://127.0.0.1:${port}`,
    NODE_EXTRA_CA_CERTS: fileWith(authority.cert),
  };
  const showing = (shown: { cert: string; key: string }): Record<string, string> => ({
    ...trusting,
    REDIS_CLIENT_CERT_FILE: fileWith(shown.cert),
    REDIS_CLIENT_KEY_FILE: fileWith(shown.key),
  });
  const examined = async (env: Record<string, string>): Promise<string> =>
    (await runCommand('doctor', [], env)).said;
  const refused = /Redis can't be used: .* into REDIS_CLIENT_CERT/;
  const [without, ofStranger] = await Promise.all([trusting, showing(stranger)].map(examined));
  expect(without).toMatch(refused);
  expect(ofStranger).toMatch(refused);

  const bot = await startProcess(sandbox, { env: showing(client) });
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
  await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('Restarted web-1'));
  expect(powerCalls(sandbox)).toBe(1);
  admin.disconnect();
  await bot.end('SIGTERM');
});
