import { createApp } from '../src/app/app.ts';
import { filesNow, loadAccounts } from '../src/app/config/accounts.ts';
import { loadSetups, withAdapters } from '../src/app/load-adapter.ts';
import { createSettings } from '../src/app/settings.ts';
import { createLog } from '../src/platform/log/log.ts';
import type { Timings } from '../src/core/timings.ts';

/** What a sandbox wants otherwise of a bot in a process of its own: JSON in its first argument. */
interface Wishes {
  readonly timings?: Partial<Timings>;
  /** How far this process' wall clock is off. */
  readonly clockOffsetMs?: number;
}

/** The bot as a process of its own, with the waits of a sandbox: something to kill. */
const wishes = JSON.parse(process.argv[2] ?? '{}', (_, value: unknown) =>
  value === 'forever' ? Number.POSITIVE_INFINITY : value,
) as Wishes; // a sandbox's own
const { clockOffsetMs = 0 } = wishes;
if (clockOffsetMs !== 0) {
  const right = Date;
  globalThis.Date = class extends right {
    constructor(...parts: ConstructorParameters<DateConstructor> | []) {
      if (parts.length === 0) super(right.now() + clockOffsetMs);
      else super(...parts);
    }
    static override now(): number {
      return right.now() + clockOffsetMs;
    }
  } as DateConstructor;
}

const configured = loadAccounts();
const [{ config }] = configured;
const limit = { requests: 1_000_000, seconds: 60 };
const accounts = await withAdapters(configured, (adapter) => ({ ...adapter, limit }), wishes.timings);
const settings = createSettings({ accounts, files: filesNow, load: loadSetups });
const app = createApp({
  accounts,
  settings,
  log: createLog(config.logLevel, config.secrets),
});
let isStopping = false;
process.on('SIGTERM', () => {
  isStopping = true;
  void app.stop().then(() => process.exit(0));
});
await app.start().catch((error: unknown) => {
  if (!isStopping) throw error;
});
