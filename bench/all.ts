import { channel } from './channel.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { operation } from './operation.ts';

/** Every benchmark, in the order in which they run. */
export const BENCHMARKS: readonly Benchmark[] = [operation, channel];
