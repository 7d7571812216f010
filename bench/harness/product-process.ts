// The built bot with nothing that refuses a load: people may ask as often as they like, and the host's limit does not stand
// in the way. Everything else is as `npm start` runs it.
import { createApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/app/config/config.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { adapter as instanceHosting } from '../../src/platform/hosting/adapters/instance-hosting.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { NO_LIMIT } from './goals.ts';

const config = loadConfig();
const log = createLog(config.logLevel, config.secrets);
const adapter = { ...instanceHosting, limit: NO_LIMIT };
const timings = { ...TIMINGS, ...config.timings, asksPerMinute: NO_LIMIT.requests };
await createApp({ accounts: [{ account: undefined, config, adapter, timings }], log }).start();
