// The built bot with what a benchmark wants otherwise, as JSON in the first argument: waits, the host's limit, and a
// number of verbs that do nothing, beside its own. Everything else is as `npm start` runs it.
import { z } from 'zod';
import { createApp } from '../../src/app/app.ts';
import { type FaultPoints, noFaultPoints } from '../../src/app/fault-points.ts';
import { loadConfig } from '../../src/app/config/config.ts';
import { type Change, change } from '../../src/core/changes/change.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { adapter as instanceHosting } from '../../src/platform/hosting/adapters/instance-hosting.ts';
import { gatherLines } from '../../src/platform/log/gathered-output.ts';
import { createLog } from '../../src/platform/log/log.ts';
import type { Altered } from './product.ts';

const {
  timings = {},
  limit = instanceHosting.limit,
  verbs = 0,
  writesNothingDown = false,
} = JSON.parse(process.argv[2] ?? '{}') as Altered; // a benchmark's own

/** A verb like any other, which nobody types. */
const verbOf = (nth: number): Change =>
  change({
    id: `instances.bench${nth}`,
    verb: `bench${nth}`,
    permission: 'instances:power',
    usage: '<name or id>',
    summary: 'does nothing',
    example: `bench${nth} web-1`,
    words: { doing: 'Doing nothing with', done: 'Did nothing with' },
    args: z.object({}),
    look: async () => ({ question: { lines: [] } }),
    observer: { look: async () => async () => ({ status: 'running', word: 'running', at: 0 }) },
    send: async () => ({}),
    rule: { repeats: 'never', isReached: () => true },
  });

const config = loadConfig();
const log = createLog(config.logLevel, config.secrets, gatherLines(process.stdout));
const more =
  verbs === 0 ? undefined : () => ({ instances: Array.from({ length: verbs }, (_, nth) => verbOf(nth)) });
const adapter = { ...instanceHosting, limit };
/** Takes requests in, and answers reads, as if they had been written down. */
const forgetful: FaultPoints = (name, part) => {
  const accept = async (): Promise<string> => 'accepted';
  if (name === 'requests')
    return { ...part, accept, note: accept, isFirst: async () => true, finish: async () => undefined };
  return name === 'queue' ? { ...part, wakeNew: async () => undefined } : part;
};
const app = createApp({
  accounts: [{ account: undefined, config, adapter, timings: { ...TIMINGS, ...config.timings, ...timings } }],
  log,
  faultPoints: writesNothingDown ? forgetful : noFaultPoints,
  more,
});
await app.start();
