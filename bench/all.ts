import { accounts } from './accounts.ts';
import { ack } from './ack.ts';
import { channel } from './channel.ts';
import { command } from './command.ts';
import { far } from './far.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { memory } from './memory.ts';
import { operation } from './operation.ts';
import { start } from './start.ts';

/** Every benchmark, in the order in which they run. */
export const BENCHMARKS: readonly Benchmark[] = [
  operation,
  channel,
  ack,
  command,
  far,
  memory,
  accounts,
  start,
];
