import { createHostingSandbox } from './sandbox.ts';

// The hosting sandbox alone: node --import tsx sandbox/hosting/main.ts [port]
const port = Number(process.argv[2] ?? 4030);
const sandbox = createHostingSandbox({ port });
const { url } = await sandbox.start();

const lines = sandbox.customers.map(({ name, apiKey }) => `  ${name.padEnd(12)} ${apiKey}`);
process.stdout.write(
  `The hosting sandbox listens at ${url}\nCustomers and their keys (all made up):\n${lines.join('\n')}\n`,
);
sandbox.events.on('call', ({ method, path, keyName, status }) => {
  process.stdout.write(`${method} ${path} (${keyName ?? 'wrong key'}) ${status}\n`);
});
sandbox.events.on('status', ({ instanceId, from, to }) => {
  process.stdout.write(`  instance ${instanceId}: ${from} -> ${to}\n`);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.stop());
