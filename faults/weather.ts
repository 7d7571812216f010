import type { Fault } from '../sandbox/hosting/behavior.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { CloudKind } from '../sandbox/clouds/cloud.ts';
import type { Fault as CloudFault } from '../sandbox/clouds/faults.ts';
import type { RecordedCall } from '../sandbox/hosting/calls.ts';
import type { ApiCall } from '../sandbox/slack/api/calls.ts';
import type { SlackFault } from '../sandbox/slack/index.ts';
import type { Random } from './random.ts';

/** What goes wrong of its own accord at the two services, until it is set to be fair. */
export interface Weather {
  readonly hosting: (call: RecordedCall) => Fault | undefined;
  readonly cloud: (kind: CloudKind, call: RecordedCall) => CloudFault | undefined;
  readonly slack: (call: Pick<ApiCall, 'method' | 'args'>) => SlackFault | undefined;
  clear(): void;
}

/** One kind of fault, and how often it strikes. */
type Odds<T> = readonly (readonly [probability: number, fault: (random: Random) => T])[];

const WRITES: Odds<Fault> = [
  [0.06, () => ({ answer: 500, done: false })],
  [0.06, () => ({ answer: 'reset', done: true })],
  [0.03, () => ({ answer: 'reset', done: false })],
  [0.04, () => ({ answer: 502, done: true })],
  [0.02, () => ({ answer: 429, done: false, retryAfterSeconds: 1 })],
  [0.02, () => ({ answer: 503, done: false, errors: 'html' })],
  [0.03, (random) => ({ answer: 'as usual', done: true, delayMs: random.between(100, 2_000) })],
];
const READS: Odds<Fault> = [
  [0.03, () => ({ answer: 500, done: false })],
  [0.02, () => ({ answer: 'reset', done: false })],
  [0.02, (random) => ({ answer: 'as usual', done: true, delayMs: random.between(100, 1_200) })],
];
const CLOUD_WRITES: Odds<CloudFault> = [
  [0.05, () => ({ kind: 'status', status: 500 })],
  [0.05, () => ({ kind: 'reset', acts: true })],
  [0.04, () => ({ kind: 'reset' })],
  [0.03, () => ({ kind: 'html', status: 502, acts: true })],
  [0.02, () => ({ kind: 'html', status: 503 })],
  [0.02, () => ({ kind: 'malformed' })],
  [0.02, () => ({ kind: 'too-many', waitSeconds: 1 })],
  [0.02, () => ({ kind: 'action-fails' })],
  [0.01, () => ({ kind: 'action-fails', isLost: true })],
  [0.03, (random) => ({ kind: 'slow', until: wait(random.between(100, 2_000)) })],
];
const CLOUD_READS: Odds<CloudFault> = [
  [0.03, () => ({ kind: 'status', status: 500 })],
  [0.02, () => ({ kind: 'reset' })],
  [0.01, () => ({ kind: 'html' })],
  [0.02, (random) => ({ kind: 'slow', until: wait(random.between(100, 1_200)) })],
];
const SLACK: Odds<SlackFault> = [
  [0.08, () => 'lose answer'],
  [0.04, () => 'drop'],
  [0.04, () => ({ status: 500 })],
  [0.01, () => ({ retryAfterSeconds: 1 })],
  [0.03, (random) => ({ delayMs: random.between(50, 600) })],
];

export function createWeather(random: Random, families: readonly string[]): Weather {
  let isClear = false;
  const api = random.fork('api');
  const slack = random.fork('slack');
  return {
    hosting: (call) =>
      isClear || !families.includes('api') ? undefined : draw(api, call.method === 'GET' ? READS : WRITES),
    cloud: (kind, call) => {
      if (isClear || !families.includes('api')) return undefined;
      const fault = draw(api, call.method === 'GET' ? CLOUD_READS : CLOUD_WRITES);
      // Vultr names no actions, so that nobody can see that one failed.
      return kind === 'vultr' && fault?.kind === 'action-fails' ? undefined : fault;
    },
    slack: () => (isClear || !families.includes('slack') ? undefined : draw(slack, SLACK)),
    clear: () => {
      isClear = true;
    },
  };
}

function draw<T>(random: Random, odds: Odds<T>): T | undefined {
  let left = random.next();
  for (const [probability, fault] of odds) {
    left -= probability;
    if (left < 0) return fault(random);
  }
  return undefined;
}
