import { ack } from './ack.ts';
import { channel } from './channel.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { ackLatency, command } from './command.ts';
import { operation } from './operation.ts';

/** Every benchmark, in the order in which they run. */
export const BENCHMARKS: readonly Benchmark[] = [operation, channel, ack, ackLatency, command];
