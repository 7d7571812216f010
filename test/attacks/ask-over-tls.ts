import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import { createHostingClient } from '../../src/platform/hosting/client.ts';
import { direct } from '../../src/platform/http/way-out.ts';
import { keyInHeader } from '../../src/platform/hosting/auth.ts';
import { createCredentials } from '../../src/platform/hosting/credentials.ts';
import { createRequester } from '../../src/platform/hosting/request.ts';
import { adapter as instanceHosting } from '../../src/platform/hosting/adapters/instance-hosting.ts';

/** Asks each origin it is given for one restart, in a process of its own: its authorities are read once, at its start. */
const results: unknown[] = [];
for (const origin of process.argv.slice(2)) {
  const requester = createRequester({
    origin,
    wayOut: direct,
    credentials: createCredentials({ auth: keyInHeader('Authorization', 'Bearer'), key: 'key' }),
    budget: { take: async () => undefined, pause: async () => undefined },
    timeoutMs: 30_000,
    redact: (text) => text,
  });
  const hosting = createHostingClient(instanceHosting, origin, requester);
  const outcome = await hosting.powerInstance('1', 'restart').then(
    () => 'done',
    (error: unknown) => {
      if (!(error instanceof HostingError)) throw error;
      const { cause } = error;
      return [error.outcome, cause instanceof Error && 'code' in cause ? cause.code : undefined];
    },
  );
  results.push(outcome);
  await hosting.close();
}
process.stdout.write(JSON.stringify(results));
