import { ack } from './ack.ts';
import { channel } from './channel.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { ackLatency, command } from './command.ts';
import { connections } from './connections.ts';
import { hostLimit, pages } from './host.ts';
import { idle } from './idle.ts';
import { lists } from './lists.ts';
import { memory } from './memory.ts';
import { operation } from './operation.ts';
import { rate } from './rate.ts';
import { schedule } from './schedule.ts';
import { start } from './start.ts';
import { sweep } from './sweep.ts';

/** Every benchmark, in the order in which they run. */
export const BENCHMARKS: readonly Benchmark[] = [
  operation,
  channel,
  ack,
  ackLatency,
  command,
  lists,
  schedule,
  idle,
  memory,
  start,
  connections,
  pages,
  rate,
  sweep,
  hostLimit,
];
