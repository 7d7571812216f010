import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { instanceHosting } from '../../src/hosting/adapters/instance-hosting.ts';
import { createLog } from '../../src/log/log.ts';
import { TIMINGS, type Timings } from '../../src/timings.ts';

/** The bot as a process of its own, with timings of a test as its argument: something to kill. */
const timings: Timings = { ...TIMINGS, ...(JSON.parse(process.argv[2] ?? '{}') as Partial<Timings>) }; // a test's own
const config = loadConfig();
const adapter = { ...instanceHosting, limit: { requests: 100_000, seconds: 60 } };
const app = createApp(config, adapter, timings, createLog(config.logLevel, config.secrets));
process.on('SIGTERM', () => {
  void app.stop().then(() => process.exit(0));
});
await app.start();
